/** The filters of the memory browser: kept in the address, turned into the server's parameters. */
import type { paths } from "../../api/schema";
import { now } from "../../lib/now";

type EventQuery = NonNullable<paths["/api/memory/events"]["get"]["parameters"]["query"]>;
type StateQuery = NonNullable<paths["/api/memory/state"]["get"]["parameters"]["query"]>;

export type Tab = "states" | "events";

export interface Facets {
  tab: Tab;
  q: string;
  kind: string;
  source: string;
  status: string;
  entity: string;
  from: string;
  to: string;
  sure: string;
  stage: string;
}

export const NO_FACETS: Facets = {
  tab: "states",
  q: "",
  kind: "",
  source: "",
  status: "",
  entity: "",
  from: "",
  to: "",
  sure: "",
  stage: "",
};

export function readFacets(query: URLSearchParams): Facets {
  const facets = { ...NO_FACETS };
  for (const name of Object.keys(NO_FACETS) as (keyof Facets)[]) {
    const value = query.get(name);
    if (value) facets[name] = value as never;
  }
  if (facets.tab !== "events") facets.tab = "states";
  return facets;
}

export function writeFacets(facets: Facets): Record<string, string> {
  const kept = Object.entries(facets).filter(([name, value]) => value && value !== NO_FACETS[name as keyof Facets]);
  return Object.fromEntries(kept);
}

export function anyFacet(facets: Facets): boolean {
  return Object.keys(writeFacets({ ...facets, tab: "states" })).length > 0;
}

function daySeconds(day: string, end: boolean): number | null {
  const ms = Date.parse(`${day}T${end ? "23:59:59" : "00:00:00"}`);
  return Number.isFinite(ms) ? Math.floor(ms / 1000) : null;
}

export function eventQuery(f: Facets): EventQuery {
  return known<EventQuery>({
    q: f.q,
    entity: f.entity,
    source: f.source as EventQuery["source"],
    start_ts: f.from ? daySeconds(f.from, false) : null,
    end_ts: f.to ? daySeconds(f.to, true) : null,
    searchable: f.status === "hidden" ? false : null,
    life_stage: f.stage as EventQuery["life_stage"],
  });
}

/** The moment is the coming minute: what changed just now counts, and the same filter stays the same query. */
export function stateQuery(f: Facets, at: number = now() / 1000): StateQuery {
  const minute = Math.ceil(at / 60) * 60;
  return known<StateQuery>({
    q: f.q,
    kind: f.kind as StateQuery["kind"],
    active_at: f.status === "active" ? minute : null,
    closed_at: f.status === "closed" ? minute : null,
    pin: f.status === "pinned" ? true : null,
    min_confidence: f.sure ? Number(f.sure) : null,
    searchable: f.status === "hidden" ? false : null,
    entity: f.entity,
  });
}

/** What is not asked for is not sent. */
function known<Q extends object>(query: Q): Q {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null && value !== "")) as Q;
}
