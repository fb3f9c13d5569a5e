/** The frame round every screen: navigation at the side on a desk, at the bottom on a phone. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { api } from "../api/client";
import type { Vad } from "../api/types";
import { type Key, useSpeech } from "../i18n";
import { followClock } from "../lib/now";
import { moodName } from "../lib/mood";
import { link, useRoute } from "../lib/router";
import { useChat } from "./ChatStore";
import { Ghost } from "./Ghost";
import { Icon, type IconName } from "./icons";

const GROUPS: [Key, IconName[]][] = [
  ["nav.group.talk", ["chat", "reminders"]],
  ["nav.group.memory", ["memory", "why", "heart", "timeline", "likes", "graph"]],
  ["nav.group.keep", ["tidy", "settings", "logs"]],
];
const TABS: IconName[] = ["chat", "memory", "heart", "reminders"];
const MORE: IconName[] = ["why", "timeline", "likes", "graph", "tidy", "settings", "logs"];

export interface MoodNow {
  mood: null | { body_text: string; confidence: number; baseline_vad: Vad; shock_vad: Vad; vad: Vad };
}

/** The ghost's clock may be moved at any time. */
function useClock() {
  useQuery({ queryKey: ["clock"], queryFn: followClock, refetchInterval: 30_000 });
}

export function useMood() {
  return useQuery({ queryKey: ["mood"], queryFn: () => api.get<MoodNow>("/api/mood/debug"), refetchInterval: 15_000 });
}

function NavLink({ name, onGo }: { name: IconName; onGo?: () => void }) {
  const { t } = useSpeech();
  const { screen } = useRoute();
  const { unread } = useChat();
  return (
    <a className="navlink" href={link(name)} aria-current={screen === name ? "page" : undefined} onClick={onGo}>
      <Icon name={name} />
      <span className="grow">{t(`nav.${name}` as Key)}</span>
      {name === "chat" && unread > 0 && screen !== "chat" && <span className="chip lamp">{unread}</span>}
    </a>
  );
}

export function Shell({ children }: { children: ReactNode }) {
  const { t, word } = useSpeech();
  const { screen, id } = useRoute();
  const { connected } = useChat();
  useClock();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const mood = moodName(useMood().data?.mood?.vad);
  useEffect(() => {
    document.title = `${word("nav", screen)} · CocoroGhost`;
    if (!first.current && screen !== "chat") main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [screen, word]);
  useEffect(() => {
    if (screen) main.current?.scrollTo(0, 0);
  }, [screen]);
  return (
    <div className="app" data-screen={screen} data-id={id ?? ""}>
      <a className="btn skip" href="#main" onClick={(e) => { e.preventDefault(); main.current?.focus(); }}>
        {t("nav.skip")}
      </a>
      <aside className="side">
        <a className="brand" href={link("chat")}>
          <Ghost mood={mood} />
          <span>
            <b>CocoroGhost</b>
            <small>{t("mood.now", { mood: t(`mood.${mood}`) })}</small>
          </span>
        </a>
        <nav aria-label={t("nav.label")}>
          {GROUPS.map(([title, names]) => (
            <div key={title}>
              <p className="group">{t(title)}</p>
              {names.map((name) => (
                <NavLink key={name} name={name} />
              ))}
            </div>
          ))}
        </nav>
      </aside>
      <main ref={main} id="main" tabIndex={-1}>
        {!connected && (
          <div className="offline" role="status">
            {t("state.offline")}
          </div>
        )}
        {children}
      </main>
      <Tabs />
    </div>
  );
}

function Tabs() {
  const { t } = useSpeech();
  const { screen } = useRoute();
  const box = useRef<HTMLDialogElement>(null);
  return (
    <nav className="tabs" aria-label={t("nav.label")}>
      {TABS.map((name) => (
        <a key={name} href={link(name)} aria-current={screen === name ? "page" : undefined}>
          <Icon name={name} />
          {t(`nav.${name}` as Key)}
        </a>
      ))}
      <button type="button" aria-haspopup="dialog" onClick={() => box.current?.showModal()}>
        <Icon name="more" />
        {t("nav.more")}
      </button>
      <dialog ref={box} className="more" aria-label={t("nav.more")}>
        <div>
          {MORE.map((name) => (
            <NavLink key={name} name={name} onGo={() => box.current?.close()} />
          ))}
        </div>
        <div className="row">
          <button type="button" className="btn" onClick={() => box.current?.close()}>
            {t("act.close")}
          </button>
        </div>
      </dialog>
    </nav>
  );
}
