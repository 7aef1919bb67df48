// How a device administers others: the peers it ever administered, and its activity of the last hour.
import type { Micros } from "../../record/observation.ts";
import { bitOf, CONTROL_BITS, type Protocol } from "./admin-services.ts";
import { Distinct, distinct, hash32 } from "../kernel/state/distinct.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineVersionedState, float, list, mapped, record, varint } from "../kernel/state/schema.ts";
import { bitCount, leastRecent, type Slot, slotPlan, touchSlot, windowsOf } from "../kernel/state/slots.ts";
import type { EvidenceRef } from "../kernel/result.ts";

/**
 * Pairs of peer and protocol kept. A device with more is an administrator, for which a new pair is nothing
 * unusual.
 */
export const MAX_KNOWN = 96;
/** Peers tracked; a new one replaces the peer used longest ago. */
const MAX_PEERS = 8;
const MAX_PEER_REFS = 6;
/** PsExec and similar tools copy programs of 50 kB or more. */
export const PROGRAM_BYTES = 40_000;
/** Hosts administered within an hour from which on it is a fan-out; a domain has only a few servers. */
export const MIN_FAN_OUT = 10;
/** Distinct peers per hour, exact up to this number. */
const EXACT_PEERS = 32;

/** An hour-long activity lies within a window wherever it begins: 60 to 80 minutes. */
const PLAN = slotPlan(3, 4);

/** Administration of one peer within a slot. */
export interface PeerSlot extends Slot {
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
}

/** What was reported last: the score, and the slot of the newest record. */
interface Reported {
  reportedScore: number;
  reportedSlot: number;
}

/** Recent administration of one peer. */
export interface KnownPeer extends Reported {
  key: number;
  slots: PeerSlot[];
  refs: EvidenceRef[];
}

/** Peers administered within a slot. */
export interface FanSlot extends Slot {
  since: Micros;
  last: Micros;
  peers: Distinct;
  /** Peers never administered before. */
  newPeers: Distinct;
}

/** Recently administered peers. */
export interface KnownFan extends Reported {
  slots: FanSlot[];
  refs: EvidenceRef[];
}

/** Administration of one peer within an hour. */
export interface PeerUse extends Omit<PeerSlot, "slot"> {
  reportedScore: number;
  refs: readonly EvidenceRef[];
}

/** Peers administered within an hour. */
export interface FanOut extends Omit<FanSlot, "slot"> {
  reportedScore: number;
  refs: readonly EvidenceRef[];
}

export interface LateralState {
  /** Hashes of `<protocol> <peer>`, oldest first. */
  known: number[];
  /** Pairs ever seen, including those dropped from `known`. */
  knownCount: number;
  peers: KnownPeer[];
  fan: KnownFan;
}

interface AdminUse {
  peerIp: string;
  protocol: Protocol;
  at: Micros;
  /** Whether it is a connection that was not counted before. */
  first: boolean;
  bytesOut: number;
  bytesIn: number;
  ref: EvidenceRef;
}

/** The hour around a use, for its peer and for all peers. Null where nothing can be found in it. */
interface Hour {
  use: PeerUse | null;
  fan: FanOut | null;
  /** Records that one of the two was reported with this score. */
  report(what: "use" | "fan", score: number): void;
}

/** Adds a connection, or what a known one has carried since, in place. */
export function addUse(state: LateralState, use: AdminUse): Hour {
  const { peerIp, protocol, at, ref } = use;
  const pair = hash32(`${protocol} ${peerIp}`);
  const isNew = !state.known.includes(pair);
  if (isNew) {
    state.known.push(pair);
    state.knownCount++;
    if (state.known.length > MAX_KNOWN) state.known.shift();
  }
  const peer = peerOf(state, hash32(peerIp), at);
  const slot = touchSlot(peer.slots, at, PLAN, (number) => newPeerSlot(number, at));
  const bit = bitOf(protocol);
  slot.since = Math.min(slot.since, at);
  slot.last = Math.max(slot.last, at);
  slot.protocols |= bit;
  if (isNew) slot.newProtocols |= bit;
  if (use.first) slot.connections++;
  slot.bytesOut += use.bytesOut;
  slot.bytesIn += use.bytesIn;
  if (protocol === "smb") {
    slot.smbOut += use.bytesOut;
    slot.smbIn += use.bytesIn;
  }
  addRef(peer.refs, ref, MAX_PEER_REFS);
  const { fan } = state;
  const fanSlot = addToFan(fan, peerIp, isNew, at, ref);
  return {
    use: isRemarkable(peer, slot, bit)
      ? { ...usedMost(peer, slot), reportedScore: reportedScore(peer, slot), refs: peer.refs }
      : null,
    fan: mayBeMany(fan, fanSlot)
      ? { ...largest(fan, fanSlot), reportedScore: reportedScore(fan, fanSlot), refs: fan.refs }
      : null,
    report: (what, score) => {
      const reported = what === "use" ? peer : fan;
      reported.reportedScore = score;
      reported.reportedSlot = slot.slot;
    },
  };
}

function peerOf(state: LateralState, key: number, at: Micros): KnownPeer {
  const known = state.peers.find((peer) => peer.key === key);
  if (known !== undefined) return known;
  const peer: KnownPeer = { key, slots: [], reportedScore: 0, reportedSlot: 0, refs: [] };
  if (state.peers.length >= MAX_PEERS) state.peers.splice(leastRecent(state.peers, at), 1);
  state.peers.push(peer);
  return peer;
}

function newPeerSlot(slot: number, at: Micros): PeerSlot {
  return {
    slot,
    since: at,
    last: at,
    protocols: 0,
    newProtocols: 0,
    connections: 0,
    bytesOut: 0,
    bytesIn: 0,
    smbOut: 0,
    smbIn: 0,
  };
}

/** A score reported longer than an hour ago no longer counts. */
function reportedScore({ reportedScore, reportedSlot }: Reported, { slot }: Slot): number {
  return Math.abs(slot - reportedSlot) < PLAN.window ? reportedScore : 0;
}

/**
 * Whether an hour with the slot can be remarkable: several protocols with remote control or an upload among
 * them, or remote control by the protocol just used that is new. Decides the common case without the sums.
 */
function isRemarkable({ slots }: KnownPeer, { slot }: PeerSlot, bit: number): boolean {
  let [protocols, newProtocols, written] = [0, 0, 0];
  for (const one of slots) {
    const distance = Math.abs(one.slot - slot);
    if (distance < 2 * PLAN.window) newProtocols |= one.newProtocols;
    if (distance >= PLAN.window) continue;
    protocols |= one.protocols;
    written += one.smbOut;
  }
  if ((newProtocols & bit & CONTROL_BITS) !== 0) return true;
  const isOneProtocol = (protocols & (protocols - 1)) === 0;
  return !isOneProtocol && ((protocols & CONTROL_BITS) !== 0 || written >= PROGRAM_BYTES);
}

/** Whether an hour with the slot can reach MIN_FAN_OUT peers: the slots around it do together. */
function mayBeMany({ slots }: KnownFan, { slot }: FanSlot): boolean {
  const near = slots.filter((one) => Math.abs(one.slot - slot) < PLAN.window);
  if (near.reduce((sum, { peers }) => sum + peers.count, 0) < MIN_FAN_OUT) return false;
  const all = new Distinct(EXACT_PEERS);
  for (const { peers } of near) all.addAll(peers);
  return all.count >= MIN_FAN_OUT;
}

/** The hour with the slot in which the peer was used in most ways, then with the most written over SMB. */
function usedMost({ slots }: KnownPeer, slot: PeerSlot): Omit<PeerSlot, "slot"> {
  // The first record of a pair to arrive need not be the earliest one.
  const recent = slots.filter((one) => Math.abs(one.slot - slot.slot) < 2 * PLAN.window);
  const newProtocols = recent.reduce((bits, one) => bits | one.newProtocols, 0);
  let best: PeerSlot | null = null;
  for (const window of windowsOf(slots, slot, PLAN)) {
    const sum = window.reduce(addPeerSlots);
    const ways = bitCount(sum.protocols) - (best === null ? 0 : bitCount(best.protocols));
    if (best === null || ways > 0 || (ways === 0 && sum.smbOut > best.smbOut)) best = sum;
  }
  return { ...best!, newProtocols: newProtocols & best!.protocols };
}

function addPeerSlots(a: PeerSlot, b: PeerSlot): PeerSlot {
  return {
    slot: a.slot,
    since: Math.min(a.since, b.since),
    last: Math.max(a.last, b.last),
    protocols: a.protocols | b.protocols,
    newProtocols: a.newProtocols | b.newProtocols,
    connections: a.connections + b.connections,
    bytesOut: a.bytesOut + b.bytesOut,
    bytesIn: a.bytesIn + b.bytesIn,
    smbOut: a.smbOut + b.smbOut,
    smbIn: a.smbIn + b.smbIn,
  };
}

function addToFan(fan: KnownFan, peerIp: string, isNew: boolean, at: Micros, ref: EvidenceRef): FanSlot {
  const slot = touchSlot(fan.slots, at, PLAN, (number) => newFanSlot(number, at));
  slot.since = Math.min(slot.since, at);
  slot.last = Math.max(slot.last, at);
  const added = slot.peers.add(peerIp);
  if (isNew) slot.newPeers.add(peerIp);
  if (added) addRef(fan.refs, ref, MAX_PEER_REFS);
  return slot;
}

function newFanSlot(slot: number, at: Micros): FanSlot {
  return { slot, since: at, last: at, peers: new Distinct(EXACT_PEERS), newPeers: new Distinct(EXACT_PEERS) };
}

/** The hour with the slot in which most peers were administered. */
function largest({ slots }: KnownFan, slot: FanSlot): Omit<FanSlot, "slot"> {
  let best: FanSlot | null = null;
  for (const window of windowsOf(slots, slot, PLAN)) {
    const sum = window.reduce((sum, one) => {
      sum.since = Math.min(sum.since, one.since);
      sum.last = Math.max(sum.last, one.last);
      sum.peers.addAll(one.peers);
      sum.newPeers.addAll(one.newPeers);
      return sum;
    }, newFanSlot(slot.slot, window[0]!.since));
    if (best === null || sum.peers.count > best.peers.count) best = sum;
  }
  return best!;
}

const PEER_USE = {
  protocols: varint,
  newProtocols: varint,
  connections: varint,
  bytesOut: float,
  bytesIn: float,
  smbOut: float,
  smbIn: float,
};

const FIELDS = record<LateralState>({
  knownCount: varint,
  known: list(varint, MAX_KNOWN),
  peers: list(
    record<KnownPeer>({
      key: varint,
      reportedScore: float,
      reportedSlot: float,
      slots: list(record<PeerSlot>({ slot: float, since: float, last: float, ...PEER_USE }), PLAN.kept),
      refs: refs(MAX_PEER_REFS),
    }),
    MAX_PEERS,
  ),
  fan: record<KnownFan>({
    reportedScore: float,
    reportedSlot: float,
    slots: list(
      record<FanSlot>({
        slot: float,
        since: float,
        last: float,
        peers: distinct(EXACT_PEERS),
        newPeers: distinct(EXACT_PEERS),
      }),
      PLAN.kept,
    ),
    refs: refs(MAX_PEER_REFS),
  }),
});

interface FirstUse extends Omit<PeerSlot, "slot"> {
  key: number;
  reportedScore: number;
  refs: EvidenceRef[];
}

interface FirstFan extends Omit<FanSlot, "slot"> {
  reportedScore: number;
  refs: EvidenceRef[];
}

interface FirstState extends Pick<LateralState, "known" | "knownCount"> {
  peers: FirstUse[];
  fan: FirstFan;
}

/** As version 1 stored it: an hour that began with the record that arrived first. Only read. */
const FIRST_FIELDS = mapped<LateralState, FirstState>(
  record<FirstState>({
    knownCount: varint,
    known: list(varint, MAX_KNOWN),
    peers: list(
      record<FirstUse>({
        key: varint,
        since: float,
        last: float,
        ...PEER_USE,
        reportedScore: float,
        refs: refs(MAX_PEER_REFS),
      }),
      MAX_PEERS,
    ),
    fan: record<FirstFan>({
      since: float,
      last: float,
      reportedScore: float,
      peers: distinct(EXACT_PEERS),
      newPeers: distinct(EXACT_PEERS),
      refs: refs(MAX_PEER_REFS),
    }),
  }),
  () => {
    throw new RangeError("administration: version 1 is only read");
  },
  ({ known, knownCount, peers, fan }) => ({
    known,
    knownCount,
    peers: peers.map(({ key, reportedScore, refs, ...use }) => {
      const slot = Math.floor(use.last / PLAN.length);
      return { key, reportedScore, reportedSlot: slot, slots: [{ slot, ...use }], refs };
    }),
    fan: fanOf(fan),
  }),
);

function fanOf({ reportedScore, refs, ...fan }: FirstFan): KnownFan {
  const slot = Math.floor(fan.last / PLAN.length);
  const slots = fan.peers.count === 0 ? [] : [{ slot, ...fan }];
  return { reportedScore, reportedSlot: slot, slots, refs };
}

/** Keys: a device. At most about 11 kB, typically less than 400 bytes. */
export const ADMINISTRATION = defineVersionedState<LateralState>({
  id: 11,
  name: "administration",
  keepDays: 60,
  empty: () => ({
    known: [],
    knownCount: 0,
    peers: [],
    fan: { reportedScore: 0, reportedSlot: 0, slots: [], refs: [] },
  }),
  versions: [
    { version: 2, fields: FIELDS },
    { version: 1, fields: FIRST_FIELDS, matches: () => false },
  ],
});
