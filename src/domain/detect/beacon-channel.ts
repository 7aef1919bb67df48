// What is remembered of one channel: bounded, whatever its traffic. All functions return a new state.
import type { Micros } from "../records/observation.ts";
import type { EvidenceRef } from "./result.ts";

/** Newest connections kept for interval and size statistics. */
export const MAX_POINTS = 128;
/**
 * Newest connections of which the evidence ids are kept. No fewer than MAX_EVALUATION_STEP, so that each
 * evaluation names every connection since the one before.
 */
export const MAX_REFS = 32;
/** Hourly counts cover this many hours, the newest included; what is older is forgotten. */
export const WINDOW_HOURS = 24;
/** A channel is first judged at this many connections. Fewer intervals say nothing about a rhythm. */
export const MIN_CONNECTIONS = 12;
/** Between two judgements the count grows by a half, at most by this. */
export const MAX_EVALUATION_STEP = 32;
/**
 * This many connections in a row that are too old for the window mean that the window is wrong (one record
 * of a wild clock moved it ahead), not that they are all late: the channel starts anew with them.
 */
export const STALE_LIMIT = 8;

const HOUR = 3_600_000_000;

/** One connection of a channel, as the flow tells it. */
export interface ChannelPoint {
  start: Micros;
  end: Micros;
  /** The originator's port: a connection exported in slices keeps it, a new one does not. */
  srcPort: number | null;
  bytesOut: number | null;
  evidenceId: string;
  flowId: string;
}

export interface Beat {
  start: Micros;
  end: Micros;
  srcPort: number | null;
  bytesOut: number | null;
}

export interface ChannelState {
  /** Start of the first connection of this stretch of activity; a day of silence begins a new one. */
  firstSeen: Micros;
  /** Newest start. */
  lastSeen: Micros;
  /** Connections of this stretch. */
  count: number;
  lastEvaluatedCount: number;
  /** Connections in a row that lay before the window. */
  stale: number;
  /** Newest MAX_POINTS, by start. */
  points: readonly Beat[];
  /** Newest MAX_REFS, by start. */
  refs: readonly EvidenceRef[];
  /** Connections started in each hour; index 0 is `baseHour`, the last holds the newest start. */
  hours: readonly number[];
  /** Hours since the Unix epoch of `hours[0]`. */
  baseHour: number;
}

export function emptyChannel(): ChannelState {
  return {
    firstSeen: 0,
    lastSeen: 0,
    count: 0,
    lastEvaluatedCount: 0,
    stale: 0,
    points: [],
    refs: [],
    hours: new Array<number>(WINDOW_HOURS).fill(0),
    baseHour: 0,
  };
}

/**
 * Adds one connection, in arrival order; starts may come in any order (Zeek logs a connection when it ends).
 * One that started before the window is left out.
 */
export function addConnection(state: ChannelState, point: ChannelPoint): ChannelState {
  const hour = Math.floor(point.start / HOUR);
  if (state.count === 0) return begin(point, hour);
  if (hour < state.baseHour) {
    const stale = state.stale + 1;
    return stale < STALE_LIMIT ? { ...state, stale } : begin(point, hour);
  }
  const newestHour = state.baseHour + WINDOW_HOURS - 1;
  if (hour >= newestHour + WINDOW_HOURS) return begin(point, hour);

  const shift = Math.max(0, hour - newestHour);
  const baseHour = state.baseHour + shift;
  const hours = shift === 0 ? [...state.hours] : [...state.hours.slice(shift), ...new Array(shift).fill(0)];
  hours[hour - baseHour] = (hours[hour - baseHour] ?? 0) + 1;

  const oldest = baseHour * HOUR;
  const beat = toBeat(point);
  const ref = toRef(point);
  return {
    firstSeen: Math.min(state.firstSeen, point.start),
    lastSeen: Math.max(state.lastSeen, point.start),
    count: state.count + 1,
    lastEvaluatedCount: state.lastEvaluatedCount,
    stale: 0,
    points: insert(dropBefore(state.points, oldest, beatStart), beat, compareBeats, MAX_POINTS),
    refs: insert(dropBefore(state.refs, oldest, refStart), ref, compareRefs, MAX_REFS),
    hours,
    baseHour,
  };
}

/** Whether the channel should be judged now: a function of the counts alone, so batches never matter. */
export function isDue(state: ChannelState): boolean {
  return state.count >= nextEvaluation(state.lastEvaluatedCount);
}

/** The state after a judgement, whatever came of it. */
export function markEvaluated(state: ChannelState): ChannelState {
  return { ...state, lastEvaluatedCount: state.count };
}

function nextEvaluation(last: number): number {
  if (last < MIN_CONNECTIONS) return MIN_CONNECTIONS;
  return last + Math.min(MAX_EVALUATION_STEP, Math.ceil(last / 2));
}

function begin(point: ChannelPoint, hour: number): ChannelState {
  const hours = new Array<number>(WINDOW_HOURS).fill(0);
  hours[WINDOW_HOURS - 1] = 1;
  return {
    firstSeen: point.start,
    lastSeen: point.start,
    count: 1,
    lastEvaluatedCount: 0,
    stale: 0,
    points: [toBeat(point)],
    refs: [toRef(point)],
    hours,
    baseHour: hour - WINDOW_HOURS + 1,
  };
}

function toBeat({ start, end, srcPort, bytesOut }: ChannelPoint): Beat {
  const size = bytesOut === null ? null : Math.min(bytesOut, Number.MAX_SAFE_INTEGER - 1);
  return { start, end: Math.max(start, end), srcPort, bytesOut: size };
}

function toRef(point: ChannelPoint): EvidenceRef {
  return { evidenceId: point.evidenceId, observedAt: point.start, flowId: point.flowId };
}

const beatStart = (beat: Beat) => beat.start;
const refStart = (ref: EvidenceRef) => ref.observedAt;

/** A total order by value, so that equal starts end up the same in whatever order they arrive. */
function compareBeats(a: Beat, b: Beat): number {
  return a.start - b.start || a.end - b.end || (a.srcPort ?? -1) - (b.srcPort ?? -1) ||
    (a.bytesOut ?? -1) - (b.bytesOut ?? -1);
}

function compareRefs(a: EvidenceRef, b: EvidenceRef): number {
  return a.observedAt - b.observedAt || (a.evidenceId < b.evidenceId ? -1 : 1);
}

function dropBefore<T>(items: readonly T[], oldest: Micros, start: (item: T) => Micros): readonly T[] {
  const first = items[0];
  if (first === undefined || start(first) >= oldest) return items;
  return items.filter((item) => start(item) >= oldest);
}

/** Inserts into an ascending list and keeps the newest `limit`; searches from the end, where most belong. */
function insert<T>(
  items: readonly T[],
  item: T,
  compare: (a: T, b: T) => number,
  limit: number,
): readonly T[] {
  let at = items.length;
  while (at > 0 && compare(items[at - 1] as T, item) > 0) at--;
  const full = items.length >= limit;
  if (full && at === 0) return items;
  const kept = items.slice(full ? 1 : 0);
  kept.splice(full ? at - 1 : at, 0, item);
  return kept;
}
