// What is remembered of a device and an indicator that it met.
import { INTEL_VIAS, type IntelVia } from "../../intel/hits.ts";
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { beginsAnew, begunAt, goOn, type Stretch } from "../kernel/stretch.ts";
import { readRefs, writeRefs } from "../kernel/state/refs.ts";
import { addIntelRef, nextStep, readVersion } from "./refs.ts";

/**
 * How far a contact went, the least first: a name that led to a listed address, a question for a listed name, a listed
 * fingerprint, an attempt without an answer, one of which nobody knows, and one with an answer.
 */
const CONTACTS = ["answer", "query", "fingerprint", "attempt", "contact", "exchange"] as const;
export type Contact = (typeof CONTACTS)[number];

const VERSION = 1;

/** One device and one indicator; a day of silence begins another stretch. */
export interface MetIndicatorState extends Stretch {
  /** Records that show it, those that only add to a flow left out. */
  count: number;
  contact: Contact;
  vias: IntelVia[];
  bytesOut: number;
  /** The other end of the furthest contact; '' and 0 where there is none to tell. */
  peerIp: string;
  peerPort: number;
  /** What the last judgement saw. */
  evaluated: { count: number; contact: Contact | null; vias: number; bytesOut: number };
  refs: EvidenceRef[];
}

/** Keys: `<device> <kind> <indicator>`; as many as devices meet indicators. About 100 to 450 bytes. */
export const MET_INDICATORS: StateType<MetIndicatorState> = {
  id: 32,
  name: "met indicators",
  keepDays: 14,
  empty: emptyMet,
  encode(state) {
    const out = new ByteWriter(96 + 40 * state.refs.length);
    out.varint(VERSION);
    out.float(state.firstSeen);
    out.float(state.lastSeen);
    out.varint(state.stale);
    out.varint(state.count);
    out.varint(CONTACTS.indexOf(state.contact));
    out.varint(viaBits(state.vias));
    out.varint(state.bytesOut);
    out.text(state.peerIp);
    out.varint(state.peerPort);
    const { evaluated } = state;
    out.varint(evaluated.count);
    out.varint(evaluated.contact === null ? 0 : CONTACTS.indexOf(evaluated.contact) + 1);
    out.varint(evaluated.vias);
    out.varint(evaluated.bytesOut);
    writeRefs(out, state.refs);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    readVersion(from, "met indicators", VERSION);
    const state = emptyMet();
    state.firstSeen = from.float();
    state.lastSeen = from.float();
    state.stale = from.varint();
    state.count = from.varint();
    state.contact = CONTACTS[from.varint()]!;
    const bits = from.varint();
    state.vias = INTEL_VIAS.filter((_, at) => (bits >> at & 1) === 1);
    state.bytesOut = from.varint();
    state.peerIp = from.text();
    state.peerPort = from.varint();
    const count = from.varint();
    const contact = from.varint();
    state.evaluated = {
      count,
      contact: contact === 0 ? null : CONTACTS[contact - 1]!,
      vias: from.varint(),
      bytesOut: from.varint(),
    };
    state.refs = readRefs(from);
    from.end();
    return state;
  },
  size: ({ refs }) => 320 + 220 * refs.length,
};

function emptyMet(): MetIndicatorState {
  return {
    ...begunAt(0),
    count: 0,
    contact: "answer",
    vias: [],
    bytesOut: 0,
    peerIp: "",
    peerPort: 0,
    evaluated: { count: 0, contact: null, vias: 0, bytesOut: 0 },
    refs: [],
  };
}

function viaBits(vias: readonly IntelVia[]): number {
  return vias.reduce((bits, via) => bits | 1 << INTEL_VIAS.indexOf(via), 0);
}

/** One record that shows a device with an indicator. */
interface Meeting {
  at: Micros;
  contact: Contact;
  vias: readonly IntelVia[];
  /** False where it only adds to a flow that was told of. */
  first: boolean;
  bytesOut: number;
  peerIp: string;
  peerPort: number | null;
  ref: EvidenceRef;
}

/** Adds a meeting; the state from then on, which may be the same, changed. */
export function addMeeting(known: MetIndicatorState, meeting: Meeting): MetIndicatorState {
  const { at, contact } = meeting;
  const begins = known.count === 0 || beginsAnew(known, at);
  const state = begins ? { ...emptyMet(), ...begunAt(at) } : known;
  if (!begins) goOn(state, at);
  if (meeting.first || begins) state.count++;
  if (begins || rank(contact) > rank(state.contact)) {
    state.contact = contact;
    state.peerIp = meeting.peerIp;
    state.peerPort = meeting.peerPort ?? 0;
  }
  for (const via of meeting.vias) if (!state.vias.includes(via)) state.vias.push(via);
  state.vias.sort((a, b) => INTEL_VIAS.indexOf(a) - INTEL_VIAS.indexOf(b));
  state.bytesOut = Math.min(state.bytesOut + meeting.bytesOut, Number.MAX_SAFE_INTEGER);
  addIntelRef(state.refs, meeting.ref);
  return state;
}

function rank(contact: Contact): number {
  return CONTACTS.indexOf(contact);
}

/** Judged at 1, 2, 5, 10, 20, … records, when a contact went further, was met in another way, or sent ten times as much. */
export function isDueMet({ count, contact, vias, bytesOut, evaluated }: MetIndicatorState): boolean {
  return count >= nextStep(evaluated.count) || evaluated.contact === null ||
    rank(contact) > rank(evaluated.contact) ||
    vias.length > evaluated.vias || bytesOut >= Math.max(10_000, 10 * evaluated.bytesOut);
}

export function markMetEvaluated(state: MetIndicatorState): void {
  const { count, contact, vias, bytesOut } = state;
  state.evaluated = { count, contact, vias: vias.length, bytesOut };
}
