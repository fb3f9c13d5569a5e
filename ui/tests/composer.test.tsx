import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Talk } from "../src/screens/talk/Talk";
import { mayRead, readAloud, setVoice, voiceOn } from "../src/screens/talk/voice";
import { called, nothing, serve, settings, show, status, stream, turn } from "./harness";

const talk = (part: object = {}) => ({
  "GET /api/settings": settings(),
  "GET /api/status": status(),
  "GET /api/memory/turns": nothing(),
  "GET /api/memory/on-this-day": { items: [] },
  "POST /api/chat": () => stream(["done", { event_id: 0, reply_text: "yes" }]),
  ...part,
});
const box = () => screen.getByLabelText("Say something") as HTMLTextAreaElement;
const png = (name: string) => new File([new Uint8Array([137, 80, 78, 71])], name, { type: "image/png" });

test("pictures are picked, shown, taken out again and sent", async () => {
  const user = userEvent.setup();
  serve(talk());
  show(<Talk />);
  const picker = screen.getByLabelText("Add pictures", { selector: "input" });
  await user.upload(picker, [png("a.png"), png("b.png")]);
  expect(await screen.findByAltText("b.png")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Remove picture a.png" }));
  expect(screen.queryByAltText("a.png")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Send" }));
  await waitFor(() => expect(called("POST", "/api/chat")).toHaveLength(1));
  const sent = called("POST", "/api/chat")[0]?.body as { images: string[]; input_text: string };
  expect(sent.images).toHaveLength(1);
  expect(sent.images[0]).toMatch(/^data:image\/png;base64,/);
});

test("a pasted picture is taken, pasted words are left to the box", async () => {
  serve(talk());
  show(<Talk />);
  fireEvent.paste(box(), { clipboardData: { files: [png("pasted.png")] } });
  expect(await screen.findByAltText("pasted.png")).toBeTruthy();
  fireEvent.paste(box(), { clipboardData: { files: [] } });
  expect(screen.getAllByRole("img", { name: /\.png/ })).toHaveLength(1);
  fireEvent.click(screen.getByRole("button", { name: "Remove picture pasted.png" }));
});

test("a picture may be dropped anywhere on the talk", async () => {
  serve(talk());
  show(<Talk />);
  const carried = { types: ["Files"], files: [png("dropped.png")] };
  fireEvent.dragOver(window, { dataTransfer: carried });
  expect(await screen.findByText("Drop pictures here")).toBeTruthy();
  fireEvent.drop(window, { dataTransfer: carried });
  expect(await screen.findByAltText("dropped.png")).toBeTruthy();
  expect(screen.queryByText("Drop pictures here")).toBeNull();
  fireEvent.dragOver(window, { dataTransfer: { types: ["text/plain"], files: [] } });
  expect(screen.queryByText("Drop pictures here")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Remove picture dropped.png" }));
});

test("what cannot be seen is refused with its name", async () => {
  const user = userEvent.setup({ applyAccept: false });
  serve(talk());
  show(<Talk />);
  await user.upload(screen.getByLabelText("Add pictures", { selector: "input" }), new File(["x"], "x.svg", { type: "image/svg+xml" }));
  expect(await screen.findByText(/x\.svg: I can only see/)).toBeTruthy();
  expect(called("POST", "/api/chat")).toHaveLength(0);
});

test("Shift+Enter breaks the line, Enter of an input method sends nothing", async () => {
  const user = userEvent.setup();
  serve(talk());
  show(<Talk />);
  await user.type(box(), "one{Shift>}{Enter}{/Shift}two");
  expect(box().value).toBe("one\ntwo");
  fireEvent.keyDown(box(), { key: "Enter", isComposing: true });
  fireEvent.keyDown(box(), { key: "Enter", keyCode: 229 });
  expect(called("POST", "/api/chat")).toHaveLength(0);
  await user.type(box(), "{Enter}");
  await waitFor(() => expect(called("POST", "/api/chat")[0]?.body).toMatchObject({ input_text: "one\ntwo" }));
});

test("incognito is said, sent along and marked", async () => {
  const user = userEvent.setup();
  serve(talk());
  show(<Talk />);
  await user.click(screen.getByRole("button", { name: "Incognito" }));
  expect(screen.getByText(/nothing you say now is stored/)).toBeTruthy();
  await user.type(box(), "a secret{Enter}");
  expect(await screen.findByText("not stored")).toBeTruthy();
  expect(called("POST", "/api/chat")[0]?.body).toMatchObject({ incognito: true });
  await user.click(screen.getByRole("button", { name: "Incognito" }));
  expect(screen.queryByText(/nothing you say now is stored/)).toBeNull();
});

test("a reply that runs is stopped by Esc and marked at once", async () => {
  const user = userEvent.setup();
  const open = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(new TextEncoder().encode('event: token\ndata: {"text":"begun"}\n\n')) });
  serve(talk({ "POST /api/chat": () => new Response(open, { headers: { "Content-Type": "text/event-stream" } }), "POST /api/chat/stop": {} }));
  show(<Talk />);
  await user.type(box(), "go on{Enter}");
  expect(await screen.findByText("begun")).toBeTruthy();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(called("POST", "/api/chat/stop")).toHaveLength(1));
  expect(await screen.findByText("stopped midway")).toBeTruthy();
});

test("a slow model tells how far it has read", async () => {
  const user = userEvent.setup();
  const open = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(new TextEncoder().encode('event: progress\ndata: {"stage":"reading","percent":40}\n\n')) });
  serve(talk({ "POST /api/chat": () => new Response(open, { headers: { "Content-Type": "text/event-stream" } }) }));
  show(<Talk />);
  await user.type(box(), "a long text{Enter}");
  expect(await screen.findByText("Reading your message… 40 %")).toBeTruthy();
  expect(called("POST", "/api/chat")[0]?.body).toMatchObject({ progress: true });
});

test.each([
  ["llm_wrong_key", /key was refused/],
  ["llm_no_credit", /no credit left/],
  ["llm_no_such_model", /does not know this model/],
  ["llm_unavailable", /doesn't answer/],
  ["internal_error", /broke inside/],
])("%s is told in words, with a way to try again", async (code, words) => {
  const user = userEvent.setup();
  serve(talk({ "POST /api/chat": () => stream(["error", { code, message: "raw words of a machine" }]), "GET /api/memory/events": nothing() }));
  show(<Talk />);
  await user.type(box(), "hello{Enter}");
  const told = await screen.findByRole("alert");
  expect(told.textContent).toMatch(words);
  expect(told.textContent).not.toContain("raw words");
  expect(within(told).getByRole("button", { name: "Send again" })).toBeTruthy();
});

test("a slash alone opens the search, from anywhere that is no field", async () => {
  const user = userEvent.setup();
  serve(talk({ "GET /api/memory/turns": { items: [turn(1)], next_cursor: null } }));
  show(<Talk />);
  await screen.findByText("reply 1");
  (document.activeElement as HTMLElement).blur();
  await user.keyboard("/");
  expect(document.activeElement).toBe(screen.getByLabelText("Search the talk"));
  await user.clear(box());
  await user.type(box(), "/search tea{Enter}");
  await waitFor(() => expect((screen.getByLabelText("Search the talk") as HTMLInputElement).value).toBe("tea"));
  await waitFor(() => expect(called("GET", "/api/memory/turns").some((call) => call.query.get("q") === "tea")).toBe(true));
});

test("what can be done with an older turn unfolds by one button", async () => {
  const user = userEvent.setup();
  serve(talk({ "GET /api/memory/turns": { items: [turn(2), turn(1)], next_cursor: null } }));
  show(<Talk />);
  const older = (await screen.findByText("reply 1")).closest("article") as HTMLElement;
  expect(older.className).not.toContain("unfolded");
  await user.click(within(older).getByRole("button", { name: "What can be done with this" }));
  expect(older.className).toContain("unfolded");
  expect(within(older).getByRole("button", { name: "Forget this" })).toBeTruthy();
  expect(within(older).queryByRole("button", { name: "Edit my message" })).toBeNull();
});

test("voice: off until asked for, heard words join the box, a reply is read aloud", async () => {
  const user = userEvent.setup();
  const ears: { onresult: (event: object) => void; onend: () => void }[] = [];
  class Ear {
    onresult: (event: object) => void = () => undefined;
    onend: () => void = () => undefined;
    start() {
      ears.push(this);
    }
    stop() {
      this.onend();
    }
  }
  const spoken: string[] = [];
  vi.stubGlobal("SpeechRecognition", Ear);
  vi.stubGlobal("speechSynthesis", { cancel: () => undefined, speak: (words: { text: string; lang: string }) => spoken.push(`${words.lang} ${words.text}`) });
  vi.stubGlobal("SpeechSynthesisUtterance", class {
    lang = "";
    constructor(readonly text: string) {}
  });
  expect(voiceOn() || mayRead()).toBe(false);
  setVoice(true);
  serve(talk({ "GET /api/memory/turns": { items: [turn(1)], next_cursor: null } }));
  show(<Talk />);
  await screen.findByText("reply 1");
  await user.click(screen.getByRole("button", { name: "Speak" }));
  ears[0]?.onresult({ results: [[{ transcript: "good morning" }]] });
  await waitFor(() => expect(box().value).toBe("good morning"));
  await user.click(screen.getByRole("button", { name: "Stop listening" }));
  expect(screen.getByRole("button", { name: "Speak" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Read aloud" }));
  readAloud("おはよう", "ja");
  expect(spoken).toEqual(["en-US reply 1", "ja-JP おはよう"]);
  await user.clear(box());
});

test("pictures of the past are shown when they were kept, else told and marked", async () => {
  const kept = turn(1, { thumbnails: ["data:image/jpeg;base64,AA"], image_descriptions: ["a cat"] });
  serve(talk({ "GET /api/memory/turns": { items: [kept], next_cursor: null } }));
  show(<Talk />);
  await screen.findByText("reply 1");
  expect(document.querySelector(".turn .picture img")?.getAttribute("src")).toBe("data:image/jpeg;base64,AA");
});
