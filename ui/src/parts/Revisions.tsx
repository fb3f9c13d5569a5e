/** The history of a memory as differences, each with who, why and on what evidence; any of them can be undone. */
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { RevisionRow } from "../api/types";
import { type T, useSpeech } from "../i18n";
import { changes, type FieldChange, textDiff } from "../lib/diff";
import { lessonText } from "../lib/learned";
import { link } from "../lib/router";
import { full, type Language } from "../lib/time";
import { When } from "./bits";
import { useFeedback } from "./feedback";
import { Icon } from "./icons";

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
      await api.post(`/api/memory/revisions/${id}/undo`);
      await queries.invalidateQueries({ queryKey: ["event"] });
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
  const { t, word } = useSpeech();
  const what = !revision.before ? "rev.created" : !revision.after ? "rev.removed" : "rev.changed";
  const fields = changes(revision.before, revision.after);
  return (
    <li className={revision.undone ? "faded" : undefined}>
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
      {revision.reason && <p>{revision.reason}</p>}
      {revision.evidence_event_ids.length > 0 && (
        <p className="chips dim">
          {t("det.evidence")}
          {revision.evidence_event_ids.slice(0, 8).map((id) => (
            <a className="chip" key={id} href={link("chat", null, { turn: String(id) })}>
              {t("det.event", { id })}
            </a>
          ))}
        </p>
      )}
      {revision.before && revision.after && (
        <dl className="diff">
          {fields.map((change) => (
            <Change key={change.field} change={change} />
          ))}
        </dl>
      )}
      {!revision.before && revision.after && lessonText(revision) !== revision.reason && <p className="diff added">{lessonText(revision)}</p>}
    </li>
  );
}

function shown(field: string, value: unknown, t: T, language: Language): string {
  if (value === null || value === undefined || value === "") return t("rev.nothing");
  if ((field === "pin" || field === "searchable") && typeof value === "number") return t(value ? "field.yes" : "field.no");
  if (typeof value === "number" && /(confidence|salience)$/.test(field)) return `${Math.round(value * 100)}%`;
  if (typeof value === "number" && /(_ts|_at)$/.test(field)) return full(value, language);
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
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
