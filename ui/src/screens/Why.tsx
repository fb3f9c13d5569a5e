/** The retrieval inspector: how a reply remembered, step by step, and a place to try recalls that store nothing. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { api } from "../api/client";
import type { EventRow, RecallAnswer, RunDetail, RunRow } from "../api/types";
import { useSpeech } from "../i18n";
import { usePaged } from "../lib/paging";
import { link, useRoute } from "../lib/router";
import { duration } from "../lib/time";
import { traceOfRecall, traceOfRun } from "../lib/trace";
import { When } from "../parts/bits";
import { Empty, explain, Loading, Problem, useFeedback } from "../parts/feedback";
import { Icon } from "../parts/icons";
import { TraceView } from "../parts/TraceView";
import { useEventDetail } from "../parts/TurnChips";
import { VirtualList } from "../parts/VirtualList";

const runId = (run: RunRow) => run.run_id;
const NOTHING = {};

export default function Why() {
  const { t } = useSpeech();
  const { id } = useRoute();
  const runs = usePaged<RunRow>("/api/memory/retrieval-runs", NOTHING, runId);
  const again = useMutation({ mutationFn: (text: string) => api.post<RecallAnswer>("/api/memory/recall", { text, explain: true }) });
  const chosen = id ? Number(id) : null;
  return (
    <div className={`browser${chosen || again.data ? " has-detail" : ""}`}>
      <section className="browse" aria-label={t("why.title")}>
        <header className="browse-head">
          <h1>{t("why.title")}</h1>
          <p className="dim">{t("why.lead")}</p>
          <Try busy={again.isPending} onTry={(text) => again.mutate(text)} />
        </header>
        {runs.isPending && <Loading />}
        {runs.error && <Problem error={runs.error} onRetry={runs.refetch} />}
        {runs.isSuccess && runs.items.length === 0 && <Empty>{t("why.empty")}</Empty>}
        {runs.items.length > 0 && (
          <VirtualList
            items={runs.items}
            label={t("why.title")}
            idOf={runId}
            more={runs.hasNextPage && !runs.isFetchingNextPage ? runs.fetchNextPage : null}
            row={(run) => <RunCard run={run} current={chosen === run.run_id} onOpen={() => again.reset()} />}
          />
        )}
      </section>
      <section className="detail">
        <a className="btn quiet small only-phone" href={link("why")} onClick={() => again.reset()}>
          <Icon name="back" />
          {t("act.back")}
        </a>
        {again.isPending && <Loading />}
        {again.error && <p className="problem">{explain(again.error, t)}</p>}
        {again.data && <Now answer={again.data} />}
        {!again.data && chosen && <Run key={chosen} id={chosen} onAgain={(text) => again.mutate(text)} />}
        {!again.data && !chosen && !again.isPending && <Empty>{t("why.choose")}</Empty>}
      </section>
    </div>
  );
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
      <input
        className="input grow"
        aria-label={t("why.try")}
        placeholder={t("why.try.hint")}
        value={text}
        onChange={(e) => setText(e.target.value)}
      />
      <button type="submit" className="btn main" disabled={busy || !text.trim()}>
        {t("why.run")}
      </button>
    </form>
  );
}

function RunCard({ run, current, onOpen }: { run: RunRow; current: boolean; onOpen: () => void }) {
  const { t, word } = useSpeech();
  const event = useQuery({
    queryKey: ["event-row", run.event_id],
    queryFn: () => api.get<EventRow>(`/api/memory/events/${run.event_id}`),
    enabled: run.event_id !== null && run.event_id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className={`mrow${current ? " current" : ""}`}>
      <a href={link("why", run.run_id)} onClick={onOpen} aria-current={current ? "true" : undefined}>
        <span className="body">{event.data?.user_text ?? "…"}</span>
        <span className="chips">
          <span className={run.selected ? "chip accent" : "chip"}>{run.selected ? t("chat.recalled", { n: run.selected }) : t("chat.recalled.none")}</span>
          <span className="chip">{word("mode", run.mode)}</span>
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

function Run({ id, onAgain }: { id: number; onAgain: (text: string) => void }) {
  const { t } = useSpeech();
  const run = useQuery({ queryKey: ["run", id], queryFn: () => api.get<RunDetail>(`/api/memory/retrieval-runs/${id}`) });
  const eventId = run.data?.event_id ?? 0;
  const event = useEventDetail(eventId, eventId > 0).data;
  const trace = useMemo(() => (run.data ? traceOfRun(run.data) : null), [run.data]);
  if (run.isPending) return <Loading />;
  if (run.error) return <Problem error={run.error} onRetry={run.refetch} />;
  return (
    <article className="stack view">
      {event && (
        <blockquote className="quote">
          <p>{event.user_text}</p>
          {event.assistant_text && <p className="dim">{event.assistant_text}</p>}
          <p className="dim">
            <When at={event.created_at} exact /> · <a href={link("chat", null, { turn: String(eventId) })}>{t("det.jump")}</a>
          </p>
        </blockquote>
      )}
      <div className="row">
        <Mark run={run.data} />
        {event?.user_text && (
          <button type="button" className="btn small" onClick={() => onAgain(event.user_text ?? "")}>
            <Icon name="again" />
            {t("why.again")}
          </button>
        )}
      </div>
      {trace && <TraceView trace={trace} />}
    </article>
  );
}

function Mark({ run }: { run: RunDetail }) {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const mark = useMutation({
    mutationFn: (value: "good" | "bad" | null) => api.post(`/api/memory/retrieval-runs/${run.run_id}/mark`, { mark: value }),
    onSuccess: async (_data, value) => {
      await queries.invalidateQueries({ queryKey: ["run", run.run_id] });
      await queries.invalidateQueries({ queryKey: ["/api/memory/retrieval-runs"] });
      say(t(value ? "why.marked" : "why.unmarked"));
    },
    onError: fail,
  });
  return (
    <>
      {(["good", "bad"] as const).map((value) => (
        <button
          type="button"
          key={value}
          className="btn small"
          aria-pressed={run.mark === value}
          onClick={() => mark.mutate(run.mark === value ? null : value)}
        >
          <Icon name={value} />
          {t(`why.${value}`)}
        </button>
      ))}
    </>
  );
}
