// Measures how regular a channel is. score.ts decides what the numbers are worth.
import type { ChannelState } from "./channel.ts";
import type { Beat } from "./beat-list.ts";
import type { Micros } from "../../../record/observation.ts";
import { clamp01, median, quantile, spread, trimmedMean, variation } from "../stats.ts";

const SECOND = 1_000_000;

/**
 * Sensors record one connection several times: exporters cut it into slices, and a flow table starts a new
 * record for a connection that was idle beyond its time-out (5 to 10 minutes). Both look like a perfect
 * beacon. A flow from the same originator port that starts this soon after the end of the previous one is the
 * same connection. For TCP the gap covers keep-alive probes, which most systems send after two hours. Clients
 * choose among more than 10,000 ports, so of 128 connections hardly one uses a port again by chance; a client
 * that binds one port on purpose is counted as one connection. UDP clients do keep their port, so there only
 * adjacent slices count.
 */
const CONTINUATION_GAP_SECONDS = { tcp: 3 * 3600, other: 10 } as const;
/** Quartiles closer than this share of the median are measurement noise, whatever their skew. */
const SKEW_NOISE = 0.3;
/** Connections closer than this share of the usual interval are one callback (parallel or retried). */
const BURST_SHARE = 0.15;
/** The longest intervals are pauses (a sleeping laptop); the usual interval excludes this share. */
const PAUSE_SHARE = 0.05;
/** An interval of this many periods is a pause, which is not active time. */
const PAUSE_PERIODS = 4;
/** MAD over median of the intervals of random (Poisson) arrivals: a regularity of 0. */
const RANDOM_DISPERSION = 0.69;
/**
 * A program that draws its sleep from a range never waits longer than the range, however wide: 98 % of the
 * intervals are within 1.9 medians at 90 % of jitter either way. Random arrivals pause now and then (5.6
 * medians), and people do much longer. So a bound is worth up to `most`, which is less than a rhythm, falling
 * to 0 at `none` medians. Below this number of callbacks random arrivals may keep within it by chance.
 */
const BOUND = { callbacks: 40, share: 0.98, none: 3.5, most: 0.6 } as const;
/** MAD over median of sizes at which the sizes are not regular at all. */
const MIXED_SIZES = 0.3;
/** Variation of callbacks per slice of time at which evenness is 0; random arrivals reach it. */
const UNEVEN_VARIATION = 0.5;
/** Callbacks in one slice; with fewer, counting noise hides the evenness. */
const SLICE_CALLBACKS = 5;
const MAX_SLICES = 24;
/** From this many consecutive hours on, the hourly counts of the day are considered as well. */
const MIN_RUN_HOURS = 5;

export interface Rhythm {
  /** Connections measured; slices of one connection count once. */
  connections: number;
  /** Callbacks; a burst of connections counts once. */
  beats: number;
  /** Median seconds between callbacks. */
  period: number;
  /** Median absolute deviation of that, seconds. */
  deviation: number;
  /** Median bytes sent per connection; null if too few connections have a count. */
  size: number | null;
  /** Shares from 0 to 1; null if unknown. */
  regularity: number;
  /** Seconds that hardly an interval exceeds, if the regularity rests on that; else null. */
  bound: number | null;
  sizeRegularity: number | null;
  evenness: number;
  /** Seconds of sustained activity, without pauses. */
  active: number;
  /** Longest run of hours with a connection, within the last day. */
  hoursInRow: number;
  /** Seconds: from the first to the last measured connection, the longest silence, the usual interval. */
  span: number;
  longestSilence: number;
  usualInterval: number;
}

/** Null for fewer than three callbacks. */
export function measure(state: ChannelState, proto: string): Rhythm | null {
  const connections = withoutContinuations(state.points.list(), proto);
  const raw = intervals(connections.map((beat) => beat.start));
  if (raw.length < 2) return null;
  const usualInterval = trimmedMean(raw, PAUSE_SHARE);
  const starts = callbacks(connections, usualInterval * BURST_SHARE);
  const waits = intervals(starts);
  if (waits.length < 2) return null;

  const time = spread(waits);
  const sizes = connections.flatMap((beat) => beat.bytesOut === null ? [] : [beat.bytesOut]);
  // A one-sided capture shows no bytes at all, which says nothing about sizes.
  const sized = sizes.length * 2 >= connections.length && median(sizes) > 0;
  const run = longestRun(state.hours);
  const pause = time.median * PAUSE_PERIODS;
  const regularity = likeness(waits, RANDOM_DISPERSION);
  const bound = quantile(waits, BOUND.share);
  const bounded = starts.length < BOUND.callbacks || time.median <= 0
    ? 0
    : Math.min(BOUND.most, 1 - (bound / time.median - 1) / (BOUND.none - 1));
  return {
    connections: connections.length,
    beats: starts.length,
    period: time.median,
    deviation: time.mad,
    size: sized ? median(sizes) : null,
    regularity: Math.max(regularity, bounded),
    bound: bounded > regularity ? bound : null,
    sizeRegularity: sized ? likeness(sizes, MIXED_SIZES) : null,
    evenness: evenness(waits, pause, time.median, run),
    active: Math.max(sum(waits.filter((wait) => wait <= pause)), (run.length - 2) * 3600),
    hoursInRow: run.length,
    span: sum(raw),
    longestSilence: Math.max(...raw),
    usualInterval,
  };
}

/** 1 if all values are equal, 0 from a MAD of `limit` medians on. A lopsided spread costs up to half. */
function likeness(values: readonly number[], limit: number): number {
  const { median: middle, mad, skew, iqr } = spread(values);
  if (middle <= 0) return mad === 0 ? 1 : 0;
  const lopsided = Math.abs(skew) * clamp01(iqr / middle / SKEW_NOISE);
  return clamp01(1 - mad / middle / limit) * (1 - lopsided / 2);
}

/** Whether a flow is another record of a connection that the channel already contains. */
export function isContinuation(
  { points }: ChannelState,
  { srcPort, start, end }: Pick<Beat, "srcPort" | "start" | "end">,
  proto: string,
): boolean {
  return srcPort !== null && points.hasAdjacent(srcPort, start, end, continuationGap(proto));
}

function continuationGap(proto: string): Micros {
  return (proto === "tcp" ? CONTINUATION_GAP_SECONDS.tcp : CONTINUATION_GAP_SECONDS.other) * SECOND;
}

function withoutContinuations(points: readonly Beat[], proto: string): Beat[] {
  const gap = continuationGap(proto);
  const ends = new Map<number, number>();
  return points.filter((point) => {
    if (point.srcPort === null) return true;
    const end = ends.get(point.srcPort);
    ends.set(point.srcPort, Math.max(end ?? point.end, point.end));
    return end === undefined || point.start - end > gap;
  });
}

function callbacks(connections: readonly Beat[], burstGap: number): number[] {
  const starts: number[] = [];
  let previous = -Infinity;
  for (const { start } of connections) {
    if (start - previous > burstGap * SECOND) starts.push(start);
    previous = start;
  }
  return starts;
}

/** Seconds between consecutive times of an ascending list in microseconds. */
function intervals(starts: readonly number[]): number[] {
  return starts.slice(1).map((start, index) => (start - (starts[index] as number)) / SECOND);
}

/** Counts of the longest run of hours with a connection; the newest of equally long runs. */
function longestRun(hours: readonly number[]): number[] {
  let best: number[] = [];
  let run: number[] = [];
  for (const count of hours) {
    run = count > 0 ? [...run, count] : [];
    if (run.length >= best.length) best = run;
  }
  return best;
}

/**
 * How evenly the callbacks are spread over slices of the active time and, in a run of several hours, over its
 * whole hours. Pauses are cut out (implants sleep when a laptop does), but cost up to half.
 */
function evenness(
  waits: readonly number[],
  longestWait: number,
  period: number,
  hours: readonly number[],
): number {
  const slices = Math.min(MAX_SLICES, Math.max(3, Math.floor((waits.length + 1) / SLICE_CALLBACKS)));
  const active = waits.map((wait) => wait > longestWait ? period : wait);
  const width = sum(active) / slices;
  const counts = new Array<number>(slices).fill(0);
  let at = 0;
  for (const wait of active) {
    const slice = Math.min(slices - 1, Math.floor(at / width));
    counts[slice] = (counts[slice] as number) + 1;
    at += wait;
  }
  const near = clamp01(1 - variation(counts) / UNEVEN_VARIATION) * (0.5 + 0.5 * sum(active) / sum(waits));
  if (hours.length < MIN_RUN_HOURS) return near;
  return (near + clamp01(1 - variation(hours.slice(1, -1)) / UNEVEN_VARIATION)) / 2;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
