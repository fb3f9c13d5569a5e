/** Forgetting, and the way back: each act is recorded and can be undone. */
import type { QueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Forgetting, Page } from "../api/types";

type Kind = Forgetting["kind"];

export async function forget(kind: "event" | "state", id: number, reason: string): Promise<void> {
  const place = kind === "event" ? "events" : "state";
  await api.post(`/api/memory/${place}/${id}/forget`, { reason });
}

/** The newest act that still holds for this memory. */
export function actOn(acts: readonly Forgetting[], kind: Kind, id: number): Forgetting | undefined {
  return acts.find((act) => act.kind === kind && act.entity_id === id && !act.undone_at);
}

export async function rememberAgain(kind: Kind, id: number): Promise<boolean> {
  const acts = await api.get<Page<Forgetting>>("/api/memory/forgettings", { limit: 200 });
  const act = actOn(acts.items, kind, id);
  if (!act) return false;
  await api.post(`/api/memory/forgettings/${act.forgetting_id}/undo`);
  return true;
}

interface Words {
  ask: (text: string, yes?: string) => Promise<boolean>;
  say: (text: string, action?: { label: string; run: () => unknown }) => void;
  fail: (error: unknown) => void;
  t: (key: "chat.forget" | "chat.forget.ask" | "det.forget" | "det.forget.ask" | "det.edit.reason" | "chat.forgotten.done" | "act.undo" | "done.undone") => string;
}

/** Asks, forgets, and offers to take it back. */
export async function forgetWithCare(kind: "event" | "state", id: number, queries: QueryClient, words: Words): Promise<void> {
  const { ask, say, fail, t } = words;
  const asked = kind === "event" ? await ask(t("chat.forget.ask"), t("chat.forget")) : await ask(t("det.forget.ask"), t("det.forget"));
  if (!asked) return;
  const back = async () => {
    try {
      await rememberAgain(kind, id);
      await queries.invalidateQueries();
      say(t("done.undone"));
    } catch (error) {
      fail(error);
    }
  };
  try {
    await forget(kind, id, t("det.edit.reason"));
    await queries.invalidateQueries();
    say(t("chat.forgotten.done"), { label: t("act.undo"), run: back });
  } catch (error) {
    fail(error);
  }
}
