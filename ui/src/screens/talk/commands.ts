/** What begins with a slash is meant for the page, not for the ghost; a path or a date is not a command. */

export interface Command {
  name: "search" | "new" | "help" | "unknown";
  rest: string;
}

const KNOWN = new Set(["search", "new", "help"]);

export function commandOf(text: string): Command | null {
  const found = /^\/([a-z]*)(?:\s+(.*))?$/is.exec(text);
  if (!found) return null;
  const name = (found[1] ?? "").toLowerCase();
  if (name === "") return { name: "search", rest: "" };
  if (KNOWN.has(name)) return { name: name as Command["name"], rest: found[2]?.trim() ?? "" };
  return { name: "unknown", rest: `/${name}` };
}
