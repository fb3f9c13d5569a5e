/** Cursor paging: pages glued into one list without repeats, whatever arrives meanwhile. */
import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";

export interface Page<T> {
  items: T[];
  next_cursor?: number | null;
}

export function glue<T>(pages: readonly Page<T>[] | undefined, idOf: (item: T) => number | string): T[] {
  const seen = new Set<number | string>();
  const all: T[] = [];
  for (const item of (pages ?? []).flatMap((page) => page.items)) {
    const id = idOf(item);
    if (!seen.has(id)) all.push(item);
    seen.add(id);
  }
  return all;
}

/** The cursor of the next page; undefined when the end is reached or the server repeats itself. */
export function nextCursor<T>(last: Page<T>, _all: unknown, lastParam: number | null): number | undefined {
  if (!last.next_cursor || last.next_cursor === lastParam || last.items.length === 0) return undefined;
  return last.next_cursor;
}

interface Paged<T> {
  key: readonly unknown[];
  ask: (cursor: number | undefined, signal: AbortSignal) => Promise<Page<T>>;
  idOf: (item: T) => number | string;
  /** Where to begin instead of at the newest. */
  start?: number | null;
  enabled?: boolean;
}

export function usePaged<T>({ key, ask, idOf, start = null, enabled = true }: Paged<T>) {
  const result = useInfiniteQuery<Page<T>, Error, InfiniteData<Page<T>>, readonly unknown[], number | null>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask(pageParam ?? undefined, signal),
    initialPageParam: start,
    getNextPageParam: nextCursor,
    enabled,
    // Many pages may be loaded: what changes them is told, not guessed from a glance at the window.
    refetchOnWindowFocus: false,
  });
  const items = useMemo(() => glue(result.data?.pages, idOf), [result.data, idOf]);
  const more = result.hasNextPage && !result.isFetchingNextPage ? result.fetchNextPage : null;
  return { ...result, items, more };
}
