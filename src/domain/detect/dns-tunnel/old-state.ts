// What is remembered of the names that a device asked for below one registered domain: a sample of them, in bounded
// room. Of a domain with ordinary lookups only there is no state at all, with few names it has some dozens of bytes.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { type Carrier, type Outcome, OUTCOMES, type Outcomes } from "./name.ts";
import { RefList } from "../kernel/state/ref-list.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import {
  addSampled,
  type CountedDay,
  isInDay,
  leaveDay,
  newCountedDay,
  placeOf,
  readCountedDay,
  readSampled,
  type Sampled,
  sampledCount,
  stayInDay,
  writeCountedDay,
  writeSampled,
} from "../kernel/state/sample.ts";

/** Names kept; the number of different ones is exact below, and known within 12 % above. */
const SAMPLE_SIZE = 64;
/** Newest lookups of the sample whose evidence is kept. */
const MAX_REFS = 16;
const VERSION = 1;

/** One name. */
interface SampledName extends Sampled {
  chars: number;
  /** 0 to 15, of 15. */
  random: number;
  dataType: boolean;
  outcome: Outcome;
  /** Bytes of the answer's data. */
  down: number;
}

export interface Lookups extends CountedDay {
  names: SampledName[];
  refs: RefList;
}

export function namesOf({ names }: Lookups): number {
  return sampledCount(names, SAMPLE_SIZE);
}

/**
 * Keys: `<device> <registered domain>`. At most about 1.4 kB; a flood of random domains leaves some 80 bytes for each,
 * which are forgotten after three days, as channels are.
 */
export const LOOKUPS: StateType<Lookups> = {
  id: 20,
  name: "lookups below a domain",
  keepDays: 3,
  empty: () => ({ ...newCountedDay(), names: [], refs: new RefList() }),
  encode(state) {
    const out = new ByteWriter(56 + 12 * state.names.length + 40 * state.refs.length);
    out.varint(VERSION);
    writeCountedDay(out, state);
    writeSampled(out, state.names, ({ chars, random, dataType, outcome, down }) => {
      out.varint(chars);
      out.varint((OUTCOMES.indexOf(outcome) * 2 + (dataType ? 1 : 0)) * 16 + random);
      out.varint(down);
    });
    state.refs.write(out);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`lookups: expected version ${VERSION}, got ${version}`);
    const counted = readCountedDay(from);
    const names = readSampled<SampledName>(from, (hash) => {
      const chars = from.varint();
      const packed = from.varint();
      return {
        hash,
        chars,
        random: packed % 16,
        dataType: (packed & 16) !== 0,
        outcome: OUTCOMES[packed >> 5] ?? "unknown",
        down: from.varint(),
      };
    });
    const refs = RefList.read(from);
    from.end();
    return { ...counted, names, refs };
  },
  size: ({ names, refs }) => 300 + 88 * names.length + refs.weight,
};

/**
 * Takes a lookup up. `new` where its name joined the sample, `told` where it only adds what the answer was, and
 * `none` where nothing changed, as when a name is asked for again.
 */
export function addLookup(
  state: Lookups,
  carrier: Carrier,
  { outcome, bytes }: Outcomes,
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
function learn(known: SampledName, { outcome, dataType, down }: SampledName): boolean {
  const tells = (known.outcome === "unknown" && outcome !== "unknown") || (dataType && !known.dataType) ||
    down > known.down;
  if (known.outcome === "unknown") known.outcome = outcome;
  known.dataType ||= dataType;
  known.down = Math.max(known.down, down);
  return tells;
}
