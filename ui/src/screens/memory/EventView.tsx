/** One turn in full: the words, the feeling, what it is about, what was recalled for it and what it taught. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { AboutTime, EventDetail, EventRow, RevisionRow } from "../../api/types";
import { useSpeech } from "../../i18n";
import { forgetWithCare, rememberAgain } from "../../lib/forget";
import { lessons } from "../../lib/learned";
import { link } from "../../lib/router";
import { day } from "../../lib/time";
import { Meter, When } from "../../parts/bits";
import { EntityChips } from "../../parts/Evidence";
import { Loading, Problem, useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";
import { Revisions } from "./Revisions";

export function EventView({ id }: { id: number }) {
  const { t, word } = useSpeech();
  const queries = useQueryClient();
  const event = useQuery({ queryKey: keys.event(id), queryFn: () => take(api.GET("/api/memory/events/{event_id}", { params: { path: { event_id: id } } })) });
  if (event.isPending) return <Loading />;
  if (event.error) return <Problem error={event.error} onRetry={event.refetch} />;
  const e = event.data;
  const refresh = () => queries.invalidateQueries({ queryKey: keys.event(id) });
  return (
    <article className="stack view">
      <div className="chips">
        <span className="chip accent">{word("source", e.source)}</span>
        <span className="chip">{word("origin", e.origin)}</span>
        {e.status === "interrupted" && <span className="chip">{t("talk.interrupted")}</span>}
        {!e.searchable && <span className="chip">{t("mem.hidden")}</span>}
        {e.forgotten_at && <span className="chip rose">{t("talk.forgotten")}</span>}
        <span className="dim">
          <When at={e.created_at} exact />
        </span>
      </div>
      <Words event={e} />
      <Acts event={e} />
      <About about={e.about} />
      <EntityChips entities={e.entities} tab="events" />
      <Feeling event={e} />
      <Threads event={e} />
      <Taught revisions={e.learned} onUndone={refresh} />
      {e.older_replies.length > 0 && (
        <Part title={t("det.replies")}>
          <ul className="stack">
            {e.older_replies.map((old) => (
              <li key={old.reply_revision_id} className="quote">
                <p>{old.assistant_text}</p>
                <p className="dim">
                  <When at={old.created_at} />
                </p>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Jobs event={e} />
      <p className="dim">{t("det.event", { id })}</p>
    </article>
  );
}

/** Lessons first; feelings, links and threads are how the turn was filed. */
function Taught({ revisions, onUndone }: { revisions: RevisionRow[]; onUndone: () => unknown }) {
  const { t } = useSpeech();
  const taught = lessons(revisions);
  const filed = revisions.filter((revision) => !taught.includes(revision));
  return (
    <>
      {taught.length > 0 && (
        <Part title={t("det.learned")}>
          <Revisions revisions={taught} onUndone={onUndone} />
        </Part>
      )}
      {filed.length > 0 && (
        <details>
          <summary>{t("det.filed")}</summary>
          <Revisions revisions={filed} onUndone={onUndone} />
        </details>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Words({ event }: { event: EventRow }) {
  const { t } = useSpeech();
  return (
    <div className="words">
      {event.user_text && (
        <p>
          <b>{t("talk.you")}</b>
          {event.user_text}
        </p>
      )}
      {event.image_summaries?.map((text, at) => (
        // descriptions stay in input order
        <p key={at}>
          <b>{t("talk.saw")}</b>
          {text || t("talk.saw_nothing")}
        </p>
      ))}
      {event.assistant_text && (
        <p>
          <b>{t("talk.ghost")}</b>
          {event.assistant_text}
        </p>
      )}
    </div>
  );
}

function Acts({ event }: { event: EventDetail }) {
  const { t } = useSpeech();
  const { ask, say, fail } = useFeedback();
  const queries = useQueryClient();
  const forget = () => forgetWithCare("event", event.event_id, queries, { ask, say, fail, t });
  const again = () => rememberAgain("event", event.event_id, queries, { say, fail, t });
  return (
    <div className="row">
      <a className="btn small" href={link("chat", null, { turn: String(event.event_id) })}>
        <Icon name="chat" />
        {t("go.talk")}
      </a>
      {event.retrieval_run_id && (
        <a className="btn small" href={link("why", event.retrieval_run_id)}>
          <Icon name="why" />
          {t("det.recall")}
        </a>
      )}
      <a className="btn small quiet" href={link("graph", `e${event.event_id}`)}>
        <Icon name="graph" />
        {t("det.graph")}
      </a>
      {event.forgotten_at ? (
        <button type="button" className="btn small" onClick={again}>
          <Icon name="undo" />
          {t("talk.remember")}
        </button>
      ) : (
        <button type="button" className="btn small quiet" onClick={forget}>
          {t("talk.forget")}
        </button>
      )}
    </div>
  );
}

function About({ about }: { about: AboutTime }) {
  const { t, word, language } = useSpeech();
  const years = about.year_start ? [...new Set([about.year_start, about.year_end ?? about.year_start])].join("–") : null;
  const days = about.start_ts ? [...new Set([day(about.start_ts, language), day(about.end_ts ?? about.start_ts, language)])].join(" – ") : null;
  const stage = about.life_stage && about.life_stage !== "unknown" ? word("stage", about.life_stage) : null;
  const parts = [days ?? years, stage].filter(Boolean);
  if (parts.length === 0) return null;
  return (
    <p className="chips">
      <span className="dim">{t("det.about")}</span>
      {parts.map((p) => (
        <span className="chip lamp" key={p}>
          {p}
        </span>
      ))}
      <Meter label={t("det.confidence")} value={about.confidence} />
    </p>
  );
}

function Feeling({ event }: { event: EventDetail }) {
  const { t } = useSpeech();
  const affect = event.affect;
  if (!affect) return null;
  return (
    <Part title={t("det.affect")}>
      <p>{affect.text}</p>
      <div className="chips">
        {affect.labels.map((label) => (
          <span className="chip" key={label}>
            {label}
          </span>
        ))}
        <span className="dim num">
          {t("heart.v")} {affect.vad.v.toFixed(2)} · {t("heart.a")} {affect.vad.a.toFixed(2)} · {t("heart.d")} {affect.vad.d.toFixed(2)}
        </span>
      </div>
      {affect.inner_thought && (
        <p className="quote">
          <span className="dim">{t("det.inner")}: </span>
          {affect.inner_thought}
        </p>
      )}
    </Part>
  );
}

function Threads({ event }: { event: EventDetail }) {
  const { t, word } = useSpeech();
  if (event.threads.length + event.links.length === 0) return null;
  return (
    <Part title={t("det.links")}>
      <div className="chips">
        {event.threads.map((thread) => (
          <a className="chip accent" key={thread.thread_key} href={link("graph", `t:${thread.thread_key}`)}>
            {thread.thread_key}
          </a>
        ))}
        {event.links.map((l) => {
          const other = l.from_event_id === event.event_id ? l.to_event_id : l.from_event_id;
          return (
            <a className="chip" key={l.link_id} href={link("memory", `e${other}`, { tab: "events" })}>
              {word("link", l.label)}: {t("det.event", { id: other })}
            </a>
          );
        })}
      </div>
    </Part>
  );
}

function Jobs({ event }: { event: EventDetail }) {
  const { t, word } = useSpeech();
  if (event.jobs.length === 0) return null;
  return (
    <details>
      <summary>{t("det.jobs")}</summary>
      <div className="chips">
        {event.jobs.map((job) => (
          <span className={job.status === "dead" || job.status === "quarantined" ? "chip rose" : "chip"} key={job.job_id}>
            {word("job", job.kind)}: {word("jobstat", job.status)}
          </span>
        ))}
      </div>
    </details>
  );
}
