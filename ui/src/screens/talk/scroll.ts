/** Where the talk stands: at its end while one follows, where one reads otherwise. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { TurnView } from "../../lib/turns";

interface Scrolling {
  turns: TurnView[];
  follow: boolean;
  wanted: number | null;
}

const NEAR = 80;

export function useScroll(box: RefObject<HTMLDivElement | null>, { turns, follow, wanted }: Scrolling) {
  const atEnd = useRef(true);
  const before = useRef({ height: 0, first: "", last: "" });
  const [away, setAway] = useState(false);
  const following = follow && wanted === null;

  const settle = useCallback(() => {
    const el = box.current;
    if (el && atEnd.current && following) el.scrollTop = el.scrollHeight;
  }, [box, following]);

  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return;
    const first = turns[0]?.key ?? "";
    const last = turns.at(-1)?.key ?? "";
    const was = before.current;
    if (was.first && first !== was.first && !atEnd.current) {
      el.scrollTop += el.scrollHeight - was.height; // older turns came in above: stay where we read
    } else settle();
    // My own words are always shown, wherever I was reading.
    if (was.last && last !== was.last && last.startsWith("mine-")) {
      atEnd.current = true;
      el.scrollTop = el.scrollHeight;
    }
    before.current = { height: el.scrollHeight, first, last };
  }, [box, turns, settle]);

  useEffect(() => {
    // Rows near the end get their true height only when shown; settle at the end once they have it.
    const el = box.current;
    if (!el || typeof ResizeObserver === "undefined") return;
    const watch = new ResizeObserver(settle);
    if (el.firstElementChild) watch.observe(el.firstElementChild);
    return () => watch.disconnect();
  }, [box, settle]);

  const there = turns.length > 0;
  useEffect(() => {
    if (wanted !== null && there) document.getElementById(`turn-${wanted}`)?.scrollIntoView({ block: "center" });
  }, [wanted, there]);

  const onScroll = useCallback(() => {
    const el = box.current;
    if (!el) return;
    atEnd.current = el.scrollHeight - el.scrollTop - el.clientHeight < NEAR;
    setAway(!atEnd.current);
  }, [box]);
  const toEnd = useCallback(() => {
    atEnd.current = true;
    setAway(false);
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [box]);
  return { away, onScroll, toEnd };
}
