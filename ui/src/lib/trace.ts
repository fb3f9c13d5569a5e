/** A recall trace as the page shows it. Stored traces may be older than this page, so members are read with care. */
import type { RecallAnswer, RunDetail } from "../api/types";

export interface RouteLine {
  route: string;
  hits: number;
  ms: number;
  status: "ok" | "late" | "failed" | "skipped";
  note: string;
}

export interface CandidateLine {
  ref: string;
  score: number;
  routes: string[];
  group: string;
  selected: boolean;
}

export interface QuotaLine {
  name: string;
  seats: number;
  used: number;
}

export interface SelectedLine {
  ref: string;
  reason: string;
  snippet: string;
  score: number | null;
}

export interface SectionLine {
  name: string;
  tokens: number;
  items: number | null;
  dropped: number | null;
}

export interface Trace {
  mode: string;
  plan: [string, string][];
  routes: RouteLine[];
  candidates: CandidateLine[];
  quotas: QuotaLine[];
  selected: SelectedLine[];
  selectedBy: string;
  sections: SectionLine[];
  tokens: number;
  budget: number | null;
  text: string | null;
  ms: number;
}

type Bag = Record<string, unknown>;

const bag = (value: unknown): Bag => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Bag) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const num = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const str = (value: unknown): string => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");
const first = (from: Bag, ...names: string[]): unknown => names.map((n) => from[n]).find((v) => v !== undefined && v !== null);

/** {"words": {...}} and [{"route": "words", ...}] both become a list with a name. */
function named(value: unknown, key: string): Bag[] {
  if (Array.isArray(value)) return value.map(bag);
  return Object.entries(bag(value)).map(([name, inner]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner) ? { [key]: name, ...bag(inner) } : { [key]: name, value: inner },
  );
}

function routeStatus(route: Bag): RouteLine["status"] {
  const said = str(first(route, "status", "outcome"));
  if (route.error || said === "failed" || said === "error") return "failed";
  if (route.late === true || said === "late" || said === "timeout") return "late";
  if (route.skipped === true || said === "skipped") return "skipped";
  return "ok";
}

function routes(candidates: Bag): RouteLine[] {
  return named(first(candidates, "routes", "sources"), "route").map((r) => ({
    route: str(first(r, "route", "name")),
    hits: num(first(r, "hits", "count", "found", "value")),
    ms: num(first(r, "ms", "milliseconds", "elapsed_ms")),
    status: routeStatus(r),
    note: str(first(r, "note", "error", "reason")),
  }));
}

function candidateLines(candidates: Bag, chosen: Set<string>): CandidateLine[] {
  return list(first(candidates, "fused", "fusion", "items", "candidates")).map(bag).map((c) => {
    const from = first(c, "routes", "sources");
    const ref = str(first(c, "ref", "id"));
    return {
      ref,
      score: num(first(c, "score", "fused")),
      routes: Array.isArray(from) ? from.map(str) : Object.keys(bag(from)),
      group: str(first(c, "group", "quota", "bucket")),
      selected: c.selected === true || chosen.has(ref),
    };
  });
}

function quotaLines(candidates: Bag): QuotaLine[] {
  return named(candidates.quotas, "name").map((q) => ({
    name: str(first(q, "name", "group")),
    seats: num(first(q, "seats", "quota", "limit", "value")),
    used: num(first(q, "used", "taken", "filled", "value")),
  }));
}

function selectedLines(selected: unknown): SelectedLine[] {
  return list(selected).map(bag).map((s) => ({
    ref: str(first(s, "ref", "id")),
    reason: str(first(s, "reason", "why")),
    snippet: str(first(s, "snippet", "text")),
    score: typeof s.score === "number" ? s.score : null,
  }));
}

function sections(pack: Bag): SectionLine[] {
  return named(first(pack, "sections", "tokens_by_section"), "name").map((s) => ({
    name: str(first(s, "name", "section")),
    tokens: num(first(s, "tokens", "token_count", "value")),
    items: typeof s.items === "number" ? s.items : Array.isArray(s.items) ? s.items.length : null,
    dropped: typeof s.dropped === "number" ? s.dropped : null,
  }));
}

function planLines(plan: Bag): [string, string][] {
  const lines: [string, string][] = [];
  for (const [name, value] of Object.entries(plan)) {
    if (name === "mode" || value === null || value === "" || (Array.isArray(value) && value.length === 0)) continue;
    const inner = bag(value);
    const known = Object.entries(inner).filter(([, v]) => v !== null && v !== "");
    if (Object.keys(inner).length > 0 && known.length === 0) continue;
    const said = Object.keys(inner).length ? known.map(([k, v]) => `${k}: ${plain(v)}`).join(", ") : plain(value);
    lines.push([name, said]);
  }
  return lines;
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(" / ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

interface Parts {
  plan: unknown;
  candidates: unknown;
  selected: unknown;
  pack: unknown;
}

export function readTrace(parts: Parts): Trace {
  const plan = bag(parts.plan);
  const candidates = bag(parts.candidates);
  const pack = bag(parts.pack);
  const inner = bag(parts.selected);
  const chosen = selectedLines(Array.isArray(parts.selected) ? parts.selected : first(inner, "items", "selected"));
  const shares = sections(pack);
  return {
    mode: str(plan.mode),
    plan: planLines(plan),
    routes: routes(candidates),
    candidates: candidateLines(candidates, new Set(chosen.map((c) => c.ref))),
    quotas: quotaLines(candidates),
    selected: chosen,
    selectedBy: str(first(candidates, "selected_by", "selector") ?? first(inner, "by", "selected_by")),
    sections: shares,
    tokens: num(first(pack, "tokens", "total_tokens")) || shares.reduce((sum, s) => sum + s.tokens, 0),
    budget: typeof first(pack, "budget", "max_tokens", "max_inject_tokens") === "number" ? num(first(pack, "budget", "max_tokens", "max_inject_tokens")) : null,
    text: str(first(pack, "text", "body")) || null,
    ms: num(first(candidates, "milliseconds", "ms", "total_ms")),
  };
}

export function traceOfRun(run: RunDetail): Trace {
  return readTrace(run);
}

/** A recall made just now: its explain part has the members of a stored run. */
export function traceOfRecall(answer: RecallAnswer): Trace {
  const explain = bag(answer.explain);
  const trace = readTrace({ plan: explain.plan, candidates: explain.candidates ?? explain, selected: explain.selected, pack: explain.pack });
  const selected = answer.items.map((i) => ({ ref: i.ref, reason: i.reason, snippet: i.text, score: i.score }));
  return { ...trace, mode: answer.mode, selected, ms: answer.milliseconds, text: answer.memory_pack || trace.text };
}
