// Acts of one device in one day that contradict its type.
import { MAX_IP_TEXT } from "../kernel/destination-usage.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { idFirstRefs } from "../kernel/state/id-first-refs.ts";
import { type Day, newDay } from "../kernel/state/sample.ts";
import {
  defineState,
  type Field,
  float,
  floatOrNull,
  list,
  record,
  tenths,
  text,
  varint,
} from "../kernel/state/schema.ts";
import { ACTS } from "./acts.ts";

/** Distinct peers of an act are counted exactly up to this number. */
const EXACT_PEERS = 96;
export const MAX_ACT_REFS = 6;
export const MAX_ACT_EXAMPLES = 4;
/** Our own phrases, such as `RDP on 10.0.0.9`. */
const MAX_EXAMPLE_TEXT = 120;

export interface ActCount {
  peers: Distinct;
  examples: string[];
  ips: string[];
  refs: EvidenceRef[];
  evaluatedCount: number;
}

export interface ActCounts {
  day: Day;
  /** In the order of ACTS. */
  acts: ActCount[];
  reportedScore: number;
}

const actCount = record<ActCount>({
  peers: distinct(EXACT_PEERS),
  examples: list(text(MAX_EXAMPLE_TEXT), MAX_ACT_EXAMPLES),
  ips: list(text(MAX_IP_TEXT), MAX_ACT_EXAMPLES),
  refs: idFirstRefs(MAX_ACT_REFS),
  evaluatedCount: varint,
});

/** One count per act, without a length. */
const actCounts: Field<ActCount[]> = {
  write: (out, counts) => {
    for (const count of counts) actCount.write(out, count);
  },
  read: (from) => ACTS.map(() => actCount.read(from)),
  size: (counts) => counts.reduce((sum, count) => sum + actCount.size(count), 16),
  maxBytes: ACTS.length * actCount.maxBytes,
};

/** Keys: device. Stored only for devices with a confirmed single-purpose type. */
export const ACT_COUNTS = defineState<ActCounts>({
  id: 45,
  name: "acts against type",
  keepDays: 7,
  version: 1,
  empty: () => ({ day: newDay(), acts: ACTS.map(newActCount), reportedScore: 0 }),
  fields: record<ActCounts>({
    day: record<Day>({ anchor: floatOrNull, firstSeen: float, lastSeen: float, stale: varint }),
    reportedScore: tenths,
    acts: actCounts,
  }),
});

export function newActCount(): ActCount {
  return { peers: new Distinct(EXACT_PEERS), examples: [], ips: [], refs: [], evaluatedCount: 0 };
}
