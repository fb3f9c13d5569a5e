import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import Graph from "../src/screens/graph/Graph";
import Heart from "../src/screens/heart/Heart";
import { headline, levelOf } from "../src/screens/heart/headline";
import Likes from "../src/screens/likes/Likes";
import Timeline from "../src/screens/timeline/Timeline";
import Why from "../src/screens/why/Why";
import { called, event, nothing, serve, show, state } from "./harness";

vi.mock("../src/screens/heart/MoodPlot", () => ({ default: ({ label }: { label: string }) => <div role="img" aria-label={label} /> }));
vi.mock("../src/screens/graph/GraphCanvas", () => ({ default: ({ label }: { label: string }) => <div role="img" aria-label={label} /> }));

const vad = (v: number) => ({ v, a: 0, d: 0 });
const point = (ts: number, v: number) => ({ ts, baseline: vad(v), shock: vad(0), vad: vad(v) });
const affect = { affect_id: 1, event_id: 3, created_at: 1_790_000_000, text: "a warm talk", labels: ["joy"], vad: vad(0.5), confidence: 0.9, searchable: true };

test("the mood is told in words that fit the whole time", () => {
  expect([-0.5, -0.2, 0, 0.2, 0.6].map(levelOf)).toEqual(["verylow", "low", "even", "high", "veryhigh"]);
  expect(headline([point(1, -0.3), point(2, 0), point(3, 0.3)])).toEqual({ level: "even", trend: "up", vad: vad(0) });
  expect(headline([])).toBeNull();
});

test("heart: words first, then days by their strongest moment, each a way to its talk", async () => {
  const today = new Date();
  const key = `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, "0")}-${String(today.getDate()).padStart(2, "0")}`;
  serve({
    "GET /api/mood/debug": { mood: { body_text: "warm", vad: vad(0.3) } },
    "GET /api/memory/mood/history": { start_ts: 1, end_ts: 9, points: [point(1, 0.2), point(5, 0.2), point(9, 0.2)] },
    "GET /api/memory/affects": { items: [affect], next_cursor: null },
    "GET /api/memory/mood/days": { items: [{ day: key, moments: 2, mean_v: 0.1, strongest: vad(0.9), text: "the best news", event_id: 8, at: 1 }] },
  });
  show(<Heart />);
  expect(await screen.findByText("A little bright and steady over this time.")).toBeTruthy();
  const cells = await screen.findAllByRole("link", { name: /the best news/ });
  expect(cells[0]?.getAttribute("href")).toContain("turn=8");
  expect(screen.getByText("a warm talk")).toBeTruthy();
});

test("heart: nothing felt yet", async () => {
  serve({ "GET /api/memory/mood/history": { start_ts: 1, end_ts: 9, points: [] }, "GET /api/memory/affects": nothing(), "GET /api/memory/mood/days": { items: [] } });
  show(<Heart />);
  expect(await screen.findByText(/No feelings yet/)).toBeTruthy();
});

test("timeline: a month opens with its talk, to the last page", async () => {
  const user = userEvent.setup();
  const page = (call: { query: URLSearchParams }) => (call.query.get("cursor") ? { items: [event(1)], next_cursor: null } : { items: [event(2)], next_cursor: 2 });
  serve({
    "GET /api/memory/timeline": { by: "recorded", bucket: "month", items: [{ bucket: "2026-10", events: 1, first_event_id: 1, last_event_id: 2 }] },
    "GET /api/memory/state": { items: [state(5, { kind: "summary", body_text: "a month of walks", payload: { scope: { type: "period", key: "month:2026-10" } } })], next_cursor: null },
    "GET /api/memory/events": page,
  });
  show(<Timeline />);
  expect(await screen.findByText("a month of walks")).toBeTruthy();
  expect(screen.getByText("1 time")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: /October 2026/ }));
  expect(await screen.findByText("said 2")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Load more" }));
  expect(await screen.findByText("said 1")).toBeTruthy();
});

test("likes: confirmed, guessed and gone; revoking can be undone", async () => {
  const user = userEvent.setup();
  const like = (id: number, status: string) => ({ preference_id: id, domain: "food", polarity: "like", subject: `taste ${id}`, status, confidence: 0.5, evidence_event_ids: [3], first_seen_at: 1, last_seen_at: 1_790_000_000 });
  serve({
    "GET /api/memory/preferences": (call: { query: URLSearchParams }) => ({ items: [like({ confirmed: 1, candidate: 2, revoked: 3 }[call.query.get("status") ?? ""] ?? 9, call.query.get("status") ?? "")], next_cursor: null }),
    "POST /api/memory/preferences/1/revoke": {},
    "POST /api/memory/preferences/1/confirm": {},
  });
  show(<Likes />);
  await user.click(await screen.findByRole("button", { name: "Not so: taste 1" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(called("POST", "/api/memory/preferences/1/confirm")).toHaveLength(1));
  expect(screen.getByRole("heading", { name: /Guesses/ })).toBeTruthy();
});

test("graph: filters hide a kind, and a word draws the path to another memory", async () => {
  const user = userEvent.setup();
  const graph = { centre: "s1", nodes: [{ id: "s1", kind: "fact", label: "cat", ts: 5 }, { id: "e2", kind: "event", label: "my cat", ts: 6 }], edges: [{ source: "s1", target: "e2", label: "rests_on", confidence: 1 }] };
  serve({ "GET /api/memory/graph": graph, "GET /api/memory/search": { query: "x", events: [], states: [state(7)] }, "GET /api/memory/graph/path": { ...graph, nodes: graph.nodes.slice(0, 1), edges: [] } });
  show(<Graph />, "#/graph/s1");
  const list = (await screen.findByRole("heading", { name: "Connections as a list" })).parentElement as HTMLElement;
  expect(within(list).getByText("my cat")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "talk" }));
  expect(within(list).queryByText("my cat")).toBeNull();
  await user.type(screen.getByLabelText("Path to"), "dog");
  await user.click(screen.getByRole("button", { name: "Find the path" }));
  expect(await screen.findByText("No path found between the two.")).toBeTruthy();
  expect(called("GET", "/api/memory/graph/path")[0]?.query.get("goal")).toBe("s7");
});

test("why: one plain sentence first, no request a row, tables under details, a mark", async () => {
  const user = userEvent.setup();
  const run = { run_id: 4, event_id: 3, created_at: 1, plan: { mode: "targeted_broad" }, candidates: { seated: [{ ref: "s1", score: 0.5, routes: ["words"], seat: "several" }], routes: [{ route: "words", status: "ok", hits: 2, ms: 3 }] }, selected: [{ ref: "s1", reason: "" }], pack: { sections: { STABLE_FACTS: 9 } }, mark: null, texts: { s1: "lives in Kyoto" } };
  serve({
    "GET /api/memory/retrieval-runs": { items: [{ run_id: 4, event_id: 3, created_at: 1, mode: "x", selected: 1, milliseconds: 5, mark: null, said: "where do I live" }], next_cursor: null },
    "GET /api/memory/retrieval-runs/4": run,
    "GET /api/memory/events/3": { ...event(3, { user_text: "where do I live" }) },
    "POST /api/memory/retrieval-runs/4/mark": null,
  });
  show(<Why />, "#/why/4");
  expect(await screen.findByText(/I recalled 1 memory because you said “where do I live”. The closest was “lives in Kyoto”/)).toBeTruthy();
  expect(called("GET", "/api/memory/state/1")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Right memory" }));
  await waitFor(() => expect(called("POST", "/api/memory/retrieval-runs/4/mark")[0]?.body).toEqual({ mark: "good" }));
});

test("why: a recall is tried without storing anything", async () => {
  const user = userEvent.setup();
  serve({ "GET /api/memory/retrieval-runs": nothing(), "POST /api/memory/recall": { mode: "x", items: [{ ref: "s1", kind: "state", text: "tea", score: 1, said_at: 1, reason: "" }], memory_pack: "pack", milliseconds: 4, explain: {} } });
  show(<Why />, "#/why");
  await user.type(await screen.findByLabelText("Try a recall"), "drinks{Enter}");
  expect(await screen.findByText("tea")).toBeTruthy();
});
