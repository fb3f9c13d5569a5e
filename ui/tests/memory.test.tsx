import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import Memory from "../src/screens/memory/Memory";
import { called, event, nothing, serve, show, state } from "./harness";

// Nothing is laid out here: every row is in view.
vi.mock("../src/parts/VirtualList", () => ({
  VirtualList: ({ items, row, idOf }: { items: object[]; row: (item: object) => ReactNode; idOf: (item: object) => number }) => items.map((item) => <div key={idOf(item)}>{row(item)}</div>),
}));

const list = (...states: object[]) => ({ "GET /api/memory/state": { items: states, next_cursor: null } });
const detail = (id: number, part: object = {}) => ({ ...state(id, part), links: [], evidence: [event(3)], revisions: [] });

test("opening a memory keeps the selection; one request acts on all that is selected", async () => {
  const user = userEvent.setup();
  serve({ ...list(state(1), state(2)), "GET /api/memory/state/1": detail(1), "POST /api/memory/states/act": { changed: 2, missing: [] } });
  show(<Memory />, "#/memory");
  await user.click(await screen.findByLabelText("Select: fact 1"));
  await user.click(screen.getByLabelText("Select: fact 2"));
  act(() => {
    location.hash = "#/memory/s1";
  });
  expect(await screen.findByText("said 3")).toBeTruthy();
  const bar = screen.getByRole("toolbar");
  expect(bar.textContent).toContain("2 selected");
  await user.click(within(bar).getByRole("button", { name: "Pin" }));
  expect(await screen.findByText("2 memories changed.")).toBeTruthy();
  expect(called("POST", "/api/memory/states/act")[0]?.body).toMatchObject({ state_ids: [1, 2], act: "pin" });
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(called("POST", "/api/memory/states/act").at(-1)?.body).toMatchObject({ act: "unpin" }));
});

test("two of a kind are merged after a question", async () => {
  const user = userEvent.setup();
  serve({ ...list(state(1), state(2)), "POST /api/memory/states/merge": state(1) });
  show(<Memory />, "#/memory");
  await user.click(await screen.findByLabelText("Select: fact 1"));
  await user.click(screen.getByLabelText("Select: fact 2"));
  await user.click(screen.getByRole("button", { name: "Merge the two" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Merge the two" }));
  await waitFor(() => expect(called("POST", "/api/memory/states/merge")[0]?.body).toMatchObject({ keep: 1, close: 2 }));
});

test("one memory is asked about in the singular", async () => {
  const user = userEvent.setup();
  serve(list(state(1)));
  show(<Memory />, "#/memory");
  await user.click(await screen.findByLabelText("Select: fact 1"));
  await user.click(screen.getByRole("button", { name: "No longer true" }));
  expect(screen.getByRole("dialog").textContent).toContain("Mark 1 memory as");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(called("POST", "/api/memory/states/act")).toHaveLength(0);
});

test("a memory is edited with a reason, and its history reads as a difference", async () => {
  const user = userEvent.setup();
  const revision = { revision_id: 4, entity_type: "state", entity_id: 1, before: { body_text: "lives in Kyoto" }, after: { body_text: "lives in Nara" }, actor: "user", reason: "moved", evidence_event_ids: [3], created_at: 1, undoes: null, undone: false };
  serve({ ...list(state(1)), "GET /api/memory/state/1": { ...detail(1), revisions: [revision] }, "PATCH /api/memory/state/1": detail(1), "POST /api/memory/revisions/4/undo": {} });
  show(<Memory />, "#/memory/s1");
  expect((await screen.findByText("Nara")).tagName).toBe("INS");
  expect(screen.getByText("Kyoto").tagName).toBe("DEL");
  await user.click(screen.getByRole("button", { name: "Edit" }));
  await user.clear(screen.getByLabelText("Text"));
  await user.type(screen.getByLabelText("Text"), "new words");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(called("PATCH", "/api/memory/state/1")[0]?.body).toMatchObject({ body_text: "new words", reason: "edited by you" }));
  await user.click(screen.getByRole("button", { name: /Undo this change 4/ }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Undo this change" }));
  await waitFor(() => expect(called("POST", "/api/memory/revisions/4/undo")).toHaveLength(1));
});

test("a memory is forgotten after a question, and the toast brings it back", async () => {
  const user = userEvent.setup();
  serve({ ...list(state(1)), "GET /api/memory/state/1": detail(1), "POST /api/memory/state/1/forget": {}, "POST /api/memory/remember/state/1": null });
  show(<Memory />, "#/memory/s1");
  await user.click(await screen.findByRole("button", { name: "Forget" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Forget" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Undone.")).toBeTruthy();
});

test("an undo that fails does not say it is done", async () => {
  const user = userEvent.setup();
  serve({ ...list(state(1)), "GET /api/memory/state/1": detail(1), "POST /api/memory/state/1/forget": {} });
  show(<Memory />, "#/memory/s1");
  await user.click(await screen.findByRole("button", { name: "Forget" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Forget" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByText(/no longer exists/)).toBeTruthy();
  expect(screen.queryByText("Undone.")).toBeNull();
});

test("filters live in the address; clearing them empties the name too", async () => {
  const user = userEvent.setup();
  serve({ ...list(), "GET /api/memory/state": nothing() });
  show(<Memory />, "#/memory?entity=Mika&kind=fact");
  expect(await screen.findByText(/Nothing fits these filters/)).toBeTruthy();
  expect(called("GET", "/api/memory/state")[0]?.query.get("entity")).toBe("Mika");
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  await waitFor(() => expect(called("GET", "/api/memory/state").at(-1)?.query.get("entity")).toBeNull());
  expect((screen.getByLabelText("About") as HTMLInputElement).value).toBe("");
});

test.each([
  ["by its code", { reason: "同じことが重なっていました", reason_code: "duplicate" }, "the same was known twice"],
  ["by an old sentence of the ghost", { reason: "corrected by the owner" }, "edited by you"],
  ["in the person's own words", { reason: "we moved house" }, "we moved house"],
  ["as it came, when the code is new", { reason: "because of the moon", reason_code: "moon" }, "because of the moon"],
])("a change is explained %s", async (_, part, told) => {
  const revision = { revision_id: 5, entity_type: "state", entity_id: 1, before: { body_text: "a" }, after: { body_text: "b" }, evidence_event_ids: [], created_at: 1_790_000_000, actor: "ghost", undone: false, undoes: null, ...part };
  serve({ "GET /api/memory/state": { items: [state(1)], next_cursor: null }, "GET /api/memory/state/1": { ...state(1), evidence: [], revisions: [revision], links: [] } });
  show(<Memory />, "#/memory/s1");
  await waitFor(() => expect(document.querySelector(".revisions")?.textContent).toContain(told));
});

test("what was said is shown with its feeling, its time and what it taught", async () => {
  const affect = { affect_id: 1, event_id: 3, created_at: 1, text: "glad to hear", labels: ["joy"], vad: { v: 0.5, a: 0.1, d: 0 }, confidence: 0.9, searchable: true };
  const full = { ...event(3), affect, threads: [], links: [], jobs: [], learned: [], older_replies: [], retrieval_run_id: 4, about: { confidence: 0.9, year_start: 2020, year_end: 2021, life_stage: "university" } };
  serve({ "GET /api/memory/events": { items: [event(3)], next_cursor: null }, "GET /api/memory/events/3": full });
  show(<Memory />, "#/memory/e3?tab=events");
  expect(await screen.findByText("glad to hear")).toBeTruthy();
  expect(screen.getByText("2020–2021")).toBeTruthy();
  expect(screen.getAllByText("university").length).toBeGreaterThan(0);
});
