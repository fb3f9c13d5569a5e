/** Talking with the ghost: history above, the running talk below, everything it did one click away. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { EventRow } from "../api/types";
import { useSpeech } from "../i18n";
import { forgetWithCare } from "../lib/forget";
import { usePaged } from "../lib/paging";
import { go, link, useRoute } from "../lib/router";
import { day, dayKey } from "../lib/time";
import { mergeTurns } from "../lib/turns";
import { useChat } from "../parts/ChatStore";
import { Composer } from "../parts/Composer";
import { FirstRun } from "../parts/FirstRun";
import { Empty, Loading, Problem, useFeedback } from "../parts/feedback";
import { Icon } from "../parts/icons";
import { Turn, type TurnView } from "../parts/Turn";

const eventId = (event: EventRow) => event.event_id;

function useDelayed(value: string, ms = 300): string {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return late;
}

export function Chat() {
  const { t } = useSpeech();
  const { fresh, talk, again, busy } = useChat();
  const { say, fail, ask } = useFeedback();
  const queries = useQueryClient();
  const [search, setSearch] = useState("");
  const q = useDelayed(search.trim());
  const query = useMemo(() => ({ limit: 30, q }), [q]);
  const wanted = Number(useRoute().query.get("turn")) || null;
  // A turn long past is opened with its surroundings, not by paging back to it.
  const history = usePaged<EventRow>("/api/memory/events", query, eventId, { start: wanted === null || q ? null : wanted + 12 });
  const past = q !== "" || wanted !== null;
  const turns = useMemo(() => mergeTurns(history.items.filter((e) => e.source !== "lorebook"), past ? [] : fresh), [history.items, fresh, past]);

  const onAgain = useCallback(
    (turn: TurnView) => {
      if (!busy && turn.eventId !== null) void again(turn.eventId, turn.userText, turn.reply);
    },
    [again, busy],
  );
  const onForget = useCallback(
    (turn: TurnView) => {
      if (turn.eventId !== null) void forgetWithCare("event", turn.eventId, queries, { ask, say, fail, t });
    },
    [ask, fail, queries, say, t],
  );
  const first = !past && history.isSuccess && turns.length === 0;
  return (
    <section className="chat" aria-label={t("chat.title")}>
      <header className="chat-bar">
        <h1 className="grow">{t("chat.title")}</h1>
        <Icon name="search" />
        <input
          type="search"
          className="input"
          aria-label={t("chat.search")}
          placeholder={t("chat.search")}
          value={search}
          onChange={(e) => setSearch(e.target.value)}
        />
      </header>
      <Talk
        turns={turns}
        older={history.hasNextPage ? () => history.fetchNextPage() : null}
        loadingOlder={history.isFetchingNextPage}
        follow={!past && turns.length > 0}
        wanted={wanted}
        onAgain={onAgain}
        onForget={onForget}
      >
        {history.isPending && <Loading />}
        {history.error && <Problem error={history.error} onRetry={history.refetch} />}
        {first && <FirstRun onSay={(text) => talk(text, [])} />}
        {q && history.isSuccess && turns.length === 0 && <Empty>{t("chat.search.empty", { q })}</Empty>}
      </Talk>
      <Composer />
    </section>
  );
}

interface TalkProps {
  turns: TurnView[];
  older: (() => unknown) | null;
  loadingOlder: boolean;
  follow: boolean;
  wanted: number | null;
  onAgain: (turn: TurnView) => void;
  onForget: (turn: TurnView) => void;
  children: React.ReactNode;
}

function Talk({ turns, older, loadingOlder, follow, wanted, onAgain, onForget, children }: TalkProps) {
  const { t, language } = useSpeech();
  const { markRead, unread } = useChat();
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const before = useRef({ height: 0, first: "" });
  const [away, setAway] = useState(false);

  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return;
    const first = turns[0]?.key ?? "";
    if (before.current.first && first !== before.current.first && !atEnd.current) {
      el.scrollTop += el.scrollHeight - before.current.height; // older turns came in above: stay where we read
    } else if (atEnd.current && follow && !wanted) el.scrollTop = el.scrollHeight;
    before.current = { height: el.scrollHeight, first };
  }, [turns, follow, wanted]);

  useEffect(() => {
    // Rows near the end get their true height only when shown; settle at the end once they have it.
    const el = box.current;
    if (!el || typeof ResizeObserver === "undefined") return;
    const watch = new ResizeObserver(() => {
      if (atEnd.current && follow && !wanted) el.scrollTop = el.scrollHeight;
    });
    if (el.firstElementChild) watch.observe(el.firstElementChild);
    return () => watch.disconnect();
  }, [follow, wanted]);

  useEffect(() => {
    if (!wanted) return;
    document.getElementById(`turn-${wanted}`)?.scrollIntoView({ block: "center" });
  }, [wanted, turns.length > 0]);

  const toNewest = () => {
    atEnd.current = true;
    if (wanted !== null) go(link("chat"));
    box.current?.scrollTo({ top: box.current.scrollHeight });
  };
  const onScroll = () => {
    const el = box.current;
    if (!el) return;
    atEnd.current = el.scrollHeight - el.scrollTop - el.clientHeight < 80;
    setAway(!atEnd.current);
    if (atEnd.current && unread) markRead();
    if (el.scrollTop < 600 && older && !loadingOlder) older();
  };
  return (
    <>
      <div className="talk" ref={box} onScroll={onScroll} role="log" aria-label={t("chat.log")} tabIndex={0}>
        <div className="talk-in">
          {older && (
            <button type="button" className="btn quiet small" disabled={loadingOlder} onClick={() => older()}>
              {loadingOlder ? t("state.loading") : t("chat.older")}
            </button>
          )}
          {!older && turns.length > 3 && <p className="daymark">{t("chat.beginning")}</p>}
          {children}
          {turns.map((turn, at) => (
            <TurnWithDay
              key={turn.key}
              turn={turn}
              newDay={dayKey(turn.at) !== dayKey(turns[at - 1]?.at) ? day(turn.at, language) : null}
              onAgain={onAgain}
              onForget={onForget}
              found={wanted !== null && turn.eventId === wanted}
            />
          ))}
        </div>
      </div>
      {(away || wanted !== null) && (
        <button type="button" className="btn small tojump" onClick={toNewest}>
          <Icon name="down" />
          {t("chat.jump")}
          {unread > 0 && <span className="chip lamp">{unread}</span>}
        </button>
      )}
    </>
  );
}

interface WithDay {
  turn: TurnView;
  newDay: string | null;
  found: boolean;
  onAgain: (turn: TurnView) => void;
  onForget: (turn: TurnView) => void;
}

function TurnWithDay({ turn, newDay, ...rest }: WithDay) {
  return (
    <>
      {newDay && <p className="daymark">{newDay}</p>}
      <Turn turn={turn} {...rest} />
    </>
  );
}
