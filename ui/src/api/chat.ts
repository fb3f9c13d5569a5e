/** One turn of talk over `POST /api/chat`. */
import { ApiError, send } from "./client";
import { readSse } from "./sse";

export interface ChatRequest {
  input_text?: string;
  images?: string[];
  incognito?: boolean;
  regenerate?: number;
  client_context?: { locale?: string; active_app?: string };
}

export interface ChatDone {
  event_id: number;
  reply_text: string;
  usage?: { finish_reason?: string } & Record<string, unknown>;
}

/** Streams a reply; resolves with the final text, throws ApiError with the server's code. */
export async function speak(
  request: ChatRequest,
  onText: (soFar: string) => void,
  signal?: AbortSignal,
): Promise<ChatDone> {
  const response = await send("POST", "/api/chat", request, signal);
  if (!response.body) throw new ApiError(response.status, "llm_stream_failed", "empty answer");
  let soFar = "";
  for await (const frame of readSse(response.body)) {
    const data = JSON.parse(frame.data) as Record<string, unknown>;
    if (frame.event === "token") {
      soFar += String(data.text ?? "");
      onText(soFar);
    } else if (frame.event === "done") {
      return data as unknown as ChatDone;
    } else if (frame.event === "error") {
      throw new ApiError(200, String(data.code ?? "llm_stream_failed"), String(data.message ?? ""));
    }
  }
  throw new ApiError(200, "llm_stream_failed", "the stream ended early");
}
