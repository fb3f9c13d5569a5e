export default function Heart() { return null; }
