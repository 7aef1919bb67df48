// Whether a tenant has been watched long enough to know what is usual there.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "./state/bytes.ts";
import type { StateType } from "./detector.ts";

/** So many different days must have brought records; a week knows the working days and the weekend. */
export const LEARNING_DAYS = 7;
/** Fewer records of a day are stray ones, as of a wild clock. */
export const MIN_RECORDS = 50;
/** Days counted at a time; of more the ones with the fewest records are dropped. */
const MAX_DAYS = 16;

const DAY = 86_400_000_000;
const VERSION = 1;

export interface Learning {
  complete: boolean;
  /** Records of each day (since the Unix epoch, UTC), counted up to MIN_RECORDS; empty when complete. */
  days: Map<number, number>;
}

export type LearningPhase = "learning" | "complete" | "unknown";

export const LEARNING: StateType<Learning> = {
  id: 1,
  name: "learning",
  keepDays: 400,
  readElsewhere: true,
  empty: () => ({ complete: false, days: new Map() }),
  encode({ complete, days }) {
    const out = new ByteWriter(16 + 8 * days.size);
    out.varint(VERSION);
    out.varint(complete ? 1 : 0);
    out.varint(days.size);
    for (const [day, records] of days) {
      out.float(day);
      out.varint(records);
    }
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`learning: expected version ${VERSION}, got ${version}`);
    const complete = from.varint() === 1;
    const days = new Map<number, number>();
    for (let left = from.varint(); left > 0; left--) days.set(from.float(), from.varint());
    from.end();
    return { complete, days };
  },
  size: ({ days }) => 64 + 32 * days.size,
};

/** Takes up a record of that time; true where the state changed. */
export function learnFrom(state: Learning, at: Micros): boolean {
  if (state.complete) return false;
  const day = Math.floor(at / DAY);
  const records = state.days.get(day) ?? 0;
  if (records >= MIN_RECORDS) return false;
  state.days.set(day, records + 1);
  if (full(state) >= LEARNING_DAYS) {
    state.complete = true;
    state.days.clear();
  } else if (state.days.size > MAX_DAYS) {
    state.days.delete(emptiest(state.days));
  }
  return true;
}

/** What is shown of it: `unknown` where there were no records yet. */
export function learningPhase(state: Learning): { phase: LearningPhase; days: number; needed: number } {
  const phase = state.complete ? "complete" : state.days.size === 0 ? "unknown" : "learning";
  return { phase, days: state.complete ? LEARNING_DAYS : full(state), needed: LEARNING_DAYS };
}

function full({ days }: Learning): number {
  let count = 0;
  for (const records of days.values()) if (records >= MIN_RECORDS) count++;
  return count;
}

function emptiest(days: ReadonlyMap<number, number>): number {
  let least: [number, number] | null = null;
  for (const [day, records] of days) {
    if (least === null || records < least[1] || (records === least[1] && day < least[0])) {
      least = [day, records];
    }
  }
  return least![0];
}
