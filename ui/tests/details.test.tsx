import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { withoutDay } from "../src/screens/about/acts";
import Memory from "../src/screens/memory/Memory";
import { called, event, serve, show, state } from "./harness";

// Nothing is laid out here: every row is in view.
vi.mock("../src/parts/VirtualList", () => ({
  VirtualList: ({ items, row, idOf }: { items: object[]; row: (item: object) => ReactNode; idOf: (item: object) => number }) => items.map((item) => <div key={idOf(item)}>{row(item)}</div>),
}));

const detail = (id: number, part: object = {}) => ({ ...state(id), links: [], evidence: [], revisions: [], ...part });
const known = (one: ReturnType<typeof detail>, more: object = {}) => ({ "GET /api/memory/state": { items: [one], next_cursor: null }, [`GET /api/memory/state/${one.state_id}`]: one, ...more });
const said = (part: object = {}) => ({ ...event(3), affect: null, threads: [], links: [], jobs: [], learned: [], older_replies: [], retrieval_run_id: null, ...part });
const heard = (one: ReturnType<typeof said>, more: object = {}) => ({ "GET /api/memory/events": { items: [event(3)], next_cursor: null }, "GET /api/memory/events/3": one, ...more });
const gone = () => Response.json({ detail: { code: "not_found", message: "There is no state 1." } }, { status: 404 });

test("what was forgotten is said quietly, not as a mishap, and comes back by one button", async () => {
  const user = userEvent.setup();
  let there = true;
  serve({
    "GET /api/memory/state": { items: [], next_cursor: null },
    "GET /api/memory/state/1": () => (there ? detail(1) : gone()),
    "POST /api/memory/state/1/forget": () => {
      there = false;
      return {};
    },
    "POST /api/memory/remember/state/1": () => {
      there = true;
      return null;
    },
  });
  show(<Memory />, "#/memory/s1");
  await user.click(await screen.findByRole("button", { name: "Forget" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Forget" }));
  expect(await screen.findByText(/I've forgotten this/)).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Remember it again" }));
  expect(await screen.findByText("fact 1", { selector: ".statement" })).toBeTruthy();
});

test("a memory is closed, restored by the toast, pinned and confirmed", async () => {
  const user = userEvent.setup();
  serve(known(detail(1), { "POST /api/memory/state/1/close": {}, "POST /api/memory/state/1/restore": {}, "POST /api/memory/state/1/confirm": {}, "PATCH /api/memory/state/1": {} }));
  show(<Memory />, "#/memory/s1");
  await user.click(await screen.findByRole("button", { name: "No longer true" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(called("POST", "/api/memory/state/1/restore")).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "Pin" }));
  await waitFor(() => expect(called("PATCH", "/api/memory/state/1")[0]?.body).toMatchObject({ pin: true, reason: "edited by you" }));
  await user.click(screen.getByRole("button", { name: "Still true" }));
  await waitFor(() => expect(called("POST", "/api/memory/state/1/confirm")).toHaveLength(1));
});

test("what is past can be restored, says since when and until when, and names what it belongs to", async () => {
  const past = detail(1, { active: false, pin: true, valid_from_ts: 1_700_000_000, valid_to_ts: 1_720_000_000, entities: [{ name: "Tama", type: "person" }], links: [{ link_id: 2, from_state_id: 1, to_state_id: 8, label: "contradicts", other_body_text: "has a dog" }] });
  serve(known(past));
  show(<Memory />, "#/memory/s1");
  expect(await screen.findByRole("button", { name: "Restore" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Unpin" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Still true" })).toBeNull();
  expect(screen.getByText(/since .*2023/).textContent).toMatch(/until .*2024/);
  expect(screen.getByText("has a dog").getAttribute("href")).toContain("memory/s8");
  expect(screen.getByText("contradicts")).toBeTruthy();
  expect(screen.getAllByText("Tama").length).toBeGreaterThan(0);
});

test("a dated plan is done with one button and becomes a reminder that does not say its day", async () => {
  const user = userEvent.setup();
  const due = Math.floor(Date.now() / 1000) + 5 * 86_400;
  serve(known(detail(1, { kind: "task", body_text: "Nov 27: dentist", payload: { due_ts: due } }), { "POST /api/memory/state/1/done": {}, "POST /api/reminders": {} }));
  show(<Memory />, "#/memory/s1");
  await user.click(await screen.findByRole("button", { name: "Remind me" }));
  await waitFor(() => expect(called("POST", "/api/reminders")[0]?.body).toMatchObject({ content: "dentist", repeat_kind: "once" }));
  expect(await screen.findByText(/I'll remind you: dentist/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Mark done" }));
  await waitFor(() => expect(called("POST", "/api/memory/state/1/done")).toHaveLength(1));
});

test("a plan without a day is taken to Reminders, its words already there", async () => {
  const user = userEvent.setup();
  serve(known(detail(1, { kind: "task", body_text: "clear the attic" })));
  show(<Memory />, "#/memory/s1");
  await user.click(await screen.findByRole("button", { name: "Remind me" }));
  await waitFor(() => expect(location.hash).toBe("#/reminders?text=clear+the+attic"));
  expect(called("POST", "/api/reminders")).toHaveLength(0);
});

test.each([
  ["11月27日：15時に歯医者の予約", "15時に歯医者の予約"],
  ["2027年1月3日：初詣", "初詣"],
  ["Nov 27: dentist at 3 pm", "dentist at 3 pm"],
  ["15:00 meeting", "15:00 meeting"],
  ["Mika: call her", "Mika: call her"],
  ["買い物：牛乳", "買い物：牛乳"],
  ["dentist", "dentist"],
])("the day before a plan goes, anything else stays: %s", (plan, told) => {
  expect(withoutDay(plan)).toBe(told);
});

test("what was said: stopped midway, its thread, its neighbours, earlier replies and work that failed", async () => {
  const one = said({
    status: "interrupted",
    searchable: false,
    image_summaries: ["a grey cat", ""],
    retrieval_run_id: 7,
    threads: [{ thread_key: "garden" }],
    links: [{ link_id: 1, from_event_id: 3, to_event_id: 2, label: "continuation" }],
    older_replies: [{ reply_revision_id: 1, assistant_text: "said before", created_at: 1_790_000_000 }],
    jobs: [{ job_id: 4, kind: "embed_event", status: "dead" }],
    affect: { affect_id: 1, event_id: 3, text: "warm", labels: ["joy"], vad: { v: 0.5, a: 0, d: -0.25 }, inner_thought: "how kind" },
  });
  serve(heard(one));
  show(<Memory />, "#/memory/e3?tab=events");
  expect(await screen.findByText("stopped midway")).toBeTruthy();
  expect(screen.getByText("not recalled now", { selector: ".chip" })).toBeTruthy();
  expect(screen.getByText("a grey cat")).toBeTruthy();
  expect(screen.getByText("(couldn't be seen)")).toBeTruthy();
  expect(screen.getByText("garden").getAttribute("href")).toContain("graph/");
  expect(screen.getByText("continues: Talk 2").getAttribute("href")).toContain("memory/e2");
  expect(screen.getByText("said before")).toBeTruthy();
  expect(screen.getByText("index an exchange: failed").className).toContain("rose");
  expect(screen.getByText("how kind")).toBeTruthy();
  expect(screen.getByText("What I recalled").getAttribute("href")).toContain("why/7");
});

test("an exchange is forgotten after a question and remembered again from where it stood", async () => {
  const user = userEvent.setup();
  let forgotten: number | null = null;
  serve(
    heard(said(), {
      "GET /api/memory/events/3": () => said({ forgotten_at: forgotten }),
      "POST /api/memory/events/3/forget": () => {
        forgotten = 5;
        return {};
      },
      "POST /api/memory/remember/event/3": () => {
        forgotten = null;
        return null;
      },
    }),
  );
  show(<Memory />, "#/memory/e3?tab=events");
  await user.click(await screen.findByRole("button", { name: "Forget this" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Forget this" }));
  await user.click(await screen.findByRole("button", { name: "Remember this again" }));
  expect(await screen.findByRole("button", { name: "Forget this" })).toBeTruthy();
});

test("filters of what was said: where from, when, which time of life", async () => {
  const user = userEvent.setup();
  serve({ "GET /api/memory/events": { items: [], next_cursor: null } });
  show(<Memory />, "#/memory?tab=events");
  expect(await screen.findByText(/Nothing said yet/)).toBeTruthy();
  await user.selectOptions(screen.getByLabelText("From"), "reminder");
  await waitFor(() => expect(called("GET", "/api/memory/events").at(-1)?.query.get("source")).toBe("reminder"));
  await user.selectOptions(screen.getByLabelText("Is about"), "high");
  await waitFor(() => expect(location.hash).toContain("stage=high"));
  expect(await screen.findByText(/Nothing fits these filters/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "What I know" }));
  await waitFor(() => expect(location.hash).not.toContain("source=reminder"));
});

test("several are forgotten at once, and one undo brings all back", async () => {
  const user = userEvent.setup();
  serve({ "GET /api/memory/state": { items: [state(1), state(2)], next_cursor: null }, "POST /api/memory/states/act": { changed: 2, missing: [] }, "POST /api/memory/remember/state/1": null, "POST /api/memory/remember/state/2": null });
  show(<Memory />, "#/memory");
  await user.click(await screen.findByLabelText("Select: fact 1"));
  await user.click(screen.getByLabelText("Select: fact 2"));
  await user.click(within(screen.getByRole("toolbar")).getByRole("button", { name: "Forget" }));
  expect(screen.getByRole("dialog").textContent).toContain("Forget 2 memories?");
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Forget" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(called("POST", "/api/memory/remember/state/2")).toHaveLength(1));
  expect(called("POST", "/api/memory/remember/state/1")).toHaveLength(1);
});

test("two of different kinds are not offered as one; a refused act says so and changes nothing", async () => {
  const user = userEvent.setup();
  serve({ "GET /api/memory/state": { items: [state(1), state(2, { kind: "task" })], next_cursor: null }, "POST /api/memory/states/act": () => Response.json({ detail: { code: "x", message: "no" } }, { status: 409 }) });
  show(<Memory />, "#/memory");
  await user.click(await screen.findByLabelText("Select: fact 1"));
  await user.click(screen.getByLabelText("Select: fact 2"));
  expect(screen.queryByRole("button", { name: "Merge the two" })).toBeNull();
  await user.click(within(screen.getByRole("toolbar")).getByRole("button", { name: "Still true" }));
  expect(await screen.findByText(/It changed meanwhile/)).toBeTruthy();
  expect(screen.getByRole("toolbar").textContent).toContain("2 selected");
  await user.click(screen.getByRole("button", { name: "Clear selection" }));
  expect(screen.queryByRole("toolbar")).toBeNull();
});

test("a search waits for a pause, and what the address says wins", async () => {
  const user = userEvent.setup();
  serve({ "GET /api/memory/state": { items: [state(1)], next_cursor: null } });
  show(<Memory />, "#/memory");
  await user.type(await screen.findByLabelText("Search memory"), "kyoto");
  await waitFor(() => expect(called("GET", "/api/memory/state").at(-1)?.query.get("q")).toBe("kyoto"));
  expect(called("GET", "/api/memory/state").length).toBeLessThan(5);
  act(() => {
    location.hash = "#/memory?q=nara";
  });
  await waitFor(() => expect((screen.getByLabelText("Search memory") as HTMLInputElement).value).toBe("nara"));
});
