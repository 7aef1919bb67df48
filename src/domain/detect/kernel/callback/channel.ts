// The state of one channel (one device, one service of one peer), bounded whatever its traffic. Functions
// change it in place: there is a channel for each device, peer and port, and copying its lists per connection
// would dominate the cost.
import type { Micros } from "../../../record/observation.ts";
import { type Beat, BeatList } from "./beat-list.ts";
import { RefList } from "../state/ref-list.ts";

/** Newest connections kept for interval and size statistics. */
export const MAX_POINTS = 128;
/**
 * Newest connections of which the evidence ids are kept. No fewer than MAX_EVALUATION_STEP, so that each
 * evaluation names every connection since the previous one.
 */
export const MAX_REFS = 32;
/** Hourly counts cover this many hours, the newest included. */
export const WINDOW_HOURS = 24;
/** A channel is first evaluated at this many connections; fewer intervals do not show a rhythm. */
const MIN_CONNECTIONS = 12;
/** Between two evaluations the count grows by a half, at most by this. */
const MAX_EVALUATION_STEP = 32;
/**
 * A connection this far behind the newest one comes from another sensor, which delivers later. While such
 * connections arrive, gaps look like missed callbacks, so the channel is evaluated again at a tenth more.
 */
const LATE: Micros = 300_000_000;
const LATE_EVALUATION_SHARE = 10;
/**
 * This many consecutive connections that are too old for the window mean that the window is wrong (one record
 * of a wild clock moved it ahead), not that all of them are late: the channel restarts with them.
 */
export const STALE_LIMIT = 8;
/** Characters of a server name that are kept. */
export const MAX_NAME = 80;

const HOUR = 3_600_000_000;

/** One connection of a channel, as its flow shows it. */
export interface ChannelPoint {
  start: Micros;
  end: Micros;
  /** The originator's port: a connection exported in slices keeps it, a new one does not. */
  srcPort: number | null;
  bytesOut: number | null;
  /** No answer, a refusal, or no payload. */
  failed: boolean;
  /** Another record of a connection that is already counted. */
  counted?: boolean;
  evidenceId: string;
  flowId: string;
}

export interface ChannelState {
  /** Start of the first connection of this stretch of activity; a day of silence begins a new one. */
  firstSeen: Micros;
  /** Newest start. */
  lastSeen: Micros;
  /** Connections of this stretch. */
  count: number;
  lastEvaluatedCount: number;
  /** Failed connections of this stretch. */
  failed: number;
  /** The newest server name that a record states for the channel, and whether there were several. */
  name: string | null;
  severalNames: boolean;
  /** A TLS or HTTP record shows that the channel's address is contacted without a name. */
  knownNameless: boolean;
  /** Since when any device of the network has used the domain of one of the names. */
  nameSince: Micros;
  /** Connections arrived late since the last evaluation. */
  late: boolean;
  /** Consecutive connections before the window. */
  stale: number;
  /** Newest MAX_POINTS, by start. */
  points: BeatList;
  /** Newest MAX_REFS, by start. */
  refs: RefList;
  /** Connections started in each hour, from the first hour that has any to that of the newest start. */
  hours: number[];
  /** First hour of the window, since the Unix epoch. */
  baseHour: number;
}

export function emptyChannel(): ChannelState {
  return {
    firstSeen: 0,
    lastSeen: 0,
    count: 0,
    lastEvaluatedCount: 0,
    failed: 0,
    name: null,
    severalNames: false,
    knownNameless: false,
    nameSince: 0,
    late: false,
    stale: 0,
    points: new BeatList(),
    refs: new RefList(),
    hours: [],
    baseHour: 0,
  };
}

/**
 * Adds one connection, in arrival order, and returns the same state; starts may come in any order (Zeek logs
 * a connection when it ends). A connection that started before the window is ignored.
 */
export function addConnection(state: ChannelState, point: ChannelPoint): ChannelState {
  const hour = Math.floor(point.start / HOUR);
  if (state.count === 0) return begin(state, point, hour);
  if (hour < state.baseHour) {
    state.stale++;
    return state.stale < STALE_LIMIT ? state : begin(state, point, hour);
  }
  const newestHour = state.baseHour + WINDOW_HOURS - 1;
  if (hour >= newestHour + WINDOW_HOURS) return begin(state, point, hour);

  for (; state.baseHour + WINDOW_HOURS - 1 < hour; state.baseHour++) state.hours.push(0);
  dropOldHours(state.hours);
  if (!point.counted) {
    countHour(state.hours, state.baseHour + WINDOW_HOURS - 1 - hour);
    state.count++;
  }
  if (point.start < state.lastSeen - LATE) state.late = true;
  state.firstSeen = Math.min(state.firstSeen, point.start);
  state.lastSeen = Math.max(state.lastSeen, point.start);
  if (point.failed && !point.counted) state.failed++;
  state.stale = 0;
  const oldest = state.baseHour * HOUR;
  state.points.dropBefore(oldest);
  state.points.add(toBeat(point), MAX_POINTS);
  state.refs.dropBefore(oldest);
  state.refs.add(toRef(point), MAX_REFS);
  return state;
}

/**
 * Records a server name and since when its domain is known in the network; returns whether the state changed.
 * The name outlasts the current stretch.
 */
export function nameChannel(state: ChannelState, name: string, since: Micros): boolean {
  const text = name.slice(0, MAX_NAME);
  const another = state.name !== text && !state.severalNames;
  if (!another && since >= state.nameSince) return false;
  state.nameSince = state.name === null ? since : Math.min(state.nameSince, since);
  if (another) {
    state.severalNames = state.name !== null;
    state.name = text;
  }
  return true;
}

/** Whether the channel should be evaluated now: a function of the counts alone, so batches never matter. */
export function isDue(state: ChannelState): boolean {
  return state.count >= nextEvaluation(state);
}

export function markEvaluated(state: ChannelState): ChannelState {
  state.lastEvaluatedCount = state.count;
  state.late = false;
  return state;
}

function nextEvaluation({ lastEvaluatedCount: last, late }: ChannelState): number {
  if (last < MIN_CONNECTIONS) return MIN_CONNECTIONS;
  return last + Math.min(MAX_EVALUATION_STEP, Math.ceil(last / (late ? LATE_EVALUATION_SHARE : 2)));
}

function begin(state: ChannelState, point: ChannelPoint, hour: number): ChannelState {
  state.firstSeen = state.lastSeen = point.start;
  state.count = 1;
  state.lastEvaluatedCount = 0;
  state.failed = point.failed ? 1 : 0;
  state.late = false;
  state.stale = 0;
  state.points.clear();
  state.points.add(toBeat(point), MAX_POINTS);
  state.refs.clear();
  state.refs.add(toRef(point), MAX_REFS);
  state.hours = [1];
  state.baseHour = hour - WINDOW_HOURS + 1;
  return state;
}

/** Drops the hours before the window, and empty ones after them. */
function dropOldHours(hours: number[]): void {
  let gone = Math.max(0, hours.length - WINDOW_HOURS);
  while (hours[gone] === 0) gone++;
  hours.splice(0, gone);
}

/**
 * Counts a connection `before` hours before the newest. The list stays short: most channels are used in one
 * hour only.
 */
function countHour(hours: number[], before: number): void {
  while (hours.length <= before) hours.unshift(0);
  hours[hours.length - 1 - before]!++;
}

function toBeat({ start, end, srcPort, bytesOut }: ChannelPoint): Beat {
  const size = bytesOut === null ? null : Math.min(bytesOut, Number.MAX_SAFE_INTEGER - 1);
  return { start, end: Math.max(start, end), srcPort, bytesOut: size };
}

function toRef(point: ChannelPoint) {
  return { evidenceId: point.evidenceId, observedAt: point.start, flowId: point.flowId };
}
