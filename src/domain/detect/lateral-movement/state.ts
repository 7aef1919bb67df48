// What is remembered of a device's administration of others: whom it has ever administered, and the last hour's work.
import type { Micros } from "../../record/observation.ts";
import { bitOf, type Protocol } from "./admin-services.ts";
import { Distinct, distinct, hash32 } from "../kernel/state/distinct.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineState, float, list, record, varint } from "../kernel/state/schema.ts";
import type { EvidenceRef } from "../kernel/result.ts";

/** Pairs of peer and protocol remembered; whoever has more is an administrator, for whom a new one is no news. */
export const MAX_KNOWN = 96;
/** Peers of which the hour's work is followed; of more the one used longest ago is dropped. */
const MAX_PEERS = 8;
const MAX_PEER_REFS = 6;
/** Distinct peers of an hour counted exactly up to this many. */
const EXACT_PEERS = 32;

const HOUR: Micros = 3_600_000_000;

/** Work on one peer within an hour. */
export interface PeerUse {
  key: number;
  since: Micros;
  last: Micros;
  /** Bits of protocols, and of those that this device never used on this peer before. */
  protocols: number;
  newProtocols: number;
  connections: number;
  bytesOut: number;
  bytesIn: number;
  /** Of SMB alone. */
  smbOut: number;
  smbIn: number;
  reportedScore: number;
  refs: EvidenceRef[];
}

/** Peers administered within an hour. */
export interface FanOut {
  since: Micros;
  last: Micros;
  peers: Distinct;
  /** Of these the ones never administered before. */
  newPeers: Distinct;
  reportedScore: number;
  refs: EvidenceRef[];
}

export interface LateralState {
  /** Hashes of `<protocol> <peer>`, the oldest first. */
  known: number[];
  /** How many there were, the forgotten ones included. */
  knownCount: number;
  peers: PeerUse[];
  fan: FanOut;
}

interface AdminUse {
  peerIp: string;
  protocol: Protocol;
  at: Micros;
  bytesOut: number;
  bytesIn: number;
  ref: EvidenceRef;
}

/** Adds one connection, or what a known one has carried since; in place. */
export function addUse(state: LateralState, use: AdminUse): PeerUse {
  const { peerIp, protocol, at, ref } = use;
  const pair = hash32(`${protocol} ${peerIp}`);
  const isNew = !state.known.includes(pair);
  if (isNew) {
    state.known.push(pair);
    state.knownCount++;
    if (state.known.length > MAX_KNOWN) state.known.shift();
  }
  const peer = peerOf(state, hash32(peerIp), at);
  const bit = bitOf(protocol);
  peer.last = Math.max(peer.last, at);
  peer.protocols |= bit;
  if (isNew) peer.newProtocols |= bit;
  peer.connections++;
  peer.bytesOut += use.bytesOut;
  peer.bytesIn += use.bytesIn;
  if (protocol === "smb") {
    peer.smbOut += use.bytesOut;
    peer.smbIn += use.bytesIn;
  }
  addRef(peer.refs, ref, MAX_PEER_REFS);
  fanOut(state.fan, peerIp, isNew, at, ref);
  return peer;
}

function peerOf(state: LateralState, key: number, at: Micros): PeerUse {
  const index = state.peers.findIndex((peer) => peer.key === key);
  const known = state.peers[index];
  // An hour ends in either direction, so that a wild clock costs one hour's work and no more.
  if (known && at < known.since + HOUR && at > known.since - HOUR) return known;
  const fresh: PeerUse = {
    key,
    since: at,
    last: at,
    protocols: 0,
    newProtocols: 0,
    connections: 0,
    bytesOut: 0,
    bytesIn: 0,
    smbOut: 0,
    smbIn: 0,
    reportedScore: 0,
    refs: [],
  };
  if (index >= 0) state.peers[index] = fresh;
  else if (state.peers.push(fresh) > MAX_PEERS) {
    state.peers.splice(state.peers.indexOf(state.peers.reduce((a, b) => b.last < a.last ? b : a)), 1);
  }
  return fresh;
}

function fanOut(fan: FanOut, peerIp: string, isNew: boolean, at: Micros, ref: EvidenceRef): void {
  if (at >= fan.since + HOUR || at <= fan.since - HOUR) Object.assign(fan, emptyFan(at));
  fan.last = Math.max(fan.last, at);
  const added = fan.peers.add(peerIp);
  if (isNew) fan.newPeers.add(peerIp);
  if (added) addRef(fan.refs, ref, MAX_PEER_REFS);
}

function emptyFan(at: Micros): FanOut {
  return {
    since: at,
    last: at,
    peers: new Distinct(EXACT_PEERS),
    newPeers: new Distinct(EXACT_PEERS),
    reportedScore: 0,
    refs: [],
  };
}

/** Keys: a device. At most about 3.5 kB, typically under 400 bytes. */
export const ADMINISTRATION = defineState<LateralState>({
  id: 11,
  name: "administration",
  keepDays: 60,
  version: 1,
  empty: () => ({ known: [], knownCount: 0, peers: [], fan: emptyFan(0) }),
  fields: record<LateralState>({
    knownCount: varint,
    known: list(varint, MAX_KNOWN),
    peers: list(
      record<PeerUse>({
        key: varint,
        since: float,
        last: float,
        protocols: varint,
        newProtocols: varint,
        connections: varint,
        bytesOut: float,
        bytesIn: float,
        smbOut: float,
        smbIn: float,
        reportedScore: float,
        refs: refs(MAX_PEER_REFS),
      }),
      MAX_PEERS,
    ),
    fan: record<FanOut>({
      since: float,
      last: float,
      reportedScore: float,
      peers: distinct(EXACT_PEERS),
      newPeers: distinct(EXACT_PEERS),
      refs: refs(MAX_PEER_REFS),
    }),
  }),
});
