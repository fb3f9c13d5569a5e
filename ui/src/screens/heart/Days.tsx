/** Days by their strongest moment; tapping one opens its talk. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import { type T, useSpeech } from "../../i18n";
import { valenceStep } from "../../lib/mood";
import { link } from "../../lib/router";
import { day, type Language, month } from "../../lib/time";
import { type DayCell, lastDays, weeks } from "./days";

const YEAR = 365;

function useDays() {
  return useQuery({ queryKey: [...keys.mood, "days"], queryFn: () => take(api.GET("/api/memory/mood/days", { params: { query: { days: YEAR } } })) }).data?.items;
}

function words(cell: DayCell, t: T, language: Language): string {
  const name = day(cell.ts, language);
  return cell.mood ? t("heart.strongest", { day: name, text: cell.mood.text }) : t("heart.nothing", { day: name });
}

export function Days() {
  const { t, language } = useSpeech();
  const moods = useDays();
  const cells = useMemo(() => lastDays(moods ?? [], 28), [moods]);
  return (
    <section className="stack">
      <h2>{t("heart.days")}</h2>
      <ol className="daystrip">
        {cells.map((cell) => (
          <li key={cell.key} className={cell.mood ? `v${valenceStep(cell.mood.strongest.v)}` : "none"}>
            <Cell cell={cell} text={words(cell, t, language)}>
              {new Date(cell.ts * 1000).getDate()}
            </Cell>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Cell({ cell, text, children }: { cell: DayCell; text: string; children?: number }) {
  if (!cell.mood) {
    return (
      <span title={text}>
        <span className="sr">{text}</span>
        <span aria-hidden="true">{children}</span>
      </span>
    );
  }
  return (
    <a href={link("chat", null, { turn: String(cell.mood.event_id) })} title={text} aria-label={text}>
      {children}
    </a>
  );
}

export function YearCalendar() {
  const { t, language } = useSpeech();
  const moods = useDays();
  const columns = useMemo(() => weeks(lastDays(moods ?? [], YEAR)), [moods]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone the year is wider than the screen: what is newest is seen first.
    if (box.current) box.current.scrollLeft = box.current.scrollWidth;
  }, [columns]);
  return (
    <section className="stack">
      <h2>{t("heart.calendar")}</h2>
      <div className="scroller" ref={box} tabIndex={0} role="group" aria-label={t("heart.calendar")}>
        <ol className="yeargrid">
          {columns.map((column, at) => (
            // weeks never reorder
            <li key={at}>
              <MonthName column={column} language={language} />
              {column.map((cell, row) => (
                <span key={row} className={!cell ? "hole" : cell.mood ? `cell v${valenceStep(cell.mood.strongest.v)}` : "cell none"}>
                  {cell?.mood && <Cell cell={cell} text={words(cell, t, language)} />}
                </span>
              ))}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function MonthName({ column, language }: { column: (DayCell | null)[]; language: Language }) {
  const first = column.find((cell) => cell && new Date(cell.ts * 1000).getDate() === 1);
  const name = first ? (month(first.ts, language).match(language === "ja" ? /\d+月/ : /^\w{3}/)?.[0] ?? "") : "";
  return <span className="monthname">{name}</span>;
}
