// The hosts to which a device sends large numbers of packets, in bounded space.
import type { Micros } from "../../record/observation.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineState, float, list, record, tenths, text, varint } from "../kernel/state/schema.ts";
import { type EvidenceRef, STRETCH_GAP } from "../kernel/result.ts";

/** Targets kept per device. A new one replaces the target that received least. */
export const MAX_TARGETS = 4;
/** Newest records of a target that are kept as evidence. */
const MAX_TARGET_REFS = 4;
/** Distinct ports of a target, exact up to this number. */
const EXACT_PORTS = 24;
/** Length of the counting window; later packets start a new one. */
const HOUR: Micros = 3_600_000_000;
/** Longest address and protocol name (`ipv6-icmp`), in characters. */
const MAX_TEXT = { ip: 45, proto: 9 } as const;

export interface Target {
  ip: string;
  proto: string;
  first: Micros;
  last: Micros;
  /** Packets sent and received, and bytes sent. */
  sent: number;
  received: number;
  bytes: number;
  ports: Distinct;
  /** Value of `sent` at the last evaluation. */
  evaluatedPackets: number;
  /** Highest score reported; 0 if none. */
  reportedScore: number;
  refs: EvidenceRef[];
}

export interface FloodState {
  targets: Target[];
}

/** Keys: a device. */
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

/** The target itself, not a copy; null if unknown. */
export function findTarget({ targets }: FloodState, ip: string, proto: string): Target | null {
  return targets.find((one) => one.ip === ip && one.proto === proto) ?? null;
}

/**
 * Adds what was sent, in place. A target restarts an hour after its first record, in either direction of a
 * wrong clock.
 */
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
    if (targets.length >= MAX_TARGETS) targets.splice(leastActive(targets, at), 1);
    target = newTarget(ip, proto, at);
    targets.push(target);
  } else if (Math.abs(at - target.first) > HOUR) {
    const reportedScore = Math.abs(at - target.last) > STRETCH_GAP ? 0 : target.reportedScore;
    Object.assign(target, { ...newTarget(ip, proto, at), reportedScore } satisfies Target);
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

function newTarget(ip: string, proto: string, at: Micros): Target {
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

function leastActive(targets: readonly Target[], at: Micros): number {
  const activity = ({ last, sent }: Target) => Math.abs(at - last) > HOUR ? 0 : sent;
  let least = 0;
  for (let index = 1; index < targets.length; index++) {
    if (activity(targets[index]!) < activity(targets[least]!)) least = index;
  }
  return least;
}
