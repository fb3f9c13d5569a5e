/** The mood curve, drawn by uPlot; loaded only when the heart is looked at. */
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { AffectRow, MoodPoint } from "../../api/types";
import { useSpeech } from "../../i18n";
import { go, link } from "../../lib/router";
import type { Language } from "../../lib/time";
import { useShade } from "../../lib/theme";

export type Axis = "v" | "a" | "d";

interface PlotProps {
  points: MoodPoint[];
  marks: AffectRow[];
  axis: Axis;
  span: [number, number];
  label: string;
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Lines on the points' own times; a mark sits on the point nearest to its moment. */
export function plotData(points: MoodPoint[], marks: AffectRow[], axis: Axis): { rows: uPlot.AlignedData; at: Map<number, AffectRow> } {
  const xs = points.map((p) => p.ts);
  const dots: (number | null)[] = xs.map(() => null);
  const at = new Map<number, AffectRow>();
  let index = 0;
  for (const mark of [...marks].sort((a, b) => a.created_at - b.created_at)) {
    while (index < xs.length - 1 && Math.abs((xs[index + 1] ?? 0) - mark.created_at) <= Math.abs((xs[index] ?? 0) - mark.created_at)) index++;
    dots[index] = mark.vad[axis];
    at.set(index, mark);
  }
  return {
    rows: [xs, points.map((p) => p.baseline[axis]), points.map((p) => p.shock[axis]), points.map((p) => p.vad[axis]), dots],
    at,
  };
}

interface Words {
  time: string;
  baseline: string;
  shock: string;
  total: string;
  moments: string;
  language: Language;
}

function options(width: number, words: Words, at: Map<number, AffectRow>, span: [number, number]): uPlot.Options {
  const grid = { stroke: colour("--line"), width: 1 };
  const axis = { stroke: colour("--ink-3"), grid, ticks: grid, font: "12px system-ui" };
  const felt: uPlot.Series.Value = (_u, v, _s, i) => (i !== null && at.has(i) ? (at.get(i)?.text ?? "") : v === null ? "—" : v.toFixed(2));
  return {
    width,
    height: Math.min(340, Math.max(220, width * 0.42)),
    // The whole span is shown even when the life in it is an hour old.
    scales: { x: { range: span }, y: { range: [-1, 1] } },
    cursor: { y: false },
    axes: [
      { ...axis, space: 70, values: (_u, splits) => tickWords(splits, words.language) },
      { ...axis, size: 44 },
    ],
    series: [
      { label: words.time, value: (_u, v) => (v === null ? "" : new Date(v * 1000).toLocaleString(words.language)) },
      { label: words.baseline, stroke: colour("--accent"), width: 2, value: number },
      { label: words.shock, stroke: colour("--rose"), width: 1, dash: [4, 4], value: number },
      { label: words.total, stroke: colour("--ink"), width: 2, fill: `${colour("--accent")}22`, value: number },
      { label: words.moments, stroke: colour("--lamp"), paths: () => null, points: { show: true, size: 9, fill: colour("--lamp") }, value: felt },
    ],
  };
}

/** The moment nearest to where one clicked. */
export function nearest(at: Map<number, AffectRow>, index: number | null | undefined): AffectRow | null {
  if (index === null || index === undefined) return null;
  for (const near of [0, 1, -1, 2, -2, 3, -3]) {
    const mark = at.get(index + near);
    if (mark) return mark;
  }
  return null;
}

export default function MoodPlot({ points, marks, axis, span, label }: PlotProps) {
  const { t, language } = useSpeech();
  const shade = useShade();
  const box = useRef<HTMLDivElement>(null);
  const [from, to] = span;
  useEffect(() => {
    const el = box.current;
    if (!el) return;
    const { rows, at } = plotData(points, marks, axis);
    const words = { time: t("rem.time"), baseline: t("heart.baseline"), shock: t("heart.shock"), total: t("heart.total"), moments: t("heart.affects"), language };
    const plot = new uPlot(options(el.clientWidth, words, at, [from, to]), rows, el);
    plot.setCursor({ left: plot.width - 60, top: 10 });
    plot.over.addEventListener("click", () => {
      const mark = nearest(at, plot.cursor.idx);
      if (mark) go(link("chat", null, { turn: String(mark.event_id) }));
    });
    const watch = new ResizeObserver(() => plot.setSize({ width: el.clientWidth, height: plot.height }));
    watch.observe(el);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [points, marks, axis, from, to, t, language, shade]);
  return <div ref={box} className="plot" role="img" aria-label={label} />;
}

/** The day where a day begins, the hour within it. */
export function tickWords(splits: number[], language: Language): string[] {
  const step = (splits[1] ?? 0) - (splits[0] ?? 0);
  return splits.map((ts) => {
    const date = new Date(ts * 1000);
    if (step >= 86_400 * 27) return date.toLocaleDateString(language, { year: "2-digit", month: "short" });
    const midnight = date.getHours() === 0 && date.getMinutes() === 0;
    if (step >= 86_400 || midnight) return date.toLocaleDateString(language, { month: "numeric", day: "numeric" });
    return date.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hour12: false });
  });
}

function number(_u: uPlot, v: number | null): string {
  return v === null ? "—" : v.toFixed(2);
}
