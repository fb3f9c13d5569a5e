/** The small signs under a reply: what it recalled, what it learned; both unfold in place. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { Lesson } from "../../api/types";
import { type T, useSpeech } from "../../i18n";
import { link } from "../../lib/router";
import { signsOf, type TurnView } from "../../lib/turns";
import { useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";

const PATIENCE = 40;

/** A turn said just now is asked about until it has been learned from; history came with its signs. */
export function useSigns(turn: TurnView): TurnView {
  const id = turn.eventId;
  const ask = turn.fresh && id !== null && turn.state === "done";
  const row = useQuery({
    queryKey: [...keys.turns, "one", id],
    queryFn: () => take(api.GET("/api/memory/turns/{event_id}", { params: { path: { event_id: id ?? 0 } } })),
    enabled: ask,
    refetchInterval: (query) => {
      const { data, dataUpdateCount: times } = query.state;
      if (times > PATIENCE || (data && data.learning !== "learning")) return false;
      return Math.min(8_000, 600 * 1.3 ** times);
    },
  }).data;
  const settled = ask && row !== undefined && row.learning !== "learning";
  const queries = useQueryClient();
  useEffect(() => {
    // What was said has been felt now: the face at the side and the heart are asked for again.
    // A "no, not that" may have left a question open.
    if (settled) for (const queryKey of [keys.mood, keys.openDenial]) void queries.invalidateQueries({ queryKey });
  }, [settled, queries]);
  return useMemo(() => {
    if (!ask || !row) return turn;
    const signs = signsOf(row);
    return { ...turn, ...signs, earlier: signs.earlier.length >= turn.earlier.length ? signs.earlier : turn.earlier };
  }, [ask, row, turn]);
}

interface ChipProps {
  turn: TurnView;
  open: boolean;
  onToggle: () => void;
}

export function RecallChip({ turn, open, onToggle }: ChipProps) {
  const { t } = useSpeech();
  if (turn.runId === null) return null;
  const n = turn.recalled.length;
  if (n === 0) {
    return (
      <a className="chip" href={link("why", turn.runId)} data-recalled={0}>
        {t("talk.why")}
      </a>
    );
  }
  return (
    <button type="button" className="chip accent" aria-expanded={open} onClick={onToggle} data-recalled={n}>
      {t("talk.recalled", { n })}
    </button>
  );
}

export function lessonWords(lesson: Lesson, t: T): string {
  if (lesson.polarity) return t(lesson.polarity === "like" ? "talk.learned.like" : "talk.learned.dislike", { text: lesson.text });
  return lesson.text;
}

function summary(lessons: Lesson[], t: T): string {
  const held = lessons.filter((lesson) => !lesson.undone);
  // What is new says more than what it took the place of.
  const first = held.find((lesson) => !lesson.closed) ?? held[0] ?? lessons[0];
  if (!first) return "";
  const text = lessonWords(first, t).replace(/[.。]$/, "");
  if (first.closed) return t("talk.learned.closed", { text });
  const n = lessons.length - 1;
  return n > 0 ? t("talk.learned.more", { text, n }) : t("talk.learned", { text });
}

export function LearnedChip({ turn, open, onToggle }: ChipProps) {
  const { t } = useSpeech();
  return (
    <span aria-live={turn.fresh ? "polite" : undefined}>
      {turn.learning === "learning" && turn.fresh && <span className="chip">{t("talk.learning")}</span>}
      {turn.learning === "failed" && (
        <a className="chip rose" href={link("care")}>
          {t("talk.learned.failed")}
        </a>
      )}
      {turn.learning === "learned" && (
        <button type="button" className="chip moss clip" aria-expanded={open} onClick={onToggle} data-learned={turn.lessons.length}>
          {summary(turn.lessons, t)}
        </button>
      )}
    </span>
  );
}

export function Unfolded({ turn, what }: { turn: TurnView; what: "recalled" | "learned" }) {
  return what === "recalled" ? <Quotes turn={turn} /> : <Lessons turn={turn} />;
}

function Quotes({ turn }: { turn: TurnView }) {
  const { t, word } = useSpeech();
  return (
    <div className="learned quotes">
      <ul className="stack">
        {turn.recalled.map((one) => (
          <li key={one.ref}>
            <span className="chip">{word("kind", { s: "state", a: "affect" }[one.ref[0] ?? ""] ?? "event")}</span>
            <a className="grow" href={link("memory", one.ref, { tab: one.ref.startsWith("e") ? "events" : null })}>
              {one.text}
            </a>
          </li>
        ))}
      </ul>
      <a href={link("why", turn.runId)}>{t("talk.why.more")}</a>
    </div>
  );
}

function Lessons({ turn }: { turn: TurnView }) {
  const { t, word } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const undo = async (lesson: Lesson) => {
    try {
      await take(api.POST("/api/memory/revisions/{revision_id}/undo", { params: { path: { revision_id: lesson.revision_id } } }));
      await Promise.all([keys.turns, keys.states, keys.likes].map((queryKey) => queries.invalidateQueries({ queryKey })));
      say(t("talk.unlearned"));
    } catch (error) {
      fail(error);
    }
  };
  return (
    <div className="learned">
      <strong>{t("talk.learned.list")}</strong>
      <ul className="stack">
        {turn.lessons.map((lesson) => (
          <li key={lesson.revision_id}>
            <span className="chip">{word("type", lesson.entity_type)}</span>
            <span className="grow">{lesson.undone ? <s>{lessonWords(lesson, t)}</s> : lessonWords(lesson, t)}</span>
            {lesson.undone ? (
              <span className="dim">{t("talk.undone")}</span>
            ) : (
              <button type="button" className="btn quiet small" aria-label={`${t("act.undo")}: ${lesson.text}`} onClick={() => undo(lesson)}>
                <Icon name="undo" />
                {t("act.undo")}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
