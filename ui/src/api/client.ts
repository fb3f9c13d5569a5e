/** Every call to the ghost goes through here: JSON in and out, cookie login, errors with a code and a sentence. */

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

/** Called whenever the server answers 401, so that the login screen can take over. */
export function onSignedOut(listener: Listener): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

export type Query = Record<string, string | number | boolean | null | undefined | readonly (string | number)[]>;

export function withQuery(path: string, query?: Query): string {
  if (!query) return path;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

/** Turns an error answer into an ApiError, whatever its body looks like. */
export async function errorOf(response: Response): Promise<ApiError> {
  let code = `http_${response.status}`;
  let message = response.statusText || code;
  try {
    const body: unknown = await response.json();
    const detail = (body as { detail?: unknown }).detail;
    if (typeof detail === "string") message = detail;
    else if (Array.isArray(detail)) message = detail.map((d: { msg?: string }) => d.msg ?? "").join("; ");
    else if (detail && typeof detail === "object") {
      const d = detail as { code?: string; message?: string };
      code = d.code ?? code;
      message = d.message ?? message;
    }
  } catch {
    // Not JSON: the status line has to do.
  }
  return new ApiError(response.status, code, message);
}

export async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError(0, "unreachable", "unreachable");
  }
  if (response.status === 401 && !path.startsWith("/api/auth/")) for (const listener of signedOut) listener();
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await send(method, path, body, signal);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) => json<T>("GET", withQuery(path, query), undefined, signal),
  post: <T>(path: string, body: unknown = {}) => json<T>("POST", path, body),
  put: <T>(path: string, body: unknown) => json<T>("PUT", path, body),
  patch: <T>(path: string, body: unknown) => json<T>("PATCH", path, body),
  delete: <T>(path: string) => json<T>("DELETE", path),
};
