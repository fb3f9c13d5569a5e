/** One turn of the talk: what you said, what it answered, what it recalled for that and learned from it. */
import { useQueryClient } from "@tanstack/react-query";
import { memo, useState } from "react";
import type { EventDetail } from "../api/types";
import { useSpeech } from "../i18n";
import type { Picture } from "../lib/images";
import { link } from "../lib/router";
import { clock } from "../lib/time";
import { Ghost } from "./Ghost";
import { Icon } from "./icons";
import { LearnedChip, LearnedList, RecallChip, useEventDetail } from "./TurnChips";

export interface TurnView {
  key: string;
  eventId: number | null;
  source: string;
  at: number;
  userText: string;
  systemText: string | null;
  seen: string[];
  pictures: Picture[];
  reply: string;
  state: "waiting" | "streaming" | "done" | "error";
  problem: string | null;
  incognito: boolean;
  interrupted: boolean;
  forgotten: boolean;
  earlier: string[];
  fresh: boolean;
}

interface TurnActs {
  onAgain: (turn: TurnView) => void;
  onForget: (turn: TurnView) => void;
  found?: boolean;
}

export const Turn = memo(function Turn({ turn, onAgain, onForget, found }: { turn: TurnView } & TurnActs) {
  const { t } = useSpeech();
  return (
    <article
      className={`turn${turn.fresh ? " fresh" : ""}${found ? " found" : ""}`}
      id={turn.eventId ? `turn-${turn.eventId}` : undefined}
    >
      {turn.userText && (
        <div className="bubble you">
          <span className="sr">{t("chat.you")}: </span>
          {turn.userText}
        </div>
      )}
      {turn.pictures.length > 0 && (
        <div className="pictures">
          {turn.pictures.map((p) => (
            <div className="picture" key={p.url}>
              <img src={p.url} alt={p.name} />
            </div>
          ))}
        </div>
      )}
      {turn.seen.length > 0 && (
        <p className="seen">
          {t("chat.saw")}: {turn.seen.map((s) => s || t("chat.saw_nothing")).join(" / ")}
        </p>
      )}
      <Said turn={turn} onAgain={onAgain} onForget={onForget} />
    </article>
  );
});

function Said({ turn, onAgain, onForget }: { turn: TurnView } & TurnActs) {
  const { t } = useSpeech();
  const waiting = turn.state === "waiting";
  if (turn.state === "error" && !turn.reply) {
    return (
      <div className="problem" role="alert">
        {turn.problem}
      </div>
    );
  }
  if (!turn.reply && !waiting) return <Footer turn={turn} onAgain={onAgain} onForget={onForget} />;
  const look = waiting ? "bubble wait" : turn.state === "streaming" ? "bubble live" : "bubble";
  return (
    <div className="said">
      <Ghost mood={turn.source === "reminder" ? "excited" : "calm"} />
      <div>
        {turn.source !== "chat" && <SourceLine source={turn.source} text={turn.systemText} />}
        <div className={look} aria-busy={turn.state !== "done"}>
          <span className="sr">{t("chat.ghost")}: </span>
          {waiting ? t("chat.thinking") : turn.reply}
        </div>
      </div>
      {turn.problem && (
        <p className="problem under" role="alert">
          {turn.problem}
        </p>
      )}
      {turn.state === "done" && <Footer turn={turn} onAgain={onAgain} onForget={onForget} />}
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

function Footer({ turn, onAgain, onForget }: { turn: TurnView } & TurnActs) {
  const { t, language } = useSpeech();
  const [showEarlier, setShowEarlier] = useState(false);
  const [showLearned, setShowLearned] = useState(false);
  const id = turn.eventId;
  const known = useQueryClient().getQueryData<EventDetail>(["event", id]);
  // The chips ask for details; of a forgotten turn, which has no chips, this line does.
  const stored = useEventDetail(id ?? 0, Boolean(known?.forgotten_at)).data;
  const kept = stored?.older_replies.map((old) => old.assistant_text) ?? [];
  const forgotten = stored ? Boolean(stored.forgotten_at) : turn.forgotten;
  const earlier = kept.length > turn.earlier.length ? kept : turn.earlier;
  return (
    <>
      <div className="under">
        <time dateTime={new Date(turn.at * 1000).toISOString()}>{clock(turn.at, language)}</time>
        {turn.incognito && <span className="chip lamp">{t("chat.incognito.tag")}</span>}
        {!turn.reply && <span className="chip">{t("chat.noreply")}</span>}
        {turn.interrupted && <span className="chip">{t("chat.interrupted")}</span>}
        {forgotten && <span className="chip rose">{t("chat.forgotten")}</span>}
        {id !== null && !forgotten && turn.source === "chat" && <RecallChip eventId={id} eager={turn.fresh} />}
        {id !== null && !forgotten && turn.source === "chat" && (
          <LearnedChip eventId={id} eager={turn.fresh} open={showLearned} onToggle={() => setShowLearned((x) => !x)} />
        )}
        {earlier.length > 0 && (
          <button type="button" className="chip" aria-expanded={showEarlier} onClick={() => setShowEarlier((x) => !x)}>
            {t("chat.versions", { n: earlier.length })}
          </button>
        )}
        {id !== null && !forgotten && (
          <span className="acts">
            {turn.source === "chat" && (
              <Act label={t("chat.regenerate")} icon="again" run={() => onAgain(turn)} />
            )}
            <a className="btn quiet small icon" href={link("memory", `e${id}`, { tab: "events" })} aria-label={t("chat.details")} title={t("chat.details")}>
              <Icon name="open" />
            </a>
            <Act label={t("chat.forget")} icon="forget" run={() => onForget(turn)} />
          </span>
        )}
      </div>
      {showLearned && id !== null && <LearnedList eventId={id} />}
      {showEarlier && (
        <ol className="learned">
          {earlier.map((text, at) => (
            // earlier replies never reorder
            <li key={at}>{text}</li>
          ))}
        </ol>
      )}
    </>
  );
}

function Act({ label, icon, run }: { label: string; icon: "again" | "forget"; run: () => void }) {
  return (
    <button type="button" className="btn quiet small icon" aria-label={label} title={label} onClick={run}>
      <Icon name={icon} />
    </button>
  );
}
