/** Hash routes: `#/memory?q=cat` → { screen: "memory", id: null, query }. Works from any path, needs no server rules. */
import { useMemo, useSyncExternalStore } from "react";

export interface Route {
  screen: string;
  id: string | null;
  query: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [screen = "", ...rest] = path.split("/");
  return {
    screen: screen || "chat",
    id: rest.length ? decodeURIComponent(rest.join("/")) : null,
    query: new URLSearchParams(search),
  };
}

export function link(screen: string, id?: string | number | null, query?: Record<string, string | null | undefined>): string {
  const params = new URLSearchParams();
  for (const [k, v] of Object.entries(query ?? {})) if (v) params.set(k, v);
  const text = params.toString();
  return `#/${screen}${id === undefined || id === null ? "" : `/${encodeURIComponent(id)}`}${text ? `?${text}` : ""}`;
}

export function go(hash: string, replace = false): void {
  if (replace) {
    history.replaceState(null, "", hash);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = hash;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}
