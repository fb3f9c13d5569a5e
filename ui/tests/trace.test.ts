import { expect, test } from "vitest";
import type { RecallAnswer } from "../src/api/types";
import { readTrace, traceOfRecall } from "../src/screens/why/trace";

test("a trace with everything", () => {
  const trace = readTrace({
    plan: { mode: "targeted_broad", queries: ["妹"], time_hint: { year_start: null }, empty: [] },
    candidates: {
      milliseconds: 12,
      routes: [
        { route: "words", status: "ok", hits: 3, ms: 1.5 },
        { route: "meaning", status: "late", hits: 0, ms: 2200, error: "not done after 2.2 s" },
      ],
      found: 9,
      seats: { several: 1 },
      seated: [{ ref: "e2", score: 0.9, routes: ["words"], seat: "several" }],
    },
    selected: [{ ref: "e2", reason: "said so" }],
    pack: { sections: { STABLE_FACTS: 30, OPEN_LOOPS: 12 }, dropped: { OPEN_LOOPS: 2 }, selected_by: "mind" },
  });
  expect(trace.mode).toBe("targeted_broad");
  expect(trace.plan).toEqual([["queries", "妹"]]);
  expect(trace.routes.map((r) => [r.route, r.hits, r.status])).toEqual([
    ["words", 3, "ok"],
    ["meaning", 0, "late"],
  ]);
  expect(trace.candidates[0]).toMatchObject({ ref: "e2", selected: true, routes: ["words"] });
  expect(trace.quotas).toEqual([{ name: "several", used: 1 }]);
  expect(trace.sections[1]).toMatchObject({ tokens: 12, dropped: 2 });
  expect(trace.tokens).toBe(42);
});

test("an empty or foreign trace is shown as empty, not as a crash", () => {
  for (const odd of [null, undefined, 3, "x", []]) {
    const trace = readTrace({ plan: odd, candidates: odd, selected: odd, pack: odd });
    expect(trace).toMatchObject({ mode: "", routes: [], selected: [], sections: [], tokens: 0 });
  }
});

test("a recall made now shows its items", () => {
  const answer = {
    mode: "associative_recent",
    items: [{ ref: "s1", kind: "fact", text: "likes tea", score: 0.4, reason: "r" }],
    memory_pack: "<<INTERNAL_CONTEXT>>",
    milliseconds: 4,
    explain: null,
  } as unknown as RecallAnswer;
  expect(traceOfRecall(answer)).toMatchObject({ ms: 4, selected: [{ ref: "s1", snippet: "likes tea" }] });
});
