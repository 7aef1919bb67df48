import { CLOCK_TOLERANCE_SECONDS } from "../../contract/health/conditions.ts";
import { duration } from "../../kit/text.ts";
import { advanceKnown, type ClockKnowledge, ORDINARY_STEP, proofOf } from "./known-time.ts";

const SECOND = 1_000_000;
const TOLERANCE = CLOCK_TOLERANCE_SECONDS * SECOND;

/** The clocks at one moment, in microseconds. */
export interface Clocks {
  /** The core's clock before and after it asked the database. */
  before: number;
  after: number;
  /** The database's clock; of an embedded one, the core's. */
  database: number;
}

/** The present time, as far as deletions may rely on it. */
export interface ClockReading {
  /** A time that is known to have come, in microseconds. */
  at: number;
  /** Why the clock is in doubt; null if it is not. */
  doubt: string | null;
}

/** The earlier of the two clocks. */
export function earliest({ before, database }: Clocks): number {
  return Math.min(before, database);
}

/**
 * Advances the known time by `elapsed` microseconds of running time. A process that has just started may have
 * been off for a day; later, only a suspended machine explains a jump.
 */
export function advanceClock(
  known: ClockKnowledge,
  clocks: Clocks,
  { elapsed, started }: { elapsed: number; started: boolean },
): ClockKnowledge {
  const step = started ? ORDINARY_STEP : TOLERANCE;
  return advanceKnown(known, { clock: earliest(clocks), elapsed, step });
}

export function readClock({ knownAt, leap }: ClockKnowledge, clocks: Clocks): ClockReading {
  return { at: Math.min(earliest(clocks), knownAt), doubt: differing(clocks) ?? leapt(knownAt, leap) };
}

function differing({ before, after, database }: Clocks): string | null {
  const ahead = before - database;
  const behind = database - after;
  if (Math.max(ahead, behind) <= TOLERANCE) return null;
  const [difference, word] = ahead > behind ? [ahead, "ahead of"] : [behind, "behind"];
  return `this machine's clock is ${duration(difference / SECOND)} ${word} the database's`;
}

function leapt(knownAt: number, leap: ClockKnowledge["leap"]): string | null {
  if (leap === null) return null;
  const size = leap.at - knownAt;
  return `the clock is ${duration(size / SECOND)} ahead of the latest time known to have come; ` +
    `it is believed after another ${duration((proofOf(size) - leap.lived) / SECOND)} of running`;
}
