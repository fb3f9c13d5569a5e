import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { App, makeClient } from "../src/App";
import { Shell } from "../src/shell/Shell";
import { allowNotices, wantsNotices } from "../src/state/unread";
import { called, serve, settings, show, sockets, status, turn } from "./harness";

const house = (part: object = {}) => ({
  "GET /api/settings": settings(),
  "GET /api/status": status(part),
  "GET /api/memory/turns": { items: [turn(1)], next_cursor: null },
  "GET /api/memory/affects": { items: [], next_cursor: null },
});

const line = (id: number, message: string) => ({ data: JSON.stringify({ type: "notification", event_id: id, data: { system_text: "bell", message } }) });
const ring = (id: number, message: string) => act(() => sockets.forEach((one) => one.onmessage?.(line(id, message))));

test("the frame names every screen once at the side and none twice below", async () => {
  serve(house());
  show(<Shell>hello</Shell>);
  const [side, tabs] = screen.getAllByRole("navigation");
  const names = within(side as HTMLElement).getAllByRole("link").map((one) => one.textContent);
  expect(names).toEqual(["Talk", "About you", "Reminders", "Memory", "Heart", "So far", "Likes", "Graph", "Why", "Apps", "Memory care", "Settings", "Logs"]);
  const below = [...(tabs as HTMLElement).querySelectorAll("a")].map((one) => one.getAttribute("href"));
  expect(new Set(below).size).toBe(below.length);
  expect(below).toHaveLength(names.length);
});

test("the sheet of a phone opens, goes and closes", async () => {
  const user = userEvent.setup();
  serve(house());
  show(<Shell>hello</Shell>);
  await user.click(screen.getByRole("button", { name: "More" }));
  const sheet = document.querySelector("dialog.more") as HTMLDialogElement;
  expect(sheet.open).toBe(true);
  await user.click(within(sheet).getByRole("link", { name: "Settings" }));
  expect(sheet.open).toBe(false);
  expect(location.hash).toBe("#/settings");
  await user.click(screen.getByRole("button", { name: "More" }));
  await user.click(within(sheet).getByRole("button", { name: "Close" }));
  expect(sheet.open).toBe(false);
});

test("a damaged memory is told wherever one is, with the way to its care", async () => {
  serve(house({ damage: "page 7", backups: { count: 1, bytes: 1, newest_at: 1, old: false, problem: "" } }));
  show(<Shell>hello</Shell>, "#/likes");
  const told = await screen.findByRole("alert");
  expect(told.textContent).toContain("nothing new is written");
  expect(within(told).getByRole("link").getAttribute("href")).toBe("#/care");
});

test.each([
  ["an old backup", { old: true, problem: "" }],
  ["a backup that failed", { old: false, problem: "the disk is full" }],
])("%s is marked at the screen that mends it", async (_, backups) => {
  serve(house({ damage: "", backups: { count: 1, bytes: 1, newest_at: 1, ...backups } }));
  show(<Shell>hello</Shell>);
  await waitFor(() => expect(screen.getAllByText("needs a look").length).toBeGreaterThan(0));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("all is well: no mark", async () => {
  serve(house({ damage: "", backups: { count: 1, bytes: 1, newest_at: 1, old: false, problem: "" } }));
  show(<Shell>hello</Shell>);
  await waitFor(() => expect(called("GET", "/api/status").length).toBeGreaterThan(0));
  expect(screen.queryByText("needs a look")).toBeNull();
});

test("the link over everything leads into the screen", async () => {
  const user = userEvent.setup();
  serve(house());
  show(<Shell>hello</Shell>);
  await user.click(screen.getByText("Skip to content"));
  expect(document.activeElement?.id).toBe("main");
});

test("a line that comes unseen is counted, told and read by going to the talk", async () => {
  const user = userEvent.setup();
  serve(house());
  show(<Shell>hello</Shell>, "#/likes");
  await waitFor(() => expect(sockets.length).toBeGreaterThan(0));
  ring(9, "the bell rang");
  expect(await screen.findByText("the bell rang")).toBeTruthy();
  await waitFor(() => expect(screen.getAllByLabelText("1 unread").length).toBeGreaterThan(0));
  await waitFor(() => expect(document.title.startsWith("(1) ")).toBe(true));
  ring(9, "the bell rang");
  ring(10, "again");
  await waitFor(() => expect(document.title.startsWith("(2) ")).toBe(true));
  await user.click(within(document.querySelector(".toasts") as HTMLElement).getAllByRole("button", { name: "Talk" })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByLabelText("2 unread")).toBeNull());
  expect(document.title.startsWith("(")).toBe(false);
});

test("notices are shown only after both the person and the browser said yes", async () => {
  const asked = vi.fn().mockResolvedValueOnce("denied").mockResolvedValue("granted");
  const Notice = Object.assign(vi.fn(), { permission: "granted", requestPermission: asked });
  vi.stubGlobal("Notification", Notice);
  expect(await allowNotices(true)).toBe(false);
  expect(wantsNotices()).toBe(false);
  expect(await allowNotices(true)).toBe(true);
  expect(wantsNotices()).toBe(true);
  expect(await allowNotices(false)).toBe(false);
  expect(wantsNotices()).toBe(false);
});

test("a hidden tab notifies, a visible one does not", async () => {
  const Notice = Object.assign(vi.fn(), { permission: "granted", requestPermission: () => Promise.resolve("granted") });
  vi.stubGlobal("Notification", Notice);
  localStorage.setItem("notify", "1");
  serve(house());
  show(<Shell>hello</Shell>, "#/likes");
  await waitFor(() => expect(sockets.length).toBeGreaterThan(0));
  ring(20, "seen");
  expect(Notice).not.toHaveBeenCalled();
  const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  ring(21, "unseen");
  await waitFor(() => expect(Notice).toHaveBeenCalledWith("CocoroGhost", expect.objectContaining({ body: "unseen" })));
  hidden.mockRestore();
});

test("the talk goes on while nobody answers: the frame says so and says when it is over", async () => {
  serve(house());
  show(<Shell>hello</Shell>);
  await waitFor(() => expect(sockets.length).toBeGreaterThan(0));
  act(() => sockets.at(-1)?.onclose?.({ code: 1006 }));
  expect(await screen.findByText("The ghost is away")).toBeTruthy();
  await waitFor(() => expect(sockets.length).toBeGreaterThan(1));
  act(() => sockets.at(-1)?.onopen?.());
  await waitFor(() => expect(screen.queryByText("The ghost is away")).toBeNull());
});

test("an unknown address is the talk, and a session that ended asks for the token", async () => {
  let open = true;
  const shut = () => Response.json({ detail: { code: "unauthorized", message: "no" } }, { status: 401 });
  serve({ ...house(), "GET /api/memory/turns": () => (open ? { items: [turn(1)], next_cursor: null } : shut()), "GET /api/memory/preferences": () => shut(), "POST /api/auth/ticket": { ticket: "t", expires_in_seconds: 30 } });
  location.hash = "#/nowhere";
  render(<App client={makeClient()} />);
  expect(await screen.findByText("reply 1")).toBeTruthy();
  open = false;
  act(() => {
    location.hash = "#/likes";
    fireEvent(window, new HashChangeEvent("hashchange"));
  });
  expect(await screen.findByLabelText("Token")).toBeTruthy();
});

test("Japanese at the door, by one button", async () => {
  const user = userEvent.setup();
  serve({ "GET /api/settings": () => Response.json({ detail: { code: "unauthorized", message: "no" } }, { status: 401 }) });
  render(<App client={makeClient()} />);
  await screen.findByLabelText("Token");
  await user.click(screen.getByRole("button", { name: "日本語" }));
  expect(screen.getByRole("heading").textContent).toBe("おかえりなさい");
  expect(document.documentElement.lang).toBe("ja");
  await user.click(screen.getByRole("button", { name: "English" }));
});

test("nobody at the door: it says that the ghost is away and lets one in as soon as it is back", async () => {
  const user = userEvent.setup();
  let away = true;
  const lost = () => {
    if (away) throw new TypeError("network error");
    return settings();
  };
  serve({ ...house(), "GET /api/settings": lost });
  render(<App client={makeClient()} />);
  const told = await screen.findByRole("heading", { name: "The ghost is away" });
  expect(document.body.textContent).not.toContain("network error");
  expect(document.body.textContent).not.toContain("That didn't work");
  expect(told.closest("main")).toBeTruthy();
  away = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("reply 1")).toBeTruthy();
});

test("a ghost that is there but broken is not called away", async () => {
  serve({ ...house(), "GET /api/settings": () => Response.json({ detail: { code: "internal_error", message: "x" } }, { status: 500 }) });
  render(<App client={makeClient()} />);
  expect(await screen.findByRole("heading", { name: "That didn't work" })).toBeTruthy();
  expect(screen.queryByText("The ghost is away")).toBeNull();
});
