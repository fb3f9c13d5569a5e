/** The retrieval inspector: how a reply remembered, in a sentence first, then step by step; and a place to try recalls. */
import "./why.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { EventRow, RecallAnswer, RunDetail, RunRow } from "../../api/types";
import { useSpeech } from "../../i18n";
import { usePaged } from "../../lib/paging";
import { link, useRoute } from "../../lib/router";
import { duration } from "../../lib/time";
import { When } from "../../parts/bits";
import { Empty, explain, Loading, Problem, useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";
import { VirtualList } from "../../parts/VirtualList";
import { TraceView } from "./TraceView";
import { type Trace, traceOfRecall, traceOfRun } from "./trace";
import "./words";

const runId = (run: RunRow) => run.run_id;

export default function Why() {
  const { t } = useSpeech();
  const { id } = useRoute();
  const again = useMutation({ mutationFn: (text: string) => take(api.POST("/api/memory/recall", { body: { text, explain: true } })) });
  const chosen = id ? Number(id) : null;
  return (
    <div className={`browser${chosen || again.data ? " has-detail" : ""}`}>
      <section className="browse" aria-label={t("why.title")}>
        <header className="browse-head">
          <h1>{t("why.title")}</h1>
          <p className="dim">{t("why.lead")}</p>
          <Try busy={again.isPending} onTry={(text) => again.mutate(text)} />
        </header>
        <Runs chosen={chosen} onOpen={() => again.reset()} />
      </section>
      <section className="detail">
        <a className="btn quiet small only-phone" href={link("why")} onClick={() => again.reset()}>
          <Icon name="back" />
          {t("act.back")}
        </a>
        <Detail again={again} chosen={chosen} />
      </section>
    </div>
  );
}

interface Again {
  data?: RecallAnswer;
  error: unknown;
  isPending: boolean;
  mutate: (text: string) => void;
}

function Detail({ again, chosen }: { again: Again; chosen: number | null }) {
  const { t } = useSpeech();
  if (again.isPending) return <Loading />;
  if (again.error) return <p className="problem">{explain(again.error, t)}</p>;
  if (again.data) return <Now answer={again.data} />;
  return chosen ? <Run key={chosen} id={chosen} onAgain={(text) => again.mutate(text)} /> : <Empty>{t("why.choose")}</Empty>;
}

function Runs({ chosen, onOpen }: { chosen: number | null; onOpen: () => void }) {
  const { t } = useSpeech();
  const runs = usePaged<RunRow>({
    key: keys.runs,
    ask: (cursor, signal) => take(api.GET("/api/memory/retrieval-runs", { params: { query: { limit: 60, cursor } }, signal })),
    idOf: runId,
  });
  if (runs.isPending) return <Loading />;
  if (runs.error) return <Problem error={runs.error} onRetry={runs.refetch} />;
  if (runs.items.length === 0) return <Empty>{t("why.empty")}</Empty>;
  return <VirtualList items={runs.items} label={t("why.title")} idOf={runId} more={runs.more} row={(run) => <RunCard run={run} current={chosen === run.run_id} onOpen={onOpen} />} />;
}

function Try({ busy, onTry }: { busy: boolean; onTry: (text: string) => void }) {
  const { t } = useSpeech();
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) onTry(text.trim());
  };
  return (
    <form className="row try" onSubmit={submit}>
      <input className="input grow" aria-label={t("why.try")} placeholder={t("why.try.hint")} value={text} onChange={(e) => setText(e.target.value)} />
      <button type="submit" className="btn main" disabled={busy || !text.trim()}>
        {t("why.run")}
      </button>
    </form>
  );
}

function RunCard({ run, current, onOpen }: { run: RunRow; current: boolean; onOpen: () => void }) {
  const { t } = useSpeech();
  return (
    <div className={`mrow${current ? " current" : ""}`}>
      <a href={link("why", run.run_id)} onClick={onOpen} aria-current={current ? "true" : undefined}>
        <span className="body">{run.said}</span>
        <span className="chips">
          <span className={run.selected ? "chip accent" : "chip"}>{run.selected ? t("why.recalled", { n: run.selected }) : t("why.recalled.none")}</span>
          {run.mark && <span className={run.mark === "good" ? "chip moss" : "chip rose"}>{t(`why.${run.mark}`)}</span>}
          <span className="dim">
            {duration(run.milliseconds)} · <When at={run.created_at} />
          </span>
        </span>
      </a>
    </div>
  );
}

function Now({ answer }: { answer: RecallAnswer }) {
  const { t } = useSpeech();
  const trace = useMemo(() => traceOfRecall(answer), [answer]);
  return (
    <article className="stack view">
      <h2>{t("why.now")}</h2>
      <TraceView trace={trace} />
    </article>
  );
}

function useEvent(id: number) {
  const ask = () => take(api.GET("/api/memory/events/{event_id}", { params: { path: { event_id: id } } }));
  return useQuery({ queryKey: keys.event(id), queryFn: ask, enabled: id > 0 }).data;
}

function Run({ id, onAgain }: { id: number; onAgain: (text: string) => void }) {
  const { t } = useSpeech();
  const run = useQuery({ queryKey: keys.run(id), queryFn: () => take(api.GET("/api/memory/retrieval-runs/{run_id}", { params: { path: { run_id: id } } })) });
  const event = useEvent(run.data?.event_id ?? 0);
  const trace = useMemo(() => (run.data ? traceOfRun(run.data) : null), [run.data]);
  if (run.error) return <Problem error={run.error} onRetry={run.refetch} />;
  if (!run.data || !trace) return <Loading />;
  const said = event?.user_text ?? "";
  return (
    <article className="stack view">
      {said && <Because said={said} trace={trace} />}
      {event && <Quote event={event} />}
      <div className="row">
        <Mark run={run.data} />
        {said && (
          <button type="button" className="btn small" onClick={() => onAgain(said)}>
            <Icon name="again" />
            {t("why.again")}
          </button>
        )}
      </div>
      <TraceView trace={trace} />
    </article>
  );
}

function Quote({ event }: { event: EventRow }) {
  const { t } = useSpeech();
  return (
    <blockquote className="quote">
      <p>{event.user_text}</p>
      {event.assistant_text && <p className="dim">{event.assistant_text}</p>}
      <p className="dim">
        <When at={event.created_at} exact /> · <a href={link("chat", null, { turn: String(event.event_id) })}>{t("go.talk")}</a>
      </p>
    </blockquote>
  );
}

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

function Because({ said, trace }: { said: string; trace: Trace }) {
  const { t } = useSpeech();
  const n = trace.selected.length;
  const best = trace.selected[0]?.snippet ?? "";
  return <p className="statement">{n > 0 && best ? t("why.because", { said: short(said), best: short(best), n }) : t("why.because.none", { said: short(said) })}</p>;
}

function Mark({ run }: { run: RunDetail }) {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const mark = useMutation({
    mutationFn: (value: "good" | "bad" | null) => take(api.POST("/api/memory/retrieval-runs/{run_id}/mark", { params: { path: { run_id: run.run_id } }, body: { mark: value } })),
    onSuccess: async (_data, value) => {
      await queries.invalidateQueries({ queryKey: keys.runs });
      say(t(value ? "why.marked" : "why.unmarked"));
    },
    onError: fail,
  });
  return (
    <>
      {(["good", "bad"] as const).map((value) => (
        <button type="button" key={value} className="btn small" aria-pressed={run.mark === value} onClick={() => mark.mutate(run.mark === value ? null : value)}>
          <Icon name={value} />
          {t(`why.${value}`)}
        </button>
      ))}
    </>
  );
}
