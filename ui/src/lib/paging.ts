/** Cursor paging: pages glued into one list without repeats, whatever arrives meanwhile. */
import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Query } from "../api/client";
import type { Page } from "../api/types";

export function glue<T>(pages: readonly Page<T>[] | undefined, idOf: (item: T) => number | string): T[] {
  const seen = new Set<number | string>();
  const all: T[] = [];
  for (const page of pages ?? []) {
    for (const item of page.items) {
      const id = idOf(item);
      if (seen.has(id)) continue;
      seen.add(id);
      all.push(item);
    }
  }
  return all;
}

export type Cursor = number | string;

/** The cursor of the next page; undefined when the end is reached or the server repeats itself. */
export function nextCursor<T>(last: Page<T>, _all: unknown, lastParam: Cursor | null): Cursor | undefined {
  if (!last.next_cursor || last.next_cursor === lastParam || last.items.length === 0) return undefined;
  return last.next_cursor;
}

interface Paging {
  enabled?: boolean;
  /** Where to begin instead of at the newest. */
  start?: Cursor | null;
}

export function usePaged<T>(path: string, query: Query, idOf: (item: T) => number | string, { enabled = true, start = null }: Paging = {}) {
  const result = useInfiniteQuery<Page<T>, Error, InfiniteData<Page<T>>, readonly unknown[], Cursor | null>({
    queryKey: [path, query, start],
    queryFn: ({ pageParam, signal }) => api.get<Page<T>>(path, { limit: 60, ...query, cursor: pageParam }, signal),
    initialPageParam: start,
    getNextPageParam: nextCursor,
    enabled,
  });
  const items = useMemo(() => glue(result.data?.pages, idOf), [result.data, idOf]);
  return { ...result, items, total: result.data?.pages[0]?.total ?? null };
}
