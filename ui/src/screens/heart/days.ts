/** Days as cells: a strip of weeks and a year at a glance, in local days. */
import type { DayMood } from "../../api/types";
import { now } from "../../lib/now";
import { dayKey } from "../../lib/time";

export interface DayCell {
  key: string;
  ts: number;
  mood: DayMood | null;
}

/** The last `count` days, oldest first. */
export function lastDays(moods: readonly DayMood[], count: number, at: Date = new Date(now())): DayCell[] {
  const byDay = new Map(moods.map((mood) => [mood.day, mood]));
  return Array.from({ length: count }, (_, back) => {
    const ts = new Date(at.getFullYear(), at.getMonth(), at.getDate() - (count - 1 - back), 12).getTime() / 1000;
    return { key: dayKey(ts), ts, mood: byDay.get(dayKey(ts)) ?? null };
  });
}

/** A year in columns of weeks, each from Monday to Sunday; the first and last may be short. */
export function weeks(cells: readonly DayCell[]): (DayCell | null)[][] {
  const columns: (DayCell | null)[][] = [];
  for (const cell of cells) {
    const weekday = (new Date(cell.ts * 1000).getDay() + 6) % 7;
    if (columns.length === 0 || weekday === 0) columns.push(Array<DayCell | null>(7).fill(null));
    const column = columns.at(-1);
    if (column) column[weekday] = cell;
  }
  return columns;
}
