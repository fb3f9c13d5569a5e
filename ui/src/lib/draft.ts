/** Words not yet sent or saved: they wait in this tab while other screens are open. */
import { useCallback, useState } from "react";

const drafts = new Map<string, unknown>();

export function useDraft<V>(name: string, empty: V): [V, (next: V | ((before: V) => V)) => void] {
  const [value, setValue] = useState<V>(() => (drafts.has(name) ? (drafts.get(name) as V) : empty));
  const set = useCallback(
    (next: V | ((before: V) => V)) =>
      setValue((before) => {
        const made = typeof next === "function" ? (next as (before: V) => V)(before) : next;
        drafts.set(name, made);
        return made;
      }),
    [name],
  );
  return [value, set];
}
