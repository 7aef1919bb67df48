// A fair sample of many different things, in bounded room: those with the smallest hashes (as `Distinct` keeps, but with
// something known of each). Every different thing has the same chance to be in it, however often it came.
import { STRETCH_GAP } from "../result.ts";
import type { ByteReader, ByteWriter } from "./bytes.ts";
import type { Field } from "./schema.ts";
import type { Micros } from "../../../record/observation.ts";

export interface Sampled {
  /** 32 bits. */
  hash: number;
}

/** Where a hash stands in an ascending list, or would. */
export function placeOf(items: readonly Sampled[], hash: number): number {
  let low = 0;
  for (let high = items.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (items[middle]!.hash < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Takes an item in where it belongs to the `size` smallest; true where it did and was not there before. */
export function addSampled<T extends Sampled>(items: T[], item: T, size: number): boolean {
  if (items.length === size && item.hash >= items[size - 1]!.hash) return false;
  const at = placeOf(items, item.hash);
  if (items[at]?.hash === item.hash) return false;
  items.splice(at, 0, item);
  if (items.length > size) items.pop();
  return true;
}

/** How many different things there were: exact below `size`, then an estimate within about 1/sqrt(size). */
export function sampledCount(items: readonly Sampled[], size: number): number {
  const { length } = items;
  if (length < size) return length;
  return Math.max(length, Math.round((length - 1) / ((items[length - 1]!.hash + 1) / 2 ** 32)));
}

/** Writes a sample: each hash as what it adds to the one before, then what `rest` writes of the item. */
export function writeSampled<T extends Sampled>(
  out: ByteWriter,
  items: readonly T[],
  rest: (item: T) => void,
): void {
  out.varint(items.length);
  let before = 0;
  for (const item of items) {
    out.varint(item.hash - before);
    rest(item);
    before = item.hash;
  }
}

/** Reads what `writeSampled` wrote; `rest` reads what is known of the item of a hash. */
export function readSampled<T extends Sampled>(from: ByteReader, rest: (hash: number) => T): T[] {
  const items: T[] = [];
  let hash = 0;
  for (let left = from.varint(); left > 0; left--) {
    hash += from.varint();
    items.push(rest(hash));
  }
  return items;
}

/** A window of a day that begins with the first thing seen. */
export interface Day {
  /** The time of the first to arrive; null before there was one. */
  anchor: Micros | null;
  firstSeen: Micros;
  lastSeen: Micros;
  /** Things in a row that lay outside. */
  stale: number;
}

/**
 * So many in a row outside of the window mean that it is over, or that it was a wild clock that began it: the next
 * window begins.
 */
export const STALE_LIMIT = 8;

export function newDay(): Day {
  return { anchor: null, firstSeen: 0, lastSeen: 0, stale: 0 };
}

/** Whether a time lies in the window: within a day of its first. */
export function isInDay({ anchor }: Day, at: Micros): boolean {
  return anchor !== null && Math.abs(at - anchor) <= STRETCH_GAP;
}

/** Takes up a time that lies in the window. */
export function stayInDay(day: Day, at: Micros): void {
  day.firstSeen = Math.min(day.firstSeen, at);
  day.lastSeen = Math.max(day.lastSeen, at);
  day.stale = 0;
}

/** Takes up a time that does not; true where it begins a new window, before which all that was counted is forgotten. */
export function leaveDay(day: Day, at: Micros): boolean {
  if (day.anchor !== null && ++day.stale < STALE_LIMIT) return false;
  day.anchor = day.firstSeen = day.lastSeen = at;
  day.stale = 0;
  return true;
}

function writeDay(out: ByteWriter, { anchor, firstSeen, lastSeen, stale }: Day): void {
  out.float(anchor ?? NaN);
  if (anchor === null) return;
  out.varint(anchor - firstSeen);
  out.varint(lastSeen - anchor);
  out.varint(stale);
}

function readDay(from: ByteReader): Day {
  const anchor = from.float();
  if (Number.isNaN(anchor)) return newDay();
  return {
    anchor,
    firstSeen: anchor - from.varint(),
    lastSeen: anchor + from.varint(),
    stale: from.varint(),
  };
}

/** A window of a day whose things are counted, and told of when they are many. */
export interface CountedDay {
  day: Day;
  /** What the last judgement saw. */
  evaluatedCount: number;
  /** The score and the number of things that were told last. */
  reportedScore: number;
  reportedCount: number;
}

export function newCountedDay(): CountedDay {
  return { day: newDay(), evaluatedCount: 0, reportedScore: 0, reportedCount: 0 };
}

export function writeCountedDay(
  out: ByteWriter,
  { day, evaluatedCount, reportedScore, reportedCount }: CountedDay,
): void {
  writeDay(out, day);
  out.varint(evaluatedCount);
  out.varint(Math.round(reportedScore * 10));
  out.varint(reportedCount);
}

export function readCountedDay(from: ByteReader): CountedDay {
  return {
    day: readDay(from),
    evaluatedCount: from.varint(),
    reportedScore: from.varint() / 10,
    reportedCount: from.varint(),
  };
}

/** Up to `max` sampled items: each hash as its distance from the one before, then the item's other fields. */
export function sampled<T extends Sampled>(rest: Field<Omit<T, "hash">>, max: number): Field<T[]> {
  return {
    write: (out, items) => writeSampled(out, items, (item) => rest.write(out, item)),
    read: (from) => readSampled(from, (hash) => ({ hash, ...rest.read(from) }) as T),
    size: (items) => items.reduce((sum, item) => sum + 16 + rest.size(item), 16),
    maxBytes: 2 + max * (5 + rest.maxBytes),
  };
}

/** A window of a day and what was reported of it. */
export const countedDay: Field<CountedDay> = {
  write: writeCountedDay,
  read: readCountedDay,
  size: () => 120,
  maxBytes: 8 + 6 * 8,
};

/** A window of a day. */
export const day: Field<Day> = {
  write: writeDay,
  read: readDay,
  size: () => 80,
  maxBytes: 8 + 3 * 8,
};
