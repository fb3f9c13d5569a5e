export default function Likes() { return null; }
