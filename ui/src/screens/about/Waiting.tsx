/** What waits for a yes or a no: contradictions, guesses, reminders that were heard, facts grown old. */
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { Review } from "../../api/types";
import { useSpeech } from "../../i18n";
import { link } from "../../lib/router";
import { Problem, useFeedback } from "../../parts/feedback";
import { actOn, useRefresh } from "./acts";

export function Waiting() {
  const { t } = useSpeech();
  const review = useQuery({ queryKey: keys.review, queryFn: () => take(api.GET("/api/memory/review")) });
  if (review.error) return <Problem error={review.error} onRetry={review.refetch} />;
  if (!review.data) return null;
  const { contradictions, guesses, reminders } = review.data;
  if (contradictions.length + guesses.length + reminders.length === 0) return null;
  return (
    <section className="card stack waiting" aria-labelledby="about-review">
      <h2 id="about-review">{t("about.review")}</h2>
      <ul className="stack">
        {contradictions.map((pair) => (
          <Contradiction key={`${pair.one.state_id}-${pair.other.state_id}`} pair={pair} />
        ))}
        {guesses.map((guess) => (
          <Guess key={guess.preference_id} guess={guess} />
        ))}
        {reminders.map((reminder) => (
          <Heard key={reminder.id} reminder={reminder} />
        ))}
      </ul>
    </section>
  );
}

function useDo() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSuccess: async () => {
      await refresh();
      say(t("about.confirmed"));
    },
    onError: fail,
  });
}

function Row({ question, what, children }: { question: string; what: ReactNode; children: ReactNode }) {
  return (
    <li className="row">
      <div className="grow">
        <p className="dim">{question}</p>
        {what}
      </div>
      <div className="row">{children}</div>
    </li>
  );
}

function Contradiction({ pair }: { pair: Review["contradictions"][number] }) {
  const { t } = useSpeech();
  const act = useDo();
  const reason = t("edit.reason");
  const keep = (wrong: number) => act.mutate(() => actOn(`s${wrong}`, "end", reason));
  const both = () => act.mutate(() => Promise.all([pair.one, pair.other].map((one) => actOn(`s${one.state_id}`, "confirm", reason))));
  return (
    <li className="stack">
      <p className="dim">{t("about.review.contradiction")}</p>
      {[pair.one, pair.other].map((one, at) => (
        <p className="row" key={one.state_id}>
          <a className="grow linetext" href={link("memory", `s${one.state_id}`)}>
            {one.body_text}
          </a>
          <button type="button" className="btn small" aria-label={`${t("about.review.this")}: ${one.body_text}`} onClick={() => keep((at === 0 ? pair.other : pair.one).state_id)}>
            {t("about.review.this")}
          </button>
        </p>
      ))}
      <p>
        <button type="button" className="btn small quiet" onClick={both}>
          {t("about.review.both")}
        </button>
      </p>
    </li>
  );
}

function YesNo({ label, yes, no, onYes, onNo }: { label: string; yes: string; no: string; onYes: () => void; onNo: () => void }) {
  return (
    <>
      <button type="button" className="btn small main" aria-label={`${yes}: ${label}`} onClick={onYes}>
        {yes}
      </button>
      <button type="button" className="btn small quiet" aria-label={`${no}: ${label}`} onClick={onNo}>
        {no}
      </button>
    </>
  );
}

function Guess({ guess }: { guess: Review["guesses"][number] }) {
  const { t } = useSpeech();
  const act = useDo();
  const ref = `p${guess.preference_id}`;
  const answer = (what: "confirm" | "end") => act.mutate(() => actOn(ref, what, t("edit.reason")));
  return (
    <Row question={t(guess.polarity === "like" ? "about.review.guess" : "about.review.dislike")} what={<strong>{guess.subject}</strong>}>
      <YesNo label={guess.subject} yes={t("like.confirm")} no={t("like.revoke")} onYes={() => answer("confirm")} onNo={() => answer("end")} />
    </Row>
  );
}

function Heard({ reminder }: { reminder: Review["reminders"][number] }) {
  const { t } = useSpeech();
  const act = useDo();
  const path = { params: { path: { reminder_id: reminder.id } } };
  return (
    <Row question={t("about.review.reminder")} what={<strong>{reminder.content}</strong>}>
      <YesNo
        label={reminder.content}
        yes={t("rem.yes")}
        no={t("rem.no")}
        onYes={() => act.mutate(() => take(api.POST("/api/reminders/{reminder_id}/confirm", path)))}
        onNo={() => act.mutate(() => take(api.DELETE("/api/reminders/{reminder_id}", path)))}
      />
    </Row>
  );
}
