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

const DAY = 86_400_000;

/** Whole calendar days from `then` to `at`, in local days: yesterday evening is one day ago at breakfast. */
export function daysBetween(then: number, at: number): number {
  const noon = (ms: number) => new Date(ms).setHours(12, 0, 0, 0);
  return Math.round((noon(at) - noon(then)) / DAY);
}

/** Weeks begin on Monday. */
function weeksBetween(then: number, at: number): number {
  const monday = (ms: number) => ms - ((new Date(ms).getDay() + 6) % 7) * DAY;
  return Math.round(daysBetween(monday(then), monday(at)) / 7);
}

function monthsBetween(then: number, at: number): number {
  const [a, b] = [new Date(then), new Date(at)];
  return (b.getFullYear() - a.getFullYear()) * 12 + b.getMonth() - a.getMonth();
}

/** As a calendar counts: "yesterday" is the day before today, "last year" the year before this one. */
function calendarStep(then: number, at: number): [number, Intl.RelativeTimeFormatUnit] {
  const days = Math.abs(daysBetween(then, at));
  const months = Math.abs(monthsBetween(then, at));
  if (days < 7) return [-daysBetween(then, at), "day"];
  if (days < 28 || months < 1) return [-weeksBetween(then, at), "week"];
  if (months < 12) return [-monthsBetween(then, at), "month"];
  return [new Date(then).getFullYear() - new Date(at).getFullYear(), "year"];
}

/** "3 minutes ago", "昨日", "last year"; under a minute it is simply now. */
export function ago(stamp: Stamp, language: Language, at: number = now()): string {
  const then = millis(stamp);
  if (then === null) return "";
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const minutes = Math.trunc((then - at) / 60_000);
  if (minutes === 0) return language === "ja" ? "たった今" : "just now";
  if (Math.abs(minutes) < 60) return words.format(minutes, "minute");
  if (daysBetween(then, at) === 0 || Math.abs(minutes) < 180) return words.format(Math.trunc(minutes / 60), "hour");
  return words.format(...calendarStep(then, at));
}

/** How long it has been, as one says after an absence: "3日", "2 weeks"; null under two days. */
export function gap(from: Stamp, to: Stamp, language: Language): string | null {
  const [a, b] = [millis(from), millis(to)];
  if (a === null || b === null) return null;
  const days = daysBetween(a, b);
  if (days < 2) return null;
  const [count, unit] = days < 14 ? [days, "day"] : days < 60 ? [Math.floor(days / 7), "week"] : days < 730 ? [monthsBetween(a, b), "month"] : [Math.floor(days / 365), "year"];
  if (language === "ja") return `${count}${{ day: "日", week: "週間", month: "か月", year: "年" }[unit as "day"]}`;
  return new Intl.NumberFormat("en", { style: "unit", unit: unit as string, unitDisplay: "long" }).format(count as number);
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
