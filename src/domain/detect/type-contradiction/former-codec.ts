// What one device of one purpose did in a day that its type does not.
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import { readRefs, writeRefs } from "../kernel/former-destinations.ts";
import { newDay } from "../kernel/state/sample.ts";
import type { Day } from "../kernel/state/sample.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { ACTS } from "./acts.ts";

/** Different peers of an act, counted exactly up to this many. */
const EXACT_PEERS = 96;
export const MAX_ACT_REFS = 6;
export const MAX_ACT_EXAMPLES = 4;
const VERSION = 1;

export interface ActCount {
  peers: Distinct;
  /** `RDP on 10.0.0.9`; made here, so bounded. */
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

/** Keys: device. Only devices with a confirmed type of one purpose have one; at most about 3 kB. */
export const ACT_COUNTS: StateType<ActCounts> = {
  id: 45,
  name: "deeds against the type",
  keepDays: 7,
  empty: () => ({ day: newDay(), acts: ACTS.map(newActCount), reportedScore: 0 }),
  encode({ day, acts, reportedScore }) {
    const out = new ByteWriter(512);
    out.varint(VERSION);
    out.float(day.anchor ?? NaN);
    out.float(day.firstSeen);
    out.float(day.lastSeen);
    out.varint(day.stale);
    out.varint(Math.round(reportedScore * 10));
    for (const deed of acts) {
      deed.peers.write(out);
      out.varint(deed.examples.length);
      for (const text of deed.examples) out.text(text);
      out.varint(deed.ips.length);
      for (const ip of deed.ips) out.text(ip);
      writeRefs(out, deed.refs);
      out.varint(deed.evaluatedCount);
    }
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) {
      throw new RangeError(`deeds against the type: expected version ${VERSION}, got ${version}`);
    }
    const anchor = from.float();
    const day = {
      anchor: Number.isNaN(anchor) ? null : anchor,
      firstSeen: from.float(),
      lastSeen: from.float(),
      stale: from.varint(),
    };
    const told = from.varint() / 10;
    const deeds = ACTS.map(() => readDeed(from));
    from.end();
    return { day, acts: deeds, reportedScore: told };
  },
  size: ({ acts }) =>
    200 +
    acts.reduce(
      (sum, { peers, refs, examples }) => sum + 200 + peers.weight + 220 * refs.length + 80 * examples.length,
      0,
    ),
};

export function newActCount(): ActCount {
  return { peers: new Distinct(EXACT_PEERS), examples: [], ips: [], refs: [], evaluatedCount: 0 };
}

function readDeed(from: ByteReader): ActCount {
  const peers = Distinct.read(from, EXACT_PEERS);
  const texts = () => Array.from({ length: from.varint() }, () => from.text());
  return { peers, examples: texts(), ips: texts(), refs: readRefs(from), evaluatedCount: from.varint() };
}
