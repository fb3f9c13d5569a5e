import { expect, test } from "vitest";
import { firstLanguage, translate, wordFor } from "../src/i18n";
import type { components } from "../src/api/schema";
import { words } from "../src/i18n/words";

const holes = (text: string) => [...new Set([...text.matchAll(/\{(\w+)[}|]/g)].map((m) => m[1]))].sort();

test("every word exists in both languages with the same holes", () => {
  for (const [key, [en, ja]] of Object.entries(words)) {
    expect(en.trim(), key).not.toBe("");
    expect(ja.trim(), key).not.toBe("");
    expect(holes(ja), key).toEqual(holes(en));
  }
});

test("Japanese is Japanese and English is not", () => {
  const japanese = /[\u3040-\u30ff\u3400-\u9fff]/;
  const neutral = new Set(["heart.headline.v", "heart.strongest"]);
  for (const [key, [en, ja]] of Object.entries(words)) {
    expect(japanese.test(en), key).toBe(false);
    if (!neutral.has(key)) expect(japanese.test(ja), key).toBe(true);
  }
});

const sources = import.meta.glob<string>(["../src/**/*.{ts,tsx}", "!../src/i18n/**", "!../src/**/words.ts"], { query: "?raw", import: "default", eager: true });

test("no screen says anything in only one language", () => {
  const japanese = /[\u3041-\u309f\u30a1-\u30fa]/;
  expect(Object.keys(sources).length).toBeGreaterThan(30);
  for (const [path, text] of Object.entries(sources)) {
    const spoken = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "").replace(/日本語|たった今|週間|か月|整理/g, "");
    expect(japanese.test(spoken), path).toBe(false);
  }
});

test("holes are filled and unknown ones stay visible", () => {
  expect(translate("en", "talk.recalled", { n: 3 })).toBe("recalled 3");
  expect(translate("ja", "talk.recalled", {})).toBe("{n} 件を思い出した");
  expect(translate("en", "time.count", { n: 1 })).toBe("1 time");
  expect(translate("en", "time.count", { n: 2 })).toBe("2 times");
});

test("a value the server invents later is shown as it is", () => {
  expect(wordFor("ja", "kind", "fact")).toBe("事実");
  expect(wordFor("ja", "kind", "brand_new")).toBe("brand new");
});

test("the first language is the stored one, else the browser's, else English", () => {
  expect(firstLanguage("ja", ["en"])).toBe("ja");
  expect(firstLanguage(null, ["fr", "ja-JP", "en"])).toBe("ja");
  expect(firstLanguage("xx", ["fr"])).toBe("en");
});

test("no word is carried along unused", () => {
  const all = Object.values(sources).join("\n");
  const groups = [...all.matchAll(/word\("([\w.]+)"/g)].map((m) => `${m[1]}.`);
  // `set.${field}` and the like: only keys whose last part is written out somewhere count as used.
  const groupsOfCodes = ["talk.error.", "first.persona."]; // codes of the server, names of templates
  const made = [...all.matchAll(/`([\w.]+)\.\$\{/g)].map((m) => `${m[1]}.`);
  const written = (key: string, group: string) => new RegExp(`["'\`|]${key.slice(group.length).replaceAll(".", "\\.")}["'\`]|\\b${key.slice(group.length)}\\b`).test(all);
  const used = (key: string) => all.includes(`"${key}"`) || [...groups, ...groupsOfCodes].some((g) => key.startsWith(g)) || made.some((g) => key.startsWith(g) && written(key, g));
  expect(Object.keys(words).filter((key) => !used(key))).toEqual([]);
});

test("one word a thing: the words agreed on, no others", () => {
  const banned = [/会話/, /ターン/, /端末/, /\b(a|the|this|\{n\}) turns?\b/i, /こころに/, /仕事の列/];
  const allowed = new Set(["set.test.reply", "login.how", "set.max_turns_window"]);
  for (const [key, pair] of Object.entries(words)) {
    if (allowed.has(key)) continue;
    for (const text of pair) for (const one of banned) expect(one.test(text), `${key}: ${text}`).toBe(false);
  }
  for (const [key, [, ja]] of Object.entries(words)) expect(/[?!]/.test(ja.replace(/https?:\S+/g, "")), key).toBe(false);
});

const modules = import.meta.glob<string>("../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

/** The module and all that load with it; what is imported on demand is left out. */
function loadedWith(path: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const named = [...(modules[path] ?? "").matchAll(/^(?:import|export)\s(?!type\b)(?:[^;]*?from\s+)?"(\.[^"]+)"/gm)].map((m) => new URL(m[1]!, `file:///${path}`).pathname.replace(/^\//, "../"));
  for (const one of named) {
    const found = ["", ".ts", ".tsx", "/index.tsx"].map((end) => one + end).find((full) => full in modules);
    if (found) loadedWith(found, seen);
  }
  return seen;
}

const keysIn = (text: string) => [...text.matchAll(/^ {2}"([^"]+)": \[/gm)].map((m) => m[1]!);
const speaks = (path: string) => !/words\.ts$|i18n\/|settings\/presets\.ts$/.test(path); // presets name words that only Settings says

function unknownIn(paths: Set<string>): string[] {
  const known = new Set([...paths].filter((path) => /words\.ts$|shared\.ts$/.test(path)).flatMap((path) => keysIn(modules[path]!)));
  const text = [...paths].filter(speaks).map((path) => modules[path]).join("\n");
  const groups = [...text.matchAll(/word\("([\w.]+)"|`([\w.]+)\.\$\{/g)].map((m) => `${m[1] ?? m[2]}.`);
  const said = (key: string) => text.includes(`"${key}"`) || groups.some((group) => key.startsWith(group));
  return Object.keys(words).filter((key) => said(key) && !known.has(key));
}

test("every room brings the words it says, and the first load only its own", () => {
  const first = loadedWith("../src/main.tsx");
  expect([...first].filter((path) => path.endsWith("words.ts")).sort()).toEqual(["../src/screens/talk/words.ts", "../src/shell/words.ts"]);
  expect(unknownIn(first)).toEqual([]);
  const rooms = [...modules["../src/App.tsx"]!.matchAll(/import\("\.\/(screens\/[^"]+)"\)/g)].map((m) => `../src/${m[1]}.tsx`);
  expect(rooms.length).toBeGreaterThan(10);
  for (const room of rooms) expect(unknownIn(new Set([...first, ...loadedWith(room)])), room).toEqual([]);
});

test("every kind of work behind the talk has its words", () => {
  // Typed by the server's own list: a new kind fails the type check here.
  const kinds: Record<components["schemas"]["JobKind"], true> = { embed_event: true, embed_state: true, embed_affect: true, summarise_reply: true, generate_write_plan: true, apply_write_plan: true, link_states: true, separate_misrecall: true, tidy_memory: true, tell_mood: true, grow_summaries: true, confirm_reminders: true };
  expect(Object.keys(kinds).filter((kind) => !(`job.${kind}` in words))).toEqual([]);
});
