/** The history of a memory as differences, each with who, why and on what evidence; any of them can be undone. */
import { useQueryClient } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { RevisionRow } from "../../api/types";
import { type Key, type T, useSpeech } from "../../i18n";
import { known as spoken } from "../../i18n/known";
import { changes, type FieldChange, textDiff } from "./changes";
import { lessonText } from "../../lib/learned";
import { link } from "../../lib/router";
import { full, type Language } from "../../lib/time";
import { When } from "../../parts/bits";
import { useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";

interface RevisionsProps {
  revisions: RevisionRow[];
  onUndone?: () => unknown;
}

export function Revisions({ revisions, onUndone }: RevisionsProps) {
  const { t } = useSpeech();
  const { say, fail, ask } = useFeedback();
  const queries = useQueryClient();
  const undo = async (id: number) => {
    if (!(await ask(t("rev.undo.ask"), t("rev.undo")))) return;
    try {
      await take(api.POST("/api/memory/revisions/{revision_id}/undo", { params: { path: { revision_id: id } } }));
      await Promise.all([["event"], keys.turns, keys.states].map((queryKey) => queries.invalidateQueries({ queryKey })));
      await onUndone?.();
      say(t("done.undone"));
    } catch (error) {
      fail(error);
    }
  };
  if (revisions.length === 0) return <p className="dim">{t("det.history.none")}</p>;
  return (
    <ol className="revisions">
      {revisions.map((revision) => (
        <Revision key={revision.revision_id} revision={revision} onUndo={() => undo(revision.revision_id)} />
      ))}
    </ol>
  );
}

function Revision({ revision, onUndo }: { revision: RevisionRow; onUndo: () => void }) {
  return (
    <li className={revision.undone ? "faded" : undefined}>
      <Head revision={revision} onUndo={onUndo} />
      <Reason revision={revision} />
      <Grounds ids={revision.evidence_event_ids} />
      <What revision={revision} />
    </li>
  );
}

function Head({ revision, onUndo }: { revision: RevisionRow; onUndo: () => void }) {
  const { t, word } = useSpeech();
  const what = !revision.before ? "rev.created" : !revision.after ? "rev.removed" : "rev.changed";
  return (
    <p className="row">
      <strong>{t(what)}</strong>
      {revision.entity_type !== "state" && <span className="chip">{word("type", revision.entity_type)}</span>}
      <span className="chip">{word("actor", revision.actor)}</span>
      {revision.undone && <span className="chip">{t("rev.undone")}</span>}
      {revision.undoes && <span className="chip">{t("rev.undoes", { id: revision.undoes })}</span>}
      <span className="dim grow">
        <When at={revision.created_at} />
      </span>
      {!revision.undone && (
        <button type="button" className="btn quiet small" onClick={onUndo} aria-label={`${t("rev.undo")} ${revision.revision_id}`}>
          <Icon name="undo" />
          {t("act.undo")}
        </button>
      )}
    </p>
  );
}

// Reasons of the machinery are written once, in English; a reader gets them in their own language.
const REASONS: [RegExp, Key][] = [
  [/^tidy: (same|duplicate)|duplicates? closed/i, "reason.duplicate"],
  [/near duplicates merged|^整理|^tidy: merged/i, "reason.merged"],
  [/expired|date has passed|overdue/i, "reason.expired"],
  [/unmentioned|not mentioned|silent/i, "reason.unmentioned"],
  [/^undone/i, "reason.undone"],
  [/^(edited|corrected by)/i, "reason.edited"],
  [/^remembered again/i, "reason.remembered"],
];

/** A change of the ghost's own carries a code; older ones only their English sentence. */
type Coded = RevisionRow & { reason_code?: string | null };

function Reason({ revision }: { revision: Coded }) {
  const { t, word } = useSpeech();
  if (!revision.reason) return null;
  const code = revision.reason_code;
  if (code && `reason.${code}` in spoken) return <p>{word("reason", code)}</p>;
  const known = REASONS.find(([pattern]) => pattern.test(revision.reason))?.[1];
  return <p>{known ? t(known) : revision.reason}</p>;
}

function Grounds({ ids }: { ids: number[] }) {
  const { t } = useSpeech();
  if (ids.length === 0) return null;
  return (
    <p className="chips dim">
      {t("list.evidence")}
      {ids.slice(0, 8).map((id) => (
        <a className="chip" key={id} href={link("chat", null, { turn: String(id) })}>
          {t("det.event", { id })}
        </a>
      ))}
    </p>
  );
}

function What({ revision }: { revision: RevisionRow }) {
  const { before, after } = revision;
  if (before && after) {
    return (
      <dl className="diff">
        {changes(before, after).map((change) => (
          <Change key={change.field} change={change} />
        ))}
      </dl>
    );
  }
  return after && lessonText(revision) !== revision.reason ? <p className="diff added">{lessonText(revision)}</p> : null;
}

function numberShown(field: string, value: number, t: T, language: Language): string {
  if (field === "pin" || field === "searchable") return t(value ? "field.yes" : "field.no");
  if (/(confidence|salience)$/.test(field)) return `${Math.round(value * 100)}%`;
  return /(_ts|_at)$/.test(field) ? full(value, language) : String(value);
}

function shown(field: string, value: unknown, t: T, language: Language): string {
  if (value === null || value === undefined || value === "") return t("rev.nothing");
  if (typeof value === "number") return numberShown(field, value, t, language);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function Change({ change }: { change: FieldChange }) {
  const { t, word, language } = useSpeech();
  const { field, before, after } = change;
  const texts = typeof before === "string" && typeof after === "string" && before !== "" && after !== "";
  return (
    <>
      <dt>{word("field", field)}</dt>
      <dd>
        {texts ? (
          textDiff(before, after).map((part, at) =>
            part.kind === "gone" ? (
              // parts of one diff never reorder
              <del key={at}>{part.text}</del>
            ) : part.kind === "new" ? (
              <ins key={at}>{part.text}</ins>
            ) : (
              <span key={at}>{part.text}</span>
            ),
          )
        ) : (
          <>
            <del>{shown(field, before, t, language)}</del> → <ins>{shown(field, after, t, language)}</ins>
          </>
        )}
      </dd>
    </>
  );
}
