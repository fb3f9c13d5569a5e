/** Heard, not remembered: what may have been a program's own call; one click says that a person said it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { components } from "../../api/schema";
import { useSpeech } from "../../i18n";
import { When } from "../../parts/bits";
import { Problem, useFeedback } from "../../parts/feedback";
import { type Client, useDoubtful } from "./clients";

type Heard = components["schemas"]["DoubtfulOut"];

export function Doubtful({ clients }: { clients: Client[] }) {
  const { t } = useSpeech();
  const list = useDoubtful();
  const items = list.data?.items ?? [];
  if (list.error) return <Problem error={list.error} onRetry={list.refetch} />;
  if (items.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="con-doubt">
      <h2 id="con-doubt">{t("con.doubt")}</h2>
      <p className="dim">{t("con.doubt.lead")}</p>
      <ul className="stack">
        {items.map((one) => (
          <Row key={one.event_id} heard={one} from={clients.find((client) => client.client_id === one.client_id)?.name ?? t("con.doubt.unknown")} />
        ))}
      </ul>
    </section>
  );
}

function Row({ heard, from }: { heard: Heard; from: string }) {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (what: "real" | "program") => take(api.POST(`/api/clients-doubtful/{event_id}/${what}`, { params: { path: { event_id: heard.event_id } } })),
    onError: fail,
    onSuccess: async (_, what) => {
      await Promise.all([keys.doubtful, keys.turns, keys.states].map((queryKey) => queries.invalidateQueries({ queryKey })));
      say(t(what === "real" ? "con.doubt.done" : "con.doubt.gone"));
    },
  });
  return (
    <li className="row">
      <div className="grow">
        <p>{heard.text}</p>
        <p className="dim">
          {from} · <When at={heard.created_at} />
        </p>
      </div>
      {(["real", "program"] as const).map((what) => (
        <button type="button" key={what} className={what === "real" ? "btn small" : "btn small quiet"} disabled={answer.isPending} aria-label={`${t(`con.doubt.${what}`)}: ${heard.text}`} onClick={() => answer.mutate(what)}>
          {t(`con.doubt.${what}`)}
        </button>
      ))}
    </li>
  );
}
