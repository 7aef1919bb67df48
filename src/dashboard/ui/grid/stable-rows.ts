import { useRef, useState } from "react";

/** What waits until the reader asks for it. */
export interface Waiting {
  /** Rows that came in above the end of the list. */
  added: number;
  /** Shown rows that belong further up by now. */
  moved: number;
}

/** The shown order of a list that changes under its reader. */
interface StableOrder extends Waiting {
  ids: readonly string[];
}

/**
 * Keeps the order that is on screen: rows that left the list go, rows after the last one are appended, everything
 * else waits. `shown` null starts with the fresh order. If no shown row is left, the list starts afresh; one that
 * only grows `holds` them, because they are merely beyond the loaded rows by now.
 */
export function stableOrder(
  shown: readonly string[] | null,
  fresh: readonly string[],
  holds = false,
): StableOrder {
  const position = new Map(fresh.map((id, index) => [id, index]));
  const kept = shown?.filter((id) => position.has(id)) ?? [];
  if (kept.length === 0) {
    const held = holds && fresh.length > 0 ? shown ?? [] : [];
    return held.length > 0
      ? { ids: held, added: fresh.length, moved: 0 }
      : { ids: fresh, added: 0, moved: 0 };
  }
  const known = new Set(kept);
  let last = -1;
  let moved = 0;
  for (const id of kept) {
    const at = position.get(id)!;
    if (at < last) moved++;
    last = Math.max(last, at);
  }
  const added = fresh.slice(0, last).filter((id) => !known.has(id)).length;
  return { ids: [...kept, ...fresh.slice(last + 1)], added, moved };
}

export interface StableRows<T> {
  rows: T[];
  waiting: Waiting;
  /** Shows them in the list's own order. */
  showAll: () => void;
}

/**
 * Rows in a stable order; `question` names what is listed: another question starts afresh. See `stableOrder` for
 * `holds`.
 */
export function useStableRows<T>(
  question: string,
  fresh: T[],
  idOf: (row: T) => string,
  holds = false,
): StableRows<T> {
  const shown = useRef<{ question: string; rows: readonly T[] } | null>(null);
  const [, again] = useState(0);
  const before = shown.current?.question === question ? shown.current.rows : null;
  const { ids, added, moved } = stableOrder(before?.map(idOf) ?? null, fresh.map(idOf), holds);
  const byId = new Map([...before ?? [], ...fresh].map((row) => [idOf(row), row]));
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  shown.current = { question, rows };
  return {
    rows,
    waiting: { added, moved },
    showAll: () => {
      shown.current = null;
      again((count) => count + 1);
    },
  };
}
