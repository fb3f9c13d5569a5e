/** The mood curve, drawn by uPlot; loaded only when the heart is looked at. */
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { AffectRow, MoodPoint } from "../api/types";
import { useSpeech } from "../i18n";
import { go, link } from "../lib/router";
import type { Language } from "../lib/time";
import type { Axis } from "../screens/Heart";

interface PlotProps {
  points: MoodPoint[];
  marks: AffectRow[];
  axis: Axis;
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

export default function MoodPlot({ points, marks, axis, label }: PlotProps) {
  const { t, language } = useSpeech();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const el = box.current;
    if (!el) return;
    const { rows, at } = plotData(points, marks, axis);
    const grid = { stroke: colour("--line"), width: 1 };
    const plot = new uPlot(
      {
        width: el.clientWidth,
        height: Math.min(340, Math.max(220, el.clientWidth * 0.42)),
        scales: { y: { range: [-1, 1] } },
        cursor: { y: false },
        axes: [
          {
            stroke: colour("--ink-3"),
            grid,
            ticks: grid,
            font: "12px system-ui",
            space: 70,
            values: (_u, splits) => tickWords(splits, language),
          },
          { stroke: colour("--ink-3"), grid, ticks: grid, font: "12px system-ui", size: 44 },
        ],
        series: [
          { label: t("rem.time"), value: (_u, v) => (v === null ? "" : new Date(v * 1000).toLocaleString(language)) },
          { label: t("heart.baseline"), stroke: colour("--accent"), width: 2, value: number },
          { label: t("heart.shock"), stroke: colour("--rose"), width: 1, dash: [4, 4], value: number },
          { label: t("heart.total"), stroke: colour("--ink"), width: 2, fill: `${colour("--accent")}22`, value: number },
          {
            label: t("heart.affects"),
            stroke: colour("--lamp"),
            paths: () => null,
            points: { show: true, size: 9, fill: colour("--lamp") },
            value: (_u, v, _s, i) => (i !== null && at.has(i) ? (at.get(i)?.labels.join(", ") ?? "") : v === null ? "—" : v.toFixed(2)),
          },
        ],
      },
      rows,
      el,
    );
    const onClick = () => {
      const index = plot.cursor.idx;
      if (index === null || index === undefined) return;
      for (const near of [0, 1, -1, 2, -2, 3, -3]) {
        const mark = at.get(index + near);
        if (mark) return go(link("chat", null, { turn: String(mark.event_id) }));
      }
    };
    plot.over.addEventListener("click", onClick);
    const watch = new ResizeObserver(() => plot.setSize({ width: el.clientWidth, height: plot.height }));
    watch.observe(el);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [points, marks, axis, t, language]);
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
