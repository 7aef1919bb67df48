/** A stored unit that can be dropped as a whole, such as a day's partition. */
interface Droppable {
  /** It contains only data from before this time, microseconds. */
  until: number;
  bytes: number;
}

export interface Stored {
  /** Total bytes, including the droppable ones. */
  total: number;
  /** Bytes that are not droppable, now or later. */
  fixed: number;
  droppable: readonly Droppable[];
}

interface SpacePlan {
  /** Drop everything with `until` at or before this; null: drop nothing. */
  before: number | null;
  /** Whether the limit is met afterwards. */
  enough: boolean;
}

/** Drop down to this share of the limit, so that the next round need not drop again immediately. */
const TARGET = 0.95;
/** If the limit cannot be met anyway, drop nothing that frees less than this share of the excess. */
const WORTHWHILE = 0.01;

/**
 * Plans what to drop so that at most `limit` bytes remain: oldest first, and no more than needed. If dropping
 * everything is not enough, everything goes, except when the fixed part alone exceeds the limit: evidence
 * would be lost for nothing.
 */
export function planSpace({ total, fixed, droppable }: Stored, limit: number): SpacePlan {
  if (total <= limit) return { before: null, enough: true };
  if (fixed > limit * TARGET) return { before: null, enough: false };
  const oldestFirst = [...droppable].sort((a, b) => a.until - b.until);
  let left = total;
  for (const [index, { until, bytes }] of oldestFirst.entries()) {
    left -= bytes;
    // Units with the same end are dropped together.
    if (left <= limit * TARGET && oldestFirst[index + 1]?.until !== until) {
      return { before: until, enough: true };
    }
  }
  const enough = left <= limit;
  const worthwhile = enough || total - left > (total - limit) * WORTHWHILE;
  return { before: worthwhile ? oldestFirst.at(-1)?.until ?? null : null, enough };
}
