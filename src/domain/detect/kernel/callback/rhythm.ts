// Measures how regular a channel is. Numbers only; what they are worth is decided in beacon.ts.
import type { ChannelState } from "./channel.ts";
import type { Beat } from "./beat-list.ts";
import { clamp01, median, spread, trimmedMean, variation } from "../stats.ts";

const SECOND = 1_000_000;

/**
 * A flow exporter cuts one long connection into slices, which look like a perfect beacon. A flow from the
 * same originator port that starts this soon after the one before is the same connection. TCP does not
 * reuse a port within its closing wait; UDP may, so there only adjacent slices count.
 */
const CONTINUATION_GAP_SECONDS = { tcp: 120, other: 10 } as const;
/** Quartiles closer than this share of the median are measuring noise, whatever their skew. */
const SKEW_NOISE = 0.3;
/** Connections closer than this share of the usual interval are one callback (parallel or repeated tries). */
const BURST_SHARE = 0.15;
/** The longest intervals are pauses (a laptop asleep); this share is left out of the usual interval. */
const PAUSE_SHARE = 0.05;
/** An interval of so many periods is a pause; the time in it is not active time. */
const PAUSE_PERIODS = 4;
/** MAD over median of waiting times when arrivals are random (Poisson); it is the zero of regularity. */
const RANDOM_DISPERSION = 0.69;
/** MAD over median of sizes at which requests no longer look alike. */
const MIXED_SIZES = 0.3;
/** Variation of callbacks per slice of time at which they are no longer even; random arrivals reach it. */
const UNEVEN_VARIATION = 0.5;
/** Callbacks in one slice; with fewer, counting noise hides evenness. */
const SLICE_CALLBACKS = 5;
const MAX_SLICES = 24;
/** So many hours in a row make the hourly counts of the day tell more than the newest connections. */
const MIN_DAY_HOURS = 5;

export interface Rhythm {
  /** Connections measured, slices of one connection counted once. */
  connections: number;
  /** Callbacks: bursts of connections counted once. */
  beats: number;
  /** Median seconds between callbacks. */
  period: number;
  /** Median absolute deviation of that, seconds. */
  deviation: number;
  /** Usual bytes out of one connection; `null` where too few say. */
  size: number | null;
  /** Shares 0 to 1. `null` where the records do not say. */
  regularity: number;
  sizeRegularity: number | null;
  evenness: number;
  /** Seconds of sustained activity, pauses left out. */
  active: number;
  /** Most hours in a row with a connection, within the last day. */
  hoursInRow: number;
  /** Seconds from the first to the last measured connection, their longest silence, their usual interval. */
  span: number;
  longestSilence: number;
  usualInterval: number;
}

/** `null` where there are fewer than three callbacks. */
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
  // Nothing sent at all is what a one-sided capture shows: no statement about sizes.
  const sized = sizes.length * 2 >= connections.length && median(sizes) > 0;
  const day = longestRun(state.hours);
  const pause = time.median * PAUSE_PERIODS;
  return {
    connections: connections.length,
    beats: starts.length,
    period: time.median,
    deviation: time.mad,
    size: sized ? median(sizes) : null,
    regularity: likeness(waits, RANDOM_DISPERSION),
    sizeRegularity: sized ? likeness(sizes, MIXED_SIZES) : null,
    evenness: evenness(waits, pause, time.median, day),
    active: Math.max(sum(waits.filter((wait) => wait <= pause)), (day.length - 2) * 3600),
    hoursInRow: day.length,
    span: sum(raw),
    longestSilence: Math.max(...raw),
    usualInterval,
  };
}

/** 1 where all values are the same, 0 from a MAD of `limit` medians on. A lopsided spread costs up to half. */
function likeness(values: readonly number[], limit: number): number {
  const { median: middle, mad, skew, iqr } = spread(values);
  if (middle <= 0) return mad === 0 ? 1 : 0;
  const lopsided = Math.abs(skew) * clamp01(iqr / middle / SKEW_NOISE);
  return clamp01(1 - mad / middle / limit) * (1 - lopsided / 2);
}

function withoutContinuations(points: readonly Beat[], proto: string): Beat[] {
  const gap = (proto === "tcp" ? CONTINUATION_GAP_SECONDS.tcp : CONTINUATION_GAP_SECONDS.other) * SECOND;
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

/** Seconds between neighbours of an ascending list of microseconds. */
function intervals(starts: readonly number[]): number[] {
  return starts.slice(1).map((start, index) => (start - (starts[index] as number)) / SECOND);
}

/** Counts of the longest run of hours with a connection; the newest run where two are equal. */
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
 * How even the callbacks lie over slices of the active time and, in a run of several hours, over its whole
 * hours. Pauses are cut out (implants sleep when a laptop does), but cost up to half.
 */
function evenness(waits: readonly number[], longest: number, period: number, day: readonly number[]): number {
  const slices = Math.min(MAX_SLICES, Math.max(3, Math.floor((waits.length + 1) / SLICE_CALLBACKS)));
  const active = waits.map((wait) => wait > longest ? period : wait);
  const width = sum(active) / slices;
  const counts = new Array<number>(slices).fill(0);
  let at = 0;
  for (const wait of active) {
    const slice = Math.min(slices - 1, Math.floor(at / width));
    counts[slice] = (counts[slice] as number) + 1;
    at += wait;
  }
  const near = clamp01(1 - variation(counts) / UNEVEN_VARIATION) * (0.5 + 0.5 * sum(active) / sum(waits));
  if (day.length < MIN_DAY_HOURS) return near;
  return (near + clamp01(1 - variation(day.slice(1, -1)) / UNEVEN_VARIATION)) / 2;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
