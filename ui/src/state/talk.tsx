/** The running talk, kept while other screens are open: what was said here, what streams, what arrives unasked. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";
import { type ChatRequest, speak } from "../api/chat";
import { ApiError, api, take } from "../api/client";
import { keys } from "../api/keys";
import { useSpeech } from "../i18n";
import { type Picture, thumbnail } from "../lib/images";
import { go, link } from "../lib/router";
import type { FreshTurn, TurnView } from "../lib/turns";
import { explain, useFeedback } from "../parts/feedback";
import { blank, clientId, useUnasked } from "./stream";
import { useUnread } from "./unread";

interface TalkValue {
  busy: boolean;
  connected: boolean;
  incognito: boolean;
  unread: number;
  setIncognito: (on: boolean) => void;
  talk: (text: string, pictures: Picture[]) => Promise<void>;
  again: (turn: TurnView) => Promise<void>;
  retry: (turn: TurnView) => Promise<void>;
  edit: (turn: TurnView, text: string) => Promise<void>;
  stop: () => Promise<void>;
  markRead: () => void;
}

const TalkContext = createContext<TalkValue | null>(null);
const FreshContext = createContext<FreshTurn[]>([]);
const KEPT = new Set(["llm_unavailable", "llm_stream_failed", "internal_error"]);

function useTurns() {
  const [fresh, setFresh] = useState<FreshTurn[]>([]);
  const change = useCallback((key: string, part: Partial<FreshTurn>) => {
    setFresh((all) => all.map((turn) => (turn.key === key ? { ...turn, ...part } : turn)));
  }, []);
  const add = useCallback((turn: FreshTurn) => setFresh((all) => (all.some((x) => x.key === turn.key) ? all : [...all, turn])), []);
  const drop = useCallback((key: string) => setFresh((all) => all.filter((turn) => turn.key !== key)), []);
  return { fresh, change, add, drop };
}

type Turns = ReturnType<typeof useTurns>;

/** Streams one reply into its turn; a failure becomes a sentence and a way to try again. */
function useReply({ change }: Turns, latest: { current: number }) {
  const { t, language } = useSpeech();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const running = useRef<{ key: string; abort: AbortController } | null>(null);
  const reply = useCallback(
    async (key: string, request: ChatRequest, pictures: Picture[] = []) => {
      const abort = new AbortController();
      running.current = { key, abort };
      setBusy(true);
      try {
        const asked = { ...request, client_id: clientId(), client_context: { locale: language, active_app: "CocoroGhost" }, progress: true };
        const done = await speak(asked, { onText: (text) => change(key, { reply: text, state: "streaming" }), onProgress: (read) => change(key, { read }), signal: abort.signal });
        change(key, { reply: done.reply_text, eventId: done.event_id || null, state: "done", problem: null, cut: done.usage?.finish_reason === "length", care: done.care ?? null });
        latest.current = Math.max(latest.current, done.event_id || 0);
        if (done.event_id && pictures.length > 0) void keepSmall(done.event_id, pictures);
        void queries.invalidateQueries({ queryKey: keys.mood });
        if (request.regenerate) void queries.invalidateQueries({ queryKey: keys.event(request.regenerate) });
      } catch (error) {
        change(key, { state: "error", problem: explain(error, t), eventId: await keptEvent(error, request) });
      } finally {
        running.current = null;
        setBusy(false);
      }
    },
    [change, language, latest, queries, t],
  );
  return { reply, busy, running };
}

async function keepSmall(eventId: number, pictures: Picture[]): Promise<void> {
  const images = (await Promise.all(pictures.map((p) => thumbnail(p.url)))).filter((one) => one !== null);
  if (images.length === 0) return;
  await api.PUT("/api/memory/turns/{event_id}/thumbnails", { params: { path: { event_id: eventId } }, body: { images } }).catch(() => undefined);
}

/** Words that reached the ghost are kept even when no reply came: then trying again answers those, not a copy. */
async function keptEvent(error: unknown, request: ChatRequest): Promise<number | null> {
  if (request.regenerate) return request.regenerate;
  if (!(error instanceof ApiError) || !KEPT.has(error.code) || request.incognito) return null;
  const newest = await take(api.GET("/api/memory/events", { params: { query: { limit: 1 } } })).catch(() => null);
  const row = newest?.items[0];
  return row && row.user_text === request.input_text ? row.event_id : null;
}

function requestOf(turn: Pick<FreshTurn, "userText" | "pictures" | "incognito">): ChatRequest {
  return {
    input_text: turn.userText,
    ...(turn.pictures.length ? { images: turn.pictures.map((p) => p.url) } : {}),
    ...(turn.incognito ? { incognito: true } : {}),
  };
}

function useActs(turns: Turns, latest: { current: number }, incognito: boolean) {
  const { t } = useSpeech();
  const { fail } = useFeedback();
  const queries = useQueryClient();
  const { reply, busy, running } = useReply(turns, latest);
  const { add, change, drop } = turns;
  const talk = useCallback(
    async (text: string, pictures: Picture[]) => {
      const turn = { ...blank(`mine-${crypto.randomUUID()}`), userText: text, pictures, incognito };
      add(turn);
      await reply(turn.key, requestOf(turn), pictures);
    },
    [add, incognito, reply],
  );
  const again = useCallback(
    async (turn: TurnView) => {
      if (turn.eventId === null) return;
      const key = turn.fresh ? turn.key : `again-${turn.eventId}`;
      const earlier = turn.reply ? [...turn.earlier, turn.reply] : turn.earlier;
      if (!turn.fresh) add({ ...blank(key), eventId: turn.eventId, at: turn.at, userText: turn.userText });
      change(key, { earlier, reply: "", state: "waiting", problem: null, interrupted: false, cut: false });
      await reply(key, { regenerate: turn.eventId, input_text: turn.userText });
    },
    [add, change, reply],
  );
  const retry = useCallback(
    async (turn: TurnView) => {
      if (turn.eventId !== null) return again(turn);
      change(turn.key, { state: "waiting", problem: null, reply: "", interrupted: false });
      await reply(turn.key, requestOf(turn), turn.pictures);
    },
    [again, change, reply],
  );
  const edit = useCallback(
    async (turn: TurnView, text: string) => {
      // What was said stays in the log; what it taught is taken back, and the new words are said instead.
      if (turn.eventId !== null) await take(api.POST("/api/memory/events/{event_id}/forget", { params: { path: { event_id: turn.eventId } }, body: { reason: t("talk.edited") } }));
      drop(turn.key);
      void queries.invalidateQueries({ queryKey: keys.turns });
      await talk(text, turn.pictures);
    },
    [drop, queries, t, talk],
  );
  const stop = useCallback(async () => {
    const now = running.current;
    if (now) change(now.key, { interrupted: true });
    await take(api.POST("/api/chat/stop")).catch((error: unknown) => {
      now?.abort.abort();
      fail(error);
    });
  }, [change, fail, running]);
  return { busy, talk, again, retry, edit, stop };
}

export function TalkProvider({ children }: { children: ReactNode }) {
  const { t } = useSpeech();
  const { say } = useFeedback();
  const turns = useTurns();
  const [incognito, setIncognito] = useState(false);
  const { unread, count, markRead } = useUnread();
  const { add } = turns;
  const onLine = useCallback(
    (turn: FreshTurn) => {
      add(turn);
      if (count(turn.reply) && document.visibilityState === "visible") say(turn.reply, { label: t("nav.chat"), run: () => go(link("chat")) });
    },
    [add, count, say, t],
  );
  const { connected, latest } = useUnasked(onLine);
  const { busy, talk, again, retry, edit, stop } = useActs(turns, latest, incognito);
  const value = useMemo<TalkValue>(
    () => ({ busy, connected, incognito, unread, setIncognito, talk, again, retry, edit, stop, markRead }),
    [busy, connected, incognito, unread, talk, again, retry, edit, stop, markRead],
  );
  return (
    <TalkContext value={value}>
      <FreshContext value={turns.fresh}>{children}</FreshContext>
    </TalkContext>
  );
}

export function useTalk(): TalkValue {
  const talk = useContext(TalkContext);
  if (!talk) throw new Error("TalkProvider is missing");
  return talk;
}

/** The turns of this tab; apart from the rest, for they change with every token. */
export function useFresh(): FreshTurn[] {
  return useContext(FreshContext);
}
