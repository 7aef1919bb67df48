// How long a sensor may be silent before it is stale. The contract documents the formula for readers of a
// report (PATIENCE_TEXT).

import { LEAST_PATIENCE_SECONDS, MOST_PATIENCE_SECONDS } from "../../contract/health/conditions.ts";
import type { Micros } from "../record/observation.ts";
import {
  HOUR,
  hourOfWeek,
  MAX_POLL_GAP,
  PAUSE_MINUTES,
  type SensorWatch,
  UNKNOWN,
  WEEK_HOURS,
  WEEKS,
} from "./rhythm.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const MIN_PATIENCE = LEAST_PATIENCE_SECONDS * SECOND;
const MAX_PATIENCE = MOST_PATIENCE_SECONDS * SECOND;
const PAUSE_FACTOR = 2;
const SILENCE_FACTOR = 1.25;
/** Share of pauses that may be longer than the usual one. */
const RARE = 1 / 20;

/** How long a sensor has been silent while records could be received, microseconds. */
export function silenceOf(watch: SensorWatch | null, lastEventAt: Micros, now: Micros): number {
  const plain = Math.max(0, now - lastEventAt);
  if (watch === null) return plain;
  // Heard since the last poll, so the silence is at most one poll gap.
  if (lastEventAt !== watch.heardAt) return Math.min(plain, MAX_POLL_GAP);
  const passed = now - watch.watchedAt;
  return watch.silence + (passed >= 0 && passed <= MAX_POLL_GAP ? passed : 0);
}

/**
 * How long a silence that began at `from` may last, microseconds: until it exceeds what is usual at that
 * time.
 */
export function patienceOf(watch: SensorWatch | null, from: Micros): number {
  if (watch === null) return MIN_PATIENCE;
  const always = Math.max(MIN_PATIENCE, PAUSE_FACTOR * usualPause(watch.pauses));
  let start = from;
  while (start - from < MAX_PATIENCE) {
    const usual = usualSilence(watch.silences, hourOfWeek(start));
    const allowed = Math.min(MAX_PATIENCE, Math.max(always, SILENCE_FACTOR * usual));
    const next = (Math.floor(start / HOUR) + 1) * HOUR;
    if (allowed < next - from) return Math.max(allowed, start - from);
    start = next;
  }
  return MAX_PATIENCE;
}

/** The pause that at most 5 % exceed, microseconds, rounded up to one of PAUSE_MINUTES; 0 if unknown. */
export function usualPause(pauses: readonly number[]): number {
  let rest = pauses.reduce((sum, weight) => sum + weight, 0);
  if (rest === 0) return 0;
  const rare = rest * RARE;
  let size = 0;
  while (size < pauses.length - 1 && (rest -= pauses[size]!) > rare) size++;
  return PAUSE_MINUTES[size]! * MINUTE;
}

/** The usual silence around this hour of the week, microseconds; 0 if unknown. */
function usualSilence(silences: readonly number[], hour: number): number {
  const around = [hour - 1, hour, hour + 1].map((one) => (one + WEEK_HOURS) % WEEK_HOURS);
  return Math.max(...around.map((one) => usualAt(silences, one))) * MINUTE;
}

/** Minutes. A silence reached once may have been a failure; one reached twice is usual. */
function usualAt(silences: readonly number[], hour: number): number {
  const own = known(silences, hour);
  if (own.length > 0) return own[Math.max(0, own.length - 2)]!;
  const others: number[] = [];
  for (let day = 24; day < WEEK_HOURS; day += 24) others.push(...known(silences, (hour + day) % WEEK_HOURS));
  // The hour is unknown: take the median of the same hour on other days.
  return others.length === 0 ? 0 : others.sort(ascending)[Math.floor((others.length - 1) / 2)]!;
}

function known(silences: readonly number[], hour: number): number[] {
  return silences.slice(hour * WEEKS, (hour + 1) * WEEKS).filter((one) => one !== UNKNOWN).sort(ascending);
}

const ascending = (a: number, b: number) => a - b;
