// One device and one listed indicator that it contacted.
import { isUnstatedIp } from "../../../kit/net/ip.ts";
import { INTEL_VIAS, type IntelVia } from "../../intel/hits.ts";
import type { Micros } from "../../record/observation.ts";
import { MAX_IP_TEXT } from "../kernel/destination-usage.ts";
import { nextStep } from "../kernel/next-step.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineState, float, mapped, oneOf, record, text, varint } from "../kernel/state/schema.ts";
import { extendStretch, newStretch, startsNewStretch, type Stretch } from "../kernel/stretch.ts";

/** Newest evidence kept per indicator, and per device for listed visitors. */
export const MAX_INTEL_REFS = 8;

/**
 * How far a contact went, in ascending order: a name resolved to a listed address, a query for a listed name, a listed
 * fingerprint, an unanswered attempt, a contact with unknown outcome, an answered contact.
 */
const CONTACTS = ["answer", "query", "fingerprint", "attempt", "contact", "exchange"] as const;
export type Contact = (typeof CONTACTS)[number];

/** One device and one indicator; a day of silence begins a new stretch. */
export interface MatchedIndicator extends Stretch {
  /** Records that show the indicator, except those that only update a flow. */
  count: number;
  contact: Contact;
  /** In the order of INTEL_VIAS. */
  vias: IntelVia[];
  bytesOut: number;
  /** The other end of the furthest contact; "" and 0 if there is none. */
  peerIp: string;
  peerPort: number;
  /** Values at the last evaluation; `contact` is null before the first. */
  evaluated: { count: number; contact: Contact | null; vias: number; bytesOut: number };
  refs: EvidenceRef[];
}

/** Keys: `<device> <kind> <indicator>`. About 100 to 450 bytes. */
export const MATCHED_INDICATORS = defineState<MatchedIndicator>({
  id: 32,
  name: "matched indicators",
  keepDays: 14,
  version: 1,
  empty: emptyMatchedIndicator,
  fields: record<MatchedIndicator>({
    firstSeen: float,
    lastSeen: float,
    stale: varint,
    count: varint,
    contact: oneOf<Contact>(CONTACTS, "contact"),
    vias: mapped(varint, viaBits, (bits) => INTEL_VIAS.filter((_, at) => (bits >> at & 1) === 1)),
    bytesOut: varint,
    peerIp: text(MAX_IP_TEXT),
    peerPort: varint,
    evaluated: record<MatchedIndicator["evaluated"]>({
      count: varint,
      contact: oneOf<Contact | null>([null, ...CONTACTS], "evaluated contact"),
      vias: varint,
      bytesOut: varint,
    }),
    refs: refs(MAX_INTEL_REFS),
  }),
});

function emptyMatchedIndicator(): MatchedIndicator {
  return {
    ...newStretch(0),
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

/** One bit per way, by its place in INTEL_VIAS. */
function viaBits(vias: readonly IntelVia[]): number {
  return vias.reduce((bits, via) => bits | 1 << INTEL_VIAS.indexOf(via), 0);
}

/** One record that shows a device with an indicator. */
interface MatchingRecord {
  at: Micros;
  contact: Contact;
  vias: readonly IntelVia[];
  /** False if the record only updates a flow that was counted before. */
  first: boolean;
  bytesOut: number;
  peerIp: string;
  peerPort: number | null;
  ref: EvidenceRef;
}

/** Adds a record; returns the current state, which is a new one if a new stretch begins. */
export function addMatchingRecord(known: MatchedIndicator, added: MatchingRecord): MatchedIndicator {
  const { at, contact } = added;
  const isNewStretch = known.count === 0 || startsNewStretch(known, at);
  const state = isNewStretch ? { ...emptyMatchedIndicator(), ...newStretch(at) } : known;
  if (!isNewStretch) extendStretch(state, at);
  if (added.first || isNewStretch) state.count++;
  if (isNewStretch || rank(contact) > rank(state.contact)) {
    state.contact = contact;
    state.peerIp = isUnstatedIp(added.peerIp) ? "" : added.peerIp;
    state.peerPort = added.peerPort ?? 0;
  }
  for (const via of added.vias) if (!state.vias.includes(via)) state.vias.push(via);
  state.vias.sort((a, b) => INTEL_VIAS.indexOf(a) - INTEL_VIAS.indexOf(b));
  state.bytesOut = Math.min(state.bytesOut + added.bytesOut, Number.MAX_SAFE_INTEGER);
  addIntelRef(state.refs, added.ref);
  return state;
}

/** Adds evidence once, even if a record matches an indicator in several ways. */
export function addIntelRef(refs: EvidenceRef[], ref: EvidenceRef): void {
  if (!refs.some(({ evidenceId }) => evidenceId === ref.evidenceId)) addRef(refs, ref, MAX_INTEL_REFS);
}

function rank(contact: Contact): number {
  return CONTACTS.indexOf(contact);
}

/** Due at 1, 2, 5, 10, 20, … records, and if the contact went further, in another way, or sent ten times as much. */
export function isDueMatched({ count, contact, vias, bytesOut, evaluated }: MatchedIndicator): boolean {
  return count >= nextStep(evaluated.count) || evaluated.contact === null ||
    rank(contact) > rank(evaluated.contact) || vias.length > evaluated.vias ||
    bytesOut >= Math.max(10_000, 10 * evaluated.bytesOut);
}

export function markMatchedEvaluated(state: MatchedIndicator): void {
  const { count, contact, vias, bytesOut } = state;
  state.evaluated = { count, contact, vias: vias.length, bytesOut };
}
