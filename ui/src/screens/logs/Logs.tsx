/** The server's log, live: the last lines first, then each as it is written. */
import "./logs.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { live } from "../../api/socket";
import type { LogLine } from "../../api/types";
import { useSpeech } from "../../i18n";
import { millis } from "../../lib/time";
import { Field, PageHead } from "../../parts/bits";
import { Empty } from "../../parts/feedback";
import "./words";

const KEEP = 5_000;
const LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR"];

export function visible(lines: readonly LogLine[], level: string, text: string): LogLine[] {
  const least = LEVELS.indexOf(level);
  const needle = text.toLowerCase();
  return lines.filter((line) => {
    const rank = LEVELS.indexOf(line.level.toUpperCase().replace("CRITICAL", "ERROR"));
    if (rank >= 0 && rank < least) return false;
    return !needle || `${line.logger} ${line.msg}`.toLowerCase().includes(needle);
  });
}

function stamp(line: LogLine): string {
  const ms = millis(line.ts);
  return ms === null ? String(line.ts) : new Date(ms).toLocaleTimeString("sv");
}

export default function Logs() {
  const { t } = useSpeech();
  const [lines, setLines] = useState<LogLine[]>([]);
  const [level, setLevel] = useState("INFO");
  const [text, setText] = useState("");
  const [paused, setPaused] = useState(false);
  const [connected, setConnected] = useState(false);
  const waiting = useRef<LogLine[]>([]);
  const halted = useRef(false);
  useEffect(() => {
    halted.current = paused;
  });

  useEffect(() => {
    const leave = live({
      path: "/api/logs/stream",
      onFrame: (frame) => waiting.current.push(frame as LogLine),
      onState: setConnected,
    });
    const timer = setInterval(() => {
      if (halted.current || waiting.current.length === 0) return;
      const fresh = waiting.current.splice(0);
      setLines((all) => [...all, ...fresh].slice(-KEEP));
    }, 250);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, []);

  const shown = useMemo(() => visible(lines, level, text), [lines, level, text]);
  return (
    <div className="page">
      <PageHead title={t("logs.title")} lead={t("logs.lead")} />
      <div className="row filters">
        <Field label={t("logs.level")}>
          <select className="input" value={level} onChange={(e) => setLevel(e.target.value)}>
            {LEVELS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </Field>
        <Field label={t("logs.filter")}>
          <input className="input" value={text} onChange={(e) => setText(e.target.value)} />
        </Field>
        <button type="button" className="btn" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          {t(paused ? "logs.resume" : "logs.pause")}
        </button>
        <span className={connected ? "chip moss" : "chip rose"} role="status">
          {t(connected ? "logs.live" : "logs.off")}
        </span>
      </div>
      {shown.length === 0 ? <Empty>{t("logs.empty")}</Empty> : <Lines lines={shown} />}
    </div>
  );
}

function Lines({ lines }: { lines: LogLine[] }) {
  const { t } = useSpeech();
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: lines.length, getScrollElement: () => box.current, estimateSize: () => 28, overscan: 20 });
  const last = lines.length - 1;
  useEffect(() => {
    const el = box.current;
    if (el && el.scrollHeight - el.scrollTop - el.clientHeight < 200) rows.scrollToIndex(last);
  }, [last, rows]);
  return (
    <div className="loglines card" ref={box} role="log" aria-label={t("logs.list")} tabIndex={0}>
      <div style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map((row) => {
          const line = lines[row.index];
          if (!line) return null;
          return (
            <div
              key={row.key}
              ref={rows.measureElement}
              data-index={row.index}
              className={`logline ${line.level.toLowerCase()}`}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <span className="dim num">{stamp(line)}</span>
              <b>{line.level}</b>
              <span className="dim">{line.logger}</span>
              <span>{line.msg}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
