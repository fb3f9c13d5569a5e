/** The mood over time: lasting mood, moments and their sum, with every moment a way back to its turn. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { api } from "../api/client";
import type { AffectRow, MoodHistory, Vad } from "../api/types";
import { useSpeech } from "../i18n";
import { dailyValence } from "../lib/days";
import { moodName, valenceStep } from "../lib/mood";
import { now } from "../lib/now";
import { usePaged } from "../lib/paging";
import { link } from "../lib/router";
import { day, full } from "../lib/time";
import { PageHead, Segments, When } from "../parts/bits";
import { Empty, Loading, Problem } from "../parts/feedback";
import { Ghost } from "../parts/Ghost";
import { useMood } from "../parts/Shell";

const MoodPlot = lazy(() => import("../parts/MoodPlot"));
const SPANS = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400, year: 365 * 86_400 };
type Span = keyof typeof SPANS;
export type Axis = "v" | "a" | "d";
const affectId = (a: AffectRow) => a.affect_id;

export default function Heart() {
  const { t, language } = useSpeech();
  const [span, setSpan] = useState<Span>("week");
  const [axis, setAxis] = useState<Axis>("v");
  const history = useQuery({
    queryKey: ["mood", "history", span],
    queryFn: () => {
      const end = Math.floor(now() / 1000);
      return api.get<MoodHistory>("/api/memory/mood/history", { start_ts: end - SPANS[span], end_ts: end, points: 400 });
    },
  });
  const affects = usePaged<AffectRow>("/api/memory/affects", useMemo(() => ({ limit: 200 }), []), affectId);
  const points = history.data?.points ?? [];
  const from = history.data?.start_ts ?? 0;
  const marks = useMemo(() => affects.items.filter((a) => a.created_at >= from), [affects.items, from]);
  const none = affects.isSuccess && affects.items.length === 0;
  return (
    <div className="page">
      <PageHead title={t("heart.title")} lead={t("heart.lead")} />
      <Now />
      {none ? (
        <Empty>{t("heart.empty")}</Empty>
      ) : (
        <>
          <section className="card stack">
            <div className="row">
              <Segments<Axis>
                label={t("heart.axis")}
                value={axis}
                options={[
                  ["v", t("heart.v")],
                  ["a", t("heart.a")],
                  ["d", t("heart.d")],
                ]}
                onChange={setAxis}
              />
              <span className="grow" />
              <Segments<Span>
                label={t("heart.range")}
                value={span}
                options={[
                  ["day", t("heart.day")],
                  ["week", t("heart.week")],
                  ["month", t("heart.month")],
                  ["year", t("heart.year")],
                ]}
                onChange={setSpan}
              />
            </div>
            {history.error && <Problem error={history.error} onRetry={history.refetch} />}
            {history.isPending && <Loading />}
            {points.length > 0 && (
              <Suspense fallback={<Loading />}>
                <MoodPlot
                  points={points}
                  marks={marks}
                  axis={axis}
                  label={t("heart.chart", { from: full(from, language), to: full(history.data?.end_ts, language) })}
                />
              </Suspense>
            )}
          </section>
          <Days affects={affects.items} />
          <section className="stack">
            <h2>{t("heart.affects")}</h2>
            <ul className="stack">
              {affects.items.slice(0, 60).map((a) => (
                <Moment key={a.affect_id} affect={a} />
              ))}
            </ul>
          </section>
        </>
      )}
    </div>
  );
}

function Now() {
  const { t } = useSpeech();
  const mood = useMood().data?.mood ?? null;
  const name = moodName(mood?.vad);
  return (
    <section className="card now" aria-label={t("heart.now")}>
      <Ghost mood={name} />
      <div className="stack">
        <p className="statement">{mood?.body_text || t("mood.now", { mood: t(`mood.${name}`) })}</p>
        {mood && <Vads vad={mood.vad} />}
      </div>
    </section>
  );
}

function Vads({ vad }: { vad: Vad }) {
  const { t } = useSpeech();
  return (
    <dl className="vads">
      {(["v", "a", "d"] as const).map((axis) => (
        <div key={axis}>
          <dt>{t(`heart.${axis}`)}</dt>
          <dd>
            <span className="scale" aria-hidden="true">
              <b style={{ left: `${(vad[axis] + 1) * 50}%` }} />
            </span>
            <span className="num">{vad[axis] > 0 ? "+" : ""}{vad[axis].toFixed(2)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Days({ affects }: { affects: AffectRow[] }) {
  const { t, language } = useSpeech();
  const days = useMemo(() => dailyValence(affects, 28), [affects]);
  return (
    <section className="stack">
      <h2>{t("heart.days")}</h2>
      <ol className="daystrip">
        {days.map((d) => {
          const name = day(d.ts, language);
          const text = d.valence === null ? name : `${name}: ${d.valence.toFixed(2)}`;
          return (
            <li key={d.key} title={text} className={d.valence === null ? "none" : `v${valenceStep(d.valence)}`}>
              <span className="sr">{text}</span>
              <span aria-hidden="true">{new Date(d.ts * 1000).getDate()}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Moment({ affect }: { affect: AffectRow }) {
  const { t } = useSpeech();
  const mood = moodName(affect.vad);
  return (
    <li className="moment">
      <Ghost mood={mood} />
      <div className="grow">
        <p>{affect.text}</p>
        <p className="chips">
          {affect.labels.map((label) => (
            <span className="chip" key={label}>
              {label}
            </span>
          ))}
          <span className="dim">
            <When at={affect.created_at} /> · <a href={link("chat", null, { turn: String(affect.event_id) })}>{t("det.jump")}</a>
          </span>
        </p>
      </div>
    </li>
  );
}
