/** One turn of the talk: what you said, what it answered, what it recalled for that and learned from it. */
import { type FormEvent, memo, useState } from "react";
import type { Care } from "../../api/chat";
import { useSpeech } from "../../i18n";
import { moodName } from "../../lib/mood";
import { link } from "../../lib/router";
import { clock } from "../../lib/time";
import type { TurnView } from "../../lib/turns";
import { Ghost } from "../../parts/Ghost";
import { Icon, type IconName } from "../../parts/icons";
import { CopyButton, Markdown } from "../../parts/Markdown";
import { LearnedChip, RecallChip, Unfolded, useSigns } from "./signs";
import { mayRead, readAloud } from "./voice";

export interface TurnActs {
  onAgain: (turn: TurnView) => void;
  onRetry: (turn: TurnView) => void;
  onForget: (turn: TurnView) => void;
  onRemember: (turn: TurnView) => void;
  onEdit: (turn: TurnView, text: string) => void;
}

interface TurnProps {
  turn: TurnView;
  acts: TurnActs;
  found?: boolean;
  last?: boolean;
  onUnfold?: () => void;
}

declare global {
  interface Window {
    /** Counted only where a test has put it: how often a turn was drawn. */
    __turnsDrawn?: number;
  }
}

export const Turn = memo(function Turn({ turn: given, acts, found = false, last = false }: TurnProps) {
  if (window.__turnsDrawn !== undefined) window.__turnsDrawn += 1;
  const turn = useSigns(given);
  const [unfolded, setUnfolded] = useState(false);
  const marks = { fresh: turn.fresh, found, gone: turn.forgotten, last, unfolded };
  const look = ["turn", ...Object.entries(marks).flatMap(([name, on]) => (on ? [name] : []))].join(" ");
  return (
    <article className={look} id={turn.eventId ? `turn-${turn.eventId}` : undefined}>
      {turn.forgotten ? <Gone turn={turn} acts={acts} /> : <Shown turn={turn} acts={acts} last={last} onUnfold={() => setUnfolded(true)} />}
    </article>
  );
});

/** A forgotten turn folds into a line; its words are there for who wants them back. */
function Gone({ turn, acts }: TurnProps) {
  const { t } = useSpeech();
  return (
    <details className="gone-line">
      <summary>
        <span className="chip rose">{t("talk.forgotten")}</span>
      </summary>
      <p className="dim">{turn.userText}</p>
      <button type="button" className="btn small" onClick={() => acts.onRemember(turn)}>
        <Icon name="undo" />
        {t("talk.remember")}
      </button>
    </details>
  );
}

function Shown({ turn, acts, last = false, onUnfold }: TurnProps) {
  const [editing, setEditing] = useState(false);
  return (
    <>
      {editing ? (
        <EditBox
          text={turn.userText}
          onCancel={() => setEditing(false)}
          onSend={(text) => {
            setEditing(false);
            acts.onEdit(turn, text);
          }}
        />
      ) : (
        <Mine turn={turn} />
      )}
      <Said turn={turn} acts={acts} onUnfold={onUnfold} onEdit={!editing && last && turn.source === "chat" && turn.userText ? () => setEditing(true) : null} />
    </>
  );
}

function Mine({ turn }: { turn: TurnView }) {
  const { t } = useSpeech();
  const pictures = turn.pictures.length > 0 ? turn.pictures.map((p) => ({ url: p.url, name: p.name })) : turn.thumbnails.map((url, at) => ({ url, name: turn.seen[at] || t("talk.saw") }));
  return (
    <>
      {turn.userText && (
        <div className="bubble you">
          <span className="sr">{t("talk.you")}: </span>
          {turn.userText}
        </div>
      )}
      {pictures.length > 0 && (
        <div className="pictures">
          {pictures.map((p) => (
            <div className="picture" key={p.url}>
              <img src={p.url} alt={p.name} />
            </div>
          ))}
        </div>
      )}
      {pictures.length === 0 && turn.seen.length > 0 && (
        <p className="seen" title={t("talk.unkept")}>
          <Icon name="image" /> {t("talk.saw")}: {turn.seen.map((s) => s || t("talk.saw_nothing")).join(" / ")} <span className="chip">{t("talk.unkept")}</span>
        </p>
      )}
    </>
  );
}

function EditBox({ text, onSend, onCancel }: { text: string; onSend: (text: string) => void; onCancel: () => void }) {
  const { t } = useSpeech();
  const [words, setWords] = useState(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (words.trim()) onSend(words.trim());
  };
  return (
    <form className="editbox" onSubmit={submit}>
      <textarea className="input" aria-label={t("talk.edit")} value={words} autoFocus rows={2} onChange={(e) => setWords(e.target.value)} />
      <div className="row">
        <button type="submit" className="btn main small">
          {t("talk.edit.send")}
        </button>
        <button type="button" className="btn small" onClick={onCancel}>
          {t("act.cancel")}
        </button>
      </div>
    </form>
  );
}

function Failed({ turn, acts }: TurnProps) {
  const { t } = useSpeech();
  return (
    <div className="problem" role="alert">
      <span>{turn.problem}</span>
      <button type="button" className="btn small" onClick={() => acts.onRetry(turn)}>
        <Icon name="again" />
        {t("talk.retry")}
      </button>
    </div>
  );
}

function Said({ turn, acts, onEdit, onUnfold }: FootProps) {
  const failed = turn.state === "error";
  if (failed && !turn.reply) return <Failed turn={turn} acts={acts} />;
  if (!turn.reply && turn.state !== "waiting") return <Footer turn={turn} acts={acts} onEdit={onEdit} onUnfold={onUnfold} />;
  return (
    <div className="said">
      <Ghost mood={turn.source === "reminder" ? "excited" : moodName(turn.feeling)} blinking={turn.state === "waiting"} />
      <div>
        {turn.source !== "chat" && <SourceLine source={turn.source} text={turn.systemText} />}
        <Words turn={turn} />
      </div>
      {failed && <Failed turn={turn} acts={acts} />}
      {turn.state === "done" && <Footer turn={turn} acts={acts} onEdit={onEdit} onUnfold={onUnfold} />}
      {turn.state === "streaming" && turn.interrupted && <Stopped />}
      {turn.care && <CareCard care={turn.care} reply={turn.reply} />}
    </div>
  );
}

/** Where no line is known the reply itself says all there is: twice would be noise. */
function saidAlready(care: Care, reply: string): boolean {
  return !care.lines?.length && !care.emergency && reply.includes(care.text ?? "");
}

/** Quiet, beside the reply: where a person can be reached. Nothing about it is kept or reported. */
function CareCard({ care, reply }: { care: Care; reply: string }) {
  const { t } = useSpeech();
  if (saidAlready(care, reply)) return null;
  if (care.sure === false) {
    return (
      <details className="carecard">
        <summary>{t("talk.care")}</summary>
        <CareLines care={care} />
      </details>
    );
  }
  return (
    <aside className="carecard" aria-label={t("talk.care")}>
      <CareLines care={care} />
    </aside>
  );
}

function CareLines({ care }: { care: Care }) {
  const { t } = useSpeech();
  return (
    <>
      {care.text && <p>{care.text}</p>}
      <ul>
        {care.lines?.map((line) => (
          <li key={line.name + line.number}>
            {line.name} <a href={`tel:${line.number.replace(/[^+\d]/g, "")}`}>{line.number}</a> {line.hours && <span className="dim">{line.hours}</span>}
          </li>
        ))}
      </ul>
      {care.emergency && (
        <p>
          {t("talk.care.now")} <a href={`tel:${care.emergency.replace(/[^+\d]/g, "")}`}>{care.emergency}</a>
        </p>
      )}
    </>
  );
}

function Stopped() {
  const { t } = useSpeech();
  return (
    <div className="under">
      <span className="chip">{t("talk.interrupted")}</span>
    </div>
  );
}

function Words({ turn }: { turn: TurnView }) {
  const { t } = useSpeech();
  const waiting = turn.state === "waiting";
  const look = waiting ? "bubble wait" : turn.state === "streaming" ? "bubble live" : "bubble";
  return (
    <div className={look} aria-busy={waiting || turn.state === "streaming"}>
      <span className="sr">{t("talk.ghost")}: </span>
      {waiting ? (typeof turn.read === "number" ? t("talk.reading", { n: turn.read }) : t("talk.thinking")) : <Markdown text={turn.reply} />}
    </div>
  );
}

function SourceLine({ source, text }: { source: string; text: string | null }) {
  const { word } = useSpeech();
  return (
    <p className="dim">
      <span className="chip lamp">{word("source", source)}</span> {text}
    </p>
  );
}

type Open = "recalled" | "learned" | "earlier" | null;

type FootProps = TurnProps & { onEdit: (() => void) | null };

function Footer({ turn, acts, onEdit, onUnfold }: FootProps) {
  const { t, language } = useSpeech();
  const [open, setOpen] = useState<Open>(null);
  const flip = (what: Open) => setOpen((now) => (now === what ? null : what));
  const known = turn.eventId !== null && turn.source === "chat";
  return (
    <>
      <div className="under">
        <time dateTime={new Date(turn.at * 1000).toISOString()}>{clock(turn.at, language)}</time>
        {turn.incognito && <span className="chip lamp">{t("talk.incognito.tag")}</span>}
        <Endings turn={turn} />
        {known && <RecallChip turn={turn} open={open === "recalled"} onToggle={() => flip("recalled")} />}
        {known && <LearnedChip turn={turn} open={open === "learned"} onToggle={() => flip("learned")} />}
        {turn.earlier.length > 0 && (
          <button type="button" className="chip" aria-expanded={open === "earlier"} onClick={() => flip("earlier")}>
            {t("talk.versions", { n: turn.earlier.length })}
          </button>
        )}
        <button type="button" className="btn quiet small icon unfold" aria-label={t("talk.more")} title={t("talk.more")} onClick={onUnfold}>
          <Icon name="more" />
        </button>
        <Acts turn={turn} acts={acts} onEdit={onEdit} />
      </div>
      {open === "earlier" ? <Earlier replies={turn.earlier} /> : open && <Unfolded turn={turn} what={open} />}
    </>
  );
}

function Endings({ turn }: { turn: TurnView }) {
  const { t } = useSpeech();
  return (
    <>
      {!turn.reply && <span className="chip">{t("talk.noreply")}</span>}
      {turn.interrupted && <span className="chip">{t("talk.interrupted")}</span>}
      {turn.cut && <span className="chip">{t("talk.cut")}</span>}
    </>
  );
}

function Earlier({ replies }: { replies: string[] }) {
  return (
    <ol className="learned">
      {replies.map((text, at) => (
        // earlier replies never reorder
        <li key={at}>
          <Markdown text={text} />
        </li>
      ))}
    </ol>
  );
}

function Acts({ turn, acts, onEdit }: FootProps) {
  const { t, language } = useSpeech();
  const kept = turn.eventId !== null;
  return (
    <span className="acts">
      {turn.reply && <CopyButton text={turn.reply} />}
      {turn.reply && mayRead() && <Act label={t("talk.read")} icon="sound" run={() => readAloud(turn.reply, language)} />}
      {kept && turn.source === "chat" && <Act label={t("talk.again")} icon="again" run={() => acts.onAgain(turn)} />}
      {onEdit && <Act label={t("talk.edit")} icon="edit" run={onEdit} />}
      {kept && (
        <a className="btn quiet small icon" href={link("memory", `e${turn.eventId}`, { tab: "events" })} aria-label={t("talk.open")} title={t("talk.open")}>
          <Icon name="open" />
        </a>
      )}
      {kept && <Act label={t("talk.forget")} icon="forget" run={() => acts.onForget(turn)} />}
    </span>
  );
}

function Act({ label, icon, run }: { label: string; icon: IconName; run: () => void }) {
  return (
    <button type="button" className="btn quiet small icon" aria-label={label} title={label} onClick={run}>
      <Icon name={icon} />
    </button>
  );
}
