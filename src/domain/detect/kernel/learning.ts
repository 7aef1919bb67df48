// Whether a tenant has been observed long enough to know what is usual there.
import type { Micros } from "../../record/observation.ts";
import { defineState, flag, float, list, mapped, record, varint } from "./state/schema.ts";

/** Days that must each have brought records: a week covers the working days and the weekend. */
export const LEARNING_DAYS = 7;
/** A day with fewer records is a stray one, as a wild clock produces. */
export const MIN_RECORDS = 50;
/** Days counted at a time; beyond it the day with the fewest records is dropped. */
const MAX_DAYS = 16;

const DAY = 86_400_000_000;

export interface Learning {
  complete: boolean;
  /** Records of each day (since the Unix epoch, UTC), counted up to MIN_RECORDS; empty when complete. */
  days: Map<number, number>;
}

export type LearningPhase = "learning" | "complete" | "unknown";

interface DayCount {
  day: number;
  records: number;
}

export const LEARNING = defineState<Learning>({
  id: 1,
  name: "learning",
  keepDays: 400,
  readElsewhere: true,
  version: 1,
  empty: () => ({ complete: false, days: new Map() }),
  fields: record<Learning>({
    complete: flag,
    days: mapped(
      list(record<DayCount>({ day: float, records: varint }), MAX_DAYS),
      (days) => Array.from(days, ([day, records]) => ({ day, records })),
      (counts) => new Map(counts.map(({ day, records }) => [day, records])),
    ),
  }),
});

/** Counts a record of that time; returns whether the state changed. */
export function learnFrom(state: Learning, at: Micros): boolean {
  if (state.complete) return false;
  const day = Math.floor(at / DAY);
  const records = state.days.get(day) ?? 0;
  if (records >= MIN_RECORDS) return false;
  state.days.set(day, records + 1);
  if (fullDays(state) >= LEARNING_DAYS) {
    state.complete = true;
    state.days.clear();
  } else if (state.days.size > MAX_DAYS) {
    state.days.delete(emptiestDay(state.days));
  }
  return true;
}

/** The phase as it is displayed: `unknown` before the first record. */
export function learningPhase(state: Learning): { phase: LearningPhase; days: number; needed: number } {
  const phase = state.complete ? "complete" : state.days.size === 0 ? "unknown" : "learning";
  return { phase, days: state.complete ? LEARNING_DAYS : fullDays(state), needed: LEARNING_DAYS };
}

function fullDays({ days }: Learning): number {
  let count = 0;
  for (const records of days.values()) if (records >= MIN_RECORDS) count++;
  return count;
}

function emptiestDay(days: ReadonlyMap<number, number>): number {
  let least: [number, number] | null = null;
  for (const [day, records] of days) {
    if (least === null || records < least[1] || (records === least[1] && day < least[0])) {
      least = [day, records];
    }
  }
  return least![0];
}
