/** A stretch of mood as a sentence: how it was on the whole, and where it is going. */
import type { MoodPoint, Vad } from "../../api/types";

export type Level = "verylow" | "low" | "even" | "high" | "veryhigh";
export type Trend = "up" | "down" | "flat";

const mean = (values: number[]) => values.reduce((sum, v) => sum + v, 0) / Math.max(1, values.length);

export function levelOf(valence: number): Level {
  if (valence <= -0.35) return "verylow";
  if (valence <= -0.1) return "low";
  if (valence < 0.1) return "even";
  return valence < 0.35 ? "high" : "veryhigh";
}

/** The face goes with the sentence: both speak of the whole stretch. */
export function headline(points: readonly MoodPoint[]): { level: Level; trend: Trend; vad: Vad } | null {
  if (points.length === 0) return null;
  const values = points.map((p) => p.vad.v);
  const whole = (axis: keyof Vad) => mean(points.map((p) => p.vad[axis]));
  const third = Math.max(1, Math.floor(values.length / 3));
  const change = mean(values.slice(-third)) - mean(values.slice(0, third));
  return { level: levelOf(mean(values)), trend: change > 0.12 ? "up" : change < -0.12 ? "down" : "flat", vad: { v: whole("v"), a: whole("a"), d: whole("d") } };
}
