/** One memory in full: text, certainty, validity, names, links, evidence and every change it went through. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../api/client";
import type { StateDetail } from "../api/types";
import { useSpeech } from "../i18n";
import { forgetWithCare } from "../lib/forget";
import { link } from "../lib/router";
import { stateStatus, validitySpan } from "../lib/states";
import { day, full } from "../lib/time";
import { Meter, When } from "./bits";
import { EntityChips, EvidenceList } from "./Evidence";
import { Loading, Problem, useFeedback } from "./feedback";
import { Icon } from "./icons";
import { Revisions } from "./Revisions";

export function StateView({ id }: { id: number }) {
  const { t, word, language } = useSpeech();
  const { say, fail, ask } = useFeedback();
  const queries = useQueryClient();
  const state = useQuery({ queryKey: ["state", id], queryFn: () => api.get<StateDetail>(`/api/memory/state/${id}`) });
  const [editing, setEditing] = useState(false);
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ["state", id] });
    await queries.invalidateQueries({ queryKey: ["/api/memory/state"] });
  };
  const act = useMutation({
    mutationFn: (what: "close" | "restore" | "done") => api.post(`/api/memory/state/${id}/${what}`, { reason: t("det.edit.reason") }),
    onSuccess: async (_data, what) => {
      await refresh();
      const back = what === "restore" ? "close" : "restore";
      say(t("done.saved"), { label: t("act.undo"), run: () => act.mutate(back) });
    },
    onError: fail,
  });
  const patch = useMutation({
    mutationFn: (body: { body_text?: string; pin?: boolean; confidence?: number; reason: string }) => api.patch(`/api/memory/state/${id}`, body),
    onSuccess: async () => {
      await refresh();
      setEditing(false);
      say(t("done.saved"));
    },
    onError: fail,
  });
  const forget = () => forgetWithCare("state", id, queries, { ask, say, fail, t });
  if (state.isPending) return <Loading />;
  if (state.error) return <Problem error={state.error} onRetry={state.refetch} />;
  const s = state.data;
  const status = stateStatus(s);
  const due = s.payload.due_ts;
  return (
    <article className="stack view">
      <div className="chips">
        <span className="chip accent">{word("kind", s.kind)}</span>
        <span className={status === "active" ? "chip moss" : "chip"}>{t(`mem.${status}`)}</span>
        {s.pin && <span className="chip lamp">{t("mem.pinned")}</span>}
        {typeof due === "number" && <span className="chip lamp">{t("mem.due", { when: full(due, language) })}</span>}
        <span className="chip">
          {t("det.origin")}: {word("origin", s.origin)}
        </span>
      </div>
      {editing ? (
        <EditForm state={s} busy={patch.isPending} onCancel={() => setEditing(false)} onSave={(b) => patch.mutate(b)} />
      ) : (
        <p className="statement">{s.body_text}</p>
      )}
      <div className="row">
        <Meter label={t("det.confidence")} value={s.confidence} />
        <Meter label={t("det.salience")} value={s.salience} />
        <span className="dim">
          {t("det.confirmed", { when: "" })} <When at={s.last_confirmed_at} />
        </span>
      </div>
      <Validity state={s} />
      {!editing && (
        <div className="row">
          <button type="button" className="btn small" onClick={() => setEditing(true)}>
            {t("act.edit")}
          </button>
          <button type="button" className="btn small" onClick={() => patch.mutate({ pin: !s.pin, reason: t("det.edit.reason") })}>
            <Icon name="pin" />
            {t(s.pin ? "det.unpin" : "det.pin")}
          </button>
          {s.kind === "task" && status === "active" && (
            <button type="button" className="btn small" onClick={() => act.mutate("done")}>
              <Icon name="check" />
              {t("det.done")}
            </button>
          )}
          <button type="button" className="btn small" onClick={() => act.mutate(status === "active" ? "close" : "restore")}>
            {t(status === "active" ? "det.close" : "det.restore")}
          </button>
          <a className="btn small quiet" href={link("graph", `s${id}`)}>
            <Icon name="graph" />
            {t("det.graph")}
          </a>
          {s.searchable && (
            <button type="button" className="btn small quiet danger" onClick={forget}>
              {t("det.forget")}
            </button>
          )}
        </div>
      )}
      <EntityChips entities={s.entities} tab="states" />
      <h2>{t("det.evidence")}</h2>
      <EvidenceList events={s.evidence} />
      {s.links.length > 0 && (
        <>
          <h2>{t("det.links")}</h2>
          <ul className="stack">
            {s.links.map((l) => {
              const other = l.from_state_id === id ? l.to_state_id : l.from_state_id;
              return (
                <li key={l.link_id}>
                  <span className="chip">{word("link", l.label)}</span>{" "}
                  <a href={link("memory", `s${other}`)}>{l.other_body_text || t("det.state", { id: other })}</a>
                </li>
              );
            })}
          </ul>
        </>
      )}
      <h2>{t("det.history")}</h2>
      <Revisions revisions={s.revisions} onUndone={refresh} />
      <p className="dim">
        {t("det.state", { id })} · {day(s.created_at, language)}
      </p>
    </article>
  );
}

function Validity({ state }: { state: StateDetail }) {
  const { t, language } = useSpeech();
  const span = validitySpan(state);
  const from = span.openStart ? t("det.always") : t("det.from", { when: day(state.valid_from_ts, language) });
  const to = span.openEnd ? t("det.open") : t("det.until", { when: day(state.valid_to_ts, language) });
  return (
    <div className="validity">
      <span className="dim">{t("det.validity")}</span>
      <span className="track" aria-hidden="true">
        <b
          className={`${span.openStart ? "open-start " : ""}${span.openEnd ? "open-end" : ""}`}
          style={{ left: `${span.from * 100}%`, width: `${Math.max(0.01, span.to - span.from) * 100}%` }}
        />
      </span>
      <span className="dim">
        {from} — {to}
      </span>
    </div>
  );
}

interface EditProps {
  state: StateDetail;
  busy: boolean;
  onCancel: () => void;
  onSave: (body: { body_text: string; confidence: number; reason: string }) => void;
}

function EditForm({ state, busy, onCancel, onSave }: EditProps) {
  const { t } = useSpeech();
  const [body, setBody] = useState(state.body_text);
  const [sure, setSure] = useState(state.confidence);
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave({ body_text: body.trim(), confidence: sure, reason: reason.trim() || t("det.edit.reason") });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <span>{t("det.body")}</span>
        <textarea className="input" rows={3} maxLength={400} required value={body} onChange={(e) => setBody(e.target.value)} />
      </label>
      <label className="field">
        <span>
          {t("det.confidence")}: {Math.round(sure * 100)}%
        </span>
        <input type="range" min={0} max={1} step={0.05} value={sure} onChange={(e) => setSure(Number(e.target.value))} />
      </label>
      <label className="field">
        <span>{t("det.reason")}</span>
        <input className="input" maxLength={400} value={reason} onChange={(e) => setReason(e.target.value)} />
      </label>
      <div className="row">
        <button type="submit" className="btn main small" disabled={busy}>
          {t("act.save")}
        </button>
        <button type="button" className="btn small" onClick={onCancel}>
          {t("act.cancel")}
        </button>
      </div>
    </form>
  );
}
