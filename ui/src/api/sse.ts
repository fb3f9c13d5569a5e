/** Server-sent events out of a fetch stream: chunks may split anywhere, even inside a character. */

export interface SseFrame {
  event: string;
  data: string;
}

export class SseParser {
  #rest = "";
  #event = "";
  #data: string[] = [];

  /** Feeds text and returns the frames that are now complete. */
  push(text: string): SseFrame[] {
    this.#rest += text;
    const frames: SseFrame[] = [];
    for (;;) {
      const end = this.#rest.search(/\r\n|\n|\r(?!$)/);
      if (end < 0) return frames;
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + (this.#rest.startsWith("\r\n", end) ? 2 : 1));
      const frame = this.#line(line);
      if (frame) frames.push(frame);
    }
  }

  #line(line: string): SseFrame | null {
    if (line === "") return this.#dispatch();
    if (line.startsWith(":")) return null;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    if (field === "data") this.#data.push(value);
    return null;
  }

  #dispatch(): SseFrame | null {
    const frame = this.#data.length ? { event: this.#event || "message", data: this.#data.join("\n") } : null;
    this.#event = "";
    this.#data = [];
    return frame;
  }
}

export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseFrame> {
  const decoder = new TextDecoder();
  const parser = new SseParser();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
    yield* parser.push(`${decoder.decode()}\n\n`);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
