/** Likes and dislikes: what was said for sure, what is only guessed, what no longer holds. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Page, PreferenceRow } from "../api/types";
import { useSpeech } from "../i18n";
import { link } from "../lib/router";
import { Meter, PageHead, When } from "../parts/bits";
import { Empty, Loading, Problem, useFeedback } from "../parts/feedback";
import { Icon } from "../parts/icons";

const STATUSES = ["confirmed", "candidate", "revoked"] as const;
const KEY = ["preferences"];

export default function Likes() {
  const { t } = useSpeech();
  const list = useQuery({ queryKey: KEY, queryFn: () => api.get<Page<PreferenceRow>>("/api/memory/preferences", { limit: 500 }) });
  const items = list.data?.items ?? [];
  return (
    <div className="page">
      <PageHead title={t("like.title")} lead={t("like.lead")} />
      {list.isPending && <Loading />}
      {list.error && <Problem error={list.error} onRetry={list.refetch} />}
      {list.isSuccess && items.length === 0 && <Empty>{t("like.empty")}</Empty>}
      {STATUSES.map((status) => {
        const some = items.filter((p) => p.status === status);
        if (some.length === 0) return null;
        return (
          <section key={status} className="stack" aria-labelledby={`like-${status}`}>
            <h2 id={`like-${status}`}>
              {t(`like.${status}`)} <span className="dim">{some.length}</span>
            </h2>
            <ul className="likes">
              {some.map((p) => (
                <Like key={p.preference_id} like={p} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Like({ like }: { like: PreferenceRow }) {
  const { t, word } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (what: "confirm" | "revoke") => api.post(`/api/memory/preferences/${like.preference_id}/${what}`),
    onSuccess: async (_data, what) => {
      await queries.invalidateQueries({ queryKey: KEY });
      const back = what === "confirm" ? "revoke" : "confirm";
      const undo = like.status === "candidate" ? undefined : { label: t("act.undo"), run: () => act.mutate(back) };
      say(t("like.changed", { subject: like.subject }), undo);
    },
    onError: fail,
  });
  const evidence = like.evidence_event_ids.at(-1);
  return (
    <li className={`card like ${like.polarity}${like.status === "revoked" ? " faded" : ""}`}>
      <div className="row">
        <span className={like.polarity === "like" ? "chip lamp" : "chip rose"}>{word("like", like.polarity)}</span>
        <span className="chip">{word("like", like.domain)}</span>
      </div>
      <p className="subject">{like.subject}</p>
      {like.note && <p className="dim">{like.note}</p>}
      <p className="dim">
        {t("like.seen", { when: "" })} <When at={like.last_seen_at} />
        {evidence !== undefined && (
          <>
            {" · "}
            <a href={link("chat", null, { turn: String(evidence) })}>{t("det.jump")}</a>
          </>
        )}
      </p>
      {like.status === "candidate" && <Meter label={t("det.confidence")} value={like.confidence} />}
      <div className="row">
        {like.status !== "confirmed" && (
          <button type="button" className="btn small" aria-label={`${t("like.confirm")}: ${like.subject}`} onClick={() => act.mutate("confirm")}>
            <Icon name="check" />
            {t("like.confirm")}
          </button>
        )}
        {like.status !== "revoked" && (
          <button type="button" className="btn small quiet" aria-label={`${t("like.revoke")}: ${like.subject}`} onClick={() => act.mutate("revoke")}>
            <Icon name="close" />
            {t("like.revoke")}
          </button>
        )}
      </div>
    </li>
  );
}
