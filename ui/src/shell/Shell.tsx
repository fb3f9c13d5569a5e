/** The frame round every screen: navigation at the side on a desk, at the bottom on a phone. */
import "./shell.css";
import { type ReactNode, useEffect, useRef } from "react";
import { type Key, useSpeech } from "../i18n";
import { moodName } from "../lib/mood";
import { link, useRoute } from "../lib/router";
import { Ghost } from "../parts/Ghost";
import { Icon, type IconName } from "../parts/icons";
import { useClock, useMood } from "../state/mood";
import { useStatus } from "../state/settings";
import { useTalk } from "../state/talk";

const GROUPS: [Key, IconName[]][] = [
  ["nav.group.talk", ["chat", "about", "reminders"]],
  ["nav.group.memory", ["memory", "heart", "timeline", "likes", "graph", "why"]],
  ["nav.group.keep", ["connections", "care", "settings", "logs"]],
];
const TABS: IconName[] = ["chat", "about", "memory", "heart"];
const MORE: IconName[] = ["reminders", "timeline", "likes", "graph", "why", "connections", "care", "settings", "logs"];

function Unread() {
  const { t } = useSpeech();
  const { unread } = useTalk();
  if (unread === 0) return null;
  return (
    <span className="chip lamp unread" aria-label={t("nav.unread", { n: unread })}>
      {unread}
    </span>
  );
}

function NavLink({ name, onGo }: { name: IconName; onGo?: () => void }) {
  const { t } = useSpeech();
  const { screen } = useRoute();
  const needed = useCareNeeded();
  return (
    <a className="navlink" href={link(name)} aria-current={screen === name ? "page" : undefined} onClick={onGo}>
      <Icon name={name} />
      <span className="grow">{t(`nav.${name}` as Key)}</span>
      {name === "chat" && screen !== "chat" && <Unread />}
      {name === "care" && needed && (
        <span className="chip rose" title={t("nav.look")}>
          <span aria-hidden="true">!</span>
          <span className="sr">{t("nav.look")}</span>
        </span>
      )}
    </a>
  );
}

function useArrival(screen: string) {
  const { word } = useSpeech();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    const count = /^\(\d+\) /.exec(document.title)?.[0] ?? "";
    document.title = `${count}${word("nav", screen)} · CocoroGhost`;
    if (!first.current && screen !== "chat") main.current?.focus({ preventScroll: true });
    first.current = false;
    main.current?.scrollTo(0, 0);
  }, [screen, word]);
  return main;
}

export function Shell({ children }: { children: ReactNode }) {
  const { t } = useSpeech();
  const { screen, id } = useRoute();
  const { connected } = useTalk();
  useClock();
  const main = useArrival(screen);
  return (
    <div className="app" data-screen={screen} data-id={id ?? ""}>
      <a
        className="btn skip"
        href="#main"
        onClick={(e) => {
          e.preventDefault();
          main.current?.focus();
        }}
      >
        {t("nav.skip")}
      </a>
      <Side />
      <div className="middle">
        {!connected && (
          <div className="offline" role="status">
            <strong>{t("away.title")}</strong> {t("state.offline")}
          </div>
        )}
        <Damaged />
        <main ref={main} id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Tabs />
    </div>
  );
}

const SELDOM = 300_000;

/** Backups too old, or the last one failed: seen at the name of the screen that mends it. */
function useCareNeeded(): boolean {
  const status = useStatus(SELDOM).data;
  return Boolean(status?.damage || status?.backups?.old || status?.backups?.problem);
}

/** Nothing is written any more: that must be known wherever one is. */
function Damaged() {
  const { t } = useSpeech();
  if (!useStatus(SELDOM).data?.damage) return null;
  return (
    <div className="offline" role="alert">
      {t("state.damaged")} <a href={link("care")}>{t("nav.care")}</a>
    </div>
  );
}

function Side() {
  const { t } = useSpeech();
  const mood = moodName(useMood().data?.mood?.vad);
  return (
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
  );
}

function Tabs() {
  const { t } = useSpeech();
  const { screen } = useRoute();
  const box = useRef<HTMLDialogElement>(null);
  const close = () => box.current?.close();
  return (
    <nav className="tabs" aria-label={t("nav.label")}>
      {TABS.map((name) => (
        <a key={name} href={link(name)} aria-current={screen === name ? "page" : undefined}>
          <Icon name={name} />
          {t(`nav.${name}` as Key)}
          {name === "chat" && screen !== "chat" && <Unread />}
        </a>
      ))}
      <button type="button" aria-haspopup="dialog" onClick={() => box.current?.showModal()}>
        <Icon name="more" />
        {t("nav.more")}
      </button>
      <dialog ref={box} className="more" aria-label={t("nav.more")} onClick={(e) => e.target === box.current && close()}>
        <div>
          {MORE.map((name) => (
            <NavLink key={name} name={name} onGo={close} />
          ))}
        </div>
        <div className="row">
          <button type="button" className="btn" onClick={close}>
            {t("act.close")}
          </button>
        </div>
      </dialog>
    </nav>
  );
}
