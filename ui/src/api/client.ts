/** Every call to the ghost goes through here: typed by the OpenAPI document, errors with a code and a sentence. */
import createClient from "openapi-fetch";
import type { paths } from "./schema";
import { keepSession, session, takeCode } from "./session";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

type Listener = () => void;
const signedOut = new Set<Listener>();
const reached = new Set<Listener>();

/** Called whenever the server answers 401, so that the login screen can take over. */
export function onSignedOut(listener: Listener): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

/** Called after every answer: whoever waits for the ghost to come back hears of it here first. */
export function onReached(listener: Listener): () => void {
  reached.add(listener);
  return () => reached.delete(listener);
}

interface Detail {
  code?: string;
  message?: string;
  message_ja?: string;
}

function sentenceOf(detail: unknown): Detail {
  if (typeof detail === "string") return { message: detail };
  if (Array.isArray(detail)) return { message: detail.map((d: { msg?: string }) => d.msg ?? "").join("; ") };
  return (detail ?? {}) as Detail;
}

/** Turns an error answer into an ApiError, whatever its body looks like. */
export async function errorOf(response: Response): Promise<ApiError> {
  const code = `http_${response.status}`;
  // A proxy may answer in HTML: then the status line has to do.
  const body = (await response.json().catch(() => null)) as { detail?: unknown } | null;
  const said = sentenceOf(body?.detail);
  const ours = document.documentElement.lang === "ja" ? said.message_ja : undefined;
  return new ApiError(response.status, said.code ?? code, ours || (said.message ?? (response.statusText || code)));
}

/** fetch with the session, and with failures as ApiError: status 0 means nobody answered. */
export async function guarded(request: Request): Promise<Response> {
  const held = session();
  if (held) request.headers.set("Authorization", `Session ${held}`);
  let response: Response;
  try {
    response = await fetch(request);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError(0, "unreachable", "unreachable");
  }
  for (const listener of reached) listener();
  if (response.status === 401 && !request.url.includes("/api/auth/")) for (const listener of signedOut) listener();
  if (!response.ok) throw await errorOf(response);
  return response;
}

export const api = createClient<paths>({ baseUrl: location.origin, fetch: guarded, credentials: "same-origin" });

/** The body of an answer; refusals were thrown before. */
export async function take<D>(answer: Promise<{ data?: D }>): Promise<D> {
  return (await answer).data as D;
}

export const posted = (path: string, body: unknown): Request =>
  new Request(new URL(path, location.origin), {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

/** Opens the door with a token or with the code of the printed link. */
export async function login(key: { token: string } | { code: string }): Promise<void> {
  const response = await guarded(posted("/api/auth/login", key));
  const body = response.status === 204 ? null : ((await response.json()) as { session?: string });
  keepSession(body?.session ?? null);
}

/** The printed link carries its code behind `#`, which never reaches a server or its logs. */
export async function loginByLink(): Promise<void> {
  const code = takeCode();
  if (code) await login({ code }).catch(() => undefined);
}

export async function logout(): Promise<void> {
  await guarded(posted("/api/auth/logout", {})).catch(() => undefined);
  keepSession(null);
}

/** A short word that opens one socket or one download; where the server wants none, there is none. */
export async function ticketed(path: string): Promise<string> {
  if (!session()) return path;
  const response = await guarded(posted("/api/auth/ticket", {}));
  const { ticket } = (await response.json()) as { ticket: string };
  return `${path}${path.includes("?") ? "&" : "?"}ticket=${encodeURIComponent(ticket)}`;
}
