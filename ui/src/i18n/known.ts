/** The words the page knows by now: those of the shell and the talk at once, those of a room when it is first opened. */
import { talkWords } from "../screens/talk/words";
import { shellWords } from "../shell/words";
import type { Pair } from "./pair";
import { sharedWords } from "./shared";

export const known: Record<string, Pair> = { ...sharedWords, ...shellWords, ...talkWords };

/** A room's words.ts calls this as it loads, so they are there before the room is drawn. */
export function learn(words: Record<string, Pair>): void {
  Object.assign(known, words);
}
