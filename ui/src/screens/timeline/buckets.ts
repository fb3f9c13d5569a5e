/** Days and months of the timeline as spans of time. */

export interface BucketSpan {
  year: number;
  start: number;
  end: number;
}

/** "2026-01" or "2026-01-03" → local start (inclusive) and end (exclusive) in UTC seconds. */
export function bucketSpan(bucket: string): BucketSpan {
  const [year = 1970, month = 1, day] = bucket.split("-").map(Number);
  const start = new Date(year, month - 1, day ?? 1);
  const end = day === undefined ? new Date(year, month, 1) : new Date(year, month - 1, day + 1);
  return { year, start: start.getTime() / 1000, end: end.getTime() / 1000 };
}

export function byYear<T extends { bucket: string }>(buckets: readonly T[]): [string, T[]][] {
  const years = new Map<string, T[]>();
  for (const one of buckets) {
    const year = one.bucket.slice(0, 4);
    years.set(year, [...(years.get(year) ?? []), one]);
  }
  return [...years].sort(([a], [b]) => b.localeCompare(a)).map(([y, list]) => [y, list.sort((a, b) => b.bucket.localeCompare(a.bucket))]);
}
