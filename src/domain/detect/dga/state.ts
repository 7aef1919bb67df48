// What is remembered of the registered domains that a device asked for in vain: a sample of a day's, in bounded room.
import type { Micros } from "../../record/observation.ts";
import { joined, sized } from "../kernel/state/combine.ts";
import { RefList, refList } from "../kernel/state/ref-list.ts";
import { defineState, list, mapped, record, text, varint } from "../kernel/state/schema.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import {
  addSampled,
  type CountedDay,
  countedDay,
  isInDay,
  leaveDay,
  newCountedDay,
  type Sampled,
  sampled,
  sampledCount,
  stayInDay,
} from "../kernel/state/sample.ts";

/** Domains kept; their number is exact below, and known within 12 % above. */
const SAMPLE_SIZE = 64;
const MAX_REFS = 16;
/** Domains kept by name, to be named. */
const MAX_EXAMPLES = 4;
const MAX_EXAMPLE_LENGTH = 64;

/** A registered domain that does not exist. */
export interface FailedDomain extends Sampled {
  /** 0 to 15, of 15. */
  random: number;
  /** Characters of the label that was registered, or would have to be. */
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

/** Keys: device; and the empty one for what anybody inside asked a resolver of the site for. About 1.5 kB at most. */
export const FAILURES = defineState<Failures>({
  id: 23,
  name: "domains asked for in vain",
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
 * Takes up a domain that does not exist. `new` where it joined the sample, `kept` where only the state changed, `none`
 * where nothing did, as when it is asked for again.
 */
export function addFailure(
  state: Failures,
  failed: FailedDomain,
  name: string,
  ref: EvidenceRef,
  at: Micros,
): "new" | "kept" | "none" {
  if (!isInDay(state.day, at)) {
    if (!leaveDay(state.day, at)) return "kept";
    Object.assign(state, { domains: [], examples: [], judged: 0, saidScore: 0, saidCount: 0 });
    state.refs.clear();
  }
  if (!addSampled(state.domains, failed, SAMPLE_SIZE)) return "none";
  stayInDay(state.day, at);
  state.refs.add(ref, MAX_REFS);
  state.examples.push(name.slice(0, MAX_EXAMPLE_LENGTH));
  if (state.examples.length > MAX_EXAMPLES) state.examples.shift();
  return "new";
}
