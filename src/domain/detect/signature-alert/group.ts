// Adds alerts to a group and decides when to evaluate it.
import { isUnstatedIp } from "../../../kit/net/ip.ts";
import type { AlertFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";
import { nextStep } from "../kernel/next-step.ts";
import { type EvidenceRef, STRETCH_GAP } from "../kernel/result.ts";
import { alertPoints } from "./family.ts";
import {
  type AlertGroupState,
  emptyAlertGroup,
  KEPT_METADATA,
  MAX_ALERT_REFS,
  MAX_OTHER_TEXT,
  MAX_PEERS,
  MAX_SIGNATURES,
  MAX_TEXT,
  type SeenPeer,
  type SeenSignature,
  type WorstAlert,
} from "./state.ts";

/** An alert this long after the last evaluation (source time) causes another one. */
const REEVALUATE_AFTER: Micros = 15 * 60 * 1_000_000;

/** One alert from the device's point of view. */
export interface AlertSighting {
  facts: AlertFacts;
  at: Micros;
  /** The other side. */
  peerIp: string;
  /** The service port, on whichever side it is; null if unknown. */
  port: number | null;
  /** Whether the device originated the flow that the alert is about. */
  outbound: boolean;
  /** Devices on which the signature has fired, including this one. */
  users: number;
  evidenceId: string;
  flowId: string;
}

/**
 * Adds one alert in order of arrival. More than STRETCH_GAP away from the group (source time, either way) it begins a new
 * group, which becomes an incident of its own.
 */
export function addAlert(before: AlertGroupState, alert: AlertSighting): AlertGroupState {
  const isApart = alert.at > before.lastSeen + STRETCH_GAP || alert.at < before.firstSeen - STRETCH_GAP;
  const state = before.count > 0 && isApart ? emptyAlertGroup() : before;
  const isFirst = state.count === 0;
  const points = alertPoints(alert.facts, alert.outbound);
  const isWorse = state.worst === null || points > state.worst.points;
  return {
    firstSeen: isFirst ? alert.at : Math.min(state.firstSeen, alert.at),
    lastSeen: isFirst ? alert.at : Math.max(state.lastSeen, alert.at),
    count: state.count + 1,
    outboundCount: state.outboundCount + (alert.outbound ? 1 : 0),
    signatures: withSignature(state.signatures, alert.facts),
    peers: withPeer(state.peers, alert),
    worst: isWorse
      ? { facts: boundedFacts(alert.facts), points, outbound: alert.outbound, users: alert.users }
      : withUsers(state.worst!, alert),
    refs: withRef(state.refs, alert),
    evaluated: state.evaluated,
  };
}

/**
 * Whether to evaluate the group now: at 1, 2, 5, 10, 20, 50, … alerts, for a new signature, a worse alert, or after
 * REEVALUATE_AFTER. Depends on the state alone, so the batch size has no influence.
 */
export function isDueAlert(state: AlertGroupState): boolean {
  const { count, signatures, points, lastSeen } = state.evaluated;
  return state.count >= nextStep(count) || state.signatures.length > signatures ||
    (state.worst?.points ?? 0) > points || state.lastSeen >= lastSeen + REEVALUATE_AFTER;
}

/** The state after an evaluation, whatever its outcome. */
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

/** Identifies a signature: its number, or the start of its text if the record has no number. */
export function signatureIdOf({ gid, signatureId, signature }: AlertFacts): string {
  return signatureId === null ? bounded(signature, MAX_OTHER_TEXT) : `${gid ?? 1}:${signatureId}`;
}

function withUsers(worst: WorstAlert, { facts, users }: AlertSighting): WorstAlert {
  const isSame = worst.facts.signatureId === facts.signatureId && worst.facts.gid === facts.gid;
  return isSame && users > worst.users ? { ...worst, users } : worst;
}

function withPeer(peers: SeenPeer[], { peerIp: ip, port }: AlertSighting): SeenPeer[] {
  if (isUnstatedIp(ip)) return peers;
  const at = peers.findIndex((peer) => peer.ip === ip);
  if (at < 0) return peers.length >= MAX_PEERS ? peers : [...peers, { ip, port }];
  return peers[at]!.port === port ? peers : peers.with(at, { ip, port: null });
}

function withSignature(seen: SeenSignature[], facts: AlertFacts): SeenSignature[] {
  const id = signatureIdOf(facts);
  const at = seen.findIndex((entry) => entry.id === id);
  if (at >= 0) return seen.with(at, { ...seen[at]!, count: seen[at]!.count + 1 });
  if (seen.length >= MAX_SIGNATURES) return seen;
  return [...seen, { id, signature: bounded(facts.signature, MAX_OTHER_TEXT), count: 1 }];
}

/** The parts of an alert that the evaluation uses, with bounded texts. */
function boundedFacts(facts: AlertFacts): AlertFacts {
  const metadata: Record<string, string[]> = {};
  for (const key of KEPT_METADATA) {
    const value = facts.metadata[key]?.[0];
    if (value !== undefined) metadata[key] = [bounded(value, MAX_OTHER_TEXT)];
  }
  return {
    ...facts,
    signature: bounded(facts.signature, MAX_TEXT),
    category: facts.category === null ? null : bounded(facts.category, MAX_TEXT),
    action: facts.action === "blocked" ? facts.action : null,
    metadata,
  };
}

function bounded(text: string, limit: number): string {
  return text.slice(0, limit).toWellFormed();
}

function withRef(refs: EvidenceRef[], { at, evidenceId, flowId }: AlertSighting): EvidenceRef[] {
  const ref = { evidenceId, observedAt: at, flowId };
  const index = refs.findLastIndex((other) =>
    other.observedAt < at || (other.observedAt === at && other.evidenceId < evidenceId)
  );
  const all = [...refs.slice(0, index + 1), ref, ...refs.slice(index + 1)];
  return all.length > MAX_ALERT_REFS ? all.slice(1) : all;
}
