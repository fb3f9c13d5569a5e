import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import About from "../src/screens/about/About";
import { called, serve, show, state } from "./harness";

const line = (ref: string, text: string, part: object = {}) => ({ ref, text, polarity: null, since: null, last_confirmed_at: 1_790_000_000, due_ts: null, pin: false, evidence_event_ids: [3], ask: false, ...part });
const NOTHING = { contradictions: [], guesses: [], reminders: [], old: [] };
const known = (sections: object[], changes: object[] = [], review: object = NOTHING) => ({
  "GET /api/memory/about-me": { sections, changes },
  "GET /api/memory/review": review,
});

test("lines stand in their sections, each with its evidence", async () => {
  serve(known([{ name: "home", lines: [line("s1", "lives in Kyoto")] }, { name: "likes", lines: [line("p2", "tea", { polarity: "like" })] }]));
  show(<About />);
  const home = (await screen.findByRole("heading", { name: "Home" })).closest("section") as HTMLElement;
  expect(within(home).getByText("lives in Kyoto").getAttribute("href")).toContain("memory/s1");
  expect(within(home).getByText("Go to the talk").getAttribute("href")).toContain("turn=3");
  expect(screen.getByText("likes")).toBeTruthy();
});

test("a line is corrected where it stands", async () => {
  const user = userEvent.setup();
  serve({ ...known([{ name: "home", lines: [line("s1", "lives in Kyoto")] }]), "PATCH /api/memory/state/1": state(1) });
  show(<About />);
  await user.click(await screen.findByRole("button", { name: "Edit: lives in Kyoto" }));
  const home = screen.getByRole("heading", { name: "Home" }).closest("section") as HTMLElement;
  const field = within(home).getByLabelText("What should I remember?");
  await user.clear(field);
  await user.type(field, "lives in Nara{Enter}");
  await waitFor(() => expect(called("PATCH", "/api/memory/state/1")[0]?.body).toMatchObject({ body_text: "lives in Nara" }));
});

test("what is old is asked about, confirmed or ended with an undo", async () => {
  const user = userEvent.setup();
  serve({ ...known([{ name: "work", lines: [line("s1", "works at a bakery", { ask: true })] }]), "POST /api/memory/state/1/confirm": state(1), "POST /api/memory/state/1/close": state(1), "POST /api/memory/state/1/restore": state(1) });
  show(<About />);
  expect(await screen.findByText("Is this still true?")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Still true: works at a bakery" }));
  await waitFor(() => expect(called("POST", "/api/memory/state/1/confirm")).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "No longer true: works at a bakery" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(called("POST", "/api/memory/state/1/restore")).toHaveLength(1));
});

test("a plan becomes a reminder on its day", async () => {
  const user = userEvent.setup();
  const due = Math.floor(Date.now() / 1000) + 5 * 86_400;
  serve({ ...known([{ name: "plans", lines: [line("s1", "dentist", { due_ts: due })] }]), "POST /api/reminders": { id: "r" } });
  show(<About />);
  await user.click(await screen.findByRole("button", { name: "Remind me: dentist" }));
  await waitFor(() => expect(called("POST", "/api/reminders")[0]?.body).toMatchObject({ repeat_kind: "once", content: "dentist" }));
  expect((called("POST", "/api/reminders")[0]?.body as { scheduled_at: string }).scheduled_at).toContain("T09:00");
});

test("a memory is added by hand", async () => {
  const user = userEvent.setup();
  serve({ ...known([]), "POST /api/memory/state": state(9) });
  show(<About />);
  expect(await screen.findByText(/don't know you yet/)).toBeTruthy();
  await user.type(screen.getByLabelText("What should I remember?"), "has a cat");
  await user.selectOptions(screen.getByLabelText("It is about"), "pet");
  await user.click(screen.getByRole("button", { name: "Add a memory" }));
  await waitFor(() => expect(called("POST", "/api/memory/state")[0]?.body).toMatchObject({ body_text: "has a cat", slot: "pet" }));
});

test("what waits for a word is answered", async () => {
  const user = userEvent.setup();
  const review = {
    contradictions: [{ one: state(1, { body_text: "one cat" }), other: state(2, { body_text: "two cats" }) }],
    guesses: [{ preference_id: 5, subject: "jazz", polarity: "like" }],
    reminders: [{ id: "heard-1-0", content: "call mum" }],
    old: [],
  };
  serve({ ...known([], [], review), "POST /api/memory/state/1/close": state(1), "POST /api/memory/preferences/5/confirm": {}, "DELETE /api/reminders/heard-1-0": null });
  show(<About />);
  await user.click(await screen.findByRole("button", { name: "This one: two cats" }));
  await waitFor(() => expect(called("POST", "/api/memory/state/1/close")).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "Yes, that's right: jazz" }));
  await waitFor(() => expect(called("POST", "/api/memory/preferences/5/confirm")).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "No, thanks: call mum" }));
  await waitFor(() => expect(called("DELETE", "/api/reminders/heard-1-0")).toHaveLength(1));
});

test("what changed lately is told with what was before", async () => {
  serve(known([], [{ text: "lives in Nara", before: "lives in Kyoto", ended: false, at: 1_790_000_000, state_id: 1 }]));
  show(<About />);
  expect(await screen.findByText(/was: lives in Kyoto/)).toBeTruthy();
});
