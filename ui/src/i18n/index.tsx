/** Two languages, one table: every key carries its English and its Japanese, so none can be missing. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import type { Language } from "../lib/time";
import { chatWords } from "./chat";
import { memoryWords } from "./memory";
import { mindWords } from "./mind";
import { shellWords } from "./shell";
import { toolWords } from "./tools";

export type Pair = readonly [en: string, ja: string];

export const words = { ...shellWords, ...chatWords, ...memoryWords, ...mindWords, ...toolWords };
export type Key = keyof typeof words;

export function translate(language: Language, key: Key, values?: Record<string, string | number>): string {
  const text = words[key][language === "en" ? 0 : 1];
  if (!values) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A word for a value the server may invent later: the known translation or the raw value. */
export function wordFor(language: Language, group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in words ? translate(language, key as Key) : value.replaceAll("_", " ");
}

export function firstLanguage(stored: string | null, wanted: readonly string[]): Language {
  if (stored === "ja" || stored === "en") return stored;
  for (const tag of wanted) {
    if (tag.startsWith("ja")) return "ja";
    if (tag.startsWith("en")) return "en";
  }
  return "en";
}

export type T = (key: Key, values?: Record<string, string | number>) => string;

interface Speech {
  language: Language;
  setLanguage: (language: Language) => void;
  t: T;
  word: (group: string, value: string) => string;
}

const SpeechContext = createContext<Speech | null>(null);

export function SpeechProvider({ children }: { children: ReactNode }) {
  const [language, choose] = useState<Language>(() => firstLanguage(localStorage.getItem("language"), navigator.languages));
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const setLanguage = useCallback((next: Language) => {
    localStorage.setItem("language", next);
    choose(next);
  }, []);
  const speech = useMemo<Speech>(
    () => ({
      language,
      setLanguage,
      t: (key, values) => translate(language, key, values),
      word: (group, value) => wordFor(language, group, value),
    }),
    [language, setLanguage],
  );
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

export function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (!speech) throw new Error("SpeechProvider is missing");
  return speech;
}
