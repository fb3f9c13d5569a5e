/** Life in order: by when things happened or by when they were told, in days or months, with summaries and life stages. */
import "./timeline.css";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { EventRow, StateRow, TimelineBucket } from "../../api/types";
import { useSpeech } from "../../i18n";
import { usePaged } from "../../lib/paging";
import { link } from "../../lib/router";
import { day, month } from "../../lib/time";
import { Bar, PageHead, Segments, When } from "../../parts/bits";
import { Empty, Loading, Problem } from "../../parts/feedback";
import { bucketSpan, byYear } from "./buckets";
import "./words";

type By = "about" | "recorded";
type Size = "day" | "month";
const STAGES = ["elementary", "middle", "high", "university", "work"];
const SHOWN = 120;
const eventId = (event: EventRow) => event.event_id;
const stateId = (state: StateRow) => state.state_id;

export default function Timeline() {
  const { t } = useSpeech();
  const [by, setBy] = useState<By>("recorded");
  const [size, setSize] = useState<Size>("month");
  const [shown, setShown] = useState(SHOWN);
  const line = useQuery({ queryKey: keys.timeline(by, size), queryFn: () => take(api.GET("/api/memory/timeline", { params: { query: { by, bucket: size } } })) });
  const newest = useMemo(() => [...(line.data?.items ?? [])].reverse(), [line.data]);
  return (
    <div className="page">
      <PageHead title={t("time.title")} lead={t("time.lead")} />
      <Choices by={by} size={size} onBy={setBy} onSize={setSize} />
      {by === "about" && <Stages />}
      {line.isPending && <Loading />}
      {line.error && <Problem error={line.error} onRetry={line.refetch} />}
      {line.isSuccess && newest.length === 0 && <Empty>{t("time.empty")}</Empty>}
      <Years buckets={newest.slice(0, shown)} most={Math.max(1, ...newest.map((b) => b.events))} by={by} />
      {newest.length > shown && (
        <button type="button" className="btn" onClick={() => setShown((n) => n + SHOWN)}>
          {t("state.more")}
        </button>
      )}
    </div>
  );
}

function Choices({ by, size, onBy, onSize }: { by: By; size: Size; onBy: (by: By) => void; onSize: (size: Size) => void }) {
  const { t } = useSpeech();
  return (
    <div className="row">
      <Segments<By> label={t("time.by")} value={by} options={(["recorded", "about"] as const).map((one) => [one, t(`time.${one}`)])} onChange={onBy} />
      <Segments<Size> label={t("time.bucket")} value={size} options={(["month", "day"] as const).map((one) => [one, t(`time.${one}`)])} onChange={onSize} />
    </div>
  );
}

function Stages() {
  const { word } = useSpeech();
  return (
    <div className="chips">
      {STAGES.map((stage) => (
        <a key={stage} className="chip lamp" href={link("memory", null, { tab: "events", stage })}>
          {word("stage", stage)}
        </a>
      ))}
    </div>
  );
}

function Years({ buckets, most, by }: { buckets: TimelineBucket[]; most: number; by: By }) {
  const summaries = usePeriodSummaries();
  const years = useMemo(() => byYear(buckets), [buckets]);
  return years.map(([year, some]) => (
    <section key={year} className="year" aria-label={year}>
      <h2>{year}</h2>
      <ol>
        {some.map((b) => (
          <Bucket key={b.bucket} bucket={b} by={by} most={most} summary={summaries.get(b.bucket) ?? null} />
        ))}
      </ol>
    </section>
  ));
}

/** Summaries of months, read to the last one. */
function usePeriodSummaries(): Map<string, string> {
  const { items, more } = usePaged<StateRow>({
    key: keys.summaries,
    ask: (cursor, signal) => take(api.GET("/api/memory/state", { params: { query: { kind: "summary", limit: 200, cursor } }, signal })),
    idOf: stateId,
  });
  if (more) queueMicrotask(() => void more());
  return useMemo(() => {
    const found = new Map<string, string>();
    for (const state of items) {
      const scope = state.payload.scope as { type?: string; key?: string } | undefined;
      if (scope?.type === "period" && scope.key && state.active) found.set(scope.key.replace(/^month:/, ""), state.body_text);
    }
    return found;
  }, [items]);
}

interface BucketProps {
  bucket: TimelineBucket;
  by: By;
  most: number;
  summary: string | null;
}

function Bucket({ bucket, by, most, summary }: BucketProps) {
  const { t, language } = useSpeech();
  const [open, setOpen] = useState(false);
  const span = bucketSpan(bucket.bucket);
  const name = bucket.bucket.length > 7 ? day(span.start, language) : month(span.start, language);
  return (
    <li>
      <button type="button" className="bucket" aria-expanded={open} onClick={() => setOpen(!open)}>
        <b>{name}</b>
        <Bar part={bucket.events / most} />
        <span className="dim num">{t("time.count", { n: bucket.events })}</span>
      </button>
      {summary && <p className="summary">{summary}</p>}
      {open && <BucketEvents bucket={bucket.bucket} by={by} />}
    </li>
  );
}

function BucketEvents({ bucket, by }: { bucket: string; by: By }) {
  const { t } = useSpeech();
  const { start, end } = bucketSpan(bucket);
  const within = by === "recorded" ? { start_ts: start, end_ts: end } : { about_from: start, about_to: end };
  const events = usePaged<EventRow>({
    key: keys.bucket(by, bucket),
    ask: (cursor, signal) => take(api.GET("/api/memory/events", { params: { query: { ...within, limit: 60, cursor } }, signal })),
    idOf: eventId,
  });
  if (events.isPending) return <Loading />;
  if (events.error) return <Problem error={events.error} onRetry={events.refetch} />;
  return (
    <>
      <ul className="stack bucket-events">
        {events.items.map((e) => (
          <EventLine key={e.event_id} event={e} />
        ))}
      </ul>
      {events.hasNextPage && (
        <button type="button" className="btn small" disabled={!events.more} onClick={() => events.more?.()}>
          {t("state.more")}
        </button>
      )}
    </>
  );
}

function EventLine({ event }: { event: EventRow }) {
  const { word } = useSpeech();
  const stage = event.about?.life_stage;
  return (
    <li>
      <a href={link("memory", `e${event.event_id}`, { tab: "events" })}>{event.user_text || event.assistant_text || word("source", event.source)}</a>{" "}
      <span className="dim">
        {stage && stage !== "unknown" && <span className="chip lamp">{word("stage", stage)}</span>} <When at={event.created_at} />
      </span>
    </li>
  );
}
