/** One memory in full: text, certainty, validity, names, links, evidence and every change it went through. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { StateDetail } from "../../api/types";
import { useSpeech } from "../../i18n";
import { forgetWithCare, rememberAgain } from "../../lib/forget";
import { link } from "../../lib/router";
import { stateStatus, validitySpan } from "../../lib/states";
import { ago, day, full } from "../../lib/time";
import { Meter } from "../../parts/bits";
import { EntityChips, EvidenceList } from "../../parts/Evidence";
import { Empty, Loading, Problem, useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";
import { useRemind } from "../about/acts";
import { Revisions } from "./Revisions";

type Act = "close" | "restore" | "done" | "confirm";
interface Patch {
  body_text?: string;
  pin?: boolean;
  confidence?: number;
  reason: string;
}

function useStateActs(id: number, onSaved: () => void) {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: keys.states });
  const path = { params: { path: { state_id: id } } };
  const act = useMutation({
    mutationFn: (what: Act) => take(api.POST(`/api/memory/state/{state_id}/${what}`, { ...path, body: { reason: t("edit.reason") } })),
    onSuccess: async (_data, what) => {
      await refresh();
      const back = what === "confirm" ? null : what === "restore" ? "close" : "restore";
      say(t("done.saved"), back ? { label: t("act.undo"), run: () => act.mutate(back) } : undefined);
    },
    onError: fail,
  });
  const patch = useMutation({
    mutationFn: (body: Patch) => take(api.PATCH("/api/memory/state/{state_id}", { ...path, body })),
    onSuccess: async () => {
      await refresh();
      onSaved();
      say(t("done.saved"));
    },
    onError: fail,
  });
  return { act, patch, refresh };
}

export function StateView({ id }: { id: number }) {
  const { t, language } = useSpeech();
  const [editing, setEditing] = useState(false);
  const { act, patch, refresh } = useStateActs(id, () => setEditing(false));
  const state = useQuery({ queryKey: keys.state(id), queryFn: () => take(api.GET("/api/memory/state/{state_id}", { params: { path: { state_id: id } } })) });
  if (state.isPending) return <Loading />;
  if (state.error instanceof ApiError && state.error.status === 404) return <Gone id={id} />;
  if (state.error) return <Problem error={state.error} onRetry={state.refetch} />;
  const s = state.data;
  return (
    <article className="stack view">
      <Marks state={s} />
      {editing ? (
        <EditForm state={s} busy={patch.isPending} onCancel={() => setEditing(false)} onSave={(b) => patch.mutate(b)} />
      ) : (
        <p className="statement">{s.body_text}</p>
      )}
      <div className="row">
        <Meter label={t("det.confidence")} value={s.confidence} />
        <Meter label={t("det.salience")} value={s.salience} />
        <span className="dim">{t("det.confirmed", { when: ago(s.last_confirmed_at, language) })}</span>
      </div>
      <Validity state={s} />
      {!editing && <Buttons state={s} onEdit={() => setEditing(true)} onAct={(what) => act.mutate(what)} onPatch={(body) => patch.mutate(body)} />}
      <EntityChips entities={s.entities ?? []} tab="states" />
      <h2>{t("list.evidence")}</h2>
      <EvidenceList events={s.evidence ?? []} />
      <Related state={s} />
      <h2>{t("det.history")}</h2>
      <Revisions revisions={s.revisions ?? []} onUndone={refresh} />
      <p className="dim">
        {t("det.state", { id })} · {day(s.created_at, language)}
      </p>
    </article>
  );
}

/** A forgotten memory is no mishap: said quietly, with the way back. */
function Gone({ id }: { id: number }) {
  const { t } = useSpeech();
  const feedback = useFeedback();
  const queries = useQueryClient();
  return (
    <Empty>
      {t("det.gone")}{" "}
      <button type="button" className="btn small" onClick={() => void rememberAgain("state", id, queries, { ...feedback, t })}>
        <Icon name="undo" />
        {t("det.gone.back")}
      </button>
    </Empty>
  );
}

function Marks({ state }: { state: StateDetail }) {
  const { t, word, language } = useSpeech();
  const status = stateStatus(state);
  const due = state.payload.due_ts;
  return (
    <div className="chips">
      <span className="chip accent">{word("kind", state.kind)}</span>
      <span className={status === "active" ? "chip moss" : "chip"}>{t(`mem.${status}`)}</span>
      {state.pin && <span className="chip lamp">{t("mem.pinned")}</span>}
      {typeof due === "number" && <span className="chip lamp">{t("mem.due", { when: full(due, language) })}</span>}
      <span className="chip">
        {t("det.origin")}: {word("origin", state.origin)}
      </span>
    </div>
  );
}

interface ButtonsProps {
  state: StateDetail;
  onEdit: () => void;
  onAct: (act: Act) => void;
  onPatch: (body: Patch) => void;
}

function Buttons({ state, onEdit, onAct, onPatch }: ButtonsProps) {
  const { t } = useSpeech();
  const active = stateStatus(state) === "active";
  return (
    <div className="row">
      <button type="button" className="btn small" onClick={onEdit}>
        {t("act.edit")}
      </button>
      {active && (
        <button type="button" className="btn small" onClick={() => onAct("confirm")}>
          <Icon name="check" />
          {t("mem.act.confirm")}
        </button>
      )}
      <button type="button" className="btn small" onClick={() => onAct(active ? "close" : "restore")}>
        {t(active ? "mem.act.close" : "mem.act.restore")}
      </button>
      <button type="button" className="btn small" onClick={() => onPatch({ pin: !state.pin, reason: t("edit.reason") })}>
        <Icon name="pin" />
        {t(state.pin ? "mem.act.unpin" : "mem.act.pin")}
      </button>
      {state.kind === "task" && active && <PlanButtons state={state} onDone={() => onAct("done")} />}
      <MoreButtons state={state} />
    </div>
  );
}

function PlanButtons({ state, onDone }: { state: StateDetail; onDone: () => void }) {
  const { t } = useSpeech();
  const remind = useRemind();
  const due = typeof state.payload.due_ts === "number" ? state.payload.due_ts : null;
  return (
    <>
      <button type="button" className="btn small" onClick={onDone}>
        {t("det.done")}
      </button>
      <button type="button" className="btn small" onClick={() => remind(state.body_text, due)}>
        <Icon name="reminders" />
        {t("det.remind")}
      </button>
    </>
  );
}

function MoreButtons({ state }: { state: StateDetail }) {
  const { t } = useSpeech();
  const { say, fail, ask } = useFeedback();
  const queries = useQueryClient();
  return (
    <>
      <a className="btn small quiet" href={link("graph", `s${state.state_id}`)}>
        <Icon name="graph" />
        {t("det.graph")}
      </a>
      {state.searchable && (
        <button type="button" className="btn small quiet" onClick={() => forgetWithCare("state", state.state_id, queries, { ask, say, fail, t })}>
          <Icon name="forget" />
          {t("det.forget")}
        </button>
      )}
    </>
  );
}

function Related({ state }: { state: StateDetail }) {
  const { t, word } = useSpeech();
  const links = state.links ?? [];
  if (links.length === 0) return null;
  return (
    <>
      <h2>{t("det.links")}</h2>
      <ul className="stack">
        {links.map((l) => {
          const other = l.from_state_id === state.state_id ? l.to_state_id : l.from_state_id;
          return (
            <li key={l.link_id}>
              <span className="chip">{word("link", l.label)}</span> <a href={link("memory", `s${other}`)}>{l.other_body_text || t("det.state", { id: other })}</a>
            </li>
          );
        })}
      </ul>
    </>
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
        <b className={`${span.openStart ? "open-start " : ""}${span.openEnd ? "open-end" : ""}`} style={{ left: `${span.from * 100}%`, width: `${Math.max(0.01, span.to - span.from) * 100}%` }} />
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
  onSave: (body: Patch) => void;
}

function EditForm({ state, busy, onCancel, onSave }: EditProps) {
  const { t } = useSpeech();
  const [body, setBody] = useState(state.body_text);
  const [sure, setSure] = useState(state.confidence);
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave({ body_text: body.trim(), confidence: sure, reason: reason.trim() || t("edit.reason") });
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
