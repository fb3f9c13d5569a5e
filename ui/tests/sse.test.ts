import { afterEach, expect, test, vi } from "vitest";
import { speak } from "../src/api/chat";
import { ApiError } from "../src/api/client";

const TURN = 'event: token\ndata: {"text":"こん"}\n\nevent: done\ndata: {"event_id":3,"reply_text":"こんにちは"}\n\n';

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
  for (const step of [1, 5, 1000]) {
    vi.stubGlobal("fetch", async () => answer(bytes, step));
    const seen: string[] = [];
    const done = await speak({ input_text: "やあ" }, { onText: (text) => seen.push(text) });
    expect(seen).toEqual(["こん"]);
    expect(done).toMatchObject({ event_id: 3, reply_text: "こんにちは" });
  }
});

test("an error frame becomes an error with its code", async () => {
  const bytes = new TextEncoder().encode('event: error\ndata: {"message":"busy","code":"chat_busy"}\n\n');
  vi.stubGlobal("fetch", async () => answer(bytes, 100));
  await expect(speak({ input_text: "x" }, { onText: () => undefined })).rejects.toMatchObject({ code: "chat_busy" });
});

test("a stream that ends early is an error", async () => {
  vi.stubGlobal("fetch", async () => answer(new TextEncoder().encode('event: token\ndata: {"text":"a"}\n\n'), 100));
  await expect(speak({ input_text: "x" }, { onText: () => undefined })).rejects.toBeInstanceOf(ApiError);
});

test("a connection lost midway is unreachable, never the browser's own words", async () => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('event: token\ndata: {"text":"a"}\n\n'));
      controller.error(new TypeError("network error"));
    },
  });
  vi.stubGlobal("fetch", async () => new Response(body, { status: 200 }));
  await expect(speak({ input_text: "x" }, { onText: () => undefined })).rejects.toMatchObject({ code: "unreachable" });
});
