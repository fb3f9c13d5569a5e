/** Two languages, one table: every key carries its English and its Japanese, so none can be missing. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import type { Language } from "../lib/time";
import { known } from "./known";
import type { words } from "./words";

export type Key = keyof typeof words;
export type Values = Record<string, string | number>;

const plurals = new Intl.PluralRules("en");

/** `{n}` is filled in; `{n|memory|memories}` is the word that fits the number. */
export function translate(language: Language, key: Key, values: Values = {}): string {
  const text = known[key]?.[language === "en" ? 0 : 1] ?? key;
  return text
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_all, name: string, one: string, many: string) => (plurals.select(Number(values[name])) === "one" ? one : many))
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A word for a value the server may invent later: the known translation or the raw value. */
export function wordFor(language: Language, group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in known ? translate(language, key as Key) : value.replaceAll("_", " ");
}

export function firstLanguage(stored: string | null, wanted: readonly string[]): Language {
  if (stored === "ja" || stored === "en") return stored;
  const known = wanted.map((tag) => tag.slice(0, 2)).find((tag) => tag === "ja" || tag === "en");
  return (known as Language | undefined) ?? "en";
}

export type T = (key: Key, values?: Values) => string;

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
