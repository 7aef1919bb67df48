// Results about a device and a listed indicator, or its listed visitors.
import type { Match } from "../../intel/indicator.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE } from "../kernel/result.ts";
import { total } from "../kernel/score.ts";
import { shortened } from "../../../kit/text.ts";
import type { Party } from "./party.ts";
import { certainty, contactModifiers, contactShares, visitModifiers, visitShares } from "./score.ts";
import type { MatchedIndicator } from "./state.ts";
import { describeContact, describeVisits } from "./text.ts";
import type { VisitorsState } from "./visits.ts";

export const THREAT_INTEL: DetectorInfo = {
  modelId: "threat-intel",
  version: "1",
  title: "Contact with a threat intelligence indicator",
  technique: "T1071",
  description:
    "A device that contacts, looks up or presents an address, name, URL, certificate or fingerprint of a list.",
  meaning:
    "The device exchanged data with, or asked for, a host that a list names as hostile. Lists age, and a shared host serves many sites.",
  checks: [
    "what the list says of the entry: its description, age and confidence",
    "whether data was exchanged or only a name was looked up; for a resolver, which client asked",
    "which program on the device caused the contact, and what followed it",
    "whether other devices had contact with the same host",
  ],
  sources: "matches of all records with the lists; of stored records when a list changes",
  baseline: "none",
  reports: [
    "contact with a listed address, name, URL, certificate or fingerprint",
    "listed hosts that connect from outside and are answered",
  ],
  ignores: [
    "listed visitors that get no answer",
    "more than four indicators of one record",
    "`low` at most: a lookup alone",
  ],
};

/** Evaluates a device and an indicator; null if there is nothing to report. */
export function evaluateMatched(state: MatchedIndicator, match: Match, party: Party): DetectorResult | null {
  if (state.count === 0 || state.refs.length === 0) return null;
  const subScores = contactShares(state);
  const modifiers = contactModifiers(state, match, party.users, party.deviceCount);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE) return null;
  return {
    modelId: THREAT_INTEL.modelId,
    modelVersion: THREAT_INTEL.version,
    technique: technique(state),
    at: state.lastSeen,
    firstSeen: state.firstSeen,
    lastSeen: state.lastSeen,
    deviceId: party.deviceId,
    deviceIds: party.deviceId === null ? [] : [party.deviceId],
    destinations: [destination(state, match)],
    groupKey: `${party.key}|${match.kind} ${match.indicator}`,
    subject: `${party.name} and ${shortened(match.indicator)}`,
    campaign: `indicator ${match.kind} ${match.indicator}`,
    ...describeContact(state, match, party),
    score,
    confidence: Math.round(0.9 * certainty(match) * 100) / 100,
    subScores,
    modifiers,
    evidence: [...state.refs],
  };
}

/** Evaluates the listed hosts that a device answered; null if there is nothing to report. */
export function evaluateVisits(state: VisitorsState, party: Party): DetectorResult | null {
  if (state.count === 0 || state.refs.length === 0) return null;
  const subScores = visitShares(state);
  const modifiers = visitModifiers(state);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE) return null;
  return {
    modelId: THREAT_INTEL.modelId,
    modelVersion: THREAT_INTEL.version,
    technique: "T1133",
    at: state.lastSeen,
    firstSeen: state.firstSeen,
    lastSeen: state.lastSeen,
    deviceId: party.deviceId,
    deviceIds: party.deviceId === null ? [] : [party.deviceId],
    destinations: state.named.map(({ ip }) => ({ ip, name: null, port: null })),
    groupKey: `${party.key}|visitors`,
    subject: `listed visitors of ${party.name}`,
    ...describeVisits(state, party.name),
    score,
    confidence: Math.round(0.6 * state.certainty * 100) / 100,
    subScores,
    modifiers,
    evidence: [...state.refs],
  };
}

function destination(
  { peerIp, peerPort, contact }: MatchedIndicator,
  match: Match,
): DetectorResult["destinations"][number] {
  const isName = match.kind === "domain" || match.kind === "url";
  // The peer of a lookup is the resolver, not the listed host.
  const isLookup = contact === "query" || contact === "answer";
  const ip = match.kind === "ip" ? match.indicator : isLookup || peerIp === "" ? null : peerIp;
  const name = isName ? match.indicator.split("/", 1)[0]! : null;
  return { ip, name, port: isLookup || peerPort === 0 ? null : peerPort };
}

function technique({ vias, contact }: MatchedIndicator): string {
  if (contact === "query" || contact === "answer") return "T1071.004";
  return vias.some((via) => via === "tls_server_name" || via === "http_host" || via === "url")
    ? "T1071.001"
    : "T1071";
}
