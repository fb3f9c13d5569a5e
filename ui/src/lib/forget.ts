/** Forgetting, and the way back: each act is recorded and can be undone, however long ago it was. */
import type { QueryClient } from "@tanstack/react-query";
import { api, take } from "../api/client";
import type { Key } from "../i18n";

type Kind = "event" | "state";

interface Voice {
  say: (text: string, action?: { label: string; run: () => unknown }) => void;
  fail: (error: unknown) => void;
  t: (key: Key) => string;
}

interface Asking extends Voice {
  ask: (text: string, yes?: string) => Promise<boolean>;
}

function forget(kind: Kind, id: number, reason: string): Promise<unknown> {
  if (kind === "event") return take(api.POST("/api/memory/events/{event_id}/forget", { params: { path: { event_id: id } }, body: { reason } }));
  return take(api.POST("/api/memory/state/{state_id}/forget", { params: { path: { state_id: id } }, body: { reason } }));
}

/** Says it is undone only when it is. */
export async function rememberAgain(kind: Kind, id: number, queries: QueryClient, { say, fail, t }: Voice): Promise<void> {
  try {
    await take(api.POST("/api/memory/remember/{kind}/{entity_id}", { params: { path: { kind, entity_id: id } } }));
    await queries.invalidateQueries();
    say(t("done.undone"));
  } catch (error) {
    fail(error);
  }
}

/** Asks, forgets, and offers to take it back. */
export async function forgetWithCare(kind: Kind, id: number, queries: QueryClient, voice: Asking): Promise<void> {
  const { ask, say, fail, t } = voice;
  const asked = kind === "event" ? await ask(t("talk.forget.ask"), t("talk.forget")) : await ask(t("det.forget.ask"), t("det.forget"));
  if (!asked) return;
  try {
    await forget(kind, id, t("edit.reason"));
    await queries.invalidateQueries();
    say(t("talk.forgotten.done"), { label: t("act.undo"), run: () => rememberAgain(kind, id, queries, voice) });
  } catch (error) {
    fail(error);
  }
}
