// What is remembered of a sensor's receipts: how it usually pauses, and how silent it usually is at which hour of the week. It is
// learned by a look each minute. Small, and of one size: whatever a sensor sends, nothing here grows.

import { LEAST_PATIENCE_SECONDS, MOST_PATIENCE_SECONDS } from "../../contract/health/conditions.ts";
import type { Micros } from "../record/observation.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** Looks that follow each other within this belong together: nothing that could have been received was missed. */
export const MOST_BETWEEN_LOOKS = 150 * SECOND;

const MOST_PATIENCE = MOST_PATIENCE_SECONDS * SECOND;
/** Upper bounds of the sizes in which pauses are counted, in minutes; longer ones are never usual. */
export const PAUSE_MINUTES: readonly number[] = [
  ...[1, 2, 5, 10, LEAST_PATIENCE_SECONDS / 60, 30],
  ...[1, 2, 3, 4, 6, 8, 12, 16, 24, 36, 48, 72, 96].map((hours) => hours * 60),
];
/** A pause weighs that much less with each later one: the last 200 count. */
const FADE = 1 - 1 / 200;
/** Hours of a week, the first one that of Thursday 1970-01-01 00:00 UTC. */
export const WEEK_HOURS = 168;
/** So many weeks are remembered of each. */
export const WEEKS = 4;
/** Of an hour that was not watched whole. */
export const UNKNOWN = -1;

/** What is known of a sensor at the last look. Times in microseconds. */
export interface SensorWatch {
  /** Its newest receipt then. */
  heardAt: Micros;
  watchedAt: Micros;
  /** For how long nothing had come then, not counting what was not watched. */
  silence: number;
  /** Whether all of that silence was watched. */
  whole: boolean;
  /** Weights of the pauses, by PAUSE_MINUTES. */
  pauses: readonly number[];
  /** The hour of that receipt; null where it was not watched from its beginning. */
  hourAt: Micros | null;
  /** The longest silence that was reached in it until that receipt. */
  hourSilence: number;
  /** Longest silence in each hour of the week, in minutes: WEEKS values each, the newest first; UNKNOWN where there is none. */
  silences: readonly number[];
}

const NO_PAUSES: readonly number[] = PAUSE_MINUTES.map(() => 0);
const NO_SILENCES: readonly number[] = new Array<number>(WEEK_HOURS * WEEKS).fill(UNKNOWN);

export function hourOfWeek(at: Micros): number {
  const hours = Math.floor(at / HOUR) % WEEK_HOURS;
  return hours < 0 ? hours + WEEK_HOURS : hours;
}

/** What is known after a look at `now` that finds `heardAt` as the newest receipt. */
export function look(before: SensorWatch | null, heardAt: Micros, now: Micros): SensorWatch {
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
  const watched = passed >= 0 && passed <= MOST_BETWEEN_LOOKS;
  const heard = heardAt !== before.heardAt;
  // How silent it was at most since the last look: up to the receipt, or up to now.
  const reached = before.silence + (watched ? Math.max(0, (heard ? heardAt : now) - before.watchedAt) : 0);
  // What is never usual teaches nothing, or a sensor that was dead for weeks would be allowed to be.
  const known = before.whole && watched && reached <= MOST_PATIENCE;
  const after = { ...before, heardAt, watchedAt: now, whole: known };
  if (!heard) return { ...after, silence: reached, hourAt: known ? before.hourAt : null };
  // A silence is learned when it has ended: while it lasts, it must not excuse itself.
  return {
    ...after,
    silence: Math.min(Math.max(0, now - heardAt), MOST_BETWEEN_LOOKS),
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
  const pauses = before.pauses.map((weight, at) => weight * FADE + (at === size ? 1 : 0));
  const from = heardAt - pause;
  let { hourAt, hourSilence, silences } = before;
  for (let hour = startOfHour(from); hour <= heardAt; hour += HOUR) {
    if (hour !== hourAt) {
      if (hourAt !== null) silences = withSilence(silences, hourOfWeek(hourAt), hourSilence);
      // An hour counts where it was watched from its beginning.
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

/** The oldest week of that hour goes. */
function withSilence(silences: readonly number[], hour: number, silence: number): number[] {
  const first = hour * WEEKS;
  return silences.toSpliced(first + WEEKS - 1, 1).toSpliced(first, 0, Math.ceil(silence / MINUTE));
}
