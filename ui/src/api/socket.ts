/** A WebSocket that comes back by itself, with growing pauses; used for unasked lines and for logs. */

export interface LiveOptions {
  path: string;
  hello?: unknown;
  onFrame: (frame: unknown) => void;
  onState?: (connected: boolean) => void;
  /** Called after a reconnect (not the first connect): ask for what was missed. */
  onBack?: () => void;
}

export function pauseBefore(attempt: number): number {
  return Math.min(30_000, 500 * 2 ** Math.min(attempt, 6));
}

export function live(options: LiveOptions): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let connectedBefore = false;
  let closed = false;

  const connect = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}${options.path}`);
    socket.onopen = () => {
      attempt = 0;
      if (options.hello) socket?.send(JSON.stringify(options.hello));
      options.onState?.(true);
      if (connectedBefore) options.onBack?.();
      connectedBefore = true;
    };
    socket.onmessage = (message) => {
      try {
        options.onFrame(JSON.parse(String(message.data)));
      } catch {
        // A frame that is not JSON is not ours.
      }
    };
    socket.onclose = (event) => {
      if (closed) return;
      options.onState?.(false);
      if (event.code === 1008) return; // signed out: the login screen reconnects by mounting again
      timer = setTimeout(connect, pauseBefore(attempt++));
    };
  };
  connect();
  return () => {
    closed = true;
    clearTimeout(timer);
    socket?.close();
  };
}
