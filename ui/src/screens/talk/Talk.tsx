/** Talking with the ghost: history above, the running talk below, everything it did one click away. */
import "./talk.css";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { TurnRow } from "../../api/types";
import { useSpeech } from "../../i18n";
import { forgetWithCare, rememberAgain } from "../../lib/forget";
import { usePaged } from "../../lib/paging";
import { go, link, useRoute } from "../../lib/router";
import { day, dayKey, gap } from "../../lib/time";
import { mergeTurns, type TurnView } from "../../lib/turns";
import { Empty, Loading, Problem, useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";
import { useSettings } from "../../state/settings";
import { useFresh, useTalk } from "../../state/talk";
import { Composer, useComposerText } from "./Composer";
import { FirstRun, Starters } from "./FirstRun";
import { Greeting } from "./Greeting";
import { KeeperNote } from "./KeeperNote";
import { useScroll } from "./scroll";
import { Turn, type TurnActs } from "./Turn";
import { WhichMemory } from "./WhichMemory";

const PAGE = 30;
const turnId = (row: TurnRow) => row.event_id;

function useDelayed(value: string, ms = 300): string {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return late;
}

function useTurns(q: string, wanted: number | null) {
  const fresh = useFresh();
  // A turn long past is opened with its surroundings, not by paging back to it.
  const start = wanted === null || q ? null : wanted + 12;
  const history = usePaged<TurnRow>({
    key: keys.turnList(q, start),
    ask: (cursor, signal) => take(api.GET("/api/memory/turns", { params: { query: { limit: PAGE, q: q || undefined, cursor } }, signal })),
    idOf: turnId,
    start,
  });
  const past = q !== "" || wanted !== null;
  const turns = useMemo(() => mergeTurns(history.items.filter((row) => row.source !== "lorebook"), past ? [] : fresh), [history.items, fresh, past]);
  return { history, turns, past };
}

/** Stable acts, so that a token redraws one turn only. */
function useTurnActs(setText: (text: string) => void): TurnActs {
  const { t } = useSpeech();
  const { again, retry, edit } = useTalk();
  const { say, fail, ask } = useFeedback();
  const queries = useQueryClient();
  return useMemo(
    () => ({
      onAgain: (turn) => void again(turn),
      onRetry: (turn) => {
        setText("");
        void retry(turn);
      },
      onForget: (turn) => void (turn.eventId !== null && forgetWithCare("event", turn.eventId, queries, { ask, say, fail, t })),
      onRemember: (turn) => void (turn.eventId !== null && rememberAgain("event", turn.eventId, queries, { say, fail, t })),
      onEdit: (turn, text) => void edit(turn, text).catch(fail),
    }),
    [again, retry, edit, queries, ask, say, fail, t, setText],
  );
}

/** `/` goes to the search from anywhere on the screen that is not a field. */
function useSlash(field: { current: HTMLInputElement | null }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      if (event.key !== "/" || target?.closest("input, textarea, select, [contenteditable]")) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [field]);
}

/** A failed turn gives its words back to an empty box. */
function useGiveBack(turns: TurnView[], text: string, setText: (text: string) => void) {
  const given = useRef(new Set<string>());
  const failed = turns.at(-1);
  useEffect(() => {
    if (failed?.state !== "error" || failed.eventId !== null || given.current.has(failed.key)) return;
    given.current.add(failed.key);
    if (!text) setText(failed.userText);
  }, [failed, text, setText]);
}

export function Talk() {
  const { t } = useSpeech();
  const [search, setSearch] = useState("");
  const [text, setText] = useComposerText();
  const q = useDelayed(search.trim());
  const wanted = Number(useRoute().query.get("turn")) || null;
  const { history, turns, past } = useTurns(q, wanted);
  const acts = useTurnActs(setText);
  const field = useRef<HTMLInputElement>(null);
  useSlash(field);
  useGiveBack(turns, text, setText);
  const onSearch = useCallback((words: string) => {
    setSearch(words);
    field.current?.focus();
  }, []);
  return (
    <section className="chat" aria-label={t("talk.title")}>
      <SearchBar field={field} value={search} onChange={setSearch} />
      <Log turns={turns} history={history} past={past} wanted={wanted} acts={acts}>
        {history.isPending && <Loading />}
        {history.error && <Problem error={history.error} onRetry={history.refetch} />}
        {!past && history.isSuccess && <Welcome empty={turns.length === 0} onSay={setText} />}
        {q && history.isSuccess && turns.length === 0 && <Empty>{t("talk.search.empty", { q })}</Empty>}
      </Log>
      <Composer text={text} setText={setText} onSearch={onSearch} onSent={() => setSearch("")} />
    </section>
  );
}

/** Nothing said yet: who are you, who am I, and something to begin with. */
function Welcome({ empty, onSay }: { empty: boolean; onSay: (text: string) => void }) {
  const settings = useSettings().data;
  if (!empty || !settings) return null;
  return settings.page.first_run_done ? <Starters onSay={onSay} /> : <FirstRun settings={settings} />;
}

interface SearchProps {
  field: { current: HTMLInputElement | null };
  value: string;
  onChange: (value: string) => void;
}

function SearchBar({ field, value, onChange }: SearchProps) {
  const { t } = useSpeech();
  return (
    <header className="chat-bar">
      <h1 className="grow">{t("talk.title")}</h1>
      <Icon name="search" />
      <input
        ref={(el) => {
          field.current = el;
        }}
        type="search"
        className="input"
        aria-label={t("talk.search")}
        placeholder={t("talk.search")}
        value={value}
        onChange={(e) => onChange(e.target.value)}
        onKeyDown={(e) => e.key === "Escape" && onChange("")}
      />
    </header>
  );
}

interface LogProps {
  turns: TurnView[];
  history: ReturnType<typeof useTurns>["history"];
  past: boolean;
  wanted: number | null;
  acts: TurnActs;
  children: ReactNode;
}

function Log({ turns, history, past, wanted, acts, children }: LogProps) {
  const { t } = useSpeech();
  const { markRead, unread } = useTalk();
  const box = useRef<HTMLDivElement>(null);
  const { away, onScroll, toEnd } = useScroll(box, { turns, follow: !past && turns.length > 0, wanted });
  const older = history.more;
  const scrolled = () => {
    onScroll();
    const el = box.current;
    if (!el) return;
    if (el.scrollTop < 600 && older) void older();
    if (unread && el.scrollHeight - el.scrollTop - el.clientHeight < 80) markRead();
  };
  const toNewest = () => {
    if (wanted !== null) go(link("chat"));
    toEnd();
  };
  return (
    <>
      <div className="talk" ref={box} onScroll={scrolled} tabIndex={0} role="region" aria-label={t("talk.log")}>
        <div className="talk-in">
          {history.hasNextPage && (
            <button type="button" className="btn quiet small" disabled={!older} onClick={() => older?.()}>
              {older ? t("talk.older") : t("state.loading")}
            </button>
          )}
          {!history.hasNextPage && turns.length > 3 && !past && <p className="daymark">{t("talk.beginning")}</p>}
          {children}
          <Rows turns={turns} wanted={wanted} acts={acts} />
          {!past && <Asides turns={turns} />}
        </div>
      </div>
      {(away || wanted !== null) && (
        <button type="button" className="btn small tojump" onClick={toNewest}>
          <Icon name="down" />
          {t("talk.jump")}
          {unread > 0 && <span className="chip lamp">{unread}</span>}
        </button>
      )}
    </>
  );
}

function Asides({ turns }: { turns: TurnView[] }) {
  return (
    <>
      <WhichMemory />
      <KeeperNote turns={turns.length} hushed={Boolean(turns.at(-1)?.care)} />
      <Greeting last={turns.at(-1)} />
    </>
  );
}

/** Only what is new is announced: history stands outside the live part. */
function Rows({ turns, wanted, acts }: { turns: TurnView[]; wanted: number | null; acts: TurnActs }) {
  const firstFresh = turns.findIndex((turn) => turn.fresh && !turn.key.startsWith("again-"));
  const split = firstFresh < 0 ? turns.length : firstFresh;
  const lastSaid = turns.findLast((turn) => turn.source === "chat" && !turn.forgotten)?.key;
  const row = (turn: TurnView, at: number) => (
    <Dated key={turn.key} turn={turn} before={turns[at - 1]}>
      <Turn turn={turn} acts={acts} found={wanted !== null && turn.eventId === wanted} last={turn.key === lastSaid} />
    </Dated>
  );
  return (
    <>
      {turns.slice(0, split).map((turn, at) => row(turn, at))}
      <div role="log" aria-live="polite">
        {turns.slice(split).map((turn, at) => row(turn, split + at))}
      </div>
    </>
  );
}

function Dated({ turn, before, children }: { turn: TurnView; before: TurnView | undefined; children: ReactNode }) {
  const { t, language } = useSpeech();
  if (before && dayKey(turn.at) === dayKey(before.at)) return children;
  const apart = before ? gap(before.at, turn.at, language) : null;
  return (
    <>
      <p className="daymark">
        {apart && <span className="apart">{t("talk.later", { gap: apart })}</span>}
        {day(turn.at, language)}
      </p>
      {children}
    </>
  );
}
