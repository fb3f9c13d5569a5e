/** One turn of talk over `POST /api/chat`. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { ApiError, guarded, posted } from "./client";
import type { components } from "./schema";

export type ChatRequest = Partial<components["schemas"]["ChatBody"]>;

/** The last frame of the stream; the document cannot describe frames, so it is written here. */
export interface ChatDone {
  event_id: number;
  reply_text: string;
  usage?: { finish_reason?: string };
  care?: { text_ja: string; text_en: string; lines?: string[] } | null;
}

interface Listening {
  onText: (soFar: string) => void;
  signal?: AbortSignal;
}

const BROKEN = "llm_stream_failed";

/** Streams a reply; resolves with the final text, throws ApiError with the server's code. */
export async function speak(request: ChatRequest, { onText, signal }: Listening): Promise<ChatDone> {
  const response = await guarded(new Request(posted("/api/chat", request), { signal }));
  if (!response.body) throw new ApiError(response.status, BROKEN, "empty answer");
  const frames = response.body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>);
  const reader = frames.pipeThrough(new EventSourceParserStream()).getReader();
  let soFar = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new ApiError(200, BROKEN, "the stream ended early");
      const data = JSON.parse(value.data) as Record<string, unknown>;
      if (value.event === "done") return data as unknown as ChatDone;
      if (value.event === "error") throw new ApiError(200, String(data.code ?? BROKEN), String(data.message ?? ""));
      soFar += String(data.text ?? "");
      onText(soFar);
    }
  } catch (cause) {
    throw named(cause);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** What broke, in words of ours: a lost connection is "unreachable" however the browser puts it. */
function named(cause: unknown): unknown {
  if (cause instanceof ApiError || (cause instanceof DOMException && cause.name === "AbortError")) return cause;
  return new ApiError(0, cause instanceof SyntaxError ? BROKEN : "unreachable", "the connection was lost");
}
