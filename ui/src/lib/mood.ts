/** Feeling numbers as a face and a word. */
import type { Vad } from "../api/types";

export type MoodName = "calm" | "happy" | "excited" | "sad" | "tense";

export function moodName(vad: Vad | null | undefined): MoodName {
  if (!vad) return "calm";
  if (vad.v >= 0.15) return vad.a >= 0.35 ? "excited" : "happy";
  if (vad.v <= -0.15) return vad.a >= 0.2 ? "tense" : "sad";
  return vad.a >= 0.5 ? "excited" : "calm";
}

/** The daily strip: valence as one of seven steps, -3 … +3. */
export function valenceStep(valence: number | null | undefined): number {
  if (valence === null || valence === undefined) return 0;
  return Math.max(-3, Math.min(3, Math.round(valence * 4)));
}
