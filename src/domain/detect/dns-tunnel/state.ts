// Names that a device looked up below one registered domain: a bounded sample. Domains with ordinary lookups
// only have no state at all; domains with few names take a few dozen bytes.
import type { Micros } from "../../record/observation.ts";
import { type AnswerOutcome, type Carrier, type Outcome, OUTCOMES } from "./name.ts";
import { RefList, refList } from "../kernel/state/ref-list.ts";
import { defineState, type Field, joined, record } from "../kernel/state/schema.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import {
  addSampled,
  type CountedDay,
  countedDay,
  extendDay,
  isInDay,
  leaveDay,
  newCountedDay,
  placeOf,
  type Sampled,
  sampled,
  sampledCount,
} from "../kernel/state/sample.ts";

/** Names in the sample. Their number is exact below this, and estimated within 12 % above. */
const SAMPLE_SIZE = 64;
/** Newest lookups of the sample that are kept as evidence. */
const MAX_REFS = 16;

export interface SampledName extends Sampled {
  chars: number;
  /** Randomness of the longest label, in fifteenths. */
  random: number;
  dataType: boolean;
  outcome: Outcome;
  /** Bytes of data in the answer. */
  answerBytes: number;
}

/**
 * A name without its hash: characters, then outcome, record type and randomness in one number, then answer
 * bytes.
 */
const NAME: Field<Omit<SampledName, "hash">> = {
  write(out, { chars, random, dataType, outcome, answerBytes }) {
    out.varint(chars);
    out.varint((OUTCOMES.indexOf(outcome) * 2 + (dataType ? 1 : 0)) * 16 + random);
    out.varint(answerBytes);
  },
  read(from) {
    const chars = from.varint();
    const packed = from.varint();
    return {
      chars,
      random: packed % 16,
      dataType: (packed & 16) !== 0,
      outcome: OUTCOMES[packed >> 5] ?? "unknown",
      answerBytes: from.varint(),
    };
  },
  size: () => 72,
  maxBytes: 2 + 2 + 3,
};

export interface Lookups extends CountedDay {
  names: SampledName[];
  refs: RefList;
}

export function nameCount({ names }: Lookups): number {
  return sampledCount(names, SAMPLE_SIZE);
}

/** Keys: `<device> <registered domain>`. Typically 80 bytes for each domain of a flood of random domains. */
export const LOOKUPS = defineState<Lookups>({
  id: 20,
  name: "lookups below a domain",
  keepDays: 3,
  version: 1,
  empty: () => ({ ...newCountedDay(), names: [], refs: new RefList() }),
  fields: joined(
    countedDay,
    record<Omit<Lookups, keyof CountedDay>>({
      names: sampled<SampledName>(NAME, SAMPLE_SIZE),
      refs: refList(MAX_REFS),
    }),
  ),
});

/**
 * Adds a lookup. `new`: its name joined the sample; `updated`: only the window or a known name changed;
 * `none`: nothing changed, e.g. because the lookup was a repetition.
 */
export function addLookup(
  state: Lookups,
  carrier: Carrier,
  { outcome, bytes }: AnswerOutcome,
  ref: EvidenceRef,
  at: Micros,
): "new" | "updated" | "none" {
  if (!isInDay(state.day, at)) {
    if (!leaveDay(state.day, at)) return "updated";
    state.names = [];
    state.refs = new RefList();
    state.evaluatedCount = state.reportedScore = state.reportedCount = 0;
  }
  const name = {
    hash: carrier.nameHash,
    chars: Math.min(carrier.chars, 1023),
    random: Math.round(carrier.random * 15),
    dataType: carrier.dataType,
    outcome,
    answerBytes: Math.min(bytes, 65_535),
  };
  const known = state.names[placeOf(state.names, name.hash)];
  if (known?.hash === name.hash) {
    if (!merge(known, name)) return "none";
    extendDay(state.day, at);
    return "updated";
  }
  // The window must not change either if the sample did not, because the caller does not save the state.
  if (!addSampled(state.names, name, SAMPLE_SIZE)) return "none";
  extendDay(state.day, at);
  state.refs.add(ref, MAX_REFS);
  return "new";
}

/** Adds what another record reports of a known name, such as its answer; false if that is nothing new. */
function merge(known: SampledName, { outcome, dataType, answerBytes }: SampledName): boolean {
  const isNew = (known.outcome === "unknown" && outcome !== "unknown") || (dataType && !known.dataType) ||
    answerBytes > known.answerBytes;
  if (known.outcome === "unknown") known.outcome = outcome;
  known.dataType ||= dataType;
  known.answerBytes = Math.max(known.answerBytes, answerBytes);
  return isNew;
}
