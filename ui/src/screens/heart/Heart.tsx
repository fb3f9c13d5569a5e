/** The mood in words first, then over time: each day's strongest moment, a year at a glance, and the lines behind it. */
import "./heart.css";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { AffectRow, MoodPoint, Vad } from "../../api/types";
import { useSpeech } from "../../i18n";
import { moodName } from "../../lib/mood";
import { now } from "../../lib/now";
import { usePaged } from "../../lib/paging";
import { link } from "../../lib/router";
import { full } from "../../lib/time";
import { PageHead, Segments, When } from "../../parts/bits";
import { Empty, Loading, Problem } from "../../parts/feedback";
import { loadable } from "../../parts/Fence";
import { Ghost } from "../../parts/Ghost";
import { useMood } from "../../state/mood";
import { Days, YearCalendar } from "./Days";
import { headline } from "./headline";
import type { Axis } from "./MoodPlot";
import "./words";

const MoodPlot = loadable(() => import("./MoodPlot"));
const SPANS = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400, year: 365 * 86_400 };
type Span = keyof typeof SPANS;
const affectId = (a: AffectRow) => a.affect_id;

function useHistory(span: Span) {
  return useQuery({
    queryKey: keys.moodHistory(span),
    queryFn: () => {
      const end = Math.floor(now() / 1000);
      return take(api.GET("/api/memory/mood/history", { params: { query: { start_ts: end - SPANS[span], end_ts: end, points: 400 } } }));
    },
  });
}

function useAffects() {
  return usePaged<AffectRow>({
    key: keys.affects,
    ask: (cursor, signal) => take(api.GET("/api/memory/affects", { params: { query: { limit: 100, cursor } }, signal })),
    idOf: affectId,
  });
}

export default function Heart() {
  const { t } = useSpeech();
  const [span, setSpan] = useState<Span>("week");
  const history = useHistory(span);
  const affects = useAffects();
  const points = history.data?.points ?? [];
  const none = affects.isSuccess && affects.items.length === 0;
  return (
    <div className="page">
      <PageHead title={t("heart.title")} lead={t("heart.lead")} />
      <Now points={points} />
      {affects.error && <Problem error={affects.error} onRetry={affects.refetch} />}
      {none && <Empty>{t("heart.empty")}</Empty>}
      {!none && (
        <>
          <Chart span={span} onSpan={setSpan} history={history} affects={affects.items} />
          <Days />
          <YearCalendar />
          <Moments affects={affects} />
        </>
      )}
    </div>
  );
}

/** In words: how it is on the whole of the shown time, not at its last second. */
function Now({ points }: { points: MoodPoint[] }) {
  const { t } = useSpeech();
  const mood = useMood().data?.mood ?? null;
  const said = headline(points);
  const name = moodName(said?.vad ?? mood?.vad);
  return (
    <section className="card now" aria-label={t("heart.now")}>
      <Ghost mood={name} />
      <div className="stack">
        <p className="statement">{said ? t("heart.headline.v", { how: t(`heart.word.${said.level}`), trend: t(`heart.trend.${said.trend}`) }) : t("mood.now", { mood: t(`mood.${name}`) })}</p>
        {mood?.body_text && <p className="dim">{mood.body_text}</p>}
        {mood && (
          <details>
            <summary>{t("heart.numbers")}</summary>
            <Vads vad={mood.vad} />
          </details>
        )}
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
            <span className="num">
              {vad[axis] > 0 ? "+" : ""}
              {vad[axis].toFixed(2)}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ChartProps {
  span: Span;
  onSpan: (span: Span) => void;
  history: ReturnType<typeof useHistory>;
  affects: AffectRow[];
}

function Chart({ span, onSpan, history, affects }: ChartProps) {
  const { t, language } = useSpeech();
  const [axis, setAxis] = useState<Axis>("v");
  const from = history.data?.start_ts ?? 0;
  const marks = useMemo(() => affects.filter((a) => a.created_at >= from), [affects, from]);
  const points = history.data?.points ?? [];
  return (
    <section className="card stack">
      <div className="row">
        <Segments<Axis> label={t("heart.axis")} value={axis} options={(["v", "a", "d"] as const).map((one) => [one, t(`heart.${one}`)])} onChange={setAxis} />
        <span className="grow" />
        <Segments<Span> label={t("heart.range")} value={span} options={(Object.keys(SPANS) as Span[]).map((one) => [one, t(`heart.${one}`)])} onChange={onSpan} />
      </div>
      {history.error && <Problem error={history.error} onRetry={history.refetch} />}
      {history.isPending && <Loading />}
      {points.length > 0 && (
        <MoodPlot points={points} marks={marks} axis={axis} span={[from, history.data?.end_ts ?? from]} label={t("heart.chart", { from: full(from, language), to: full(history.data?.end_ts, language) })} />
      )}
      <p className="dim">{t("heart.hover")}</p>
    </section>
  );
}

function Moments({ affects }: { affects: ReturnType<typeof useAffects> }) {
  const { t } = useSpeech();
  return (
    <section className="stack">
      <h2>{t("heart.affects")}</h2>
      <ul className="stack">
        {affects.items.map((a) => (
          <Moment key={a.affect_id} affect={a} />
        ))}
      </ul>
      {affects.hasNextPage && (
        <button type="button" className="btn" disabled={!affects.more} onClick={() => affects.more?.()}>
          {t("state.more")}
        </button>
      )}
    </section>
  );
}

function Moment({ affect }: { affect: AffectRow }) {
  const { t } = useSpeech();
  return (
    <li className="moment">
      <Ghost mood={moodName(affect.vad)} />
      <div className="grow">
        <p>{affect.text}</p>
        <p className="chips">
          {affect.labels.map((label) => (
            <span className="chip" key={label}>
              {label}
            </span>
          ))}
          <span className="dim">
            <When at={affect.created_at} /> · <a href={link("chat", null, { turn: String(affect.event_id) })}>{t("go.talk")}</a>
          </span>
        </p>
      </div>
    </li>
  );
}
