export default function Tidy() { return null; }
