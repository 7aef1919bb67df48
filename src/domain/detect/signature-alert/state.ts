// What is remembered of one device's alerts of one signature family: bounded, whatever their number.
import type { AlertFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";
import { type EvidenceRef, STRETCH_GAP } from "../kernel/result.ts";
import { alertPoints } from "./family.ts";

export const MAX_SIGNATURES = 16;
export const MAX_PEERS = 32;
export const MAX_ALERT_REFS = 32;
/** Characters of a signature text kept; the evidence holds the whole of it. */
const MAX_TEXT = 200;
/** Of a further signature, which only a few words name. */
export const MAX_OTHER_TEXT = 60;
/** Rule metadata that judging needs. */
export const KEPT_METADATA = [
  "signature_severity",
  "confidence",
  "malware_family",
  "mitre_technique_id",
] as const;
/** Judged again at the latest when alerts still come so long after the last judgement (source time). */
const REEVALUATE_AFTER: Micros = 15 * 60 * 1_000_000;

/** One alert as a device experiences it. */
export interface AlertSighting {
  facts: AlertFacts;
  at: Micros;
  /** The other side. */
  peerIp: string;
  /** Of the service between them, whichever side has it; null where there is none, or it is not known. */
  port: number | null;
  /** Whether the device is the source of what the alert is about (its flow's originator). */
  outbound: boolean;
  /** Devices that the signature has fired on, this one included. */
  users: number;
  evidenceId: string;
  flowId: string;
}

interface SeenSignature {
  /** `gid:sid`, or the text where the record has no id. */
  id: string;
  signature: string;
  count: number;
}

interface SeenPeer {
  ip: string;
  /** Of the service, as long as all alerts with this peer are about the same one; else null, for good. */
  port: number | null;
}

/** The alert that is worth most, the first of equals. */
export interface WorstAlert {
  facts: AlertFacts;
  points: number;
  outbound: boolean;
  /** Devices that its signature has fired on, as last told. */
  users: number;
}

export interface AlertGroupState {
  firstSeen: Micros;
  lastSeen: Micros;
  count: number;
  outboundCount: number;
  /** First MAX_SIGNATURES distinct ones, in order of arrival. */
  signatures: SeenSignature[];
  /** First MAX_PEERS distinct addresses, in order of arrival. */
  peers: SeenPeer[];
  worst: WorstAlert | null;
  /** Newest MAX_ALERT_REFS by source time. */
  refs: EvidenceRef[];
  /** What the last judgement saw. */
  evaluated: { count: number; signatures: number; points: number; lastSeen: Micros };
}

export function emptyAlertGroup(): AlertGroupState {
  return {
    firstSeen: 0,
    lastSeen: 0,
    count: 0,
    outboundCount: 0,
    signatures: [],
    peers: [],
    worst: null,
    refs: [],
    evaluated: { count: 0, signatures: 0, points: 0, lastSeen: 0 },
  };
}

/**
 * Adds one alert, in arrival order. After a day without any (in source time, either way), a new stretch
 * begins, which will be an incident of its own.
 */
export function addAlert(before: AlertGroupState, alert: AlertSighting): AlertGroupState {
  const apart = alert.at > before.lastSeen + STRETCH_GAP || alert.at < before.firstSeen - STRETCH_GAP;
  const state = before.count > 0 && apart ? emptyAlertGroup() : before;
  const first = state.count === 0;
  const points = alertPoints(alert.facts, alert.outbound);
  const worse = state.worst === null || points > state.worst.points;
  return {
    firstSeen: first ? alert.at : Math.min(state.firstSeen, alert.at),
    lastSeen: first ? alert.at : Math.max(state.lastSeen, alert.at),
    count: state.count + 1,
    outboundCount: state.outboundCount + (alert.outbound ? 1 : 0),
    signatures: countSignature(state.signatures, alert.facts),
    peers: withPeer(state.peers, alert),
    worst: worse
      ? { facts: slim(alert.facts), points, outbound: alert.outbound, users: alert.users }
      : withUsers(state.worst!, alert),
    refs: newest(state.refs, alert),
    evaluated: state.evaluated,
  };
}

/**
 * Whether the group should be judged now: at 1, 2, 5, 10, 20, 50, … alerts, for a new signature, a worse
 * alert, or after a while. A function of the state alone, so batches never matter.
 */
export function isDueAlert(state: AlertGroupState): boolean {
  const { count, signatures, points, lastSeen } = state.evaluated;
  return state.count >= nextStep(count) || state.signatures.length > signatures ||
    (state.worst?.points ?? 0) > points || state.lastSeen >= lastSeen + REEVALUATE_AFTER;
}

/** The state after a judgement, whatever came of it. */
export function markAlertsEvaluated(state: AlertGroupState): AlertGroupState {
  return {
    ...state,
    evaluated: {
      count: state.count,
      signatures: state.signatures.length,
      points: state.worst?.points ?? 0,
      lastSeen: state.lastSeen,
    },
  };
}

/** The least of 1, 2, 5, 10, 20, 50, … above `count`. */
function nextStep(count: number): number {
  for (let power = 1;; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) if (step > count) return step;
  }
}

/** The worst alert, with what is now known of its signature. */
function withUsers(worst: WorstAlert, { facts, users }: AlertSighting): WorstAlert {
  const same = worst.facts.signatureId === facts.signatureId && worst.facts.gid === facts.gid;
  return same && users > worst.users ? { ...worst, users } : worst;
}

function withPeer(peers: SeenPeer[], { peerIp: ip, port }: AlertSighting): SeenPeer[] {
  const at = peers.findIndex((peer) => peer.ip === ip);
  if (at < 0) return peers.length >= MAX_PEERS ? peers : [...peers, { ip, port }];
  return peers[at]!.port === port ? peers : peers.with(at, { ip, port: null });
}

/** What tells signatures apart: their number, or how their text begins where a record has none. */
export function signatureIdOf({ gid, signatureId, signature }: AlertFacts): string {
  return signatureId === null ? beginning(signature) : `${gid ?? 1}:${signatureId}`;
}

function beginning(signature: string): string {
  return signature.slice(0, MAX_OTHER_TEXT).toWellFormed();
}

function countSignature(seen: SeenSignature[], facts: AlertFacts): SeenSignature[] {
  const text = beginning(facts.signature);
  const id = signatureIdOf(facts);
  const at = seen.findIndex((entry) => entry.id === id);
  if (at >= 0) return seen.map((entry, index) => index === at ? { ...entry, count: entry.count + 1 } : entry);
  if (seen.length >= MAX_SIGNATURES) return seen;
  return [...seen, { id, signature: text, count: 1 }];
}

/** What judging needs of an alert, bounded whatever the sensor sent. */
function slim(facts: AlertFacts): AlertFacts {
  const metadata: Record<string, string[]> = {};
  for (const key of KEPT_METADATA) {
    const value = facts.metadata[key]?.[0];
    if (value !== undefined) metadata[key] = [value.slice(0, MAX_OTHER_TEXT).toWellFormed()];
  }
  const cut = (text: string) => text.slice(0, MAX_TEXT).toWellFormed();
  const category = facts.category === null ? null : cut(facts.category);
  const action = facts.action === "blocked" ? facts.action : null;
  return { ...facts, signature: cut(facts.signature), category, action, metadata };
}

function newest(refs: EvidenceRef[], { at, evidenceId, flowId }: AlertSighting): EvidenceRef[] {
  const ref = { evidenceId, observedAt: at, flowId };
  const index = refs.findLastIndex((other) =>
    other.observedAt < at || (other.observedAt === at && other.evidenceId < evidenceId)
  );
  const all = [...refs.slice(0, index + 1), ref, ...refs.slice(index + 1)];
  return all.length > MAX_ALERT_REFS ? all.slice(1) : all;
}
