// What is remembered of the registered domains that a device asked for in vain: a sample of a day's, in bounded room.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { RefList } from "../kernel/state/ref-list.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import {
  addSampled,
  type CountedDay,
  isInDay,
  leaveDay,
  newCountedDay,
  readCountedDay,
  readSampled,
  type Sampled,
  sampledCount,
  stayInDay,
  writeCountedDay,
  writeSampled,
} from "../kernel/state/sample.ts";

/** Domains kept; their number is exact below, and known within 12 % above. */
const SAMPLE_SIZE = 64;
const MAX_REFS = 16;
/** Domains kept by name, to be named. */
const MAX_EXAMPLES = 4;
const MAX_EXAMPLE_LENGTH = 64;
const VERSION = 1;

/** A registered domain that does not exist. */
interface FailedDomain extends Sampled {
  /** 0 to 15, of 15. */
  random: number;
  /** Characters of the label that was registered, or would have to be. */
  length: number;
}

export interface Failures extends CountedDay {
  domains: FailedDomain[];
  examples: string[];
  refs: RefList;
}

/** Keys: device; and the empty one for what anybody inside asked a resolver of the site for. About 1.5 kB at most. */
export const FAILURES: StateType<Failures> = {
  id: 23,
  name: "domains asked for in vain",
  keepDays: 3,
  empty: () => ({ ...newCountedDay(), domains: [], examples: [], refs: new RefList() }),
  encode(state) {
    const out = new ByteWriter(160 + 8 * state.domains.length + 40 * state.refs.length);
    out.varint(VERSION);
    writeCountedDay(out, state);
    writeSampled(out, state.domains, ({ random, length }) => out.varint(length * 16 + random));
    out.varint(state.examples.length);
    for (const example of state.examples) out.text(example);
    state.refs.write(out);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`failures: expected version ${VERSION}, got ${version}`);
    const counted = readCountedDay(from);
    const domains = readSampled<FailedDomain>(from, (hash) => {
      const packed = from.varint();
      return { hash, random: packed % 16, length: packed >> 4 };
    });
    const examples = Array.from({ length: from.varint() }, () => from.text());
    const refs = RefList.read(from);
    from.end();
    return { ...counted, domains, examples, refs };
  },
  size: ({ domains, examples, refs }) => 300 + 72 * domains.length + 120 * examples.length + refs.weight,
};

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
