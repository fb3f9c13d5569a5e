/** A denial that could mean several memories: one click says which. Shown while the question is open. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import { useSpeech } from "../../i18n";
import { link } from "../../lib/router";
import { useFeedback } from "../../parts/feedback";

const NOW_AND_THEN = 30_000;

function useOpenDenial() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const open = useQuery({
    queryKey: keys.openDenial,
    queryFn: async () => (await take(api.GET("/api/memory/separations/open"))) ?? null,
    retry: 0,
    refetchInterval: NOW_AND_THEN,
  }).data;
  const answer = useMutation({
    mutationFn: (body: { denial_event_id: number; ref: string }) => take(api.POST("/api/memory/separations/open", { body })),
    onSuccess: () => say(t("talk.which.done")),
    onError: fail,
    // Answered here or meanwhile in the talk: either way it is asked for again.
    onSettled: () => Promise.all([keys.apart, keys.states].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  return { open, answer };
}

export function WhichMemory() {
  const { t } = useSpeech();
  const { open, answer } = useOpenDenial();
  if (!open || open.memories.length === 0) return null;
  return (
    <aside className="greeting which" aria-label={t("talk.which")}>
      <p>{t("talk.which")}</p>
      <ul>
        {open.memories.map(({ ref, text }) => (
          <li className="row" key={ref}>
            <a className="grow" href={link("memory", ref, { tab: ref.startsWith("e") ? "events" : null })}>
              {text || ref}
            </a>
            <button type="button" className="btn small" disabled={answer.isPending} aria-label={`${t("talk.which.this")}: ${text || ref}`} onClick={() => answer.mutate({ denial_event_id: open.denial_event_id, ref })}>
              {t("talk.which.this")}
            </button>
          </li>
        ))}
      </ul>
    </aside>
  );
}
