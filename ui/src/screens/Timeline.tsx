export default function Timeline() { return null; }
