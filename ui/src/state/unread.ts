/** Lines nobody has seen yet: a number on the tab and, where it was allowed, a notification. */
import { useCallback, useEffect, useState } from "react";
import { parseRoute } from "../lib/router";

const WISH = "notify";

export function wantsNotices(): boolean {
  return localStorage.getItem(WISH) === "1" && typeof Notification !== "undefined" && Notification.permission === "granted";
}

/** Asks the browser; true when notices may be shown from now on. */
export async function allowNotices(on: boolean): Promise<boolean> {
  const granted = on && typeof Notification !== "undefined" && (await Notification.requestPermission()) === "granted";
  localStorage.setItem(WISH, granted ? "1" : "0");
  return granted;
}

export function looking(): boolean {
  return document.visibilityState === "visible" && parseRoute(location.hash).screen === "chat";
}

function show(count: number): void {
  document.title = document.title.replace(/^\(\d+\) /, "");
  if (count > 0) document.title = `(${count}) ${document.title}`;
  const badge = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  badge?.catch(() => undefined);
}

export function useUnread() {
  const [unread, setUnread] = useState(0);
  useEffect(() => show(unread), [unread]);
  useEffect(() => {
    const seen = () => looking() && setUnread(0);
    document.addEventListener("visibilitychange", seen);
    window.addEventListener("hashchange", seen);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      window.removeEventListener("hashchange", seen);
    };
  }, []);
  /** Counts a line that came while nobody was looking; true when it did. */
  const count = useCallback((line: string): boolean => {
    if (looking()) return false;
    setUnread((n) => n + 1);
    // What is spoken at all is spoken outside the quiet hours; only reminders ring through them.
    if (document.visibilityState === "hidden" && wantsNotices()) new Notification("CocoroGhost", { body: line, icon: "./icon-192.png" });
    return true;
  }, []);
  const markRead = useCallback(() => setUnread(0), []);
  return { unread, count, markRead };
}
