// What is remembered of the listed hosts that a device answered.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { beginsAnew, begunAt, goOn, type Stretch } from "../kernel/stretch.ts";
import { readRefs, writeRefs } from "../kernel/state/refs.ts";
import { addIntelRef, nextStep, readVersion } from "./refs.ts";

/** Visitors that are named; all are counted. */
export const MAX_VISITORS = 6;
const EXACT_VISITORS = 32;
const MAX_TEXT = 60;
const VERSION = 1;

/** A listed host that a device answered. */
interface Visitor {
  ip: string;
  list: string;
  /** What the list says; '' where it says nothing. */
  description: string;
}

/** Listed hosts that a device answered in one stretch. */
export interface VisitorsState extends Stretch {
  count: number;
  bytesOut: number;
  /** Best factor that a list's confidence gives, and a port of remote administration that was answered; 0 where none was. */
  certainty: number;
  adminPort: number;
  visitors: Distinct;
  /** The first ones. */
  named: Visitor[];
  evaluated: { visitors: number; bytesOut: number; adminPort: boolean };
  refs: EvidenceRef[];
}

/** Key: the device. At most about 3 kB, whoever comes. */
export const VISITS: StateType<VisitorsState> = {
  id: 33,
  name: "listed visitors",
  keepDays: 14,
  empty: emptyVisits,
  encode(state) {
    const out = new ByteWriter(256 + 40 * state.refs.length);
    out.varint(VERSION);
    out.float(state.firstSeen);
    out.float(state.lastSeen);
    out.varint(state.stale);
    out.varint(state.count);
    out.varint(state.bytesOut);
    out.float(state.certainty);
    out.varint(state.adminPort);
    state.visitors.write(out);
    out.varint(state.named.length);
    for (const { ip, list, description } of state.named) {
      out.text(ip);
      out.text(list);
      out.text(description);
    }
    out.varint(state.evaluated.visitors);
    out.varint(state.evaluated.bytesOut);
    out.varint(Number(state.evaluated.adminPort));
    writeRefs(out, state.refs);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    readVersion(from, "listed visitors", VERSION);
    const state = emptyVisits();
    state.firstSeen = from.float();
    state.lastSeen = from.float();
    state.stale = from.varint();
    state.count = from.varint();
    state.bytesOut = from.varint();
    state.certainty = from.float();
    state.adminPort = from.varint();
    state.visitors = Distinct.read(from, EXACT_VISITORS);
    for (let left = from.varint(); left > 0; left--) {
      state.named.push({ ip: from.text(), list: from.text(), description: from.text() });
    }
    state.evaluated = { visitors: from.varint(), bytesOut: from.varint(), adminPort: from.varint() === 1 };
    state.refs = readRefs(from);
    from.end();
    return state;
  },
  size: ({ visitors, named, refs }) => 260 + visitors.weight + 300 * named.length + 220 * refs.length,
};

function emptyVisits(): VisitorsState {
  return {
    ...begunAt(0),
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

/** One visit that was answered. */
interface Visit extends Visitor {
  at: Micros;
  first: boolean;
  /** What the device sent back. */
  bytesOut: number;
  certainty: number;
  /** Answered port, where it is one of remote administration; else 0. */
  adminPort: number;
  ref: EvidenceRef;
}

export function addVisit(known: VisitorsState, visit: Visit): VisitorsState {
  const { at, ip } = visit;
  const begins = known.count === 0 || beginsAnew(known, at);
  const state = begins ? { ...emptyVisits(), ...begunAt(at) } : known;
  if (!begins) goOn(state, at);
  if (visit.first || begins) state.count++;
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
