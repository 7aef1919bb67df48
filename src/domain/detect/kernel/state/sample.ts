// A fair sample of distinct items in bounded space: those with the smallest hashes (as in `Distinct`, but
// with details of each item). Every distinct item has the same chance to be sampled, however often it occurs.
import { STRETCH_GAP } from "../result.ts";
import type { Field } from "./schema.ts";
import type { Micros } from "../../../record/observation.ts";

export interface Sampled {
  /** 32 bits. */
  hash: number;
}

/** The index of a hash in an ascending list, or where it would be inserted. */
export function placeOf(items: readonly Sampled[], hash: number): number {
  let low = 0;
  for (let high = items.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (items[middle]!.hash < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds an item if it is among the `size` smallest; returns whether it was added and is new. */
export function addSampled<T extends Sampled>(items: T[], item: T, size: number): boolean {
  if (items.length === size && item.hash >= items[size - 1]!.hash) return false;
  const at = placeOf(items, item.hash);
  if (items[at]?.hash === item.hash) return false;
  items.splice(at, 0, item);
  if (items.length > size) items.pop();
  return true;
}

/** Number of distinct items seen: exact below `size`, then an estimate within about 1/sqrt(size). */
export function sampledCount(items: readonly Sampled[], size: number): number {
  const { length } = items;
  if (length < size) return length;
  return Math.max(length, Math.round((length - 1) / ((items[length - 1]!.hash + 1) / 2 ** 32)));
}

/**
 * Up to `max` sampled items: each hash as its distance from the previous one, then the item's other fields.
 */
export function sampled<T extends Sampled>(rest: Field<Omit<T, "hash">>, max: number): Field<T[]> {
  return {
    write: (out, items) => {
      out.varint(items.length);
      let previous = 0;
      for (const item of items) {
        out.varint(item.hash - previous);
        rest.write(out, item);
        previous = item.hash;
      }
    },
    read: (from) => {
      const items: T[] = [];
      let hash = 0;
      for (let left = from.varint(); left > 0; left--) {
        hash += from.varint();
        items.push({ hash, ...rest.read(from) } as T);
      }
      return items;
    },
    size: (items) => items.reduce((sum, item) => sum + 16 + rest.size(item), 16),
    maxBytes: 2 + max * (5 + rest.maxBytes),
  };
}

/** A window of a day, starting with the first item to arrive. */
export interface Day {
  /** Time of the first item to arrive; null before there is one. */
  anchor: Micros | null;
  firstSeen: Micros;
  lastSeen: Micros;
  /** Consecutive items outside of the window. */
  stale: number;
}

/**
 * After this many consecutive items outside of the window, the next one begins: either the day is over, or a
 * wild clock began the current window.
 */
export const STALE_LIMIT = 8;

export function newDay(): Day {
  return { anchor: null, firstSeen: 0, lastSeen: 0, stale: 0 };
}

/** Whether a time is in the window: within a day of its first item. */
export function isInDay({ anchor }: Day, at: Micros): boolean {
  return anchor !== null && Math.abs(at - anchor) <= STRETCH_GAP;
}

/** Extends the window by a time in it. */
export function extendDay(day: Day, at: Micros): void {
  day.firstSeen = Math.min(day.firstSeen, at);
  day.lastSeen = Math.max(day.lastSeen, at);
  day.stale = 0;
}

/**
 * Counts a time outside of the window; returns whether it begins a new window, so that all counts restart.
 */
export function leaveDay(day: Day, at: Micros): boolean {
  if (day.anchor !== null && ++day.stale < STALE_LIMIT) return false;
  day.anchor = day.firstSeen = day.lastSeen = at;
  day.stale = 0;
  return true;
}

/** A window of a day. An empty one takes no more than its missing anchor. */
export const day: Field<Day> = {
  write: (out, { anchor, firstSeen, lastSeen, stale }) => {
    out.float(anchor ?? NaN);
    if (anchor === null) return;
    out.varint(anchor - firstSeen);
    out.varint(lastSeen - anchor);
    out.varint(stale);
  },
  read: (from) => {
    const anchor = from.float();
    if (Number.isNaN(anchor)) return newDay();
    return {
      anchor,
      firstSeen: anchor - from.varint(),
      lastSeen: anchor + from.varint(),
      stale: from.varint(),
    };
  },
  size: () => 80,
  maxBytes: 8 + 3 * 8,
};

/** A window of a day whose items are counted and reported when there are many. */
export interface CountedDay {
  day: Day;
  /** Number of items at the last evaluation. */
  evaluatedCount: number;
  /** Score and number of items at the last report. */
  reportedScore: number;
  reportedCount: number;
}

export function newCountedDay(): CountedDay {
  return { day: newDay(), evaluatedCount: 0, reportedScore: 0, reportedCount: 0 };
}

/** A window of a day and what was reported of it. */
export const countedDay: Field<CountedDay> = {
  write: (out, value) => {
    day.write(out, value.day);
    out.varint(value.evaluatedCount);
    out.varint(Math.round(value.reportedScore * 10));
    out.varint(value.reportedCount);
  },
  read: (from) => ({
    day: day.read(from),
    evaluatedCount: from.varint(),
    reportedScore: from.varint() / 10,
    reportedCount: from.varint(),
  }),
  size: () => 120,
  maxBytes: 8 + 6 * 8,
};
