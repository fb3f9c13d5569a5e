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
  care?: Care | null;
}

/** Where help is, when the person spoke of distress. */
export interface Care {
  region?: string | null;
  emergency?: string | null;
  lines?: { name: string; number: string; hours?: string }[];
  text?: string;
  /** False for what may be a hint: the card stays folded. */
  sure?: boolean;
}

interface Listening {
  onText: (soFar: string) => void;
  /** Slow models tell how far they have read, before the first word. */
  onProgress?: (percent: number | null) => void;
  signal?: AbortSignal;
}

interface Frame {
  text?: string;
  percent?: number | null;
  code?: string;
  message?: string;
}

const BROKEN = "llm_stream_failed";

/** Streams a reply; resolves with the final text, throws ApiError with the server's code. */
export async function speak(request: ChatRequest, { onText, onProgress, signal }: Listening): Promise<ChatDone> {
  const response = await guarded(new Request(posted("/api/chat", request), { signal }));
  if (!response.body) throw new ApiError(response.status, BROKEN, "empty answer");
  const frames = response.body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>);
  const reader = frames.pipeThrough(new EventSourceParserStream()).getReader();
  let soFar = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new ApiError(200, BROKEN, "the stream ended early");
      const data = JSON.parse(value.data) as Frame;
      if (value.event === "done") return data as unknown as ChatDone;
      if (value.event === "error") throw refusal(data);
      if (value.event === "progress") onProgress?.(data.percent ?? null);
      else if (data.text) onText((soFar += data.text));
    }
  } catch (cause) {
    throw named(cause);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function refusal({ code, message }: Frame): ApiError {
  return new ApiError(200, code ?? BROKEN, message ?? "");
}

/** What broke, in words of ours: a lost connection is "unreachable" however the browser puts it. */
function named(cause: unknown): unknown {
  if (cause instanceof ApiError || (cause instanceof DOMException && cause.name === "AbortError")) return cause;
  return new ApiError(0, cause instanceof SyntaxError ? BROKEN : "unreachable", "the connection was lost");
}
