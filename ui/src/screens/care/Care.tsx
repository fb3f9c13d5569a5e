/** Care of the memory: tidying, waiting work, failures with retry, indexes, backups and export. */
import "./care.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, take, ticketed } from "../../api/client";
import { keys } from "../../api/keys";
import type { JobRow, Separation } from "../../api/types";
import { useSpeech } from "../../i18n";
import { ago, duration } from "../../lib/time";
import { Bar, PageHead, When } from "../../parts/bits";
import { Loading, Problem, useFeedback } from "../../parts/feedback";
import { useStatus } from "../../state/settings";
import "./words";

export default function Care() {
  const { t } = useSpeech();
  return (
    <div className="page">
      <PageHead title={t("tidy.title")} lead={t("tidy.lead")} />
      <Alarm />
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

/** What must not be overlooked stands first. */
function Alarm() {
  const { t } = useSpeech();
  const status = useStatus().data;
  const lines = [status?.damage ? `${t("care.damage")} ${status.damage}` : "", status?.backups?.problem ?? "", status?.backups?.old ? t("care.backups.old") : ""].filter(Boolean);
  if (lines.length === 0) return null;
  return (
    <div className="problem" role="alert">
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}

function Queue() {
  const { t } = useSpeech();
  const stats = useQuery({ queryKey: keys.worker, queryFn: () => take(api.GET("/api/control/worker-stats")), refetchInterval: 3_000 });
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
  const status = useStatus(10_000);
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

const failedJobs = async (): Promise<JobRow[]> => {
  const lists = await Promise.all((["dead", "quarantined"] as const).map((status) => take(api.GET("/api/memory/jobs", { params: { query: { status, limit: 100 } } }))));
  return lists.flatMap((list) => list.items);
};

function Failed() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const jobs = useQuery({ queryKey: keys.jobs, queryFn: failedJobs, refetchInterval: 10_000 });
  const retry = useMutation({
    mutationFn: async (some: JobRow[]) => {
      for (const job of some) await take(api.POST("/api/memory/jobs/{job_id}/retry", { params: { path: { job_id: job.job_id } } }));
    },
    onSuccess: () => say(t("tidy.retried")),
    onError: fail,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.jobs }),
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
          <Job key={job.job_id} job={job} onRetry={() => retry.mutate([job])} />
        ))}
      </ul>
    </section>
  );
}

function Job({ job, onRetry }: { job: JobRow; onRetry: () => void }) {
  const { t, word } = useSpeech();
  return (
    <li className="row">
      <div className="grow">
        <strong>{word("job", job.kind)}</strong> <span className="chip rose">{word("jobstat", job.status)}</span>{" "}
        <span className="dim">
          {t("tidy.attempts", { n: job.attempts })} · <When at={job.updated_at} />
        </span>
        {job.last_error && (
          // The machine's own words help whoever mends it; they are not for reading aloud to everyone.
          <details>
            <summary>{t("care.why")}</summary>
            <code>{job.last_error}</code>
          </details>
        )}
      </div>
      <button type="button" className="btn small" onClick={onRetry}>
        {t("tidy.retry")}
      </button>
    </li>
  );
}

/** Memories the person denied: out of recall until they are brought back. */
function Apart() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const apart = useQuery({ queryKey: keys.apart, queryFn: () => take(api.GET("/api/memory/separations", { params: { query: { limit: 200 } } })) });
  const back = useMutation({
    mutationFn: (one: Separation) => take(api.POST("/api/memory/separations/{separation_id}/undo", { params: { path: { separation_id: one.separation_id } } })),
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
  const runs = useQuery({ queryKey: keys.tidy, queryFn: () => take(api.GET("/api/memory/tidy/runs", { params: { query: { limit: 20 } } })), refetchInterval: 5_000 });
  const start = useMutation({
    mutationFn: () => take(api.POST("/api/memory/tidy")),
    onSuccess: () => {
      say(t("tidy.started"));
      void queries.invalidateQueries({ queryKey: keys.worker });
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
  const queries = useQueryClient();
  const backup = useMutation({
    mutationFn: () => take(api.POST("/api/backup")),
    onSuccess: (made) => {
      say(t("tidy.backup.done", { path: made.name }));
      void queries.invalidateQueries({ queryKey: keys.status });
    },
    onError: fail,
  });
  const save = () => ticketed("/api/export").then((address) => location.assign(address), fail);
  return (
    <section className="card stack" aria-labelledby="tidy-keep">
      <h2 id="tidy-keep">{t("tidy.keep")}</h2>
      <p className="dim">{t("tidy.keep.lead")}</p>
      <Backups />
      <div className="row">
        <button type="button" className="btn" disabled={backup.isPending} onClick={() => backup.mutate()}>
          {backup.isPending ? t("state.loading") : t("tidy.backup")}
        </button>
        <button type="button" className="btn" onClick={save}>
          {t("tidy.export")}
        </button>
      </div>
    </section>
  );
}

function Backups() {
  const { t, language } = useSpeech();
  const backups = useStatus().data?.backups;
  if (!backups) return null;
  if (!backups.count) return <p className="dim">{t("care.backups.none")}</p>;
  const size = new Intl.NumberFormat(language, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format((backups.bytes ?? 0) / 1_000_000);
  return (
    <p className="dim">
      {t("care.backups")}: {backups.count} · {size} · {t("care.backups.newest", { when: ago(backups.newest_at, language) })}
    </p>
  );
}
