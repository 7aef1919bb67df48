// Protocol anomalies of one device in one stretch of activity.
import { MAX_IP_TEXT } from "../kernel/destination-usage.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineState, type Field, float, list, oneOf, record, text, varint } from "../kernel/state/schema.ts";
import { extendStretch, newStretch, startsNewStretch, type Stretch } from "../kernel/stretch.ts";
import type { Sighting } from "../kernel/detector.ts";
import type { AnomalyLevel } from "./events.ts";

const MAX_EVENTS = 6;
const MAX_PEERS = 8;
const MAX_REFS = 8;
/** Characters kept of an event's name. */
export const MAX_EVENT_NAME = 64;
/** In ascending order, as stored. */
const LEVELS = ["noise", "odd", "suspicious", "leak"] as const satisfies readonly AnomalyLevel[];

interface NameCount {
  name: string;
  count: number;
}

export interface Anomalies extends Stretch {
  count: number;
  worst: AnomalyLevel;
  /** The first MAX_EVENTS events and MAX_PEERS peers, each with its count. */
  events: NameCount[];
  peers: NameCount[];
  /** Values at the last evaluation. */
  evaluated: { count: number; worst: AnomalyLevel };
  refs: EvidenceRef[];
}

const level: Field<AnomalyLevel> = oneOf<AnomalyLevel>(LEVELS, "anomaly level");

function nameCounts(maxName: number, max: number): Field<NameCount[]> {
  return list(record<NameCount>({ name: text(maxName), count: varint }), max);
}

/** Keys: device. */
export const ANOMALIES = defineState<Anomalies>({
  id: 34,
  name: "anomalies",
  keepDays: 14,
  version: 1,
  empty: noAnomalies,
  fields: record<Anomalies>({
    firstSeen: float,
    lastSeen: float,
    stale: varint,
    count: varint,
    worst: level,
    events: nameCounts(MAX_EVENT_NAME, MAX_EVENTS),
    peers: nameCounts(MAX_IP_TEXT, MAX_PEERS),
    evaluated: record<Anomalies["evaluated"]>({ count: varint, worst: level }),
    refs: refs(MAX_REFS),
  }),
});

function noAnomalies(): Anomalies {
  return {
    ...newStretch(0),
    count: 0,
    worst: "noise",
    events: [],
    peers: [],
    evaluated: { count: 0, worst: "noise" },
    refs: [],
  };
}

/** Adds an anomaly; returns the current state, which is a new one if a new stretch begins. */
export function addAnomaly(
  known: Anomalies,
  { observation, evidence }: Sighting,
  event: string,
  found: AnomalyLevel,
  peerIp: string,
): Anomalies {
  const at = observation.observedAt;
  const isNewStretch = known.count === 0 || startsNewStretch(known, at);
  const state = isNewStretch ? { ...noAnomalies(), ...newStretch(at) } : known;
  if (!isNewStretch) extendStretch(state, at);
  state.count++;
  if (LEVELS.indexOf(found) > LEVELS.indexOf(state.worst)) state.worst = found;
  countName(state.events, event, MAX_EVENTS);
  countName(state.peers, peerIp, MAX_PEERS);
  addRef(state.refs, evidence, MAX_REFS);
  return state;
}

function countName(counts: NameCount[], name: string, limit: number): void {
  const known = counts.find((one) => one.name === name);
  if (known !== undefined) known.count++;
  else if (counts.length < limit) counts.push({ name, count: 1 });
}
