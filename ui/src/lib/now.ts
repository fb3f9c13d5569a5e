/** The ghost's own time: its clock may be set ahead, and then the page counts from there. */
import { api } from "../api/client";

let ahead = 0;

/** Milliseconds, in the ghost's time. */
export function now(): number {
  return Date.now() + ahead;
}

export async function followClock(): Promise<number> {
  const time = await api.get<{ domain_offset_seconds: number }>("/api/control/time");
  ahead = time.domain_offset_seconds * 1000;
  return ahead;
}
