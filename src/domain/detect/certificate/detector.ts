// Servers outside whose certificates nobody vouches for, or at the wrong time. Inside the site such certificates are
// ordinary (printers, appliances) and say nothing.
import {
  commonName,
  faultsOf,
  hasRandomNames,
  isNameless,
  NO_NAME,
  SELF_SIGNED,
} from "../kernel/certificate-faults.ts";
import { FAULT_POINTS, MIN_MADE_UP, weighCertificate, type Weighed, weighMadeUp } from "./score.ts";
import {
  type CertificateDestination,
  CERTIFICATES,
  type Certificates,
  MAX_CERTIFICATES,
  MAX_EXAMPLES,
  MAX_RANDOM_NAME_REFS,
  newRandomNames,
} from "./state.ts";
import { describeCertificate, describeMadeUp } from "./text.ts";
import type { Detector, Sighting } from "../kernel/detector.ts";
import {
  addDestination,
  boundedText,
  findDestination,
  newDestination,
  type Outbound,
  outbound,
  recordUse,
} from "../kernel/destination-usage.ts";
import { PREVALENCE } from "../kernel/prevalence.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, STRETCH_GAP } from "../kernel/result.ts";
import { isDueCount, total } from "../kernel/score.ts";
import type { TlsFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";

const CERTIFICATE: DetectorInfo = {
  modelId: "certificate",
  version: "2",
  title: "Doubtful certificates",
  technique: "T1573.002",
  description: "TLS to servers outside whose certificate is self-signed, expired, not yet valid, or made up.",
};

/** How sure: a certificate is a fact; what it means is not. */
const CONFIDENCE = { selfSigned: 0.5, other: 0.35, madeUp: 0.75 } as const;

export const CERTIFICATE_DETECTOR: Detector = {
  info: CERTIFICATE,
  feeds: ["tls"],
  match(sighting, need) {
    const { facts, proto, start } = sighting.observation;
    // Calls in a browser (DTLS) use self-signed certificates by design.
    if (facts?.type !== "tls" || proto !== "tcp") return null;
    const faults = faultsOf(facts, start);
    const madeUp = hasRandomNames(facts);
    // A certificate that is shown and in order says nothing; a session without one may resume an earlier session.
    if (faults === 0 && !madeUp && facts.subject !== null) return null;
    const who = outbound(sighting);
    if (who === null) return null;
    const slot = need(CERTIFICATES, who.deviceId);
    if (madeUp) {
      return () => {
        const result = seeMadeUp(slot.state, sighting, facts, who);
        slot.save(slot.state);
        return result;
      };
    }
    const use = faults === 0 ? null : need(PREVALENCE, `peer ${who.peer.ip}`);
    return () => {
      const place = use === null
        ? findDestination(slot.state.destinations, who.peer.ip, who.port, start)
        : seeFaults(slot.state, who, facts, faults, start);
      if (place === null) return null;
      if (use !== null) {
        place.users = use.state.users.count;
        // Who looked the name up and does not say it is an old client, or a simple one, and goes to no bare address.
        if (use.state.asked !== null) place.faults &= ~NO_NAME;
      }
      const result = judge(slot.state, place, sighting, who);
      slot.save(slot.state);
      return result;
    };
  },
};

/** The place with what this certificate says. */
function seeFaults(
  state: Certificates,
  who: Outbound,
  facts: TlsFacts,
  faults: number,
  at: Micros,
): CertificateDestination {
  const { ip } = who.peer;
  const place = findDestination(state.destinations, ip, who.port, at) ??
    addDestination(state.destinations, emptyPlace(ip, who.port), MAX_CERTIFICATES, at);
  // What is worse than anything before is judged at once.
  if (worstOf(place.faults | faults) > worstOf(place.faults)) place.evaluatedCount = 0;
  place.faults |= faults;
  place.subject = boundedText(facts.subject) ?? place.subject;
  place.issuer = boundedText(facts.issuer) ?? place.issuer;
  place.serverName = boundedText(facts.serverName) ?? place.serverName;
  place.expiry = facts.notAfter ?? place.expiry;
  return place;
}

function judge(
  state: Certificates,
  place: CertificateDestination,
  { evidence, observation, site, deviceCount }: Sighting,
  { deviceId }: Outbound,
): DetectorResult | null {
  recordUse(place, observation.start, evidence);
  if (!isDueCount(place.count, place.evaluatedCount)) return null;
  place.evaluatedCount = place.count;
  const context = {
    deviceId,
    deviceName: site.nameOf(deviceId),
    users: place.users,
    deviceCount,
    assumedInside: site.isInternal(place.ip),
    twins: twinsOf(state, place),
  };
  const weighed = weighCertificate(place, context);
  const score = scoreOf(weighed, place);
  if (score === null) return null;
  place.reportedScore = score;
  const { ip, port, serverName, faults } = place;
  return {
    ...resultBase(deviceId),
    technique: CERTIFICATE.technique,
    at: place.lastSeen,
    firstSeen: place.firstSeen,
    lastSeen: place.lastSeen,
    destinations: [
      { ip, name: isNameless(serverName) ? null : serverName, port },
      ...context.twins.map((twin) => ({ ip: twin.ip, name: twin.serverName, port: twin.port })),
    ],
    groupKey: `${deviceId}|${ip}|${port}`,
    subject: `certificate of ${ip}:${port} met by ${context.deviceName}`,
    ...describeCertificate(place, context),
    score,
    confidence: (faults & SELF_SIGNED) !== 0 ? CONFIDENCE.selfSigned : CONFIDENCE.other,
    ...weighed,
    evidence: [...place.refs],
  };
}

function seeMadeUp(
  state: Certificates,
  { observation: { start }, evidence, site }: Sighting,
  facts: TlsFacts,
  { deviceId, peer: { ip }, port }: Outbound,
): DetectorResult | null {
  if (state.randomNames === null || Math.abs(start - state.randomNames.lastSeen) > STRETCH_GAP) {
    state.randomNames = newRandomNames(start);
  }
  const { randomNames } = state;
  randomNames.firstSeen = Math.min(randomNames.firstSeen, start);
  randomNames.lastSeen = Math.max(randomNames.lastSeen, start);
  if (!randomNames.servers.add(`${ip} ${port}`)) return null;
  const name = boundedText(facts.serverName ?? commonName(facts.subject)) ?? ip;
  if (randomNames.examples.length < MAX_EXAMPLES) randomNames.examples.push({ ip, port, name });
  randomNames.refs.push(evidence);
  if (randomNames.refs.length > MAX_RANDOM_NAME_REFS) randomNames.refs.splice(1, 1);
  const servers = randomNames.servers.count;
  if (!isDueCount(servers, randomNames.evaluatedCount, MIN_MADE_UP)) return null;
  randomNames.evaluatedCount = servers;
  const weighed = weighMadeUp(servers);
  const score = scoreOf(weighed, randomNames);
  if (score === null) return null;
  randomNames.reportedScore = score;
  return {
    ...resultBase(deviceId),
    technique: "T1090.003",
    at: randomNames.lastSeen,
    firstSeen: randomNames.firstSeen,
    lastSeen: randomNames.lastSeen,
    destinations: randomNames.examples.map((example) => ({ ...example })),
    groupKey: `${deviceId}|made up`,
    subject: `servers with made-up names met by ${site.nameOf(deviceId)}`,
    ...describeMadeUp(randomNames, site.nameOf(deviceId)),
    score,
    confidence: CONFIDENCE.madeUp,
    ...weighed,
    evidence: [...randomNames.refs],
  };
}

function resultBase(deviceId: string) {
  return { modelId: CERTIFICATE.modelId, modelVersion: CERTIFICATE.version, deviceId, deviceIds: [deviceId] };
}

/** Null where it is too little to tell, or no more than was told before. */
function scoreOf(
  { subScores, modifiers }: Weighed,
  { reportedScore }: { reportedScore: number },
): number | null {
  const score = total(subScores, modifiers);
  return score < REPORT_SCORE || score <= reportedScore ? null : score;
}

/** Other servers with the same self-signed certificate: the same names in it. */
function twinsOf({ destinations }: Certificates, place: CertificateDestination): CertificateDestination[] {
  if ((place.faults & SELF_SIGNED) === 0 || place.subject === null) return [];
  return destinations.filter((other) => other.ip !== place.ip && other.subject === place.subject);
}

function worstOf(faults: number): number {
  return FAULT_POINTS.find(([bit]) => (faults & bit) !== 0)?.[1] ?? 0;
}

function emptyPlace(ip: string, port: number): CertificateDestination {
  const nothing = { subject: null, issuer: null, serverName: null, expiry: null, users: 0 };
  return { ...newDestination(ip, port), ...nothing, faults: 0 };
}
