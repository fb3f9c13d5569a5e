/** History and the running talk as one list of turns, oldest first, nothing twice. */
import type { Lesson, RecalledRef, TurnRow, Vad } from "../api/types";
import type { Care } from "../api/chat";
import type { Picture } from "./images";

/** A turn said in this tab, or a line that arrived unasked. */
export interface FreshTurn {
  key: string;
  eventId: number | null;
  source: string;
  at: number;
  userText: string;
  systemText: string | null;
  pictures: Picture[];
  reply: string;
  state: "waiting" | "streaming" | "done" | "error";
  problem: string | null;
  incognito: boolean;
  interrupted: boolean;
  /** Ended at its length limit. */
  cut?: boolean;
  /** How much of the message a slow model has read, in percent. */
  read?: number | null;
  care?: Care | null;
  earlier: string[];
}

export interface TurnView extends FreshTurn {
  seen: string[];
  thumbnails: string[];
  forgotten: boolean;
  fresh: boolean;
  runId: number | null;
  recalled: RecalledRef[];
  lessons: Lesson[];
  learning: TurnRow["learning"];
  feeling: Vad | null;
}

// A stored row never changes in place, so its view is made once; a stream of tokens redraws one turn, not all.
const views = new WeakMap<TurnRow, TurnView>();
const freshViews = new WeakMap<FreshTurn, TurnView>();

export function fromRow(row: TurnRow): TurnView {
  const known = views.get(row);
  if (known) return known;
  const unasked = row.origin !== "user" && row.source !== "chat";
  const made: TurnView = {
    key: `event-${row.event_id}`,
    eventId: row.event_id,
    source: row.source,
    at: row.created_at,
    userText: unasked ? "" : (row.user_text ?? ""),
    systemText: unasked ? (row.user_text ?? null) : null,
    pictures: [],
    reply: row.assistant_text ?? "",
    state: "done",
    problem: null,
    incognito: false,
    interrupted: row.status === "interrupted",
    fresh: false,
    ...signsOf(row),
  };
  views.set(row, made);
  return made;
}

type Signs = Pick<TurnView, "seen" | "thumbnails" | "forgotten" | "runId" | "recalled" | "lessons" | "learning" | "feeling" | "earlier">;

export function signsOf(row: TurnRow): Signs {
  return {
    seen: row.image_summaries ?? [],
    thumbnails: row.thumbnails ?? [],
    forgotten: row.forgotten_at !== null && row.forgotten_at !== undefined,
    earlier: row.older_replies ?? [],
    runId: row.run_id ?? null,
    recalled: row.recalled ?? [],
    lessons: row.lessons ?? [],
    learning: row.learning ?? "nothing",
    feeling: row.feeling ?? null,
  };
}

const NO_SIGNS: Omit<Signs, "earlier"> = {
  seen: [],
  thumbnails: [],
  forgotten: false,
  runId: null,
  recalled: [],
  lessons: [],
  learning: "nothing",
  feeling: null,
};

export function fromFresh(turn: FreshTurn): TurnView {
  const known = freshViews.get(turn);
  if (known) return known;
  const made = { ...NO_SIGNS, ...turn, fresh: true };
  freshViews.set(turn, made);
  return made;
}

/** `newestFirst` as the server pages it; fresh turns win over their stored twins. */
export function mergeTurns(newestFirst: readonly TurnRow[], fresh: readonly FreshTurn[]): TurnView[] {
  const byEvent = new Map(fresh.filter((turn) => turn.eventId !== null).map((turn) => [turn.eventId, turn]));
  const again = new Set(fresh.filter((turn) => turn.key.startsWith("again-")).map((turn) => turn.eventId));
  const old = newestFirst.filter((row) => !byEvent.has(row.event_id) || again.has(row.event_id));
  const placed = [...old].reverse().map((row) => {
    const redo = again.has(row.event_id) ? byEvent.get(row.event_id) : undefined;
    return redo ? fromFresh(redo) : fromRow(row);
  });
  const shown = new Set(placed.map((view) => view.key));
  return [...placed, ...fresh.filter((turn) => !shown.has(turn.key)).map(fromFresh)];
}
