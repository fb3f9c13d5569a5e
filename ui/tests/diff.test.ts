import { expect, test } from "vitest";
import { changes, textDiff } from "../src/screens/memory/changes";

const rebuilt = (parts: ReturnType<typeof textDiff>, without: "gone" | "new") =>
  parts
    .filter((p) => p.kind !== without)
    .map((p) => p.text)
    .join("");

test("a text difference marks only what changed and loses nothing", () => {
  const before = "みかさんは川崎に住んでいる";
  const after = "みかさんは横浜に住んでいる";
  const parts = textDiff(before, after);
  expect(parts.filter((p) => p.kind !== "same")).toEqual([
    { text: "川崎", kind: "gone" },
    { text: "横浜", kind: "new" },
  ]);
  expect(rebuilt(parts, "new")).toBe(before);
  expect(rebuilt(parts, "gone")).toBe(after);
});

test("English differs by words, not by letters", () => {
  expect(textDiff("lives in Kawasaki", "lives in Yokohama now").filter((p) => p.kind === "gone")).toEqual([{ text: "Kawasaki", kind: "gone" }]);
});

test("very long texts are replaced as a whole", () => {
  const parts = textDiff("あ".repeat(600), "い".repeat(600));
  expect(parts.map((p) => p.kind)).toEqual(["gone", "new"]);
});

test("members that changed, with JSON columns looked into and bookkeeping left out", () => {
  const before = { body_text: "a", payload_json: '{"due_ts":1,"x":2}', updated_at: 1, body_key: "a", pin: 0 };
  const after = { body_text: "b", payload_json: '{"due_ts":5,"x":2}', updated_at: 9, body_key: "b", pin: 0 };
  expect(changes(before, after)).toEqual([
    { field: "body_text", before: "a", after: "b" },
    { field: "payload.due_ts", before: 1, after: 5 },
  ]);
});

test("nothing, an empty list and an empty text are the same nothing", () => {
  expect(changes({ a: null, b: "", c: [] }, { a: "", b: null })).toEqual([]);
  expect(changes(null, { body_text: "x" })).toEqual([{ field: "body_text", before: null, after: "x" }]);
});
