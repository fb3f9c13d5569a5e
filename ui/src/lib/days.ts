/** Feelings gathered day by day, in local days. */
import type { AffectRow } from "../api/types";
import { now } from "./now";
import { dayKey } from "./time";

export interface DayMood {
  key: string;
  ts: number;
  valence: number | null;
}

/** The last `count` days, oldest first; a day's valence is the mean weighted by confidence. */
export function dailyValence(
  affects: readonly Pick<AffectRow, "created_at" | "vad" | "confidence">[],
  count: number,
  at: Date = new Date(now()),
): DayMood[] {
  const sums = new Map<string, { v: number; w: number }>();
  for (const affect of affects) {
    const sum = sums.get(dayKey(affect.created_at)) ?? { v: 0, w: 0 };
    const weight = Math.max(0.05, affect.confidence);
    sums.set(dayKey(affect.created_at), { v: sum.v + affect.vad.v * weight, w: sum.w + weight });
  }
  return Array.from({ length: count }, (_, back) => {
    const date = new Date(at.getFullYear(), at.getMonth(), at.getDate() - (count - 1 - back), 12);
    const ts = date.getTime() / 1000;
    const sum = sums.get(dayKey(ts));
    return { key: dayKey(ts), ts, valence: sum ? sum.v / sum.w : null };
  });
}
