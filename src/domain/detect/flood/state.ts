// The few hosts that a device sends masses of packets to, in bounded room.
import type { Micros } from "../../record/observation.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineState, float, list, record, tenths, text, varint } from "../kernel/state/schema.ts";
import { type EvidenceRef, STRETCH_GAP } from "../kernel/result.ts";

/** Targets remembered of a device; the one that got least makes room. */
export const MAX_TARGETS = 4;
/** Newest records of a target whose evidence is named. */
const MAX_TARGET_REFS = 4;
/** Distinct ports of a target, counted exactly up to this many. */
const EXACT_PORTS = 24;
/** A flood is judged within an hour: what comes later is counted anew. */
const HOUR: Micros = 3_600_000_000;
/** Characters of an address, and of the longest protocol, `ipv6-icmp`. */
const MAX_TEXT = { ip: 45, proto: 9 } as const;

export interface Target {
  ip: string;
  proto: string;
  first: Micros;
  last: Micros;
  /** Packets that went there, came from there, and the bytes that went. */
  sent: number;
  received: number;
  bytes: number;
  ports: Distinct;
  /** `sent` at the last judgement, and the highest score that was told. */
  evaluatedPackets: number;
  reportedScore: number;
  refs: EvidenceRef[];
}

export interface FloodState {
  targets: Target[];
}

/** Keys: a device. At most about 1.5 kB. */
export const FLOODS = defineState<FloodState>({
  id: 47,
  name: "floods",
  keepDays: 3,
  version: 1,
  empty: () => ({ targets: [] }),
  fields: record({
    targets: list(
      record<Target>({
        ip: text(MAX_TEXT.ip),
        proto: text(MAX_TEXT.proto),
        first: float,
        last: float,
        sent: varint,
        received: varint,
        bytes: varint,
        evaluatedPackets: varint,
        reportedScore: tenths,
        ports: distinct(EXACT_PORTS),
        refs: refs(MAX_TARGET_REFS),
      }),
      MAX_TARGETS,
    ),
  }),
});

/** The target itself, not a copy; null where it is not known. */
export function findTarget({ targets }: FloodState, ip: string, proto: string): Target | null {
  return targets.find((one) => one.ip === ip && one.proto === proto) ?? null;
}

/** What was sent is added; an hour after its first record a target begins anew, in either direction of a wild clock. */
export function addSent(
  state: FloodState,
  { ip, proto, port, at, packets, received, bytes }: {
    ip: string;
    proto: string;
    port: number | null;
    at: Micros;
    packets: number;
    received: number;
    bytes: number;
  },
  ref: EvidenceRef,
): Target {
  let target = findTarget(state, ip, proto);
  if (target === null) {
    const { targets } = state;
    if (targets.length >= MAX_TARGETS) targets.splice(leastOf(targets, at), 1);
    target = begin(ip, proto, at);
    targets.push(target);
  } else if (Math.abs(at - target.first) > HOUR) {
    const told = Math.abs(at - target.last) > STRETCH_GAP ? 0 : target.reportedScore;
    Object.assign(target, begin(ip, proto, at), { told });
  }
  target.first = Math.min(target.first, at);
  target.last = Math.max(target.last, at);
  target.sent = Math.min(target.sent + packets, Number.MAX_SAFE_INTEGER);
  target.received = Math.min(target.received + received, Number.MAX_SAFE_INTEGER);
  target.bytes = Math.min(target.bytes + bytes, Number.MAX_SAFE_INTEGER);
  if (port !== null) target.ports.add(String(port));
  addRef(target.refs, ref, MAX_TARGET_REFS);
  return target;
}

function begin(ip: string, proto: string, at: Micros): Target {
  return {
    ip,
    proto,
    first: at,
    last: at,
    sent: 0,
    received: 0,
    bytes: 0,
    ports: new Distinct(EXACT_PORTS),
    evaluatedPackets: 0,
    reportedScore: 0,
    refs: [],
  };
}

function leastOf(targets: readonly Target[], at: Micros): number {
  const worth = ({ last, sent }: Target) => Math.abs(at - last) > HOUR ? 0 : sent;
  let least = 0;
  for (let one = 1; one < targets.length; one++) {
    if (worth(targets[one]!) < worth(targets[least]!)) least = one;
  }
  return least;
}
