// Registered domains that a device looked up without success within a day: a bounded sample.
import type { Micros } from "../../record/observation.ts";
import { RefList, refList } from "../kernel/state/ref-list.ts";
import { defineState, joined, list, mapped, record, sized, text, varint } from "../kernel/state/schema.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import {
  addSampled,
  type CountedDay,
  countedDay,
  extendDay,
  isInDay,
  leaveDay,
  newCountedDay,
  type Sampled,
  sampled,
  sampledCount,
} from "../kernel/state/sample.ts";

/** Domains in the sample. Their number is exact below this, and estimated within 12 % above. */
const SAMPLE_SIZE = 64;
const MAX_REFS = 16;
/** Newest domains kept by name, as examples. */
const MAX_EXAMPLES = 4;
const MAX_EXAMPLE_LENGTH = 64;

/** A registered domain that does not exist. */
export interface FailedDomain extends Sampled {
  /** Randomness of the name, in fifteenths. */
  random: number;
  /** Characters of the registrable label. */
  length: number;
}

/** Length and randomness in one number. */
const PACKED_DOMAIN = mapped<Omit<FailedDomain, "hash">, number>(
  varint,
  ({ random, length }) => length * 16 + random,
  (packed) => ({ random: packed % 16, length: packed >> 4 }),
);

export interface Failures extends CountedDay {
  domains: FailedDomain[];
  examples: string[];
  refs: RefList;
}

/** Keys: a device; the empty key for what all devices asked internal resolvers for. */
export const FAILURES = defineState<Failures>({
  id: 23,
  name: "failed domains",
  keepDays: 3,
  version: 1,
  empty: () => ({ ...newCountedDay(), domains: [], examples: [], refs: new RefList() }),
  fields: joined(
    countedDay,
    record<Omit<Failures, keyof CountedDay>>({
      domains: sized(
        sampled<FailedDomain>(PACKED_DOMAIN, SAMPLE_SIZE),
        (domains) => 100 + 72 * domains.length,
      ),
      examples: list(text(MAX_EXAMPLE_LENGTH), MAX_EXAMPLES),
      refs: refList(MAX_REFS),
    }),
  ),
});

export function failedCount({ domains }: Failures): number {
  return sampledCount(domains, SAMPLE_SIZE);
}

/**
 * Adds a domain that does not exist. `new`: it joined the sample; `updated`: only the window changed; `none`:
 * nothing changed, e.g. because the lookup was a repetition.
 */
export function addFailure(
  state: Failures,
  failed: FailedDomain,
  name: string,
  ref: EvidenceRef,
  at: Micros,
): "new" | "updated" | "none" {
  if (!isInDay(state.day, at)) {
    if (!leaveDay(state.day, at)) return "updated";
    state.domains = [];
    state.examples = [];
    state.evaluatedCount = state.reportedScore = state.reportedCount = 0;
    state.refs.clear();
  }
  if (!addSampled(state.domains, failed, SAMPLE_SIZE)) return "none";
  extendDay(state.day, at);
  state.refs.add(ref, MAX_REFS);
  state.examples.push(name.slice(0, MAX_EXAMPLE_LENGTH));
  if (state.examples.length > MAX_EXAMPLES) state.examples.shift();
  return "new";
}
