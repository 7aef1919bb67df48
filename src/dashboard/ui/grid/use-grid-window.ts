/// <reference lib="dom" />
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import type { GridPlace } from "./grid-memory.ts";
import { usePrinting } from "../printing.ts";
import type { ListState } from "./list-state.ts";

/** Rows rendered beyond both ends of the visible part. */
const OVERSCAN = 6;
/** Rows of a list on paper, about 30 pages. */
export const MOST_PRINTED = 1000;
/** The next page is read when so few loaded rows are left below. */
const LOAD_AHEAD = 20;

interface WindowOptions {
  ids: readonly string[];
  rowHeight: number;
  /** The current row stays in the document, however far it is scrolled away: it may have the focus. */
  current: number;
  memory: GridPlace | undefined;
  /** How the rows are sorted. */
  order: string | undefined;
}

/** The part of a grid that is rendered. */
export function useGridWindow({ ids, rowHeight, current, memory, order }: WindowOptions) {
  const scroller = useRef<HTMLDivElement>(null);
  const printing = usePrinting();
  const head = useRef<HTMLDivElement>(null);
  const [headHeight, setHeadHeight] = useState(0);
  useLayoutEffect(() => {
    const box = head.current!;
    const measure = () => setHeadHeight(box.offsetHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useVirtualizer({
    count: ids.length,
    scrollMargin: headHeight,
    // The header covers the start of the visible part.
    scrollPaddingStart: headHeight,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => memory?.opened.get(ids[index] ?? "") ?? rowHeight,
    getItemKey: (index) => ids[index] ?? index,
    overscan: OVERSCAN,
    initialOffset: memory?.offset ?? 0,
    rangeExtractor: (range) => {
      if (printing) return Array.from({ length: Math.min(range.count, MOST_PRINTED) }, (_, row) => row);
      const visible = defaultRangeExtractor(range);
      const kept = [current].filter((row) => row >= 0 && row < range.count && !visible.includes(row));
      return [...visible, ...kept].sort((a, b) => a - b);
    },
  });
  // A new sort order starts at the first row.
  const shownOrder = useRef(order);
  useLayoutEffect(() => {
    if (shownOrder.current !== order) scroller.current?.scrollTo({ top: 0 });
    shownOrder.current = order;
  }, [order]);
  // Rows that have been measured stay where they are until their height changes.
  const measuredFor = useRef(rowHeight);
  useEffect(() => {
    if (measuredFor.current !== rowHeight) virtualizer.measure();
    measuredFor.current = rowHeight;
  }, [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  const lastVisible = virtualizer.range?.endIndex ?? 0;
  return { scroller, head, headHeight, virtualizer, items, lastVisible, printing };
}

/** Reads the next page of a list before the last visible row is its last one. */
export function useLoadAhead(list: ListState | undefined, lastVisible: number, count: number): void {
  const { hasMore = false, loading = false, error = null } = list ?? {};
  const loadMore = useEffectEvent(() => list?.loadMore());
  const failed = error !== null;
  useEffect(() => {
    if (hasMore && !loading && !failed && lastVisible >= count - LOAD_AHEAD) loadMore();
  }, [hasMore, loading, failed, lastVisible, count]);
}
