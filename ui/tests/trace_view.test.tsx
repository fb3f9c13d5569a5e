import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import Why from "../src/screens/why/Why";
import { called, event, nothing, serve, show } from "./harness";

// Nothing is laid out here: every row is in view.
vi.mock("../src/parts/VirtualList", () => ({
  VirtualList: ({ items, row, idOf }: { items: object[]; row: (item: object) => ReactNode; idOf: (item: object) => number }) => items.map((item) => <div key={idOf(item)}>{row(item)}</div>),
}));

const row = (id: number, part: object = {}) => ({ run_id: id, event_id: 3, created_at: 1_790_000_000, mode: "x", selected: 1, milliseconds: 5, mark: null, said: `asked ${id}`, ...part });
const seated = Array.from({ length: 25 }, (_, at) => ({ ref: `s${at + 1}`, score: 1 - at / 50, routes: ["words"], seat: "several" }));
const run = (part: object = {}) => ({
  run_id: 4,
  event_id: 3,
  created_at: 1_790_000_000,
  plan: { mode: "targeted_broad", wanted_kinds: "fact" },
  candidates: { seated, seats: { several: 20, words: 5 }, routes: [{ route: "words", status: "ok", hits: 25, ms: 3 }, { route: "meaning", status: "late", hits: 0, ms: 90, error: "out of time" }] },
  selected: [{ ref: "s1", reason: "says where" }, { ref: "a2", reason: "" }],
  pack: { sections: { STABLE_FACTS: 9, OPEN_LOOPS: 0 }, dropped: { STABLE_FACTS: ["s9"] } },
  mark: null,
  texts: { s1: "lives in Kyoto", a2: "felt glad" },
  ...part,
});
const served = (one: object, more: object = {}) => ({ "GET /api/memory/retrieval-runs": { items: [row(4), row(5, { selected: 0, mark: "bad" })], next_cursor: null }, "GET /api/memory/retrieval-runs/4": one, "GET /api/memory/events/3": event(3, { user_text: "where do I live" }), ...more });

test("a recall lies open: routes with what was late, what had no room, slots, plan", async () => {
  serve(served(run()));
  show(<Why />, "#/why/4");
  const routes = within(await screen.findByRole("group", { name: "Where I looked" }));
  expect(routes.getByText("too late, skipped").textContent).toBeTruthy();
  expect(routes.getByText("out of time")).toBeTruthy();
  expect(screen.getByText("1 left out")).toBeTruthy();
  expect(screen.queryByText("open plans")).toBeNull();
  expect(screen.getByText("found in several ways").closest("li")?.textContent).toContain("20");
  expect(screen.getByText("wanted kinds")).toBeTruthy();
  expect(screen.getByText(/because: says where/)).toBeTruthy();
  expect(screen.getByText("felt glad").tagName).toBe("SPAN");
  expect(screen.getAllByText("lives in Kyoto")[0]?.getAttribute("href")).toContain("memory/s1");
});

test("twenty candidates first, the rest by one button; what was kept is marked", async () => {
  const user = userEvent.setup();
  serve(served(run()));
  show(<Why />, "#/why/4");
  const table = await screen.findByRole("group", { name: "Ranked candidates" });
  expect(table.querySelectorAll("tbody tr")).toHaveLength(20);
  expect(table.querySelectorAll("tr.chosen")).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Load more" }));
  expect(table.querySelectorAll("tbody tr")).toHaveLength(25);
});

test("nothing recalled is said in a sentence, and a run of long ago without candidates too", async () => {
  serve(served(run({ selected: [], candidates: {}, pack: {}, plan: {} })));
  show(<Why />, "#/why/4");
  expect(await screen.findByText(/Nothing older was close enough/)).toBeTruthy();
  expect(screen.getByText(/No older memory was relevant enough/)).toBeTruthy();
  expect(screen.getByText(/No candidate list was kept/)).toBeTruthy();
});

test("a mark is set, shown, and taken away by the same button", async () => {
  const user = userEvent.setup();
  let mark: string | null = null;
  serve(
    served(run(), {
      "GET /api/memory/retrieval-runs/4": () => run({ mark }),
      "POST /api/memory/retrieval-runs/4/mark": (call: { body: { mark: string | null } }) => {
        mark = call.body.mark;
        return null;
      },
    }),
  );
  show(<Why />, "#/why/4");
  await user.click(await screen.findByRole("button", { name: "Wrong memory" }));
  expect(await screen.findByText("Marked, and kept for evaluation.")).toBeTruthy();
  await waitFor(() => expect(screen.getByRole("button", { name: "Wrong memory" }).getAttribute("aria-pressed")).toBe("true"));
  await user.click(screen.getByRole("button", { name: "Wrong memory" }));
  await waitFor(() => expect(called("POST", "/api/memory/retrieval-runs/4/mark").at(-1)?.body).toEqual({ mark: null }));
});

test("the same recall runs again now and is not stored; a failure is told in words", async () => {
  const user = userEvent.setup();
  let broken = false;
  const answer = { mode: "x", items: [{ ref: "s1", kind: "state", text: "tea", score: 1, said_at: 1, reason: "" }], memory_pack: "the pack", milliseconds: 4, explain: {} };
  serve(served(run(), { "POST /api/memory/recall": () => (broken ? Response.json({ detail: { code: "internal_error", message: "x" } }, { status: 500 }) : answer) }));
  show(<Why />, "#/why/4");
  await user.click(await screen.findByRole("button", { name: "Run this recall again now" }));
  expect(await screen.findByText("Run just now (not stored)")).toBeTruthy();
  expect(called("POST", "/api/memory/recall")[0]?.body).toEqual({ text: "where do I live", explain: true });
  broken = true;
  await user.type(screen.getByLabelText("Try a recall"), "drinks{Enter}");
  expect(await screen.findByText(/Something broke inside me/)).toBeTruthy();
});

test("each recall in the list tells how much came to mind and how it was marked", async () => {
  serve(served(run()));
  show(<Why />, "#/why");
  const first = (await screen.findByText("asked 4")).closest("a") as HTMLElement;
  expect(first.textContent).toContain("recalled 1");
  const other = screen.getByText("asked 5").closest("a") as HTMLElement;
  expect(other.textContent).toContain("recalled nothing");
  expect(other.textContent).toContain("Wrong memory");
  expect(screen.getByText(/Choose a recall/)).toBeTruthy();
});

test("before the first talk there is nothing to look at, and it says so", async () => {
  serve({ "GET /api/memory/retrieval-runs": nothing() });
  show(<Why />, "#/why");
  expect(await screen.findByText(/Nothing recalled yet/)).toBeTruthy();
});
