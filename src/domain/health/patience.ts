// After how much silence a sensor is stale. The formula stands in the contract (PATIENCE_TEXT), for those who read a report.

import { LEAST_PATIENCE_SECONDS, MOST_PATIENCE_SECONDS } from "../../contract/health/conditions.ts";
import type { Micros } from "../record/observation.ts";
import {
  HOUR,
  hourOfWeek,
  MOST_BETWEEN_LOOKS,
  PAUSE_MINUTES,
  type SensorWatch,
  UNKNOWN,
  WEEK_HOURS,
  WEEKS,
} from "./rhythm.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const LEAST = LEAST_PATIENCE_SECONDS * SECOND;
const MOST = MOST_PATIENCE_SECONDS * SECOND;
const PAUSE_FACTOR = 2;
const SILENCE_FACTOR = 1.25;
/** This share of pauses may be longer. */
const RARE = 1 / 20;

/** For how long a sensor has been silent while records could be received, in microseconds. */
export function silenceOf(watch: SensorWatch | null, lastEventAt: Micros, now: Micros): number {
  const plain = Math.max(0, now - lastEventAt);
  if (watch === null) return plain;
  // Heard since the last look, which is not long ago where this one was there to look.
  if (lastEventAt !== watch.heardAt) return Math.min(plain, MOST_BETWEEN_LOOKS);
  const passed = now - watch.watchedAt;
  return watch.silence + (passed >= 0 && passed <= MOST_BETWEEN_LOOKS ? passed : 0);
}

/** How long a silence that began at `from` may last, in microseconds: until it is, at some moment, longer than is usual then. */
export function patienceOf(watch: SensorWatch | null, from: Micros): number {
  if (watch === null) return LEAST;
  const always = Math.max(LEAST, PAUSE_FACTOR * usualPause(watch.pauses));
  let start = from;
  while (start - from < MOST) {
    const usual = usualSilence(watch.silences, hourOfWeek(start));
    const allowed = Math.min(MOST, Math.max(always, SILENCE_FACTOR * usual));
    const next = (Math.floor(start / HOUR) + 1) * HOUR;
    if (allowed < next - from) return Math.max(allowed, start - from);
    start = next;
  }
  return MOST;
}

/** The pause that only few are longer than, in microseconds, rounded up to one of PAUSE_MINUTES; 0 where none is known. */
export function usualPause(pauses: readonly number[]): number {
  let rest = pauses.reduce((sum, weight) => sum + weight, 0);
  if (rest === 0) return 0;
  const rare = rest * RARE;
  let size = 0;
  while (size < pauses.length - 1 && (rest -= pauses[size]!) > rare) size++;
  return PAUSE_MINUTES[size]! * MINUTE;
}

/** About this hour of the week, in microseconds; 0 where nothing is known. */
function usualSilence(silences: readonly number[], hour: number): number {
  const around = [hour - 1, hour, hour + 1].map((one) => (one + WEEK_HOURS) % WEEK_HOURS);
  return Math.max(...around.map((one) => usualAt(silences, one))) * MINUTE;
}

/** In minutes. What was reached once may have been a failure; what was reached twice is usual. */
function usualAt(silences: readonly number[], hour: number): number {
  const own = known(silences, hour);
  if (own.length > 0) return own[Math.max(0, own.length - 2)]!;
  const others: number[] = [];
  for (let day = 24; day < WEEK_HOURS; day += 24) others.push(...known(silences, (hour + day) % WEEK_HOURS));
  // As on most other days.
  return others.length === 0 ? 0 : others.sort(ascending)[Math.floor((others.length - 1) / 2)]!;
}

function known(silences: readonly number[], hour: number): number[] {
  return silences.slice(hour * WEEKS, (hour + 1) * WEEKS).filter((one) => one !== UNKNOWN).sort(ascending);
}

const ascending = (a: number, b: number) => a - b;
