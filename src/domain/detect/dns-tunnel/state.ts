// What is remembered of the names that a device asked for below one registered domain: a sample of them, in bounded
// room. Of a domain with ordinary lookups only there is no state at all, with few names it has some dozens of bytes.
import type { Micros } from "../../record/observation.ts";
import { type AnswerOutcome, type Carrier, type Outcome, OUTCOMES } from "./name.ts";
import { joined, sized } from "../kernel/state/combine.ts";
import { RefList, refList } from "../kernel/state/ref-list.ts";
import { defineState, mapped, record, varint } from "../kernel/state/schema.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import {
  addSampled,
  type CountedDay,
  countedDay,
  isInDay,
  leaveDay,
  newCountedDay,
  placeOf,
  type Sampled,
  sampled,
  sampledCount,
  stayInDay,
} from "../kernel/state/sample.ts";

/** Names kept; the number of different ones is exact below, and known within 12 % above. */
const SAMPLE_SIZE = 64;
/** Newest lookups of the sample whose evidence is kept. */
const MAX_REFS = 16;

/** One name. */
export interface SampledName extends Sampled {
  chars: number;
  /** 0 to 15, of 15. */
  random: number;
  dataType: boolean;
  outcome: Outcome;
  /** Bytes of the answer's data. */
  answerBytes: number;
}

/** Outcome, type of record and randomness in one number. */
const PACKED_NAME = mapped<Omit<SampledName, "hash">, { chars: number; packed: number; down: number }>(
  record({ chars: varint, packed: varint, down: varint }),
  ({ chars, random, dataType, outcome, answerBytes }) => ({
    chars,
    packed: (OUTCOMES.indexOf(outcome) * 2 + (dataType ? 1 : 0)) * 16 + random,
    down,
  }),
  ({ chars, packed, down }) => ({
    chars,
    random: packed % 16,
    dataType: (packed & 16) !== 0,
    outcome: OUTCOMES[packed >> 5] ?? "unknown",
    answerBytes,
  }),
);

export interface Lookups extends CountedDay {
  names: SampledName[];
  refs: RefList;
}

export function nameCount({ names }: Lookups): number {
  return sampledCount(names, SAMPLE_SIZE);
}

/**
 * Keys: `<device> <registered domain>`. At most about 1.4 kB; a flood of random domains leaves some 80 bytes for each,
 * which are forgotten after three days, as channels are.
 */
export const LOOKUPS = defineState<Lookups>({
  id: 20,
  name: "lookups below a domain",
  keepDays: 3,
  version: 1,
  empty: () => ({ ...newCountedDay(), names: [], refs: new RefList() }),
  fields: joined(
    countedDay,
    record<Omit<Lookups, keyof CountedDay>>({
      names: sized(sampled<SampledName>(PACKED_NAME, SAMPLE_SIZE), (names) => 100 + 88 * names.length),
      refs: refList(MAX_REFS),
    }),
  ),
});

/**
 * Takes a lookup up. `new` where its name joined the sample, `told` where it only adds what the answer was, and
 * `none` where nothing changed, as when a name is asked for again.
 */
export function addLookup(
  state: Lookups,
  carrier: Carrier,
  { outcome, bytes }: AnswerOutcome,
  ref: EvidenceRef,
  at: Micros,
): "new" | "told" | "none" {
  if (!isInDay(state.day, at)) {
    if (!leaveDay(state.day, at)) return "told";
    Object.assign(state, { names: [], refs: new RefList(), judged: 0, saidScore: 0, saidCount: 0 });
  }
  const name = {
    hash: carrier.nameHash,
    chars: Math.min(carrier.chars, 1023),
    random: Math.round(carrier.random * 15),
    dataType: carrier.dataType,
    outcome,
    down: Math.min(bytes, 65_535),
  };
  const known = state.names[placeOf(state.names, name.hash)];
  if (known?.hash === name.hash) {
    if (!learn(known, name)) return "none";
    stayInDay(state.day, at);
    return "told";
  }
  // What changes nothing that is stored must not change the state either.
  if (!addSampled(state.names, name, SAMPLE_SIZE)) return "none";
  stayInDay(state.day, at);
  state.refs.add(ref, MAX_REFS);
  return "new";
}

/** Takes up what another record says of a known name, as an answer does after its question. */
function learn(known: SampledName, { outcome, dataType, answerBytes }: SampledName): boolean {
  const tells = (known.outcome === "unknown" && outcome !== "unknown") || (dataType && !known.dataType) ||
    answerBytes > known.answerBytes;
  if (known.outcome === "unknown") known.outcome = outcome;
  known.dataType ||= dataType;
  known.answerBytes = Math.max(known.answerBytes, answerBytes);
  return tells;
}
