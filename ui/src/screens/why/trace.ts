/** A recall trace as the page shows it. Stored traces may be older than this page, so members are read with care. */
import type { RecallAnswer, RunDetail } from "../../api/types";

export interface RouteLine {
  route: string;
  hits: number;
  ms: number;
  status: "ok" | "late" | "failed" | "skipped";
  note: string;
}

export interface CandidateLine {
  ref: string;
  text: string;
  score: number;
  routes: string[];
  group: string;
  selected: boolean;
}

export interface QuotaLine {
  name: string;
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
  items: number;
  dropped: number;
}

export interface Trace {
  mode: string;
  plan: [string, string][];
  routes: RouteLine[];
  found: number;
  candidates: CandidateLine[];
  quotas: QuotaLine[];
  selected: SelectedLine[];
  selectedBy: string;
  sections: SectionLine[];
  tokens: number;
  text: string | null;
  ms: number;
}

type Bag = Record<string, unknown>;

const bag = (value: unknown): Bag => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Bag) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const num = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const str = (value: unknown): string => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");

function routeStatus(said: string): RouteLine["status"] {
  if (said === "off") return "skipped";
  return said === "late" || said === "failed" ? said : "ok";
}

function routes(candidates: Bag): RouteLine[] {
  return list(candidates.routes).map(bag).map((r) => ({
    route: str(r.route),
    hits: num(r.hits),
    ms: num(r.ms),
    status: routeStatus(str(r.status)),
    note: str(r.error),
  }));
}

function candidateLines(candidates: Bag, chosen: Set<string>, texts: Record<string, string>): CandidateLine[] {
  return list(candidates.seated).map(bag).map((c) => ({
    ref: str(c.ref),
    text: texts[str(c.ref)] ?? "",
    score: num(c.score),
    routes: list(c.routes).map(str),
    group: str(c.seat),
    selected: chosen.has(str(c.ref)),
  }));
}

/** Who took the seats: how many candidates each group placed. */
function quotaLines(candidates: Bag): QuotaLine[] {
  return Object.entries(bag(candidates.seats)).map(([name, used]) => ({ name, used: num(used) }));
}

function selectedLines(selected: unknown, texts: Record<string, string>): SelectedLine[] {
  return list(selected).map(bag).map((s) => ({
    ref: str(s.ref),
    reason: str(s.reason),
    snippet: str(s.snippet) || (texts[str(s.ref)] ?? ""),
    score: typeof s.score === "number" ? s.score : null,
  }));
}

function sections(pack: Bag): SectionLine[] {
  const lines = bag(pack.lines);
  const dropped = bag(pack.dropped);
  return Object.entries(bag(pack.sections)).map(([name, tokens]) => ({
    name,
    tokens: num(tokens),
    items: num(lines[name]),
    // Newer traces name what found no room, older ones only counted it.
    dropped: Array.isArray(dropped[name]) ? list(dropped[name]).length : num(dropped[name]),
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
  texts?: Record<string, string>;
}

export function readTrace(parts: Parts): Trace {
  const plan = bag(parts.plan);
  const candidates = bag(parts.candidates);
  const pack = bag(parts.pack);
  const texts = parts.texts ?? {};
  const chosen = selectedLines(parts.selected, texts);
  const shares = sections(pack);
  return {
    mode: str(plan.mode),
    plan: planLines(plan),
    routes: routes(candidates),
    found: num(candidates.found),
    candidates: candidateLines(candidates, new Set(chosen.map((c) => c.ref)), texts),
    quotas: quotaLines(candidates),
    selected: chosen,
    selectedBy: str(pack.selected_by),
    sections: shares,
    tokens: num(pack.tokens) || shares.reduce((sum, s) => sum + s.tokens, 0),
    text: null,
    ms: num(candidates.milliseconds),
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
