/** The running talk, kept while other screens are open: what was said here, what streams, what arrives unasked. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { type ChatRequest, speak } from "../api/chat";
import { api } from "../api/client";
import { live } from "../api/socket";
import { useSpeech } from "../i18n";
import type { Picture } from "../lib/images";
import { now } from "../lib/now";
import { go, link, parseRoute } from "../lib/router";
import { explain, useFeedback } from "./feedback";

export interface FreshTurn {
  key: string;
  eventId: number | null;
  source: string;
  at: number;
  userText: string;
  systemText: string | null;
  pictures: Picture[];
  reply: string;
  state: "waiting" | "streaming" | "done" | "error";
  problem: string | null;
  incognito: boolean;
  earlier: string[];
}

interface UnaskedFrame {
  event_id: number;
  type: string;
  data: { message?: string; system_text?: string };
}

interface ChatValue {
  fresh: FreshTurn[];
  busy: boolean;
  connected: boolean;
  incognito: boolean;
  setIncognito: (on: boolean) => void;
  talk: (text: string, pictures: Picture[]) => Promise<void>;
  again: (eventId: number, userText: string, reply: string) => Promise<void>;
  stop: () => Promise<void>;
  unread: number;
  markRead: () => void;
}

const ChatContext = createContext<ChatValue | null>(null);
const SPOKEN = new Set(["notification", "meta-request", "reminder", "desktop_watch"]);

export function clientId(): string {
  const known = localStorage.getItem("client_id");
  if (known) return known;
  const made = `web-${crypto.randomUUID()}`;
  localStorage.setItem("client_id", made);
  return made;
}

function blank(key: string): FreshTurn {
  return {
    key,
    eventId: null,
    source: "chat",
    at: now() / 1000,
    userText: "",
    systemText: null,
    pictures: [],
    reply: "",
    state: "waiting",
    problem: null,
    incognito: false,
    earlier: [],
  };
}

export function fromFrame(frame: UnaskedFrame): FreshTurn | null {
  if (!SPOKEN.has(frame.type)) return null;
  return {
    ...blank(`live-${frame.event_id || crypto.randomUUID()}`),
    eventId: frame.event_id || null,
    source: frame.type === "meta-request" ? "meta_proactive" : frame.type,
    systemText: frame.data.system_text ?? null,
    reply: frame.data.message ?? "",
    state: "done",
  };
}

export function ChatProvider({ children }: { children: ReactNode }) {
  const { t, language } = useSpeech();
  const { say } = useFeedback();
  const queries = useQueryClient();
  const [fresh, setFresh] = useState<FreshTurn[]>([]);
  const [busy, setBusy] = useState(false);
  const [connected, setConnected] = useState(true);
  const [incognito, setIncognito] = useState(false);
  const [unread, setUnread] = useState(0);
  const latest = useRef(0);

  const change = useCallback((key: string, part: Partial<FreshTurn>) => {
    setFresh((all) => all.map((turn) => (turn.key === key ? { ...turn, ...part } : turn)));
  }, []);

  const receive = useCallback((frame: UnaskedFrame) => {
    const turn = fromFrame(frame);
    if (!turn) return;
    latest.current = Math.max(latest.current, frame.event_id);
    setFresh((all) => (all.some((x) => x.key === turn.key) ? all : [...all, turn]));
    if (parseRoute(location.hash).screen === "chat") return;
    setUnread((n) => n + 1);
    say(turn.reply, { label: t("nav.chat"), run: () => go(link("chat")) });
  }, [say, t]);

  useEffect(() => {
    let down: ReturnType<typeof setTimeout> | undefined;
    const leave = live({
      path: "/api/events/stream",
      hello: { type: "hello", client_id: clientId(), caps: [] },
      onFrame: (frame) => receive(frame as UnaskedFrame),
      onState: (on) => {
        clearTimeout(down);
        if (on) setConnected(true);
        else down = setTimeout(() => setConnected(false), 1500);
      },
      onBack: () => {
        if (!latest.current) return;
        void api
          .get<{ items: UnaskedFrame[] }>("/api/events", { after: latest.current })
          .then((missed) => missed.items.forEach(receive))
          .catch(() => undefined);
      },
    });
    return () => {
      clearTimeout(down);
      leave();
    };
  }, [receive]);

  const run = useCallback(
    async (key: string, request: ChatRequest) => {
      setBusy(true);
      try {
        const context = { locale: language, active_app: "CocoroGhost" };
        const done = await speak({ ...request, client_context: context }, (reply) => change(key, { reply, state: "streaming" }));
        change(key, { reply: done.reply_text, eventId: done.event_id || null, state: "done" });
        latest.current = Math.max(latest.current, done.event_id || 0);
        void queries.invalidateQueries({ queryKey: ["mood"] });
        if (request.regenerate) void queries.invalidateQueries({ queryKey: ["event", request.regenerate] });
      } catch (error) {
        change(key, { state: "error", problem: explain(error, t) });
      } finally {
        setBusy(false);
      }
    },
    [change, language, queries, t],
  );

  const talk = useCallback(
    async (text: string, pictures: Picture[]) => {
      const turn = { ...blank(`mine-${crypto.randomUUID()}`), userText: text, pictures, incognito };
      setFresh((all) => [...all, turn]);
      await run(turn.key, {
        input_text: text,
        ...(pictures.length ? { images: pictures.map((p) => p.url) } : {}),
        ...(incognito ? { incognito: true } : {}),
      });
    },
    [incognito, run],
  );

  const again = useCallback(
    async (eventId: number, userText: string, reply: string) => {
      const known = fresh.find((turn) => turn.eventId === eventId);
      const key = known?.key ?? `again-${eventId}`;
      if (known) change(key, { earlier: [...known.earlier, known.reply], reply: "", state: "waiting", problem: null });
      else setFresh((all) => [...all, { ...blank(key), eventId, userText, earlier: [reply] }]);
      await run(key, { regenerate: eventId, input_text: userText });
    },
    [change, fresh, run],
  );

  const stop = useCallback(async () => {
    await api.post("/api/chat/stop").catch(() => undefined);
  }, []);

  const markRead = useCallback(() => setUnread(0), []);
  const value = useMemo<ChatValue>(
    () => ({ fresh, busy, connected, incognito, setIncognito, talk, again, stop, unread, markRead }),
    [fresh, busy, connected, incognito, talk, again, stop, unread, markRead],
  );
  return <ChatContext value={value}>{children}</ChatContext>;
}

export function useChat(): ChatValue {
  const chat = useContext(ChatContext);
  if (!chat) throw new Error("ChatProvider is missing");
  return chat;
}
