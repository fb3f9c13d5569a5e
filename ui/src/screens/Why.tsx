export default function Why() { return null; }
