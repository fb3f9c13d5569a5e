/** Connected programs: asked for, made, changed, given a new token, taken back. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { components } from "../../api/schema";
import { useSpeech } from "../../i18n";
import { useFeedback } from "../../parts/feedback";
import type { ClientBody } from "./recipes";

export type Client = components["schemas"]["ClientOut"];
export type Made = components["schemas"]["NewClientOut"];

const PLAIN: Omit<ClientBody, "name"> = { scopes: ["talk"], speaks_for_others: false, emotion_tags: "none", system_rule: "ignore", history_rule: "stored", tools: false };

export function useClientList() {
  return useQuery({ queryKey: keys.clients, queryFn: () => take(api.GET("/api/clients")), retry: 0 });
}

/** What a program read and wrote in memory, newest first; asked for when it is wanted. */
export function useAccesses(clientId: string, wanted: boolean) {
  return useQuery({ queryKey: keys.accesses(clientId), queryFn: () => take(api.GET("/api/clients/{client_id}/accesses", { params: { path: { client_id: clientId } } })), enabled: wanted, retry: 0 });
}

export function useDoubtful() {
  return useQuery({ queryKey: keys.doubtful, queryFn: () => take(api.GET("/api/clients-doubtful")), retry: 0 });
}

export function useClients() {
  const { t } = useSpeech();
  const { fail, ask, say } = useFeedback();
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
  const add = useMutation({ mutationFn: (begins: Partial<ClientBody> & { name: string }) => take(api.POST("/api/clients", { body: { ...PLAIN, ...begins } })), ...shown });
  const rotate = useMutation({ mutationFn: (one: Client) => take(api.POST("/api/clients/{client_id}/rotate", path(one))), ...shown });
  const change = useMutation({
    mutationFn: ({ client, body }: { client: Client; body: ClientBody }) => take(api.PUT("/api/clients/{client_id}", { ...path(client), body })),
    onError: fail,
    onSuccess: async () => {
      say(t("done.saved"));
      await refresh();
    },
  });
  const revoke = async (one: Client) => {
    if (!(await ask(t("con.revoke.ask", { name: one.name }), t("con.revoke")))) return;
    await take(api.DELETE("/api/clients/{client_id}", path(one))).then(refresh, fail);
  };
  return { made, dropMade: () => setMade(null), add, rotate, change, revoke };
}
