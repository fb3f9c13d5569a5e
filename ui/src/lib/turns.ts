/** History and the running talk as one list of turns, oldest first, nothing twice. */
import type { EventRow } from "../api/types";
import type { FreshTurn } from "../parts/ChatStore";
import type { TurnView } from "../parts/Turn";

export function fromEvent(event: EventRow): TurnView {
  const unasked = event.origin !== "user" && event.source !== "chat";
  return {
    key: `event-${event.event_id}`,
    eventId: event.event_id,
    source: event.source,
    at: event.created_at,
    userText: unasked ? "" : (event.user_text ?? ""),
    systemText: unasked ? (event.user_text ?? null) : null,
    seen: event.image_summaries ?? [],
    pictures: [],
    reply: event.assistant_text ?? "",
    state: "done",
    problem: null,
    incognito: false,
    interrupted: event.status === "interrupted",
    forgotten: event.forgotten_at !== null && event.forgotten_at !== undefined,
    earlier: [],
    fresh: false,
  };
}

export function fromFresh(turn: FreshTurn): TurnView {
  return { ...turn, seen: [], interrupted: false, forgotten: false, fresh: true };
}

/** `newestFirst` as the server pages it; fresh turns win over their stored twins. */
export function mergeTurns(newestFirst: readonly EventRow[], fresh: readonly FreshTurn[]): TurnView[] {
  const running = new Set(fresh.map((turn) => turn.eventId).filter((id) => id !== null));
  const again = new Map(fresh.filter((t) => t.key.startsWith("again-")).map((t) => [t.eventId, t]));
  const old = newestFirst.filter((e) => !running.has(e.event_id) || again.has(e.event_id)).map(fromEvent);
  const placed = old.reverse().map((view) => {
    const redo = again.get(view.eventId);
    return redo ? { ...fromFresh(redo), at: view.at } : view;
  });
  const shown = new Set(placed.map((view) => view.key));
  return [...placed, ...fresh.filter((turn) => !shown.has(turn.key)).map(fromFresh)];
}
