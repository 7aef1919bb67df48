// The few hosts that a device sends masses of packets to, in bounded room.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import { addRef, readRefs, writeRefs } from "../kernel/state/refs.ts";
import { type EvidenceRef, STRETCH_GAP } from "../kernel/result.ts";

/** Targets remembered of a device; the one that got least makes room. */
export const MAX_TARGETS = 4;
/** Newest records of a target whose evidence is named. */
const MAX_TARGET_REFS = 4;
/** Distinct ports of a target, counted exactly up to this many. */
const EXACT_PORTS = 24;
/** A flood is judged within an hour: what comes later is counted anew. */
const HOUR: Micros = 3_600_000_000;
const VERSION = 1;

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
  judged: number;
  told: number;
  refs: EvidenceRef[];
}

export interface FloodState {
  targets: Target[];
}

/** Keys: a device. At most about 1.5 kB. */
export const FLOODS: StateType<FloodState> = {
  id: 47,
  name: "floods",
  keepDays: 3,
  empty: () => ({ targets: [] }),
  encode({ targets }) {
    const out = new ByteWriter(32 + 160 * targets.length);
    out.varint(VERSION);
    out.varint(targets.length);
    for (const { ip, proto, first, last, sent, received, bytes, ports, judged, told, refs } of targets) {
      out.text(ip);
      out.text(proto);
      out.float(first);
      out.float(last);
      for (const count of [sent, received, bytes, judged, Math.round(told * 10)]) out.varint(count);
      ports.write(out);
      writeRefs(out, refs);
    }
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`floods: expected version ${VERSION}, got ${version}`);
    const targets: Target[] = [];
    for (let left = from.varint(); left > 0; left--) {
      const [ip, proto, first, last] = [from.text(), from.text(), from.float(), from.float()];
      const [sent, received, bytes, judged, tenths] = [
        from.varint(),
        from.varint(),
        from.varint(),
        from.varint(),
        from.varint(),
      ];
      const ports = Distinct.read(from, EXACT_PORTS);
      const refs = readRefs(from);
      targets.push({ ip, proto, first, last, sent, received, bytes, ports, judged, told: tenths / 10, refs });
    }
    from.end();
    return { targets };
  },
  size: ({ targets }) =>
    targets.reduce((sum, { ports, refs }) => sum + 300 + ports.weight + 220 * refs.length, 64),
};

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
    const told = Math.abs(at - target.last) > STRETCH_GAP ? 0 : target.told;
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
    judged: 0,
    told: 0,
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
