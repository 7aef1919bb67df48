// How a device uses the interfaces for running programs on other hosts, by the names in SMB records.
import type { Micros } from "../../record/observation.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineVersionedState, float, list, mapped, record, varint } from "../kernel/state/schema.ts";
import { bitCount, leastRecent, type Slot, slotPlan, touchSlot, windowsOf } from "../kernel/state/slots.ts";
import type { SmbTraits } from "./smb-names.ts";

/** Peers tracked; a new one replaces the peer used longest ago. */
const MAX_PEERS = 8;
const MAX_REFS = 6;
/** Peers remembered with the time of first use. A device with more of them is an administrator's. */
const MAX_EARLIER = 32;
/** An hour-long activity lies within a window wherever it begins: 60 to 80 minutes. */
const PLAN = slotPlan(3, 4);

/** Traits of one peer within a slot. */
export interface ExecutionSlot extends Slot {
  since: Micros;
  last: Micros;
  /** Bits of TRAITS. */
  traits: number;
  /** Position in TOOLS, plus one; 0 if no name identifies a tool. */
  tool: number;
}

/** Recent traits of one peer. */
export interface KnownExecution {
  key: number;
  slots: ExecutionSlot[];
  /** What was reported last: the score, and the slot of the newest record. */
  reportedScore: number;
  reportedSlot: number;
  refs: EvidenceRef[];
}

/** Traits of one peer within an hour. */
export interface Execution extends Omit<ExecutionSlot, "slot"> {
  key: number;
  reportedScore: number;
  refs: readonly EvidenceRef[];
  /** Records that it was reported with this score. */
  report(score: number): void;
}

interface EarlierPeer {
  key: number;
  since: Micros;
}

export interface ExecutionState {
  peers: KnownExecution[];
  /** Oldest first. */
  earlier: EarlierPeer[];
}

/** Adds what one record shows, in place. Returns null if it shows nothing new. */
export function addTraits(
  state: ExecutionState,
  { bits, tool }: SmbTraits,
  { peerIp, ref, at }: { peerIp: string; ref: EvidenceRef; at: Micros },
): Execution | null {
  const key = hash32(peerIp);
  let peer = state.peers.find((one) => one.key === key);
  if (peer === undefined) {
    peer = { key, slots: [], reportedScore: 0, reportedSlot: 0, refs: [] };
    if (state.peers.length >= MAX_PEERS) state.peers.splice(leastRecent(state.peers, at), 1);
    state.peers.push(peer);
  }
  const slot = touchSlot(peer.slots, at, PLAN, (slot) => ({ slot, since: at, last: at, traits: 0, tool: 0 }));
  const traits = slot.traits | bits;
  if (traits === slot.traits && (tool === null || slot.tool !== 0)) return null;
  slot.traits = traits;
  if (tool !== null && slot.tool === 0) slot.tool = tool + 1;
  slot.since = Math.min(slot.since, at);
  slot.last = Math.max(slot.last, at);
  addRef(peer.refs, ref, MAX_REFS);
  const known = peer;
  const isReported = Math.abs(slot.slot - known.reportedSlot) < PLAN.window;
  return {
    key,
    ...clearest(known, slot),
    reportedScore: isReported ? known.reportedScore : 0,
    refs: known.refs,
    report: (score) => {
      known.reportedScore = score;
      known.reportedSlot = slot.slot;
    },
  };
}

/** The hour with the slot that shows most traits. */
function clearest({ slots }: KnownExecution, slot: ExecutionSlot): Omit<ExecutionSlot, "slot"> {
  let best: ExecutionSlot | null = null;
  for (const window of windowsOf(slots, slot, PLAN)) {
    const sum = window.reduce((a, b) => ({
      slot: a.slot,
      since: Math.min(a.since, b.since),
      last: Math.max(a.last, b.last),
      traits: a.traits | b.traits,
      tool: a.tool || b.tool,
    }));
    if (best === null || bitCount(sum.traits) > bitCount(best.traits)) best = sum;
  }
  return best!;
}

/** The time of the first reportable use of the peer; records `at` if there was none. */
export function firstUseOf(state: ExecutionState, key: number, at: Micros): Micros {
  const known = state.earlier.find((one) => one.key === key);
  if (known !== undefined) return known.since;
  if (state.earlier.push({ key, since: at }) > MAX_EARLIER) state.earlier.shift();
  return at;
}

const EARLIER = list(record<EarlierPeer>({ key: varint, since: float }), MAX_EARLIER);

const FIELDS = record<ExecutionState>({
  peers: list(
    record<KnownExecution>({
      key: varint,
      slots: list(
        record<ExecutionSlot>({ slot: float, since: float, last: float, traits: varint, tool: varint }),
        PLAN.kept,
      ),
      reportedScore: float,
      reportedSlot: float,
      refs: refs(MAX_REFS),
    }),
    MAX_PEERS,
  ),
  earlier: EARLIER,
});

interface FirstExecution extends Omit<ExecutionSlot, "slot"> {
  key: number;
  reportedScore: number;
  refs: EvidenceRef[];
}

interface FirstState {
  peers: FirstExecution[];
  earlier: EarlierPeer[];
}

/** As version 1 stored it: an hour that began with the record that arrived first. Only read. */
const FIRST_FIELDS = mapped<ExecutionState, FirstState>(
  record<FirstState>({
    peers: list(
      record<FirstExecution>({
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
    earlier: EARLIER,
  }),
  () => {
    throw new RangeError("remote execution: version 1 is only read");
  },
  ({ peers, earlier }) => ({
    peers: peers.map(({ key, reportedScore, refs, ...traits }) => {
      const slot = Math.floor(traits.last / PLAN.length);
      return { key, slots: [{ slot, ...traits }], reportedScore, reportedSlot: slot, refs };
    }),
    earlier,
  }),
);

/** Keys: a device. At most about 6 kB, typically less than 300 bytes. */
export const REMOTE_EXECUTION = defineVersionedState<ExecutionState>({
  id: 52,
  name: "remote execution",
  keepDays: 60,
  empty: () => ({ peers: [], earlier: [] }),
  versions: [
    { version: 2, fields: FIELDS },
    { version: 1, fields: FIRST_FIELDS, matches: () => false },
  ],
});
