/** Times as people say them, in Japanese and English. */

import { now } from "./now";

export type Language = "ja" | "en";
export type Stamp = number | string | null | undefined;

/** Accepts UTC seconds or ISO 8601 and gives milliseconds; null for nothing or nonsense. */
export function millis(stamp: Stamp): number | null {
  if (stamp === null || stamp === undefined || stamp === "") return null;
  const value = typeof stamp === "number" ? stamp * 1000 : Date.parse(stamp);
  return Number.isFinite(value) ? value : null;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** "3 minutes ago", "3 分前"; under a minute it is simply now. */
export function ago(stamp: Stamp, language: Language, at: number = now()): string {
  const then = millis(stamp);
  if (then === null) return "";
  const seconds = (then - at) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) {
      return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.trunc(seconds / size), unit);
    }
  }
  return language === "ja" ? "たった今" : "just now";
}

export function day(stamp: Stamp, language: Language): string {
  const then = millis(stamp);
  if (then === null) return "";
  return new Intl.DateTimeFormat(language, { year: "numeric", month: "short", day: "numeric", weekday: "short" }).format(then);
}

export function month(stamp: Stamp, language: Language): string {
  const then = millis(stamp);
  return then === null ? "" : new Intl.DateTimeFormat(language, { year: "numeric", month: "long" }).format(then);
}

export function clock(stamp: Stamp, language: Language): string {
  const then = millis(stamp);
  return then === null ? "" : new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" }).format(then);
}

export function full(stamp: Stamp, language: Language): string {
  const then = millis(stamp);
  if (then === null) return "";
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(then);
}

/** Local calendar day, for grouping: 2026-11-15. */
export function dayKey(stamp: Stamp): string {
  const then = millis(stamp);
  if (then === null) return "";
  const d = new Date(then);
  return `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, "0")}-${String(d.getDate()).padStart(2, "0")}`;
}

/** A local date-time with offset, as reminders want it: 2026-01-03T09:30:00+09:00. */
export function localIso(local: string): string {
  const d = new Date(local);
  const offset = -d.getTimezoneOffset();
  const sign = offset < 0 ? "-" : "+";
  const two = (n: number) => String(Math.trunc(Math.abs(n))).padStart(2, "0");
  const date = `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  return `${date}T${two(d.getHours())}:${two(d.getMinutes())}:00${sign}${two(offset / 60)}:${two(offset % 60)}`;
}

/** What an <input type="datetime-local"> shows for a stamp. */
export function inputValue(stamp: Stamp): string {
  const then = millis(stamp);
  if (then === null) return "";
  return localIso(new Date(then).toISOString()).slice(0, 16);
}

export function duration(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
