// Listed hosts that connected to one device and were answered.
import type { Micros } from "../../record/observation.ts";
import { MAX_IP_TEXT } from "../kernel/destination-usage.ts";
import { nextStep } from "../kernel/next-step.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { refs } from "../kernel/state/refs.ts";
import { defineState, flag, float, list, record, text, varint } from "../kernel/state/schema.ts";
import { extendStretch, newStretch, startsNewStretch, type Stretch } from "../kernel/stretch.ts";
import { addIntelRef, MAX_INTEL_REFS } from "./state.ts";

/** Visitors that are listed individually; all are counted. */
export const MAX_VISITORS = 6;
/** Visitors are counted exactly up to this number. */
const EXACT_VISITORS = 32;
const MAX_TEXT = 60;

/** A listed host that the device answered. */
interface Visitor {
  ip: string;
  list: string;
  /** The list's description; "" if it has none. */
  description: string;
}

/** Listed hosts that a device answered in one stretch. */
export interface VisitorsState extends Stretch {
  count: number;
  bytesOut: number;
  /** Highest certainty of a match, 0.5 to 1 (see `certainty`). */
  certainty: number;
  /** First answered port of remote administration; 0 if none. */
  adminPort: number;
  visitors: Distinct;
  /** The first MAX_VISITORS. */
  named: Visitor[];
  /** Values at the last evaluation. */
  evaluated: { visitors: number; bytesOut: number; adminPort: boolean };
  refs: EvidenceRef[];
}

/** Keys: device. */
export const VISITS = defineState<VisitorsState>({
  id: 33,
  name: "listed visitors",
  keepDays: 14,
  version: 1,
  empty: noVisitors,
  fields: record<VisitorsState>({
    firstSeen: float,
    lastSeen: float,
    stale: varint,
    count: varint,
    bytesOut: varint,
    certainty: float,
    adminPort: varint,
    visitors: distinct(EXACT_VISITORS),
    named: list(
      record<Visitor>({ ip: text(MAX_IP_TEXT), list: text(MAX_TEXT), description: text(MAX_TEXT) }),
      MAX_VISITORS,
    ),
    evaluated: record<VisitorsState["evaluated"]>({ visitors: varint, bytesOut: varint, adminPort: flag }),
    refs: refs(MAX_INTEL_REFS),
  }),
});

function noVisitors(): VisitorsState {
  return {
    ...newStretch(0),
    count: 0,
    bytesOut: 0,
    certainty: 0,
    adminPort: 0,
    visitors: new Distinct(EXACT_VISITORS),
    named: [],
    evaluated: { visitors: 0, bytesOut: 0, adminPort: false },
    refs: [],
  };
}

/** One answered visit. */
interface Visit extends Visitor {
  at: Micros;
  /** False if the record only updates a flow that was counted before. */
  first: boolean;
  /** Bytes that the device sent back. */
  bytesOut: number;
  certainty: number;
  /** The answered port if it is one of remote administration; else 0. */
  adminPort: number;
  ref: EvidenceRef;
}

/** Adds a visit; returns the current state, which is a new one if a new stretch begins. */
export function addVisit(known: VisitorsState, visit: Visit): VisitorsState {
  const { at, ip } = visit;
  const isNewStretch = known.count === 0 || startsNewStretch(known, at);
  const state = isNewStretch ? { ...noVisitors(), ...newStretch(at) } : known;
  if (!isNewStretch) extendStretch(state, at);
  if (visit.first || isNewStretch) state.count++;
  state.bytesOut = Math.min(state.bytesOut + visit.bytesOut, Number.MAX_SAFE_INTEGER);
  state.certainty = Math.max(state.certainty, visit.certainty);
  state.adminPort ||= visit.adminPort;
  if (
    state.visitors.add(ip) && state.named.length < MAX_VISITORS && !state.named.some((one) => one.ip === ip)
  ) {
    state.named.push({ ip, list: bounded(visit.list), description: bounded(visit.description) });
  }
  addIntelRef(state.refs, visit.ref);
  return state;
}

/** Due at 1, 2, 5, 10, … visitors, for ten times the bytes (1 MB at least), and for the first administration port. */
export function isDueVisits({ visitors, bytesOut, adminPort, evaluated }: VisitorsState): boolean {
  return visitors.count >= nextStep(evaluated.visitors) ||
    bytesOut >= Math.max(1_000_000, 10 * evaluated.bytesOut) ||
    (adminPort > 0 && !evaluated.adminPort);
}

export function markVisitsEvaluated(state: VisitorsState): void {
  state.evaluated = {
    visitors: state.visitors.count,
    bytesOut: state.bytesOut,
    adminPort: state.adminPort > 0,
  };
}

function bounded(text: string): string {
  return text.slice(0, MAX_TEXT).toWellFormed();
}
