import { expect, test } from "vitest";
import { bucketSpan, byYear } from "../src/lib/buckets";
import { dailyValence } from "../src/lib/days";
import { ago, dayKey, duration, inputValue, localIso, millis } from "../src/lib/time";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const before = (seconds: number) => NOW / 1000 - seconds;

test("elapsed time in both languages", () => {
  expect(ago(before(10), "en", NOW)).toBe("just now");
  expect(ago(before(10), "ja", NOW)).toBe("たった今");
  expect(ago(before(180), "en", NOW)).toBe("3 minutes ago");
  expect(ago(before(180), "ja", NOW)).toBe("3 分前");
  expect(ago(before(86_400), "en", NOW)).toBe("yesterday");
  expect(ago(before(86_400), "ja", NOW)).toBe("昨日");
  expect(ago(before(-7200), "en", NOW)).toBe("in 2 hours");
  expect(ago(before(400 * 86_400), "en", NOW)).toBe("last year");
});

test("stamps are seconds or ISO; nonsense is nothing", () => {
  expect(millis(5)).toBe(5000);
  expect(millis("1970-01-01T00:00:05+00:00")).toBe(5000);
  expect(millis("soon")).toBeNull();
  expect(millis(null)).toBeNull();
  expect(ago(undefined, "en")).toBe("");
});

test("a reminder's local time carries its offset and means the same moment", () => {
  const iso = localIso("2026-01-03T09:30");
  expect(iso).toMatch(/^2026-01-03T09:30:00[+-]\d\d:\d\d$/);
  expect(Date.parse(iso)).toBe(new Date(2026, 0, 3, 9, 30).getTime());
  expect(inputValue(iso)).toBe("2026-01-03T09:30");
});

test("durations read well", () => {
  expect([duration(0.2), duration(12.4), duration(1500), duration(61_000)]).toEqual(["<1 ms", "12 ms", "1.5 s", "1 min 1 s"]);
});

test("buckets span local days and months", () => {
  const month = bucketSpan("2026-02");
  expect((month.end - month.start) / 86_400).toBe(28);
  expect(dayKey(bucketSpan("2026-12-31").end)).toBe("2027-01-01");
  expect(byYear([{ bucket: "2025-08" }, { bucket: "2026-01" }, { bucket: "2026-03" }])).toEqual([
    ["2026", [{ bucket: "2026-03" }, { bucket: "2026-01" }]],
    ["2025", [{ bucket: "2025-08" }]],
  ]);
});

test("a day's feeling is the mean weighted by certainty", () => {
  const at = new Date(2026, 10, 15, 9).getTime() / 1000;
  const vad = (v: number) => ({ v, a: 0, d: 0 });
  const days = dailyValence(
    [
      { created_at: at, vad: vad(1), confidence: 0.9 },
      { created_at: at + 60, vad: vad(-1), confidence: 0.3 },
    ],
    3,
    new Date(2026, 10, 15, 20),
  );
  expect(days.map((d) => d.key)).toEqual(["2026-11-13", "2026-11-14", "2026-11-15"]);
  expect(days[0]?.valence).toBeNull();
  expect(days[2]?.valence).toBeCloseTo(0.5);
});
