import { expect, test } from "vitest";
import type { RecallAnswer } from "../src/api/types";
import { readTrace, traceOfRecall } from "../src/lib/trace";

test("a trace with everything", () => {
  const trace = readTrace({
    plan: { mode: "targeted_broad", queries: ["妹"], time_hint: { year_start: null }, empty: [] },
    candidates: {
      milliseconds: 12,
      routes: { words: { hits: 3, ms: 1.5 }, meaning: { hits: 0, ms: 2200, late: true } },
      fused: [{ ref: "e2", score: 0.9, routes: ["words"] }],
      quotas: { several: { seats: 4, used: 1 } },
    },
    selected: [{ ref: "e2", reason: "said so" }],
    pack: { sections: { STABLE_FACTS: 30, OPEN_LOOPS: 12 }, budget: 100 },
  });
  expect(trace.mode).toBe("targeted_broad");
  expect(trace.plan).toEqual([["queries", "妹"]]);
  expect(trace.routes.map((r) => [r.route, r.hits, r.status])).toEqual([
    ["words", 3, "ok"],
    ["meaning", 0, "late"],
  ]);
  expect(trace.candidates[0]).toMatchObject({ ref: "e2", selected: true, routes: ["words"] });
  expect(trace.quotas).toEqual([{ name: "several", seats: 4, used: 1 }]);
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
