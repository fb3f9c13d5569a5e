/** What no single screen promises: colours, reconnecting, layers, faces, what is announced. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { App, makeClient } from "../src/App";
import { live } from "../src/api/socket";
import { applyTheme, followSystem, useShade } from "../src/lib/theme";
import { Talk } from "../src/screens/talk/Talk";
import { called, serve, settings, show, sockets, status, stream, turn } from "./harness";

const talk = (turns: object[], more: object = {}) => ({
  "GET /api/settings": settings(),
  "GET /api/status": status(),
  "GET /api/memory/turns": { items: turns, next_cursor: null },
  "GET /api/memory/on-this-day": { items: [] },
  ...more,
});

/** The system's own choice of colours, which a test may change. */
function system(dark: boolean) {
  const listeners = new Set<() => void>();
  const now = { dark };
  vi.stubGlobal("matchMedia", () => ({
    get matches() {
      return now.dark;
    },
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: () => undefined,
  }));
  return (next: boolean) => {
    now.dark = next;
    act(() => listeners.forEach((listener) => listener()));
  };
}

function Shade() {
  return <p>drawn in {useShade()}</p>;
}

test("colours follow the system whichever screen is open, and drawings are drawn anew", () => {
  const change = system(false);
  followSystem();
  render(<Shade />);
  expect(screen.getByText("drawn in light")).toBeTruthy();
  change(true);
  expect(document.documentElement.dataset.theme).toBe("dark");
  expect(screen.getByText("drawn in dark")).toBeTruthy();
});

test("who chose colours keeps them, whatever the system does", () => {
  localStorage.setItem("theme", "light");
  const change = system(false);
  followSystem();
  change(true);
  expect(document.documentElement.dataset.theme).toBe("light");
  localStorage.setItem("theme", "dark");
  applyTheme();
  expect(document.documentElement.dataset.theme).toBe("dark");
});

test("a machine that wakes up or is online again does not sit out the pause", async () => {
  serve({ "POST /api/auth/ticket": { ticket: "t", expires_in_seconds: 30 } });
  const told: boolean[] = [];
  const leave = live({ path: "/x", onFrame: () => undefined, onState: (on) => told.push(on) });
  await waitFor(() => expect(sockets).toHaveLength(1));
  const first = sockets[0] as { readyState: number; onclose: ((event: { code: number }) => void) | null };
  first.readyState = 3;
  act(() => first.onclose?.({ code: 1006 }));
  expect(told).toEqual([false]);
  fireEvent(window, new Event("online"));
  await waitFor(() => expect(sockets).toHaveLength(2));
  leave();
});

test("signed out is not retried; closed is closed", async () => {
  const leave = live({ path: "/x", onFrame: () => undefined });
  await waitFor(() => expect(sockets).toHaveLength(1));
  act(() => sockets[0]?.onclose?.({ code: 1008 }));
  leave();
  fireEvent(window, new Event("online"));
  await Promise.resolve();
  expect(sockets).toHaveLength(1);
});

test("a frame that is no JSON is nobody's, and what was missed is asked for after a break only", async () => {
  const frames: unknown[] = [];
  const back = vi.fn();
  const leave = live({ path: "/x", onFrame: (frame) => frames.push(frame), onBack: back });
  await waitFor(() => expect(sockets).toHaveLength(1));
  act(() => sockets[0]?.onopen?.());
  expect(back).not.toHaveBeenCalled();
  act(() => sockets[0]?.onmessage?.({ data: "<html>" }));
  act(() => sockets[0]?.onmessage?.({ data: '{"a":1}' }));
  expect(frames).toEqual([{ a: 1 }]);
  act(() => sockets[0]?.onclose?.({ code: 1006 }));
  await waitFor(() => expect(sockets).toHaveLength(2));
  act(() => sockets[1]?.onopen?.());
  expect(back).toHaveBeenCalledTimes(1);
  leave();
});

test("a glance at the window asks for no loaded page again", async () => {
  serve(talk([turn(1)], { "GET /api/memory/affects": { items: [], next_cursor: null } }));
  render(<App client={makeClient()} />);
  await screen.findByText("reply 1");
  const before = called("GET", "/api/memory/turns").length;
  fireEvent(window, new Event("focus"));
  fireEvent(document, new Event("visibilitychange"));
  await Promise.resolve();
  expect(called("GET", "/api/memory/turns")).toHaveLength(before);
});

test("only what is new is announced: history stands outside the live part", async () => {
  const user = userEvent.setup();
  serve(talk([turn(2), turn(1)], { "POST /api/chat": () => stream(["done", { event_id: 0, reply_text: "fresh words" }]) }));
  show(<Talk />);
  await screen.findByText("reply 1");
  await user.type(screen.getByLabelText("Say something"), "hello{Enter}");
  const fresh = await screen.findByText("fresh words");
  const log = screen.getByRole("log");
  expect(log.contains(fresh)).toBe(true);
  expect(log.contains(screen.getByText("reply 1"))).toBe(false);
});

test("each reply wears the feeling of its moment", async () => {
  serve(talk([turn(2, { feeling: { v: -0.8, a: -0.2, d: -0.3 } }), turn(1, { feeling: { v: 0.7, a: 0.1, d: 0.3 } })]));
  show(<Talk />);
  await screen.findByText("reply 2");
  const faces = [...document.querySelectorAll(".turn svg.ghost")].map((one) => one.getAttribute("class"));
  expect(faces[0]).toMatch(/happy|excited/);
  expect(faces[1]).toMatch(/sad|tense/);
});

test("the ghost blinks while it remembers, and no longer", async () => {
  const user = userEvent.setup();
  let answer: (response: Response) => void = () => undefined;
  const later = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  const plain = globalThis.fetch;
  serve(talk([turn(1)]));
  vi.stubGlobal("fetch", (request: Request) => (request.url.endsWith("/api/chat") ? later : plain(request)));
  show(<Talk />);
  await user.type(await screen.findByLabelText("Say something"), "do you remember{Enter}");
  await waitFor(() => expect(document.querySelector("svg.ghost.blinking")).not.toBeNull());
  await act(async () => answer(stream(["done", { event_id: 0, reply_text: "I do." }])));
  await screen.findByText("I do.");
  expect(document.querySelector("svg.ghost.blinking")).toBeNull();
});

const SRC = join(import.meta.dirname, "..", "src");

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? files(join(folder, one.name)) : [join(folder, one.name)]));
}

const imports = (file: string) => [...readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g)].map((found) => relative(SRC, join(file, "..", found[1] ?? "")));

test.each([
  ["lib", /^(parts|screens|shell|state)\//],
  ["parts", /^(screens|shell|state)\//],
  ["state", /^(screens|shell)\//],
  ["api", /^(parts|screens|shell|state)\//],
])("layers: %s knows nothing of what stands above it", (layer, above) => {
  const wrong = files(join(SRC, layer)).flatMap((file) => imports(file).filter((one) => above.test(one)).map((one) => `${relative(SRC, file)} → ${one}`));
  expect(wrong).toEqual([]);
});

test("every screen is a room of its own, with its words and its entrance", () => {
  const rooms = readdirSync(join(SRC, "screens"), { withFileTypes: true });
  expect(rooms.filter((one) => !one.isDirectory())).toEqual([]);
  for (const room of rooms) {
    const inside = readdirSync(join(SRC, "screens", room.name)).map((name) => name.toLowerCase());
    expect(inside, room.name).toContain("words.ts");
    expect(inside, room.name).toContain(`${room.name}.tsx`);
  }
});
