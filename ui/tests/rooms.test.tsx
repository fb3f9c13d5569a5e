import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import Care from "../src/screens/care/Care";
import Graph from "../src/screens/graph/Graph";
import { rings } from "../src/screens/graph/layout";
import Heart from "../src/screens/heart/Heart";
import { nearest, plotData, tickWords } from "../src/screens/heart/MoodPlot";
import Likes from "../src/screens/likes/Likes";
import Logs from "../src/screens/logs/Logs";
import Memory from "../src/screens/memory/Memory";
import Reminders from "../src/screens/reminders/Reminders";
import Settings from "../src/screens/settings/Settings";
import Timeline from "../src/screens/timeline/Timeline";
import Why from "../src/screens/why/Why";
import { called, event, nothing, serve, settings, show, sockets, state, status } from "./harness";

vi.mock("../src/screens/graph/GraphCanvas", () => ({ default: ({ label }: { label: string }) => <div role="img" aria-label={label} /> }));
vi.mock("uplot", () => ({ default: class {} }));

const vad = (v: number) => ({ v, a: 0, d: 0 });
const point = (ts: number, v: number) => ({ ts, baseline: vad(v), shock: vad(0), vad: vad(v) });
const affect = (id: number, at: number) => ({ affect_id: id, event_id: id, created_at: at, text: `felt ${id}`, labels: ["joy"], vad: vad(0.5), confidence: 0.9, searchable: true });
const away = () => Response.json({ detail: { code: "internal_error", message: "boom" } }, { status: 500 });

test.each([
  ["memory", () => <Memory />, { "GET /api/memory/state": away }],
  ["likes", () => <Likes />, { "GET /api/memory/preferences": away }],
  ["timeline", () => <Timeline />, { "GET /api/memory/timeline": away, "GET /api/memory/state": nothing() }],
  ["reminders", () => <Reminders />, { "GET /api/reminders": away, "GET /api/reminders/settings": { reminders_enabled: true } }],
  ["why", () => <Why />, { "GET /api/memory/retrieval-runs": away }],
  ["settings", () => <Settings />, { "GET /api/settings": away, "GET /api/status": status(), "GET /api/usage": { items: [] } }],
  ["graph", () => <Graph />, { "GET /api/memory/graph": away }],
])("%s: a failure is told with a way to try again", async (name, part, table) => {
  serve(table as never);
  show(part(), name === "graph" ? "#/graph/s1" : "");
  const told = (await screen.findAllByRole("alert"))[0] as HTMLElement;
  expect(told.textContent).not.toContain("boom");
  expect(within(told).getByRole("button", { name: "Try again" })).toBeTruthy();
});

test.each([
  ["memory", () => <Memory />, /I don't know anything yet/, {}],
  ["likes", () => <Likes />, /./, { "GET /api/memory/preferences": nothing() }],
  ["timeline", () => <Timeline />, /./, { "GET /api/memory/timeline": { by: "recorded", bucket: "month", items: [] } }],
  ["reminders", () => <Reminders />, /./, { "GET /api/reminders": { items: [] }, "GET /api/reminders/settings": { reminders_enabled: true } }],
  ["why", () => <Why />, /./, { "GET /api/memory/retrieval-runs": nothing() }],
  ["graph", () => <Graph />, /No connections yet/, { "GET /api/memory/events": nothing() }],
])("%s: an empty room says what will be in it", async (_, part, words, table) => {
  serve({ "GET /api/memory/state": nothing(), ...table });
  show(part());
  await waitFor(() => expect(document.querySelector(".empty")?.textContent).toMatch(words));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("heart: another line and another time are asked for and named", async () => {
  const user = userEvent.setup();
  serve({
    "GET /api/mood/debug": { mood: { body_text: "warm", vad: { v: 0.3, a: -0.2, d: 0 } } },
    "GET /api/memory/mood/history": { start_ts: 1, end_ts: 9, points: [] },
    "GET /api/memory/affects": (call: { query: URLSearchParams }) => (call.query.get("cursor") ? { items: [affect(1, 5)], next_cursor: null } : { items: [affect(2, 6)], next_cursor: 2 }),
    "GET /api/memory/mood/days": { items: [] },
  });
  show(<Heart />);
  await user.click(await screen.findByRole("button", { name: "1 year" }));
  await waitFor(() => {
    const spans = called("GET", "/api/memory/mood/history").map((call) => Number(call.query.get("end_ts")) - Number(call.query.get("start_ts")));
    expect(new Set(spans)).toEqual(new Set([7 * 86_400, 365 * 86_400]));
  });
  await user.click(screen.getByRole("button", { name: "Energy" }));
  expect(screen.getByRole("button", { name: "Energy" }).getAttribute("aria-pressed")).toBe("true");
  await user.click(screen.getByText("Show the numbers"));
  expect(screen.getByText("+0.30")).toBeTruthy();
  expect(screen.getByText("-0.20")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Load more" }));
  expect(await screen.findByText("felt 1")).toBeTruthy();
});

test("the curve: marks sit on the nearest point, a click finds the nearest mark", () => {
  const points = [point(0, 0.1), point(100, 0.2), point(200, 0.3)];
  const { rows, at } = plotData(points, [affect(1, 90), affect(2, 199)], "v");
  expect(rows[4]).toEqual([null, 0.5, 0.5]);
  expect(at.get(1)?.affect_id).toBe(1);
  expect(nearest(at, 0)?.affect_id).toBe(1);
  expect(nearest(at, 9)).toBeNull();
  expect(nearest(at, null)).toBeNull();
});

test("the axis says days where days go by, hours within one, months over a year", () => {
  const start = new Date(2026, 10, 14).getTime() / 1000;
  expect(tickWords([start, start + 86_400], "en")).toEqual(["11/14", "11/15"]);
  expect(tickWords([start + 3_600, start + 7_200], "en")).toEqual(["01:00", "02:00"]);
  expect(tickWords([start, start + 86_400 * 30], "en")[0]).toMatch(/Nov/);
});

test.each([
  ["a desk", { width: 900, height: 500 }],
  ["a phone", { width: 340, height: 520 }],
])("the graph on %s: labels of one ring lie inside and apart", (_, room) => {
  const nodes = Array.from({ length: 7 }, (_, at) => ({ id: `s${at}`, kind: "state", label: `memory ${at}`, ts: at }));
  const places = rings({ centre: "s0", nodes, edges: [] }, "s0", room);
  const spots = [...places.values()];
  for (const { x, y } of spots) {
    expect(Math.abs(x)).toBeLessThanOrEqual(room.width / 2);
    expect(Math.abs(y)).toBeLessThanOrEqual(room.height / 2);
  }
  spots.forEach((a, i) => spots.slice(i + 1).forEach((b) => expect(Math.abs(a.x - b.x) > 60 || Math.abs(a.y - b.y) > 30).toBe(true)));
});

test("the graph begins at what is known, not at a summary of everything", async () => {
  serve({
    "GET /api/memory/state": { items: [state(9, { kind: "summary" }), state(4, { kind: "fact" })], next_cursor: null },
    "GET /api/memory/graph": { centre: "s4", nodes: [{ id: "s4", kind: "state", label: "likes tea", ts: 1 }], edges: [] },
  });
  show(<Graph />);
  expect(await screen.findByText("likes tea")).toBeTruthy();
  expect(called("GET", "/api/memory/graph")[0]?.query.get("id")).toBe("s4");
});

test("without an address the graph begins where the most hangs together", async () => {
  const lonely = state(9, { body_text: "typed by hand" });
  const tied = state(4, { entities: [{ name: "Tama", type: "person" }], evidence_event_ids: [1, 2] });
  serve({
    "GET /api/memory/state": { items: [lonely, tied], next_cursor: null },
    "GET /api/memory/graph": { centre: "s4", nodes: [{ id: "s4", kind: "state", label: "has a cat", ts: 1 }], edges: [] },
  });
  show(<Graph />);
  expect(await screen.findByText("has a cat")).toBeTruthy();
  expect(called("GET", "/api/memory/graph")[0]?.query.get("id")).toBe("s4");
});

test("timeline: by when it happened, with stages of life", async () => {
  const user = userEvent.setup();
  serve({
    "GET /api/memory/timeline": (call: { query: URLSearchParams }) => ({ by: call.query.get("by"), bucket: "month", items: [{ bucket: "2020-05", events: 2, first_event_id: 1, last_event_id: 2 }] }),
    "GET /api/memory/state": nothing(),
    "GET /api/memory/events": { items: [event(1, { about: { life_stage: "school", confidence: 1 } })], next_cursor: null },
  });
  show(<Timeline />);
  await user.click(await screen.findByRole("button", { name: "when it happened" }));
  await waitFor(() => expect(called("GET", "/api/memory/timeline").at(-1)?.query.get("by")).toBe("about"));
  await user.click(await screen.findByRole("button", { name: /May 2020/ }));
  expect(await screen.findByText("said 1")).toBeTruthy();
  expect(called("GET", "/api/memory/events")[0]?.query.get("about_from")).not.toBeNull();
});

test("reminders: weekly on chosen days; all of them switched off", async () => {
  const user = userEvent.setup();
  const made = { id: "w", enabled: true, repeat_kind: "weekly", content: "water the plants", scheduled_at: null, time_of_day: "08:15", weekdays: ["mon", "thu"], next_fire_at_utc: null, confirmed: true };
  serve({ "GET /api/reminders": { items: [made] }, "GET /api/reminders/settings": { reminders_enabled: true }, "POST /api/reminders": made, "PUT /api/reminders/settings": { reminders_enabled: false }, "PATCH /api/reminders/w": made });
  show(<Reminders />, "#/reminders?text=water%20the%20plants");
  await user.click(await screen.findByRole("button", { name: "Every week" }));
  await user.click(screen.getByRole("button", { name: "Thu" }));
  await user.click(screen.getByRole("button", { name: "New reminder" }));
  await waitFor(() => expect(called("POST", "/api/reminders")[0]?.body).toMatchObject({ content: "water the plants", repeat_kind: "weekly", weekdays: ["mon", "thu"], scheduled_at: null }));
  await user.click(screen.getByLabelText("Reminders on"));
  await waitFor(() => expect(called("PUT", "/api/reminders/settings")[0]?.body).toEqual({ reminders_enabled: false }));
});

test("settings: the built-in mind asks for nothing, another names who answers while it is away", async () => {
  const user = userEvent.setup();
  const two = [
    { llm_preset_id: "l1", llm_preset_name: "Keeper", llm_model: "embedded/ghost", max_tokens: 4096, max_turns_window: 10 },
    { llm_preset_id: "l2", llm_preset_name: "Big", llm_model: "openai/x", llm_api_key: "sk-…1", max_tokens: 4096, max_turns_window: 10, fallback_llm_preset_id: "" },
  ];
  serve({ "GET /api/settings": settings({ llm_preset: two }), "GET /api/status": status(), "GET /api/usage": { items: [] }, "GET /api/minds/providers": { items: [{ name: "openai", label: "OpenAI", needs_key: true, local: false }] }, "PUT /api/settings": (call: { body: unknown }) => call.body });
  show(<Settings />);
  const section = (await screen.findByRole("heading", { name: "Language model" })).closest("section") as HTMLElement;
  expect(((await within(section).findByLabelText(/^Service/)) as HTMLSelectElement).value).toBe("embedded");
  expect(within(section).queryByLabelText("Address (optional)")).toBeNull();
  await user.click(within(section).getByRole("button", { name: "Big" }));
  expect(within(section).getByLabelText("Address (optional)")).toBeTruthy();
  await user.selectOptions(within(section).getByLabelText(/While this one is away/), "l1");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect((called("PUT", "/api/settings")[0]?.body as { llm_preset: object[] }).llm_preset[1]).toMatchObject({ fallback_llm_preset_id: "l1" }));
});

test("settings: a preset is added, used, and archived after a question", async () => {
  const user = userEvent.setup();
  serve({ "GET /api/settings": settings(), "GET /api/status": status(), "GET /api/usage": { items: [] }, "PUT /api/settings": (call: { body: unknown }) => call.body });
  show(<Settings />);
  const section = (await screen.findByRole("heading", { name: "Persona" })).closest("section") as HTMLElement;
  await user.click(within(section).getByRole("button", { name: "Add preset" }));
  await user.type(within(section).getByLabelText("Who I am, how I talk"), "a fox");
  await user.click(within(section).getByRole("button", { name: "Use this" }));
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(called("PUT", "/api/settings")).toHaveLength(1));
  const put = called("PUT", "/api/settings")[0]?.body as ReturnType<typeof settings> & { persona_preset: { persona_preset_id: string; persona_text: string }[] };
  expect(put.persona_preset[1]?.persona_text).toBe("a fox");
  expect(put.active_persona_preset_id).toBe(put.persona_preset[1]?.persona_preset_id);
  await user.click(within(section).getByRole("button", { name: /^Ghost/ }));
  await user.click(within(section).getByRole("button", { name: "Archive" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Archive" }));
  expect(within(section).queryByRole("button", { name: /^Ghost/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Discard" }));
});

test("settings: quiet hours, the screen, and what is kept are saved together", async () => {
  const user = userEvent.setup();
  serve({ "GET /api/settings": settings(), "GET /api/status": status(), "GET /api/usage": { items: [] }, "PUT /api/settings": (call: { body: unknown }) => call.body });
  show(<Settings />);
  await user.click(await screen.findByLabelText("Look at the screen now and then"));
  await user.type(screen.getByLabelText("From"), "22:00");
  await user.click(screen.getByLabelText(/Keep small copies/));
  await user.click(screen.getByLabelText(/Ask once how a dated plan went/));
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(called("PUT", "/api/settings")[0]?.body).toMatchObject({ desktop_watch_enabled: true, speech: { quiet_from: "22:00" }, page: { keep_thumbnails: true, follow_up_plans: false } }));
});

test("care: nothing failed, every index whole, an export begins with a ticket", async () => {
  const user = userEvent.setup();
  sessionStorage.setItem("cocoro_session", "s");
  serve({
    "GET /api/status": status({ damage: "", backups: { count: 0, bytes: 0, newest_at: null, old: false, problem: "" } }),
    "GET /api/control/worker-stats": { pending_count: 0, running_count: 0, done_count: 5, failed_count: 0 },
    "GET /api/memory/jobs": nothing(),
    "GET /api/memory/separations": nothing(),
    "GET /api/memory/tidy/runs": nothing(),
    "POST /api/auth/ticket": { ticket: "t-1", expires_in_seconds: 30 },
  });
  show(<Care />);
  expect(await screen.findByText("No failed work.")).toBeTruthy();
  expect(await screen.findByText("No backup yet.")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Export everything" }));
  await waitFor(() => expect(called("POST", "/api/auth/ticket").length).toBeGreaterThan(0));
  sessionStorage.clear();
});

test("logs: a pause holds lines back, going on shows them", async () => {
  const user = userEvent.setup();
  show(<Logs />);
  await waitFor(() => expect(sockets.filter((one) => one.onopen).length).toBeGreaterThan(1));
  act(() => sockets.forEach((one) => one.onopen?.()));
  await user.click(screen.getByRole("button", { name: "Pause" }));
  act(() => sockets.forEach((one) => one.onmessage?.({ data: JSON.stringify({ ts: 1_790_000_000, level: "ERROR", logger: "ghost", msg: "held" }) })));
  expect(screen.queryByRole("log", { name: /log/i })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Resume" }));
  await waitFor(() => expect(document.querySelector(".loglines")).not.toBeNull());
});
