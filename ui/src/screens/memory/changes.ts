/** A revision as a reader wants it: which members changed, and inside texts, which words. */
import { diffArrays } from "diff";

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
  return a === b || JSON.stringify(a) === JSON.stringify(b) || (isEmpty(a) && isEmpty(b));
}

/** Members that differ, flattened one level into JSON objects (payload.due_ts). */
export function changes(before: Snapshot, after: Snapshot): FieldChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((field) => !SILENT.has(field));
  return fields.flatMap((field) => fieldChanges(plain(field), unpack(before?.[field]), unpack(after?.[field])));
}

function fieldChanges(field: string, before: unknown, after: unknown): FieldChange[] {
  if (same(before, after)) return [];
  if (isRecord(before) && isRecord(after)) return changes(before, after).map((c) => ({ ...c, field: `${field}.${c.field}` }));
  return [{ field, before: before ?? null, after: after ?? null }];
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

/** The words that went and came; beyond a bounded effort the whole text is shown as replaced. */
export function textDiff(before: string, after: string): TextPart[] {
  const found = diffArrays(pieces(before), pieces(after), { maxEditLength: 2_000 });
  if (!found) return [{ text: before, kind: "gone" }, { text: after, kind: "new" }];
  return found.map((part) => ({ text: part.value.join(""), kind: part.removed ? "gone" : part.added ? "new" : "same" }));
}
