/** Light, dark, or as the system says; kept in this browser. */
import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark" | "auto";
const DARK = "(prefers-color-scheme: dark)";
const listeners = new Set<() => void>();

export function storedTheme(): Theme {
  const value = localStorage.getItem("theme");
  return value === "light" || value === "dark" ? value : "auto";
}

export function applyTheme(): void {
  const theme = storedTheme();
  const dark = theme === "dark" || (theme === "auto" && matchMedia(DARK).matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  for (const listener of listeners) listener();
}

/** Called once at start: from then on the page follows the system, whichever screen is open. */
export function followSystem(): void {
  matchMedia(DARK).addEventListener("change", applyTheme);
  applyTheme();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, storedTheme);
  return [
    theme,
    (next) => {
      localStorage.setItem("theme", next);
      applyTheme();
    },
  ];
}

/** Which colours are on now; drawings are drawn anew when it changes. */
export function useShade(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? "light");
}
