/** A list of any length: only what is near the window exists; the next page is asked for before the end shows. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";

interface ListProps<T> {
  items: T[];
  label: string;
  idOf: (item: T) => number | string;
  row: (item: T) => ReactNode;
  more: (() => unknown) | null;
}

export function VirtualList<T>({ items, label, idOf, row, more }: ListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => 92,
    overscan: 8,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : idOf(item);
    },
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= items.length - 20) more();
  }, [last, items.length, more]);
  return (
    <div className="vlist" ref={box} role="list" aria-label={label} tabIndex={0}>
      <div className="vspace" style={{ height: rows.getTotalSize() }}>
        {shown.map((at) => {
          const item = items[at.index];
          return (
            <div
              key={at.key}
              role="listitem"
              ref={rows.measureElement}
              data-index={at.index}
              className="vrow"
              aria-setsize={items.length}
              aria-posinset={at.index + 1}
              style={{ transform: `translateY(${at.start}px)` }}
            >
              {item !== undefined && row(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
