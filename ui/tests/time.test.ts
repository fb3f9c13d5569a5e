import { expect, test } from "vitest";
import { bucketSpan, byYear } from "../src/screens/timeline/buckets";
import { lastDays, weeks } from "../src/screens/heart/days";
import { ago, dayKey, gap, duration, inputValue, localIso, millis } from "../src/lib/time";

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

test("days of a calendar count, not hours", () => {
  const at = (text: string) => new Date(text).getTime();
  const seen = at("2026-11-16T08:00:00");
  expect(ago(at("2026-11-14T22:00:00") / 1000, "ja", seen)).toBe("一昨日");
  expect(ago(at("2026-11-15T23:50:00") / 1000, "ja", at("2026-11-16T00:10:00"))).toBe("20 分前");
  expect(ago(at("2026-11-15T20:00:00") / 1000, "en", seen)).toBe("yesterday");
  expect(ago(at("2024-12-20T12:00:00") / 1000, "en", at("2026-01-10T12:00:00"))).toBe("2 years ago");
  expect(ago(at("2026-11-08T12:00:00") / 1000, "en", seen)).toBe("2 weeks ago");
});

test("an absence is told in fitting units", () => {
  const day = (n: number) => new Date(2026, 0, n, 12).getTime() / 1000;
  expect(gap(day(1), day(2), "ja")).toBeNull();
  expect(gap(day(1), day(4), "ja")).toBe("3日");
  expect(gap(day(1), day(22), "en")).toBe("3 weeks");
  expect(gap(day(1), day(1 + 90), "en")).toBe("3 months");
});

test("a day is its strongest moment; weeks begin on Monday", () => {
  const mood = { day: "2026-11-15", moments: 2, mean_v: 0, strongest: { v: 0.8, a: 0, d: 0 }, text: "x", event_id: 4, at: 1 };
  const days = lastDays([mood], 3, new Date(2026, 10, 16, 20));
  expect(days.map((d) => [d.key, d.mood?.event_id ?? null])).toEqual([["2026-11-14", null], ["2026-11-15", 4], ["2026-11-16", null]]);
  expect(weeks(days).map((column) => column.map((cell) => (cell ? 1 : 0)).join(""))).toEqual(["0000011", "1000000"]);
});
