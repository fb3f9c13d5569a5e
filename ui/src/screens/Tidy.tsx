/** Keeping house: tidy runs, the work queue, failures with retry, indexes, backup and export. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Backup, JobRow, Page, Separation, Status, TidyRun, WorkerStats } from "../api/types";
import { useSpeech } from "../i18n";
import { duration } from "../lib/time";
import { Bar, PageHead, When } from "../parts/bits";
import { Loading, Problem, useFeedback } from "../parts/feedback";

export default function Tidy() {
  const { t } = useSpeech();
  return (
    <div className="page">
      <PageHead title={t("tidy.title")} lead={t("tidy.lead")} />
      <div className="cards">
        <Queue />
        <Indexes />
      </div>
      <Failed />
      <Apart />
      <Runs />
      <Keep />
    </div>
  );
}

function Queue() {
  const { t } = useSpeech();
  const stats = useQuery({
    queryKey: ["worker"],
    queryFn: () => api.get<WorkerStats>("/api/control/worker-stats"),
    refetchInterval: 3_000,
  });
  if (stats.error) return <Problem error={stats.error} onRetry={stats.refetch} />;
  const s = stats.data;
  const cells = [
    ["tidy.pending", s?.pending_count],
    ["tidy.running", s?.running_count],
    ["tidy.done", s?.done_count],
    ["tidy.failed", s?.failed_count],
  ] as const;
  return (
    <section className="card" aria-labelledby="tidy-queue">
      <h2 id="tidy-queue">{t("tidy.queue")}</h2>
      <dl className="tiles">
        {cells.map(([key, value]) => (
          <div key={key} className={key === "tidy.failed" && value ? "bad" : undefined}>
            <dt>{t(key)}</dt>
            <dd>{value ?? "…"}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Indexes() {
  const { t } = useSpeech();
  const status = useQuery({ queryKey: ["status"], queryFn: () => api.get<Status>("/api/status"), refetchInterval: 10_000 });
  if (status.error) return <Problem error={status.error} onRetry={status.refetch} />;
  const s = status.data;
  return (
    <section className="card stack" aria-labelledby="tidy-index">
      <h2 id="tidy-index">{t("tidy.index")}</h2>
      {s && (
        <>
          {(["words", "vectors"] as const).map((name) => (
            <div className="row" key={name}>
              <span>{t(`index.${name}`)}</span>
              <span className="grow">
                <Bar part={s.index.events ? s.index[name] / s.index.events : 1} />
              </span>
              <span className="dim num">
                {s.index[name].toLocaleString()} / {s.index.events.toLocaleString()}
              </span>
            </div>
          ))}
          <p className="dim">
            <code>{s.embedding.model}</code> · {s.embedding.dimension}
            {!s.embedding.available && <span className="chip rose">{s.embedding.message}</span>}
          </p>
        </>
      )}
    </section>
  );
}

function Failed() {
  const { t, word } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const jobs = useQuery({
    queryKey: ["jobs", "failed"],
    queryFn: async () => {
      const [dead, odd] = await Promise.all(
        ["dead", "quarantined"].map((status) => api.get<Page<JobRow>>("/api/memory/jobs", { status, limit: 100 })),
      );
      return [...(dead?.items ?? []), ...(odd?.items ?? [])];
    },
    refetchInterval: 10_000,
  });
  const retry = useMutation({
    mutationFn: async (some: JobRow[]) => {
      for (const job of some) await api.post(`/api/memory/jobs/${job.job_id}/retry`);
    },
    onSuccess: () => say(t("tidy.retried")),
    onError: fail,
    onSettled: () => queries.invalidateQueries({ queryKey: ["jobs"] }),
  });
  const items = jobs.data ?? [];
  return (
    <section className="card stack" aria-labelledby="tidy-dead">
      <div className="row">
        <h2 id="tidy-dead" className="grow">
          {t("tidy.dead")}
        </h2>
        {items.length > 1 && (
          <button type="button" className="btn small" onClick={() => retry.mutate(items)}>
            {t("tidy.retry.all")}
          </button>
        )}
      </div>
      {jobs.error && <Problem error={jobs.error} onRetry={jobs.refetch} />}
      {jobs.isSuccess && items.length === 0 && <p className="dim">{t("tidy.dead.none")}</p>}
      <ul className="stack">
        {items.map((job) => (
          <li key={job.job_id} className="row">
            <div className="grow">
              <strong>{word("job", job.kind)}</strong> <span className="chip rose">{word("jobstat", job.status)}</span>{" "}
              <span className="dim">
                {t("tidy.attempts", { n: job.attempts })} · <When at={job.updated_at} />
              </span>
              {job.last_error && <p className="dim">{job.last_error}</p>}
            </div>
            <button type="button" className="btn small" onClick={() => retry.mutate([job])}>
              {t("tidy.retry")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Memories the person denied: out of recall until they are brought back. */
function Apart() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const apart = useQuery({
    queryKey: ["separations"],
    queryFn: () => api.get<Page<Separation>>("/api/memory/separations", { limit: 50 }),
  });
  const back = useMutation({
    mutationFn: (one: Separation) => api.post(`/api/memory/separations/${one.separation_id}/undo`),
    onSuccess: () => say(t("tidy.apart.back")),
    onError: fail,
    onSettled: () => queries.invalidateQueries(),
  });
  const items = (apart.data?.items ?? []).filter((one) => !one.undone_at);
  if (!apart.error && items.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="tidy-apart">
      <h2 id="tidy-apart">{t("tidy.apart")}</h2>
      <p className="dim">{t("tidy.apart.lead")}</p>
      {apart.error && <Problem error={apart.error} onRetry={apart.refetch} />}
      <ul className="stack">
        {items.map((one) => (
          <li key={one.separation_id} className="row">
            <div className="grow">
              {one.memories.map((memory) => (
                <p key={memory.ref}>{memory.text}</p>
              ))}
              <span className="dim">
                {one.denial_text} · <When at={one.created_at} />
              </span>
            </div>
            <button type="button" className="btn small" onClick={() => back.mutate(one)}>
              {t("tidy.apart.undo")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Runs() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const runs = useQuery({
    queryKey: ["tidy"],
    queryFn: () => api.get<Page<TidyRun>>("/api/memory/tidy/runs", { limit: 20 }),
    refetchInterval: 5_000,
  });
  const start = useMutation({
    mutationFn: () => api.post("/api/memory/tidy"),
    onSuccess: () => {
      say(t("tidy.started"));
      void queries.invalidateQueries({ queryKey: ["worker"] });
    },
    onError: fail,
  });
  return (
    <section className="card stack" aria-labelledby="tidy-runs">
      <div className="row">
        <h2 id="tidy-runs" className="grow">
          {t("tidy.runs")}
        </h2>
        <button type="button" className="btn main small" disabled={start.isPending} onClick={() => start.mutate()}>
          {t("tidy.now")}
        </button>
      </div>
      {runs.isPending && <Loading />}
      {runs.error && <Problem error={runs.error} onRetry={runs.refetch} />}
      {runs.data?.items.length === 0 && <p className="dim">{t("tidy.runs.empty")}</p>}
      <ul className="stack">
        {runs.data?.items.map((run) => (
          <li key={run.tidy_run_id} className="row">
            <span>
              <When at={run.finished_at || run.started_at} />
            </span>
            <Counts counts={run.counts} />
            <span className="dim num">{duration(run.milliseconds)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Counts({ counts }: { counts: Record<string, unknown> }) {
  const { word } = useSpeech();
  const some = Object.entries(counts).filter(([, n]) => typeof n === "number" && n > 0);
  return (
    <span className="chips grow">
      {some.length === 0 && <span className="chip">0</span>}
      {some.map(([name, n]) => (
        <span className="chip" key={name}>
          {word("tidy", name)} {String(n)}
        </span>
      ))}
    </span>
  );
}

function Keep() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const backup = useMutation({
    mutationFn: () => api.post<Backup>("/api/backup"),
    onSuccess: (made) => say(t("tidy.backup.done", { path: made.name })),
    onError: fail,
  });
  return (
    <section className="card stack" aria-labelledby="tidy-keep">
      <h2 id="tidy-keep">{t("tidy.keep")}</h2>
      <p className="dim">{t("tidy.keep.lead")}</p>
      <div className="row">
        <button type="button" className="btn" disabled={backup.isPending} onClick={() => backup.mutate()}>
          {backup.isPending ? t("state.loading") : t("tidy.backup")}
        </button>
        <a className="btn" href="/api/export" download>
          {t("tidy.export")}
        </a>
      </div>
    </section>
  );
}
