import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { App, makeClient } from "../src/App";
import { ApiError, guarded } from "../src/api/client";
import { Fence, loadable } from "../src/parts/Fence";
import { Problem } from "../src/parts/feedback";
import { Markdown } from "../src/parts/Markdown";
import Care from "../src/screens/care/Care";
import Logs, { visible } from "../src/screens/logs/Logs";
import Reminders, { bodyOf } from "../src/screens/reminders/Reminders";
import Settings from "../src/screens/settings/Settings";
import { called, serve, settings, show, sockets, status, turn } from "./harness";

const reminder = (id: string, part: object = {}) => ({ id, enabled: true, repeat_kind: "daily", content: `note ${id}`, scheduled_at: null, time_of_day: "09:30", weekdays: [], next_fire_at_utc: 1_790_000_000, confirmed: true, ...part });

test("reminders: set with a sentence, snoozed, agreed to, removed with an undo", async () => {
  const user = userEvent.setup();
  serve({
    "GET /api/reminders": { items: [reminder("a"), reminder("b", { confirmed: false })] },
    "GET /api/reminders/settings": { reminders_enabled: true },
    "POST /api/reminders": reminder("c", { content: "tea" }),
    "POST /api/reminders/a/snooze": reminder("a"),
    "POST /api/reminders/b/confirm": reminder("b"),
    "DELETE /api/reminders/a": null,
  });
  show(<Reminders />);
  await user.type(await screen.findByLabelText("What shall I remind you of?"), "tea");
  await user.click(screen.getByRole("button", { name: "New reminder" }));
  expect(await screen.findByText(/I'll remind you: tea/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "10 min" }));
  await waitFor(() => expect(called("POST", "/api/reminders/a/snooze")[0]?.body).toEqual({ minutes: 10 }));
  await user.click(screen.getByRole("button", { name: "Yes, please" }));
  expect(await screen.findByText(/I'll remind you: note b/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Delete: note a" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(called("POST", "/api/reminders")).toHaveLength(2));
});

test("a reminder needs words, a time and, weekly, a day", () => {
  const draft = { content: "x", kind: "weekly" as const, at: "", time: "09:00", days: [] };
  expect(bodyOf(draft)).toBeNull();
  expect(bodyOf({ ...draft, days: ["mon"] })).toMatchObject({ weekdays: ["mon"], scheduled_at: null });
  expect(bodyOf({ ...draft, kind: "once" })).toBeNull();
});

test("settings: a draft outlives the screen, numbers may be empty while typing, keys are hidden", async () => {
  const user = userEvent.setup();
  serve({ "GET /api/settings": settings(), "GET /api/status": status(), "GET /api/usage": { items: [{ day: "2026-11-16", purpose: "write_plan", model: "m", calls: 1, input_tokens: 5, output_tokens: 2 }] }, "PUT /api/settings": (call: { body: unknown }) => call.body });
  const first = show(<Settings />);
  const name = await screen.findByLabelText("What I call you");
  await user.clear(name);
  await user.type(name, "Mika");
  expect((screen.getAllByLabelText(/API key/)[0] as HTMLInputElement).type).toBe("password");
  const cap = screen.getByLabelText("At most this many unasked lines a day");
  await user.clear(cap);
  expect((cap as HTMLInputElement).value).toBe("");
  await user.type(cap, "7");
  first.unmount();
  show(<Settings />);
  expect(((await screen.findByLabelText("What I call you")) as HTMLInputElement).value).toBe("Mika");
  expect(await screen.findByText("learning")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(called("PUT", "/api/settings")[0]?.body).toMatchObject({ speech: { daily_cap: 7 }, persona_preset: [{ second_person_label: "Mika" }] }));
  expect(await screen.findByText("Saved.")).toBeTruthy();
});

test("settings: a mind is chosen from lists and tried before it is saved", async () => {
  const user = userEvent.setup();
  serve({
    "GET /api/settings": settings(),
    "GET /api/status": status(),
    "GET /api/usage": { items: [] },
    "GET /api/minds/providers": { items: [{ name: "embedded", label: "Built in", needs_key: false, local: true }, { name: "openai", label: "OpenAI", needs_key: true, local: false, key_page: "https://example.org/keys" }] },
    "POST /api/minds/models": { items: [{ id: "small-1" }] },
    "POST /api/settings/test": { ok: true, model: "openai/small-1", milliseconds: 90, message: "", words_en: "It talks.", words_ja: "", checks: [{ name: "reply", ok: true, milliseconds: 90, words_en: "answers well", words_ja: "" }], cost_per_1000_turns_usd: 1.5 },
  });
  show(<Settings />);
  await user.selectOptions((await screen.findAllByLabelText(/^Service/))[0] as HTMLElement, "openai");
  await user.click(screen.getByRole("button", { name: "Ask for its models" }));
  await user.selectOptions(await screen.findByRole("combobox", { name: "Its models" }), "small-1");
  await user.click(screen.getByRole("button", { name: "Test before saving" }));
  expect(await screen.findByText(/It talks\./)).toBeTruthy();
  expect(screen.getByText(/answers well/)).toBeTruthy();
  expect(screen.getByText(/\$1\.50 per 1,000/)).toBeTruthy();
  expect(called("POST", "/api/settings/test")[0]?.body).toMatchObject({ preset: { llm_model: "openai/small-1" } });
  expect(called("PUT", "/api/settings")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Discard" }));
});

test("care: failures are named, retried, and the machine's words stay folded", async () => {
  const user = userEvent.setup();
  const job = { job_id: 3, kind: "apply_write_plan", key: "k", payload: {}, status: "dead", run_after: 1, attempts: 1, snoozes: 0, created_at: 1, updated_at: 1, last_error: "KeyError: x" };
  serve({
    "GET /api/status": status({ damage: "page 3", backups: { count: 2, bytes: 3_000_000, newest_at: 1_790_000_000, old: true, problem: "" } }),
    "GET /api/control/worker-stats": { pending_count: 1, running_count: 0, done_count: 5, failed_count: 1 },
    "GET /api/memory/jobs": (call: { query: URLSearchParams }) => ({ items: call.query.get("status") === "dead" ? [job] : [], next_cursor: null }),
    "GET /api/memory/separations": { items: [{ separation_id: 1, denial_event_id: 2, denial_text: "not that", memories: [{ ref: "s1", text: "has a dog" }], created_at: 1, undone_at: null }], next_cursor: null },
    "GET /api/memory/tidy/runs": { items: [{ tidy_run_id: 1, started_at: 1, finished_at: 2, milliseconds: 12, trigger: "x", counts: { merged: 2 } }], next_cursor: null },
    "POST /api/memory/jobs/3/retry": {},
    "POST /api/memory/tidy": { queued: true },
    "POST /api/backup": { name: "b.zip" },
    "POST /api/memory/separations/1/undo": null,
  });
  show(<Care />);
  expect(await screen.findByText("learn from an exchange")).toBeTruthy();
  expect(screen.getByText("1 attempt ·", { exact: false })).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toContain("page 3");
  expect(screen.getByText("KeyError: x").closest("details")?.open).toBe(false);
  const failed = screen.getByText("learn from an exchange").closest("li") as HTMLElement;
  await user.click(within(failed).getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Back in the queue.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Bring it back" }));
  expect(await screen.findByText("It may be recalled again.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Tidy now" }));
  await user.click(screen.getByRole("button", { name: "Back up now" }));
  expect(await screen.findByText(/b\.zip/)).toBeTruthy();
});

test("logs: lines arrive live and are filtered", async () => {
  expect(visible([{ ts: 1, level: "INFO", logger: "a", msg: "x" }, { ts: 1, level: "ERROR", logger: "b", msg: "y" }], "WARNING", "")).toHaveLength(1);
  show(<Logs />);
  await waitFor(() => expect(sockets.filter((one) => one.onopen)).toHaveLength(2));
  act(() => sockets.forEach((one) => one.onopen?.()));
  act(() => sockets.forEach((one) => one.onmessage?.({ data: JSON.stringify({ ts: 1_790_000_000, level: "INFO", logger: "ghost", msg: "awake" }) })));
  expect(await screen.findByText("live")).toBeTruthy();
  expect(await screen.findByRole("log")).toBeTruthy();
});

test("an import that failed is tried again by a button", async () => {
  const user = userEvent.setup();
  const load = vi.fn().mockRejectedValueOnce(new TypeError("failed")).mockResolvedValue({ default: () => <p>loaded</p> });
  const Part = loadable(load);
  show(<Part />);
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("loaded")).toBeTruthy();
});

test("a problem of reaching the ghost goes away by itself when it answers", async () => {
  const retry = vi.fn();
  serve({ "GET /api/health": { status: "healthy" } });
  show(<Problem error={new ApiError(0, "unreachable", "x")} onRetry={retry} />);
  await guarded(new Request(new URL("/api/health", location.origin)));
  expect(retry).toHaveBeenCalled();
});

test("a broken part is fenced off", async () => {
  const quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Broken = () => {
    throw new Error("boom");
  };
  show(<Fence fallback={() => <p>fenced</p>}><Broken /></Fence>);
  expect(screen.getByText("fenced")).toBeTruthy();
  quiet.mockRestore();
});

test("Markdown: tags stay text, odd links are words, pictures are links, code can be copied", () => {
  show(<Markdown text={"see <script>x</script> [bad](javascript:alert(1)) [ok](https://example.org) ![pic](https://example.org/p.png)\n\n- [x] done\n\n```\ncode\n```"} />);
  expect(screen.getByText(/<script>/)).toBeTruthy();
  expect(screen.getByText("bad").closest("a")).toBeNull();
  expect(screen.getByText("ok").closest("a")?.getAttribute("rel")).toContain("noopener");
  expect(document.querySelector("img")).toBeNull();
  expect(screen.getByRole("button", { name: "Copy" })).toBeTruthy();
});

test("the door: a wrong token is told, a right one opens, and the session goes with every call", async () => {
  const user = userEvent.setup();
  let open = false;
  serve({
    "GET /api/settings": () => (open ? settings() : Response.json({ detail: { code: "unauthorized", message: "no" } }, { status: 401 })),
    "POST /api/auth/login": (call: { body: unknown }) => {
      open = (call.body as { token: string }).token === "right";
      return open ? { session: "s-1", expires_in_seconds: 60 } : Response.json({ detail: { code: "unauthorized", message: "no" } }, { status: 401 });
    },
    "POST /api/auth/ticket": { ticket: "t", expires_in_seconds: 30 },
    "GET /api/memory/turns": { items: [turn(1)], next_cursor: null },
    "GET /api/status": status(),
  });
  const { render } = await import("@testing-library/react");
  render(<App client={makeClient()} />);
  await user.type(await screen.findByLabelText("Token"), "wrong{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("isn't right");
  await user.clear(screen.getByLabelText("Token"));
  await user.type(screen.getByLabelText("Token"), "right{Enter}");
  expect(await screen.findByText("reply 1")).toBeTruthy();
  expect(sessionStorage.getItem("cocoro_session")).toBe("s-1");
  expect(screen.getAllByRole("link", { name: "About you" }).length).toBeGreaterThan(0);
  sessionStorage.clear();
});

test("settings: a model that leads nowhere is told beside its field, until it is changed", async () => {
  const user = userEvent.setup();
  const said = (name: string) => ({ code: "unknown_prefix", message: `The model '${name}' needs a known prefix.`, message_ja: "" });
  const bad = (call: { body: { llm_preset: { image_model?: string }[]; embedding_preset: { embedding_model: string }[] } }) => {
    const wrong = call.body.embedding_preset.find((one) => one.embedding_model.startsWith("nowhere/"));
    return wrong ? Response.json({ detail: said(wrong.embedding_model) }, { status: 400 }) : call.body;
  };
  const hosted = { embedding_preset_id: "m1", embedding_preset_name: "Meaning", embedding_model: "openai/x", embedding_dimension: 512 };
  serve({ "GET /api/settings": settings({ embedding_preset: [hosted] }), "GET /api/status": status(), "GET /api/usage": { items: [] }, "PUT /api/settings": bad });
  show(<Settings />);
  const field = (await screen.findByLabelText("Embedding model")) as HTMLInputElement;
  await user.clear(field);
  await user.type(field, "nowhere/x");
  await user.click(screen.getByRole("button", { name: "Save" }));
  const told = await screen.findByRole("alert");
  expect(told.textContent).toContain("'nowhere/x'");
  expect(told.closest("label")?.textContent).toContain("Embedding model");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  await user.type(field, "y");
  expect(screen.queryByRole("alert")).toBeNull();
  await user.clear(field);
  await user.type(field, "openai/y");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Saved.")).toBeTruthy();
});
