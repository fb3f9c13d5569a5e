import { afterEach, expect, test, vi } from "vitest";
import { speak } from "../src/api/chat";
import { ApiError } from "../src/api/client";
import { SseParser } from "../src/api/sse";

const TURN = 'event: token\ndata: {"text":"こん"}\n\nevent: done\ndata: {"event_id":3,"reply_text":"こんにちは"}\n\n';

test("frames come whole whatever the chunks", () => {
  for (let cut = 0; cut <= TURN.length; cut++) {
    const parser = new SseParser();
    const frames = [...parser.push(TURN.slice(0, cut)), ...parser.push(TURN.slice(cut))];
    expect(frames.map((f) => f.event)).toEqual(["token", "done"]);
    expect(JSON.parse(frames[0]?.data ?? "")).toEqual({ text: "こん" });
  }
});

test("CRLF, comments and several data lines", () => {
  const parser = new SseParser();
  const text = ": keep-alive\r\nevent: token\r\ndata: a\r\ndata: b\r\n\r\n";
  const frames = [...text].flatMap((c) => parser.push(c));
  expect(frames).toEqual([{ event: "token", data: "a\nb" }]);
});

test("an event without data is not sent on", () => {
  expect(new SseParser().push("event: token\n\n")).toEqual([]);
});

function answer(bytes: Uint8Array, step: number): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += step) controller.enqueue(bytes.slice(at, at + step));
      controller.close();
    },
  });
  return new Response(body, { status: 200 });
}

afterEach(() => vi.unstubAllGlobals());

test("a turn streams, even cut inside a character, and ends with the server's text", async () => {
  const bytes = new TextEncoder().encode(TURN);
  vi.stubGlobal("fetch", async () => answer(bytes, 5));
  const seen: string[] = [];
  const done = await speak({ input_text: "やあ" }, (text) => seen.push(text));
  expect(seen).toEqual(["こん"]);
  expect(done).toMatchObject({ event_id: 3, reply_text: "こんにちは" });
});

test("an error frame becomes an error with its code", async () => {
  const bytes = new TextEncoder().encode('event: error\ndata: {"message":"busy","code":"chat_busy"}\n\n');
  vi.stubGlobal("fetch", async () => answer(bytes, 100));
  await expect(speak({ input_text: "x" }, () => undefined)).rejects.toMatchObject({ code: "chat_busy" });
});

test("a stream that ends early is an error", async () => {
  vi.stubGlobal("fetch", async () => answer(new TextEncoder().encode('event: token\ndata: {"text":"a"}\n\n'), 100));
  await expect(speak({ input_text: "x" }, () => undefined)).rejects.toBeInstanceOf(ApiError);
});
