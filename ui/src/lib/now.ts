/** The ghost's own time: its clock may be set ahead, and then the page counts from there. */

let ahead = 0;

/** Milliseconds, in the ghost's time. */
export function now(): number {
  return Date.now() + ahead;
}

export function setAhead(seconds: number): void {
  ahead = seconds * 1000;
}
