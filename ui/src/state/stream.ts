/** Lines the ghost says unasked: over the event stream, and what was missed while it was cut off. */
import { useEffect, useRef, useState } from "react";
import { api, take } from "../api/client";
import { live } from "../api/socket";
import type { MissedFrame } from "../api/types";
import { now } from "../lib/now";
import type { FreshTurn } from "../lib/turns";

const SPOKEN = new Set(["notification", "meta-request", "reminder", "desktop_watch"]);
const GRACE = 1500;

export function clientId(): string {
  const known = localStorage.getItem("client_id");
  if (known) return known;
  const made = `web-${crypto.randomUUID()}`;
  localStorage.setItem("client_id", made);
  return made;
}

export function blank(key: string): FreshTurn {
  return {
    key,
    eventId: null,
    source: "chat",
    at: now() / 1000,
    userText: "",
    systemText: null,
    pictures: [],
    reply: "",
    state: "waiting",
    problem: null,
    incognito: false,
    interrupted: false,
    earlier: [],
  };
}

export function fromFrame(frame: MissedFrame): FreshTurn | null {
  if (!SPOKEN.has(frame.type)) return null;
  const data = frame.data as { message?: string; system_text?: string };
  return {
    ...blank(`live-${frame.event_id || crypto.randomUUID()}`),
    eventId: frame.event_id || null,
    source: frame.type === "meta-request" ? "meta_proactive" : frame.type,
    systemText: data.system_text ?? null,
    reply: data.message ?? "",
    state: "done",
  };
}

/** Listens as long as it is mounted; returns whether the ghost is there, and the newest event that was seen. */
export function useUnasked(onLine: (turn: FreshTurn) => void) {
  const [connected, setConnected] = useState(true);
  const latest = useRef(0);
  const heard = useRef(new Set<string>());
  useEffect(() => {
    let down: ReturnType<typeof setTimeout> | undefined;
    const receive = (frame: MissedFrame) => {
      const turn = fromFrame(frame);
      // After a break the same line may come both by the stream and by asking what was missed.
      if (!turn || heard.current.has(turn.key)) return;
      heard.current.add(turn.key);
      latest.current = Math.max(latest.current, frame.event_id);
      onLine(turn);
    };
    const leave = live({
      path: "/api/events/stream",
      hello: { type: "hello", client_id: clientId(), caps: [] },
      onFrame: (frame) => receive(frame as MissedFrame),
      onState: (on) => {
        clearTimeout(down);
        if (on) setConnected(true);
        else down = setTimeout(() => setConnected(false), GRACE);
      },
      onBack: () => {
        if (!latest.current) return;
        void take(api.GET("/api/events", { params: { query: { after: latest.current } } }))
          .then((missed) => missed.items.forEach(receive))
          .catch(() => undefined);
      },
    });
    return () => {
      clearTimeout(down);
      leave();
    };
  }, [onLine]);
  return { connected, latest };
}
