/** Likes and dislikes: what was said for sure, what is only guessed, what no longer holds. */
import "./likes.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { PreferenceRow } from "../../api/types";
import { useSpeech } from "../../i18n";
import { usePaged } from "../../lib/paging";
import { link } from "../../lib/router";
import { ago } from "../../lib/time";
import { Meter, PageHead } from "../../parts/bits";
import { Empty, Loading, Problem, useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";
import "../memory/words";
import "./words";

const STATUSES = ["confirmed", "candidate", "revoked"] as const;
type Status = (typeof STATUSES)[number];
const likeId = (like: PreferenceRow) => like.preference_id;

function useLikes(status: Status) {
  return usePaged<PreferenceRow>({
    key: keys.likeList(status),
    ask: (cursor, signal) => take(api.GET("/api/memory/preferences", { params: { query: { status, limit: 60, cursor } }, signal })),
    idOf: likeId,
  });
}

export default function Likes() {
  const { t } = useSpeech();
  const lists = { confirmed: useLikes("confirmed"), candidate: useLikes("candidate"), revoked: useLikes("revoked") };
  const all = STATUSES.map((status) => lists[status]);
  const error = all.find((list) => list.error);
  return (
    <div className="page">
      <PageHead title={t("like.title")} lead={t("like.lead")} />
      {all.some((list) => list.isPending) && <Loading />}
      {error && <Problem error={error.error} onRetry={() => all.forEach((list) => void list.refetch())} />}
      {all.every((list) => list.isSuccess && list.items.length === 0) && <Empty>{t("like.empty")}</Empty>}
      {STATUSES.map((status) => (
        <Group key={status} status={status} list={lists[status]} />
      ))}
    </div>
  );
}

function Group({ status, list }: { status: Status; list: ReturnType<typeof useLikes> }) {
  const { t } = useSpeech();
  if (list.items.length === 0) return null;
  return (
    <section className="stack" aria-labelledby={`like-${status}`}>
      <h2 id={`like-${status}`}>
        {t(`like.${status}`)} <span className="dim">{list.items.length}{list.hasNextPage ? "+" : ""}</span>
      </h2>
      <ul className="likes">
        {list.items.map((like) => (
          <Like key={like.preference_id} like={like} />
        ))}
      </ul>
      {list.hasNextPage && (
        <button type="button" className="btn" disabled={!list.more} onClick={() => list.more?.()}>
          {t("state.more")}
        </button>
      )}
    </section>
  );
}

function Like({ like }: { like: PreferenceRow }) {
  const { t, word, language } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (what: "confirm" | "revoke") => take(api.POST(`/api/memory/preferences/{preference_id}/${what}`, { params: { path: { preference_id: like.preference_id } } })),
    onSuccess: async (_data, what) => {
      await Promise.all([keys.likes, keys.states].map((queryKey) => queries.invalidateQueries({ queryKey })));
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
        {t("like.seen", { when: ago(like.last_seen_at, language) })}
        {evidence !== undefined && (
          <>
            {" · "}
            <a href={link("chat", null, { turn: String(evidence) })}>{t("go.talk")}</a>
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
