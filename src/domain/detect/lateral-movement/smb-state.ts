// How a device uses the interfaces for running programs on other hosts, by the names in SMB records.
import type { Micros } from "../../record/observation.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineState, float, list, record, varint } from "../kernel/state/schema.ts";
import type { SmbTraits } from "./smb-names.ts";

/** Peers tracked within the hour; a new one replaces the peer used longest ago. */
const MAX_PEERS = 8;
const MAX_REFS = 6;
/** Peers remembered with the time of first use. A device with more of them is an administrator's. */
const MAX_EARLIER = 32;
const HOUR: Micros = 3_600_000_000;

/** Traits of one peer within an hour. */
export interface Execution {
  key: number;
  since: Micros;
  last: Micros;
  /** Bits of TRAITS. */
  traits: number;
  /** Position in TOOLS, plus one; 0 if no name identifies a tool. */
  tool: number;
  reportedScore: number;
  refs: EvidenceRef[];
}

interface EarlierPeer {
  key: number;
  since: Micros;
}

export interface ExecutionState {
  peers: Execution[];
  /** Oldest first. */
  earlier: EarlierPeer[];
}

/** Adds what one record shows, in place. Returns null if it shows nothing new within the hour. */
export function addTraits(
  state: ExecutionState,
  { bits, tool }: SmbTraits,
  { peerIp, ref, at }: { peerIp: string; ref: EvidenceRef; at: Micros },
): Execution | null {
  const key = hash32(peerIp);
  const index = state.peers.findIndex((peer) => peer.key === key);
  let peer = state.peers[index];
  // The hour ends in either direction, so that a wrong clock costs one hour only.
  if (peer === undefined || at >= peer.since + HOUR || at <= peer.since - HOUR) {
    peer = { key, since: at, last: at, traits: 0, tool: 0, reportedScore: 0, refs: [] };
    if (index >= 0) state.peers[index] = peer;
    else if (state.peers.push(peer) > MAX_PEERS) {
      state.peers.splice(state.peers.indexOf(state.peers.reduce((a, b) => b.last < a.last ? b : a)), 1);
    }
  }
  const traits = peer.traits | bits;
  if (traits === peer.traits && (tool === null || peer.tool !== 0)) return null;
  peer.traits = traits;
  if (tool !== null && peer.tool === 0) peer.tool = tool + 1;
  peer.last = Math.max(peer.last, at);
  addRef(peer.refs, ref, MAX_REFS);
  return peer;
}

/** The time of the first reportable use of the peer; records `at` if there was none. */
export function firstUseOf(state: ExecutionState, key: number, at: Micros): Micros {
  const known = state.earlier.find((one) => one.key === key);
  if (known !== undefined) return known.since;
  if (state.earlier.push({ key, since: at }) > MAX_EARLIER) state.earlier.shift();
  return at;
}

/** Keys: a device. At most about 3 kB, typically less than 300 bytes. */
export const REMOTE_EXECUTION = defineState<ExecutionState>({
  id: 52,
  name: "remote execution",
  keepDays: 60,
  version: 1,
  empty: () => ({ peers: [], earlier: [] }),
  fields: record<ExecutionState>({
    peers: list(
      record<Execution>({
        key: varint,
        since: float,
        last: float,
        traits: varint,
        tool: varint,
        reportedScore: float,
        refs: refs(MAX_REFS),
      }),
      MAX_PEERS,
    ),
    earlier: list(record<EarlierPeer>({ key: varint, since: float }), MAX_EARLIER),
  }),
});
