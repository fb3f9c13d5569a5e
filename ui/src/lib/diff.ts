/** A revision as a reader wants it: which members changed, and inside texts, which words. */

export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

export interface TextPart {
  text: string;
  kind: "same" | "gone" | "new";
}

type Snapshot = Record<string, unknown> | null | undefined;

// Bookkeeping that changes with every write says nothing to a reader.
const SILENT = new Set(["updated_at", "body_key", "subject_key"]);

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Members that differ, flattened one level into JSON objects (payload.due_ts). */
export function changes(before: Snapshot, after: Snapshot): FieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const found: FieldChange[] = [];
  for (const field of fields) {
    if (SILENT.has(field)) continue;
    const b = unpack(before?.[field]);
    const a = unpack(after?.[field]);
    if (same(a, b)) continue;
    if (isRecord(a) && isRecord(b)) {
      found.push(...changes(b, a).map((c) => ({ ...c, field: `${plain(field)}.${c.field}` })));
    } else if (!(isEmpty(a) && isEmpty(b))) {
      found.push({ field: plain(field), before: b ?? null, after: a ?? null });
    }
  }
  return found;
}

function plain(field: string): string {
  return field.replace(/_json$/, "");
}

/** Database rows keep lists and objects as JSON text. */
function unpack(value: unknown): unknown {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function pieces(text: string): string[] {
  // Words for Latin scripts, single characters for Japanese: what a reader would underline.
  return text.match(/[A-Za-z0-9_'’-]+|\s+|[^\sA-Za-z0-9_'’-]/gu) ?? [];
}

/** Longest common subsequence over words; long texts fall back to whole-text replacement. */
export function textDiff(before: string, after: string): TextPart[] {
  const a = pieces(before);
  const b = pieces(after);
  if (a.length * b.length > 250_000) {
    return join([{ text: before, kind: "gone" }, { text: after, kind: "new" }]);
  }
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return join(walk(a, b, at));
}

function walk(a: string[], b: string[], at: (i: number, j: number) => number): TextPart[] {
  const parts: TextPart[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ text: a[i++] ?? "", kind: "same" });
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ text: a[i++] ?? "", kind: "gone" });
    } else parts.push({ text: b[j++] ?? "", kind: "new" });
  }
  return parts;
}

function join(parts: TextPart[]): TextPart[] {
  const joined: TextPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last && last.kind === part.kind) last.text += part.text;
    else if (part.text) joined.push({ ...part });
  }
  return joined;
}
