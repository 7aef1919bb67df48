/** Something stored that can go as a whole, such as a day's partition. */
interface Droppable {
  /** It holds nothing that is from this instant (microseconds) or later. */
  until: number;
  bytes: number;
}

export interface Stored {
  /** Bytes of everything, the droppable included. */
  total: number;
  /** Bytes that neither are droppable now nor will be with time. */
  fixed: number;
  droppable: readonly Droppable[];
}

interface SpacePlan {
  /** Everything droppable with `until` at or before this goes; null: nothing does. */
  before: number | null;
  /** Whether the limit is kept then. */
  enough: boolean;
}

/** Once something has to go, so much does that the next round need not begin at once. */
const TARGET = 0.95;
/** What would take away less than this part of the excess is not worth dropping where that is not enough anyway. */
const WORTHWHILE = 0.01;

/**
 * What has to go so that no more than `limit` bytes are stored: oldest first, and no more than it takes. Where all of
 * it is not enough, everything droppable goes; but where what is fixed alone is too much, nothing does: evidence
 * would be lost for nothing.
 */
export function planSpace({ total, fixed, droppable }: Stored, limit: number): SpacePlan {
  if (total <= limit) return { before: null, enough: true };
  if (fixed > limit * TARGET) return { before: null, enough: false };
  const oldestFirst = [...droppable].sort((a, b) => a.until - b.until);
  let left = total;
  for (const [index, { until, bytes }] of oldestFirst.entries()) {
    left -= bytes;
    // What ends together goes together.
    if (left <= limit * TARGET && oldestFirst[index + 1]?.until !== until) {
      return { before: until, enough: true };
    }
  }
  const enough = left <= limit;
  const worthwhile = enough || total - left > (total - limit) * WORTHWHILE;
  return { before: worthwhile ? oldestFirst.at(-1)?.until ?? null : null, enough };
}
