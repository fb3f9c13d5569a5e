import { expect, test } from "vitest";
import { pauseBefore } from "../src/api/socket";
import type { TurnRow } from "../src/api/types";
import { eventQuery, NO_FACETS, readFacets, stateQuery, writeFacets } from "../src/screens/memory/facets";
import { only, rings, upTo } from "../src/screens/graph/layout";
import { refusal } from "../src/lib/images";
import { lessons } from "../src/lib/learned";
import { glue, nextCursor } from "../src/lib/paging";
import { link, parseRoute } from "../src/lib/router";
import { stateStatus, validitySpan } from "../src/lib/states";
import { type FreshTurn, fromRow, mergeTurns } from "../src/lib/turns";
import { fromFrame } from "../src/state/stream";

test("pages glue without repeats, and paging ends", () => {
  const pages = [
    { items: [{ id: 5 }, { id: 4 }], next_cursor: 4 },
    { items: [{ id: 4 }, { id: 3 }], next_cursor: null },
  ];
  expect(glue(pages, (x) => x.id).map((x) => x.id)).toEqual([5, 4, 3]);
  expect(nextCursor({ items: [1], next_cursor: 4 }, null, null)).toBe(4);
  expect(nextCursor({ items: [1], next_cursor: null }, null, 4)).toBeUndefined();
  expect(nextCursor({ items: [1], next_cursor: 4 }, null, 4)).toBeUndefined();
  expect(nextCursor({ items: [], next_cursor: 2 }, null, 4)).toBeUndefined();
});

test("addresses go there and back", () => {
  expect(parseRoute(link("graph", "t:京都 旅行", { q: "a&b" }))).toMatchObject({ screen: "graph", id: "t:京都 旅行" });
  expect(parseRoute(link("graph", "t:x", { q: "a&b" })).query.get("q")).toBe("a&b");
  expect(parseRoute("")).toMatchObject({ screen: "chat", id: null });
});

test("filters survive the address and become the server's parameters", () => {
  const facets = { ...NO_FACETS, tab: "events" as const, entity: "妹", source: "chat", from: "2026-01-01" };
  expect(readFacets(new URLSearchParams(writeFacets(facets)))).toEqual(facets);
  expect(eventQuery(facets)).toMatchObject({ entity: "妹", source: "chat", start_ts: new Date(2026, 0, 1).getTime() / 1000 });
  expect(stateQuery({ ...NO_FACETS, status: "active" }, 125)).toEqual({ active_at: 180 });
  expect(stateQuery({ ...NO_FACETS, sure: "0.5", status: "pinned" }, 125)).toMatchObject({ min_confidence: 0.5, pin: true });
  expect(stateQuery({ ...NO_FACETS, status: "closed" }, 125)).toEqual({ closed_at: 180 });
});

test("what a state is now", () => {
  const state = { searchable: true, payload: {}, valid_from_ts: 10, valid_to_ts: null, created_at: 10 };
  expect(stateStatus(state, 100)).toBe("active");
  expect(stateStatus({ ...state, valid_to_ts: 50 }, 100)).toBe("closed");
  expect(stateStatus({ ...state, payload: { done_at: 5 }, valid_to_ts: 50 }, 100)).toBe("done");
  expect(stateStatus({ ...state, searchable: false }, 100)).toBe("hidden");
  const span = validitySpan({ ...state, valid_to_ts: 50 }, 100);
  expect(span.from).toBeLessThan(span.to);
  expect(span.to).toBeLessThan(1);
});

const fresh = (part: Partial<FreshTurn>): FreshTurn => ({
  key: "k",
  eventId: null,
  source: "chat",
  at: 1,
  userText: "",
  systemText: null,
  pictures: [],
  reply: "",
  state: "done",
  problem: null,
  incognito: false,
  interrupted: false,
  earlier: [],
  ...part,
});
const stored = (id: number, text: string) =>
  ({ event_id: id, created_at: id, source: "chat", origin: "user", user_text: text, assistant_text: "r", forgotten_at: null }) as unknown as TurnRow;

test("history and the running talk are one list without twins", () => {
  const turns = mergeTurns([stored(2, "b"), stored(1, "a")], [fresh({ key: "mine", eventId: 2, userText: "b" })]);
  expect(turns.map((t) => t.key)).toEqual(["event-1", "mine"]);
});

test("another reply appears at the old place", () => {
  const turns = mergeTurns([stored(2, "b"), stored(1, "a")], [fresh({ key: "again-1", eventId: 1, userText: "a", reply: "new" })]);
  expect(turns.map((t) => t.eventId)).toEqual([1, 2]);
  expect(turns[0]?.reply).toBe("new");
});

test("unasked lines come from frames; commands are not lines", () => {
  expect(fromFrame({ event_id: 0, type: "vision.capture_request", data: {} })).toBeNull();
  expect(fromFrame({ event_id: 7, type: "reminder", data: { message: "10:00" } })).toMatchObject({ eventId: 7, reply: "10:00", source: "reminder" });
  expect(fromFrame({ event_id: 9, type: "meta-request", data: { message: "hey" } })).toMatchObject({ source: "meta_proactive" });
});

test("what counts as learned", () => {
  const revision = (entity_type: string, after: object) => ({ entity_type, after, before: null, actor: "grow", undoes: null }) as never;
  const all = [revision("state", { kind: "fact" }), revision("state", { kind: "long_mood_state" }), revision("event_links", {})];
  expect(lessons(all)).toHaveLength(1);
});

test("pictures are refused before they are sent", () => {
  const png = { type: "image/png", size: 10 };
  expect(refusal(png, [])).toBeNull();
  expect(refusal({ type: "image/svg+xml", size: 1 }, [])).toBe("talk.image.type");
  expect(refusal({ type: "image/png", size: 6e6 }, [])).toBe("talk.image.size");
  expect(refusal(png, Array(5).fill(png))).toBe("talk.image.count");
  expect(refusal({ type: "image/png", size: 5e6 }, Array(4).fill({ size: 5e6 }))).toBe("talk.image.total");
});

test("the graph as it was, and where its nodes lie", () => {
  const graph = {
    centre: "e1",
    nodes: [
      { id: "e1", kind: "event", label: "a", ts: 5 },
      { id: "e2", kind: "event", label: "b", ts: 9 },
      { id: "t:x", kind: "thread", label: "x", ts: null },
    ],
    edges: [{ source: "e2", target: "t:x", label: "thread", confidence: 1 }],
  };
  expect(upTo(graph, 5).nodes.map((n) => n.id)).toEqual(["e1"]);
  expect(upTo(graph, 9).nodes).toHaveLength(3);
  const places = rings(graph, "e1");
  expect(places.get("e1")).toEqual({ x: 0, y: 0 });
  expect(new Set([...places.values()].map((p) => `${p.x},${p.y}`)).size).toBe(3);
});

test("reconnecting waits longer each time, up to half a minute", () => {
  expect([0, 1, 2, 20].map((attempt) => pauseBefore(attempt, false))).toEqual([500, 1000, 2000, 30_000]);
  expect(pauseBefore(20, true)).toBe(4_000);
});

test("a stored turn is made once: a token redraws one turn, not the talk", () => {
  const row = stored(1, "a");
  expect(fromRow(row)).toBe(fromRow(row));
  const [first] = mergeTurns([row], [fresh({ key: "mine", reply: "x" })]);
  const [again] = mergeTurns([row], [fresh({ key: "mine", reply: "xy" })]);
  expect(first).toBe(again);
});

test("kinds one does not want to see go with their edges; the centre stays", () => {
  const graph = { centre: "s1", nodes: [{ id: "s1", kind: "fact", label: "a" }, { id: "e2", kind: "event", label: "b" }], edges: [{ source: "s1", target: "e2", label: "rests_on", confidence: 1 }] };
  expect(only(graph, new Set(["event", "state"]))).toMatchObject({ nodes: [{ id: "s1" }], edges: [] });
});
