// How a device administers others: the peers it ever administered, and its activity of the last hour.
import type { Micros } from "../../record/observation.ts";
import { bitOf, type Protocol } from "./admin-services.ts";
import { Distinct, distinct, hash32 } from "../kernel/state/distinct.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineState, float, list, record, varint } from "../kernel/state/schema.ts";
import type { EvidenceRef } from "../kernel/result.ts";

/**
 * Pairs of peer and protocol kept. A device with more is an administrator, for which a new pair is nothing
 * unusual.
 */
export const MAX_KNOWN = 96;
/** Peers tracked within the hour; a new one replaces the peer used longest ago. */
const MAX_PEERS = 8;
const MAX_PEER_REFS = 6;
/** Distinct peers per hour, exact up to this number. */
const EXACT_PEERS = 32;

const HOUR: Micros = 3_600_000_000;

/** Administration of one peer within an hour. */
export interface PeerUse {
  key: number;
  since: Micros;
  last: Micros;
  /** Bits of the protocols used, and of those this device had never used on this peer. */
  protocols: number;
  newProtocols: number;
  connections: number;
  bytesOut: number;
  bytesIn: number;
  /** SMB only. */
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
  /** Peers never administered before. */
  newPeers: Distinct;
  reportedScore: number;
  refs: EvidenceRef[];
}

export interface LateralState {
  /** Hashes of `<protocol> <peer>`, oldest first. */
  known: number[];
  /** Pairs ever seen, including those dropped from `known`. */
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

/** Adds a connection, or what a known one has carried since, in place. */
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
  addToFanOut(state.fan, peerIp, isNew, at, ref);
  return peer;
}

function peerOf(state: LateralState, key: number, at: Micros): PeerUse {
  const index = state.peers.findIndex((peer) => peer.key === key);
  const known = state.peers[index];
  // The hour ends in either direction, so that a wrong clock costs one hour only.
  if (known && at < known.since + HOUR && at > known.since - HOUR) return known;
  const use: PeerUse = {
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
  if (index >= 0) state.peers[index] = use;
  else if (state.peers.push(use) > MAX_PEERS) {
    state.peers.splice(state.peers.indexOf(state.peers.reduce((a, b) => b.last < a.last ? b : a)), 1);
  }
  return use;
}

function addToFanOut(fan: FanOut, peerIp: string, isNew: boolean, at: Micros, ref: EvidenceRef): void {
  if (at >= fan.since + HOUR || at <= fan.since - HOUR) Object.assign(fan, newFanOut(at));
  fan.last = Math.max(fan.last, at);
  const added = fan.peers.add(peerIp);
  if (isNew) fan.newPeers.add(peerIp);
  if (added) addRef(fan.refs, ref, MAX_PEER_REFS);
}

function newFanOut(at: Micros): FanOut {
  return {
    since: at,
    last: at,
    peers: new Distinct(EXACT_PEERS),
    newPeers: new Distinct(EXACT_PEERS),
    reportedScore: 0,
    refs: [],
  };
}

/** Keys: a device. At most about 4 kB, typically less than 400 bytes. */
export const ADMINISTRATION = defineState<LateralState>({
  id: 11,
  name: "administration",
  keepDays: 60,
  version: 1,
  empty: () => ({ known: [], knownCount: 0, peers: [], fan: newFanOut(0) }),
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
