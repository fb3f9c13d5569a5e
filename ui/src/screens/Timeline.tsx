/** Life in order: by when things happened or by when they were told, in days or months, with summaries and life stages. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api } from "../api/client";
import type { EventRow, Page, StateRow, Timeline as TimelineAnswer, TimelineBucket } from "../api/types";
import { useSpeech } from "../i18n";
import { bucketSpan, byYear } from "../lib/buckets";
import { link } from "../lib/router";
import { day, month } from "../lib/time";
import { Bar, PageHead, Segments, When } from "../parts/bits";
import { Empty, Loading, Problem } from "../parts/feedback";

type By = "about" | "recorded";
type Size = "day" | "month";
const STAGES = ["elementary", "middle", "high", "university", "work"];
const SHOWN = 120;

export default function Timeline() {
  const { t, word } = useSpeech();
  const [by, setBy] = useState<By>("recorded");
  const [size, setSize] = useState<Size>("month");
  const [shown, setShown] = useState(SHOWN);
  const line = useQuery({
    queryKey: ["timeline", by, size],
    queryFn: () => api.get<TimelineAnswer>("/api/memory/timeline", { by, bucket: size }),
  });
  const summaries = usePeriodSummaries();
  const newest = useMemo(() => [...(line.data?.items ?? [])].reverse(), [line.data]);
  const years = useMemo(() => byYear(newest.slice(0, shown)), [newest, shown]);
  const most = Math.max(1, ...newest.map((b) => b.events));
  return (
    <div className="page">
      <PageHead title={t("time.title")} lead={t("time.lead")} />
      <div className="row">
        <Segments<By>
          label={t("time.by")}
          value={by}
          options={[
            ["recorded", t("time.recorded")],
            ["about", t("time.about")],
          ]}
          onChange={setBy}
        />
        <Segments<Size>
          label={t("time.bucket")}
          value={size}
          options={[
            ["month", t("time.month")],
            ["day", t("time.day")],
          ]}
          onChange={setSize}
        />
      </div>
      {by === "about" && (
        <div className="chips">
          {STAGES.map((stage) => (
            <a key={stage} className="chip lamp" href={link("memory", null, { tab: "events", stage })}>
              {word("stage", stage)}
            </a>
          ))}
        </div>
      )}
      {line.isPending && <Loading />}
      {line.error && <Problem error={line.error} onRetry={line.refetch} />}
      {line.isSuccess && newest.length === 0 && <Empty>{t("time.empty")}</Empty>}
      {years.map(([year, buckets]) => (
        <section key={year} className="year" aria-label={year}>
          <h2>{year}</h2>
          <ol>
            {buckets.map((b) => (
              <Bucket key={b.bucket} bucket={b} by={by} most={most} summary={summaries.get(b.bucket) ?? null} />
            ))}
          </ol>
        </section>
      ))}
      {newest.length > shown && (
        <button type="button" className="btn" onClick={() => setShown((n) => n + SHOWN)}>
          {t("state.more")}
        </button>
      )}
    </div>
  );
}

function usePeriodSummaries(): Map<string, string> {
  const states = useQuery({
    queryKey: ["/api/memory/state", "summaries"],
    queryFn: () => api.get<Page<StateRow>>("/api/memory/state", { kind: "summary", limit: 300 }),
  });
  return useMemo(() => {
    const found = new Map<string, string>();
    for (const state of states.data?.items ?? []) {
      const scope = state.payload.scope as { type?: string; key?: string } | undefined;
      if (scope?.type === "period" && scope.key && state.active) found.set(scope.key.replace(/^month:/, ""), state.body_text);
    }
    return found;
  }, [states.data]);
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
  const { word } = useSpeech();
  const span = bucketSpan(bucket);
  const events = useQuery({
    queryKey: ["timeline", "events", by, bucket],
    queryFn: () =>
      api.get<Page<EventRow>>(
        "/api/memory/events",
        by === "recorded" ? { start_ts: span.start, end_ts: span.end, limit: 100 } : { year: span.year, limit: 500 },
      ),
  });
  if (events.isPending) return <Loading />;
  if (events.error) return <Problem error={events.error} onRetry={events.refetch} />;
  const inside = (ts: number | null | undefined) => ts !== null && ts !== undefined && ts >= span.start && ts < span.end;
  const items = by === "recorded" ? events.data.items : events.data.items.filter((e) => inside(e.about.start_ts));
  return (
    <ul className="stack bucket-events">
      {items.map((e) => (
        <li key={e.event_id}>
          <a href={link("memory", `e${e.event_id}`, { tab: "events" })}>{e.user_text || e.assistant_text || word("source", e.source)}</a>{" "}
          <span className="dim">
            {e.about.life_stage && e.about.life_stage !== "unknown" && <span className="chip lamp">{word("stage", e.about.life_stage)}</span>}{" "}
            <When at={e.created_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
