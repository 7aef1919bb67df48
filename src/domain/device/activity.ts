import type { Micros } from "../record/observation.ts";

/** Activity is recorded in slots of five minutes, microseconds. */
export const SLOT: Micros = 300_000_000;

/**
 * Thresholds for concurrent use, in alternations. Fewer than `FEW_TURNS` are a change of address and back;
 * `TURNS_SHARE` is relative to the slots of the less active address. A machine that moves keeps an address
 * for hours, while two machines alternate all the time.
 */
const FEW_TURNS = 4;
const TURNS_SHARE = 0.25;

/** When an address opened or answered flows. */
export interface Activity {
  /** The slot from which on the list is complete. */
  since: number;
  /** Slot numbers since 1970, ascending, without duplicates. */
  slots: readonly number[];
}

/**
 * Whether two addresses were in use at the same time, like those of two machines, rather than one after the
 * other. A slot in which both are active counts as two alternations.
 */
export function areConcurrent(a: Activity, b: Activity): boolean {
  const since = Math.max(a.since, b.since);
  const left = a.slots.filter((slot) => slot >= since);
  const right = b.slots.filter((slot) => slot >= since);
  const turns = countTurns(left, right);
  return turns >= FEW_TURNS && turns >= TURNS_SHARE * Math.min(left.length, right.length);
}

function countTurns(left: readonly number[], right: readonly number[]): number {
  let turns = 0;
  let last: "left" | "right" | null = null;
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    const a = left[i] ?? Infinity;
    const b = right[j] ?? Infinity;
    if (a === b) {
      turns += 2;
      i++;
      j++;
      continue;
    }
    const now = a < b ? "left" : "right";
    if (last !== null && last !== now) turns++;
    last = now;
    if (a < b) i++;
    else j++;
  }
  return turns;
}

/** The combined activity of several addresses. */
export function combineActivity(activities: readonly Activity[]): Activity {
  return {
    since: activities.reduce((latest, { since }) => Math.max(latest, since), -Infinity),
    slots: [...new Set(activities.flatMap(({ slots }) => slots))].sort((a, b) => a - b),
  };
}
