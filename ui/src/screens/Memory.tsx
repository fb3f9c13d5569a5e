export default function Memory() { return null; }
