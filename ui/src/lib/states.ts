/** What a state is right now, and how its validity lies in time. */
import type { StateRow } from "../api/types";
import { now } from "./now";

export type StateStatus = "active" | "closed" | "hidden" | "done";

type Timed = Pick<StateRow, "valid_from_ts" | "valid_to_ts" | "searchable" | "payload">;

export function stateStatus(state: Timed, at: number = now() / 1000): StateStatus {
  if (!state.searchable) return "hidden";
  if (state.payload.done_at) return "done";
  if (state.valid_to_ts !== null && state.valid_to_ts !== undefined && state.valid_to_ts <= at) return "closed";
  return "active";
}

export interface Span {
  from: number;
  to: number;
  openStart: boolean;
  openEnd: boolean;
}

/** Where the validity bar begins and ends within [start, now], as shares 0..1. */
export function validitySpan(state: Timed & { created_at: number }, at: number = now() / 1000): Span {
  const begin = state.valid_from_ts ?? state.created_at;
  const end = state.valid_to_ts ?? at;
  const left = Math.min(begin, state.created_at, end);
  const right = Math.max(at, end);
  const pad = Math.max(1, (right - left) * 0.08);
  const share = (ts: number) => (ts - (left - pad)) / (right - left + 2 * pad);
  return {
    from: share(begin),
    to: share(Math.max(end, begin)),
    openStart: state.valid_from_ts === null || state.valid_from_ts === undefined,
    openEnd: state.valid_to_ts === null || state.valid_to_ts === undefined,
  };
}
