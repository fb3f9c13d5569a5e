/** Light, dark, or as the system says; kept in this browser. */
import { useEffect, useState } from "react";

export type Theme = "light" | "dark" | "auto";

export function storedTheme(): Theme {
  const value = localStorage.getItem("theme");
  return value === "light" || value === "dark" ? value : "auto";
}

export function applyTheme(theme: Theme): void {
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  useEffect(() => {
    applyTheme(theme);
    const media = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => applyTheme(theme);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [theme]);
  return [
    theme,
    (next) => {
      localStorage.setItem("theme", next);
      setTheme(next);
    },
  ];
}
