// Compact bytes of a group of alerts: at most about 4 kB, typically 300.
import type { StateType } from "../kernel/detector.ts";
import type { AlertFacts } from "../../record/facts.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import { readRefs, writeRefs } from "../kernel/state/refs.ts";
import { type AlertGroupState, emptyAlertGroup, KEPT_METADATA, type WorstAlert } from "./state.ts";

const VERSION = 3;

export function encodeAlertGroup(state: AlertGroupState): Uint8Array {
  const out = new ByteWriter(256 + 40 * state.refs.length + 48 * state.signatures.length);
  out.varint(VERSION);
  out.float(state.firstSeen);
  out.float(state.lastSeen);
  out.varint(state.count);
  out.varint(state.outboundCount);
  out.varint(state.signatures.length);
  for (const { id, signature, count } of state.signatures) {
    out.text(id);
    // Without a number the text is the id.
    out.text(signature === id ? "" : signature);
    out.varint(count);
  }
  out.varint(state.peers.length);
  for (const { ip, port } of state.peers) {
    out.text(ip);
    out.varint(port === null ? 0 : port + 1);
  }
  out.varint(state.worst === null ? 0 : 1);
  if (state.worst !== null) writeWorst(out, state.worst);
  const { count, signatures, points, lastSeen } = state.evaluated;
  out.varint(count);
  out.varint(signatures);
  out.float(points);
  out.float(lastSeen);
  writeRefs(out, state.refs);
  return out.bytes();
}

/** Throws a RangeError for bytes of another version. */
export function decodeAlertGroup(bytes: Uint8Array): AlertGroupState {
  const from = new ByteReader(bytes);
  const version = from.varint();
  if (version !== VERSION) throw new RangeError(`alert group: expected version ${VERSION}, got ${version}`);
  const state = emptyAlertGroup();
  state.firstSeen = from.float();
  state.lastSeen = from.float();
  state.count = from.varint();
  state.outboundCount = from.varint();
  for (let left = from.varint(); left > 0; left--) {
    const id = from.text();
    state.signatures.push({ id, signature: from.text() || id, count: from.varint() });
  }
  for (let left = from.varint(); left > 0; left--) {
    const ip = from.text();
    const port = from.varint();
    state.peers.push({ ip, port: port === 0 ? null : port - 1 });
  }
  if (from.varint() === 1) state.worst = readWorst(from);
  state.evaluated = {
    count: from.varint(),
    signatures: from.varint(),
    points: from.float(),
    lastSeen: from.float(),
  };
  state.refs = readRefs(from);
  from.end();
  return state;
}

function writeWorst(out: ByteWriter, { facts, points, outbound, users }: WorstAlert): void {
  out.float(points);
  out.varint(Number(outbound) + 2 * Number(facts.action === "blocked"));
  out.varint(users);
  for (const number of [facts.gid, facts.signatureId, facts.revision, facts.priority]) {
    out.varint(number === null ? 0 : number + 1);
  }
  out.text(facts.signature);
  out.varint(facts.category === null ? 0 : 1);
  if (facts.category !== null) out.text(facts.category);
  const known = KEPT_METADATA.filter((key) => facts.metadata[key]?.[0] !== undefined);
  out.varint(known.length);
  for (const key of known) {
    out.varint(KEPT_METADATA.indexOf(key));
    out.text(facts.metadata[key]![0]!);
  }
}

function readWorst(from: ByteReader): WorstAlert {
  const points = from.float();
  const flags = from.varint();
  const users = from.varint();
  const number = () => {
    const value = from.varint();
    return value === 0 ? null : value - 1;
  };
  const [gid, signatureId, revision, priority] = [number(), number(), number(), number()] as const;
  const signature = from.text();
  const category = from.varint() === 0 ? null : from.text();
  const metadata: Record<string, string[]> = {};
  for (let left = from.varint(); left > 0; left--) {
    const key = KEPT_METADATA[from.varint()]!;
    metadata[key] = [from.text()];
  }
  const facts: AlertFacts = {
    type: "alert",
    gid,
    signatureId,
    revision,
    signature,
    category,
    priority,
    action: (flags & 2) === 0 ? null : "blocked",
    metadata,
  };
  return { facts, points, outbound: (flags & 1) === 1, users };
}

export const FORMER_ALERT_GROUPS: StateType<AlertGroupState> = {
  id: 35,
  name: "alert groups",
  keepDays: 30,
  empty: emptyAlertGroup,
  encode: encodeAlertGroup,
  decode: decodeAlertGroup,
  size: ({ signatures, peers, refs }) =>
    600 + 300 * signatures.length + 60 * peers.length + 220 * refs.length,
};
