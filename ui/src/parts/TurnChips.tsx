/** The small signs under a reply: how much it recalled, what it learned; both open the whole story. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { EventDetail, RunDetail } from "../api/types";
import { useSpeech } from "../i18n";
import { learnState, lessons, lessonText, stillLearning } from "../lib/learned";
import { link } from "../lib/router";
import { useFeedback } from "./feedback";
import { Icon } from "./icons";

export function useEventDetail(eventId: number, enabled = true, watch = false) {
  return useQuery({
    queryKey: ["event", eventId],
    queryFn: () => api.get<EventDetail>(`/api/memory/events/${eventId}`),
    enabled,
    staleTime: 60_000,
    refetchInterval: (query) => {
      const detail = query.state.data;
      if (!watch || query.state.dataUpdateCount > 40) return false;
      return !detail || stillLearning(detail.jobs) ? Math.min(8_000, 600 * 1.3 ** query.state.dataUpdateCount) : false;
    },
  });
}

/** True once the element has been near the window: history asks for details only then. */
function useSeen<E extends Element>(eager: boolean) {
  const box = useRef<E>(null);
  const [seen, setSeen] = useState(eager);
  useEffect(() => {
    if (seen || !box.current || typeof IntersectionObserver === "undefined") return;
    const watch = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && setSeen(true), { rootMargin: "200px" });
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [seen]);
  return { box, seen };
}

export function RecallChip({ eventId, eager }: { eventId: number; eager: boolean }) {
  const { t } = useSpeech();
  const { box, seen } = useSeen<HTMLSpanElement>(eager);
  const detail = useEventDetail(eventId, seen);
  const runId = detail.data?.retrieval_run_id ?? null;
  const run = useQuery({
    queryKey: ["run", runId],
    queryFn: () => api.get<RunDetail>(`/api/memory/retrieval-runs/${runId}`),
    enabled: runId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const n = run.data?.selected.length;
  return (
    <span ref={box}>
      {runId !== null && n !== undefined && (
        <a className={n ? "chip accent" : "chip"} href={link("why", runId)} title={t("chat.why")} data-recalled={n}>
          {n ? t("chat.recalled", { n }) : t("chat.why")}
        </a>
      )}
    </span>
  );
}

interface LearnedProps {
  eventId: number;
  eager: boolean;
  open: boolean;
  onToggle: () => void;
}

export function LearnedChip({ eventId, eager, open, onToggle }: LearnedProps) {
  const { t } = useSpeech();
  const { box, seen } = useSeen<HTMLSpanElement>(eager);
  const detail = useEventDetail(eventId, seen, eager);
  const state = detail.data ? learnState(detail.data) : null;
  return (
    <span ref={box} aria-live={eager ? "polite" : undefined}>
      {state === "learning" && eager && <span className="chip">{t("chat.learning")}</span>}
      {state === "nothing" && eager && <span className="chip">{t("chat.learned.none")}</span>}
      {state === "failed" && (
        <a className="chip rose" href={link("tidy")}>
          {t("chat.learned.failed")}
        </a>
      )}
      {state === "learned" && (
        <button type="button" className="chip moss" aria-expanded={open} onClick={onToggle} data-learned={lessons(detail.data?.learned ?? []).length}>
          {t("chat.learned", { n: lessons(detail.data?.learned ?? []).length })}
        </button>
      )}
    </span>
  );
}

export function LearnedList({ eventId }: { eventId: number }) {
  const { t, word } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const detail = useEventDetail(eventId);
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ["event", eventId] });
    await queries.invalidateQueries({ queryKey: ["/api/memory/state"] });
  };
  const undo = async (revisionId: number) => {
    try {
      await api.post(`/api/memory/revisions/${revisionId}/undo`);
      await refresh();
      say(t("chat.unlearned"));
    } catch (error) {
      fail(error);
    }
  };
  return (
    <div className="learned">
      <strong>{t("chat.learned.list")}</strong>
      <ul className="stack">
        {lessons(detail.data?.learned ?? []).map((revision) => (
          <li key={revision.revision_id}>
            <span className="chip">{word("type", revision.entity_type)}</span>
            <span className="grow">{revision.undone ? <s>{lessonText(revision)}</s> : lessonText(revision)}</span>
            {revision.undone ? (
              <span className="dim">{t("rev.undone")}</span>
            ) : (
              <button
                type="button"
                className="btn quiet small"
                aria-label={`${t("act.undo")}: ${lessonText(revision)}`}
                onClick={() => undo(revision.revision_id)}
              >
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
