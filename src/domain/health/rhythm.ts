// Learns a sensor's receipt pattern from a poll each minute: how it usually pauses, and how long it is
// usually silent at each hour of the week. The state has a fixed size, whatever the sensor sends.

import { LEAST_PATIENCE_SECONDS, MOST_PATIENCE_SECONDS } from "../../contract/health/conditions.ts";
import type { Micros } from "../record/observation.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** Polls within this gap are contiguous: no receipt between them was missed. */
export const MAX_POLL_GAP = 150 * SECOND;

const MAX_PATIENCE = MOST_PATIENCE_SECONDS * SECOND;
/** Upper bounds of the pause histogram, minutes; longer pauses are never usual. */
export const PAUSE_MINUTES: readonly number[] = [
  ...[1, 2, 5, 10, LEAST_PATIENCE_SECONDS / 60, 30],
  ...[1, 2, 3, 4, 6, 8, 12, 16, 24, 36, 48, 72, 96].map((hours) => hours * 60),
];
/** Each pause weighs this much less with each later one: about the last 200 count. */
const DECAY = 1 - 1 / 200;
/** Hours of a week; index 0 is Thursday 1970-01-01 00:00 UTC. */
export const WEEK_HOURS = 168;
/** Weeks remembered per hour. */
export const WEEKS = 4;
/** Value of an hour that was not observed in full. */
export const UNKNOWN = -1;

/** State of a sensor at its last poll. Times in microseconds. */
export interface SensorWatch {
  /** Its newest receipt at that time. */
  heardAt: Micros;
  watchedAt: Micros;
  /** Silence so far, not counting time that was not observed. */
  silence: number;
  /** Whether all of that silence was observed. */
  whole: boolean;
  /** Weighted counts of pauses, by PAUSE_MINUTES. */
  pauses: readonly number[];
  /** The hour of that receipt; null if not observed from its beginning. */
  hourAt: Micros | null;
  /** The longest silence reached in that hour until that receipt. */
  hourSilence: number;
  /** Longest silence per hour of the week, minutes: WEEKS values each, newest first; UNKNOWN if missing. */
  silences: readonly number[];
}

const NO_PAUSES: readonly number[] = PAUSE_MINUTES.map(() => 0);
const NO_SILENCES: readonly number[] = new Array<number>(WEEK_HOURS * WEEKS).fill(UNKNOWN);

export function hourOfWeek(at: Micros): number {
  const hours = Math.floor(at / HOUR) % WEEK_HOURS;
  return hours < 0 ? hours + WEEK_HOURS : hours;
}

/** The state after a poll at `now` that finds `heardAt` as the newest receipt. */
export function updateWatch(before: SensorWatch | null, heardAt: Micros, now: Micros): SensorWatch {
  if (before === null) {
    return {
      heardAt,
      watchedAt: now,
      silence: Math.max(0, now - heardAt),
      whole: false,
      pauses: NO_PAUSES,
      hourAt: null,
      hourSilence: 0,
      silences: NO_SILENCES,
    };
  }
  const passed = now - before.watchedAt;
  const watched = passed >= 0 && passed <= MAX_POLL_GAP;
  const heard = heardAt !== before.heardAt;
  // The longest silence since the last poll: up to the receipt, or up to now.
  const reached = before.silence + (watched ? Math.max(0, (heard ? heardAt : now) - before.watchedAt) : 0);
  // Ignore silences that are never usual, or a sensor dead for weeks would teach patience with its own
  // failure.
  const known = before.whole && watched && reached <= MAX_PATIENCE;
  const after = { ...before, heardAt, watchedAt: now, whole: known };
  if (!heard) return { ...after, silence: reached, hourAt: known ? before.hourAt : null };
  // A silence is learned only once it has ended: it must not excuse itself.
  return {
    ...after,
    silence: Math.min(Math.max(0, now - heardAt), MAX_POLL_GAP),
    whole: watched,
    ...known ? learned(before, heardAt, reached) : { hourAt: null },
  };
}

function learned(
  before: SensorWatch,
  heardAt: Micros,
  pause: number,
): Pick<SensorWatch, "pauses" | "hourAt" | "hourSilence" | "silences"> {
  const size = PAUSE_MINUTES.findIndex((minutes) => pause <= minutes * MINUTE);
  const pauses = before.pauses.map((weight, at) => weight * DECAY + (at === size ? 1 : 0));
  const from = heardAt - pause;
  let { hourAt, hourSilence, silences } = before;
  for (let hour = startOfHour(from); hour <= heardAt; hour += HOUR) {
    if (hour !== hourAt) {
      if (hourAt !== null) silences = withSilence(silences, hourOfWeek(hourAt), hourSilence);
      // An hour counts only if observed from its beginning.
      hourAt = from < hour ? hour : null;
      hourSilence = 0;
    }
    if (hour === hourAt) hourSilence = Math.max(hourSilence, Math.min(hour + HOUR, heardAt) - from);
  }
  return { pauses, hourAt, hourSilence, silences };
}

function startOfHour(at: Micros): Micros {
  return Math.floor(at / HOUR) * HOUR;
}

/** Drops the oldest week of that hour. */
function withSilence(silences: readonly number[], hour: number, silence: number): number[] {
  const first = hour * WEEKS;
  return silences.toSpliced(first + WEEKS - 1, 1).toSpliced(first, 0, Math.ceil(silence / MINUTE));
}
