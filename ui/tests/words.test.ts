import { expect, test } from "vitest";
import { firstLanguage, translate, wordFor, words } from "../src/i18n";

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();

test("every word exists in both languages with the same holes", () => {
  for (const [key, [en, ja]] of Object.entries(words)) {
    expect(en.trim(), key).not.toBe("");
    expect(ja.trim(), key).not.toBe("");
    expect(holes(ja), key).toEqual(holes(en));
  }
});

test("Japanese is Japanese and English is not", () => {
  const japanese = /[\u3040-\u30ff\u3400-\u9fff]/;
  const neutral = new Set(["error.other"]);
  for (const [key, [en, ja]] of Object.entries(words)) {
    expect(japanese.test(en), key).toBe(false);
    if (!neutral.has(key)) expect(japanese.test(ja), key).toBe(true);
  }
});

const sources = import.meta.glob<string>(["../src/**/*.{ts,tsx}", "!../src/i18n/**"], { query: "?raw", import: "default", eager: true });

test("no screen says anything in only one language", () => {
  const japanese = /[\u3041-\u309f\u30a1-\u30fa]/;
  expect(Object.keys(sources).length).toBeGreaterThan(30);
  for (const [path, text] of Object.entries(sources)) {
    const spoken = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "").replace(/日本語|たった今/g, "");
    expect(japanese.test(spoken), path).toBe(false);
  }
});

test("holes are filled and unknown ones stay visible", () => {
  expect(translate("en", "chat.recalled", { n: 3 })).toBe("recalled 3");
  expect(translate("ja", "chat.recalled", {})).toBe("{n} 件を思い出した");
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
  const groups = [...all.matchAll(/word\("(\w+)"/g), ...all.matchAll(/`([\w.]+)\.\$\{/g)].map((m) => `${m[1]}.`);
  const groupsOfFields = ["set."]; // settings' labels are made from the members' names
  const unused = Object.keys(words).filter((key) => !all.includes(`"${key}"`) && ![...groups, ...groupsOfFields].some((g) => key.startsWith(g)));
  expect(unused).toEqual([]);
});
