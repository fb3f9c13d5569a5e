/** Apps that use this memory: each with a token of its own, shown once, taken back alone. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { components } from "../../api/schema";
import { useSpeech } from "../../i18n";
import { Field, When } from "../../parts/bits";
import { Problem, useFeedback } from "../../parts/feedback";
import { CopyButton } from "../../parts/Markdown";

type Client = components["schemas"]["ClientOut"];
type Made = components["schemas"]["NewClientOut"];

function useClients() {
  const { t } = useSpeech();
  const { fail, ask } = useFeedback();
  const queries = useQueryClient();
  const [made, setMade] = useState<Made | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: keys.clients });
  const shown = {
    onError: fail,
    onSuccess: async (answer: Made) => {
      setMade(answer);
      await refresh();
    },
  };
  const path = (one: Client) => ({ params: { path: { client_id: one.client_id } } });
  const add = useMutation({ mutationFn: (name: string) => take(api.POST("/api/clients", { body: { name } as components["schemas"]["ClientBody"] })), ...shown });
  const rotate = useMutation({ mutationFn: (one: Client) => take(api.POST("/api/clients/{client_id}/rotate", path(one))), ...shown });
  const revoke = async (one: Client) => {
    if (!(await ask(t("con.revoke.ask", { name: one.name }), t("con.revoke")))) return;
    await take(api.DELETE("/api/clients/{client_id}", path(one))).then(refresh, fail);
  };
  return { made, add, rotate, revoke };
}

export function Connections() {
  const { t } = useSpeech();
  const list = useQuery({ queryKey: keys.clients, queryFn: () => take(api.GET("/api/clients")), retry: 0 });
  const { made, add, rotate, revoke } = useClients();
  const items = list.data?.items ?? [];
  return (
    <section className="card stack" id="set-connections" aria-labelledby="h-connections">
      <h2 id="h-connections">{t("con.title")}</h2>
      <p className="dim">{t("con.lead")}</p>
      {list.error && <Problem error={list.error} onRetry={list.refetch} />}
      {list.isSuccess && items.length === 0 && <p className="dim">{t("con.none")}</p>}
      <ul className="stack">
        {items.map((one) => (
          <Row key={one.client_id} client={one} onRotate={() => rotate.mutate(one)} onRevoke={() => revoke(one)} />
        ))}
      </ul>
      {made && (
        <p className="row" role="status">
          {t("con.token")} <code>{made.token}</code>
          <CopyButton text={made.token} />
        </p>
      )}
      <NewClient onAdd={(name) => add.mutate(name)} />
    </section>
  );
}

function Row({ client, onRotate, onRevoke }: { client: Client; onRotate: () => void; onRevoke: () => void }) {
  const { t } = useSpeech();
  const gone = client.revoked_at !== null && client.revoked_at !== undefined;
  return (
    <li className={`row${gone ? " faded" : ""}`}>
      <strong className="grow">{client.name}</strong>
      <span className="dim">{gone ? t("con.revoked") : <When at={client.last_used_at ?? client.created_at} />}</span>
      {!gone && (
        <>
          <button type="button" className="btn small" aria-label={`${t("con.rotate")}: ${client.name}`} onClick={onRotate}>
            {t("con.rotate")}
          </button>
          <button type="button" className="btn small quiet" aria-label={`${t("con.revoke")}: ${client.name}`} onClick={onRevoke}>
            {t("con.revoke")}
          </button>
        </>
      )}
    </li>
  );
}

function NewClient({ onAdd }: { onAdd: (name: string) => void }) {
  const { t } = useSpeech();
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return;
    onAdd(name.trim());
    setName("");
  };
  return (
    <form className="row" onSubmit={submit}>
      <Field label={t("con.name")}>
        <input className="input" value={name} maxLength={80} onChange={(e) => setName(e.target.value)} />
      </Field>
      <button type="submit" className="btn" disabled={!name.trim()}>
        {t("con.add")}
      </button>
    </form>
  );
}
