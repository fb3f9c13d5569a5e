/** A WebSocket that comes back by itself, with growing pauses; used for unasked lines and for logs. */
import { ticketed } from "./client";

export interface LiveOptions {
  path: string;
  hello?: unknown;
  onFrame: (frame: unknown) => void;
  onState?: (connected: boolean) => void;
  /** Called after a reconnect (not the first connect): ask for what was missed. */
  onBack?: () => void;
}

/** Who looks at the page waits for the ghost; who does not need not ask so often. */
export function pauseBefore(attempt: number, watched = document.visibilityState === "visible"): number {
  return Math.min(watched ? 4_000 : 30_000, 500 * 2 ** Math.min(attempt, 6));
}

async function open(path: string): Promise<WebSocket> {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}${await ticketed(path)}`);
}

export function live(options: LiveOptions): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let connectedBefore = false;
  let closed = false;

  const later = () => {
    if (closed) return;
    options.onState?.(false);
    timer = setTimeout(connect, pauseBefore(attempt++));
  };
  const onOpen = () => {
    attempt = 0;
    if (options.hello) socket?.send(JSON.stringify(options.hello));
    options.onState?.(true);
    if (connectedBefore) options.onBack?.();
    connectedBefore = true;
  };
  const onMessage = (message: MessageEvent) => {
    try {
      options.onFrame(JSON.parse(String(message.data)));
    } catch {
      // A frame that is not JSON is not ours.
    }
  };
  const connect = () => {
    clearTimeout(timer);
    open(options.path).then((made) => {
      socket = made;
      if (closed) return made.close();
      made.onopen = onOpen;
      made.onmessage = onMessage;
      // 1008 means signed out: the login screen reconnects by mounting again.
      made.onclose = (event) => (event.code === 1008 ? options.onState?.(false) : later());
    }, later);
  };
  // The machine woke up or the network is back: no reason to sit out the pause.
  const hurry = () => {
    if (!closed && document.visibilityState === "visible" && socket?.readyState !== WebSocket.OPEN && socket?.readyState !== WebSocket.CONNECTING) connect();
  };
  window.addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  connect();
  return () => {
    closed = true;
    clearTimeout(timer);
    window.removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
    socket?.close();
  };
}
