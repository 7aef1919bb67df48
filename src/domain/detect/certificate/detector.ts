// Outside servers whose certificates are self-signed, expired, untrusted or have random names. Inside the site such
// certificates are normal (printers, appliances) and are ignored.
import {
  commonName,
  faultsOf,
  hasRandomNames,
  isNameless,
  NO_NAME,
  SELF_SIGNED,
} from "../kernel/certificate-faults.ts";
import {
  addDestination,
  boundedText,
  findDestination,
  newDestination,
  type Outbound,
  outbound,
  recordSession,
} from "../kernel/destination-usage.ts";
import type { Detector, Sighting } from "../kernel/detector.ts";
import { PREVALENCE } from "../kernel/prevalence.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, STRETCH_GAP } from "../kernel/result.ts";
import { isDueCount, total } from "../kernel/score.ts";
import type { TlsFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";
import { FAULT_POINTS, MIN_RANDOM_NAMES, type Score, scoreCertificate, scoreRandomNames } from "./score.ts";
import {
  type CertificateDestination,
  CERTIFICATES,
  type Certificates,
  MAX_CERTIFICATES,
  MAX_EXAMPLES,
  MAX_RANDOM_NAME_REFS,
  newRandomNames,
} from "./state.ts";
import { describeCertificate, describeRandomNames } from "./text.ts";

const CERTIFICATE: DetectorInfo = {
  modelId: "certificate",
  version: "2",
  title: "Suspicious certificates",
  technique: "T1573.002",
  kind: "transport",
  description:
    "TLS to outside servers whose certificate is self-signed, expired, not yet valid, untrusted or has random names.",
  meaning:
    "Servers of malware present self-signed or made-up certificates, and Tor relays new ones every few hours. Appliances, test servers and programs with an authority of their own do so, too.",
  checks: [
    "who runs the server, and whether other devices see the same certificate",
    "which program on the device accepted the certificate",
    "what else the device did at that time",
    "for Tor, whether the user installed it on purpose",
  ],
  sources: "TLS over TCP",
  baseline: "none",
  reports: [
    "self-signed, expired, not yet valid or untrusted certificates of external servers",
    "servers with random names",
  ],
  ignores: [
    "internal servers",
    "calls in browsers (DTLS)",
    "a fault without any other sign",
    "scored lower: mail servers",
  ],
};

/** The certificate is a fact, its meaning is not. */
const CONFIDENCE = { selfSigned: 0.5, other: 0.35, randomNames: 0.75 } as const;

export const CERTIFICATE_DETECTOR: Detector = {
  info: CERTIFICATE,
  states: [CERTIFICATES],
  feeds: ["tls"],
  match(sighting, states) {
    const { facts, proto, start } = sighting.observation;
    // Browser calls over DTLS (WebRTC) use self-signed certificates by design.
    if (facts?.type !== "tls" || proto !== "tcp") return null;
    const faults = faultsOf(facts, start);
    const isRandom = hasRandomNames(facts);
    // A sound certificate is irrelevant; a session without one may resume an earlier session.
    if (faults === 0 && !isRandom && facts.subject !== null) return null;
    const contact = outbound(sighting);
    if (contact === null) return null;
    const entry = states(CERTIFICATES, contact.deviceId);
    if (isRandom) {
      return () => {
        const result = evaluateRandomNames(entry.state, sighting, facts, contact);
        entry.save(entry.state);
        return result;
      };
    }
    const prevalence = faults === 0 ? null : states(PREVALENCE, `peer ${contact.peer.ip}`);
    return () => {
      const destination = prevalence === null
        ? findDestination(entry.state.destinations, contact.peer.ip, contact.port, start)
        : addFaults(entry.state, contact, facts, faults, start);
      if (destination === null) return null;
      if (prevalence !== null) {
        destination.users = prevalence.state.users.count;
        // A client that looked the name up but omits it from the handshake is merely old or simple.
        if (prevalence.state.lookedUpAt !== null) destination.faults &= ~NO_NAME;
      }
      const result = evaluateCertificate(entry.state, destination, sighting, contact);
      entry.save(entry.state);
      return result;
    };
  },
};

/** The destination, updated with this certificate. */
function addFaults(
  state: Certificates,
  { peer: { ip }, port }: Outbound,
  facts: TlsFacts,
  faults: number,
  at: Micros,
): CertificateDestination {
  const destination = findDestination(state.destinations, ip, port, at) ??
    addDestination(state.destinations, newCertificate(ip, port), MAX_CERTIFICATES, at);
  // A worse fault is evaluated at once.
  if (worstPoints(destination.faults | faults) > worstPoints(destination.faults)) {
    destination.evaluatedCount = 0;
  }
  destination.faults |= faults;
  destination.subject = boundedText(facts.subject) ?? destination.subject;
  destination.issuer = boundedText(facts.issuer) ?? destination.issuer;
  destination.serverName = boundedText(facts.serverName) ?? destination.serverName;
  destination.expiry = facts.notAfter ?? destination.expiry;
  return destination;
}

function evaluateCertificate(
  state: Certificates,
  destination: CertificateDestination,
  { evidence, observation, site, deviceCount }: Sighting,
  { deviceId }: Outbound,
): DetectorResult | null {
  recordSession(destination, observation.start, evidence);
  if (!isDueCount(destination.count, destination.evaluatedCount)) return null;
  destination.evaluatedCount = destination.count;
  const context = {
    deviceId,
    deviceName: site.nameOf(deviceId),
    users: destination.users,
    deviceCount,
    assumedInside: site.isInternal(destination.ip),
    twins: twinsOf(state, destination),
  };
  const parts = scoreCertificate(destination, context);
  const score = higherScore(parts, destination);
  if (score === null) return null;
  destination.reportedScore = score;
  const { ip, port, serverName, faults } = destination;
  return {
    ...resultBase(deviceId),
    technique: CERTIFICATE.technique,
    at: destination.lastSeen,
    firstSeen: destination.firstSeen,
    lastSeen: destination.lastSeen,
    destinations: [
      { ip, name: isNameless(serverName) ? null : serverName, port },
      ...context.twins.map((twin) => ({ ip: twin.ip, name: twin.serverName, port: twin.port })),
    ],
    groupKey: `${deviceId}|${ip}|${port}`,
    subject: `certificate of ${ip}:${port} as presented to ${context.deviceName}`,
    ...describeCertificate(destination, context),
    score,
    confidence: (faults & SELF_SIGNED) !== 0 ? CONFIDENCE.selfSigned : CONFIDENCE.other,
    ...parts,
    evidence: [...destination.refs],
  };
}

function evaluateRandomNames(
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
  if (!isDueCount(servers, randomNames.evaluatedCount, MIN_RANDOM_NAMES)) return null;
  randomNames.evaluatedCount = servers;
  const parts = scoreRandomNames(servers);
  const score = higherScore(parts, randomNames);
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
    subject: `servers with random names contacted by ${site.nameOf(deviceId)}`,
    ...describeRandomNames(randomNames, site.nameOf(deviceId)),
    score,
    confidence: CONFIDENCE.randomNames,
    ...parts,
    evidence: [...randomNames.refs],
  };
}

function resultBase(deviceId: string) {
  return { modelId: CERTIFICATE.modelId, modelVersion: CERTIFICATE.version, deviceId, deviceIds: [deviceId] };
}

/** Null if the score is too low to report, or not above the reported one. */
function higherScore(
  { subScores, modifiers }: Score,
  { reportedScore }: { reportedScore: number },
): number | null {
  const score = total(subScores, modifiers);
  return score < REPORT_SCORE || score <= reportedScore ? null : score;
}

/** Other servers with the same self-signed certificate, compared by subject. */
function twinsOf(
  { destinations }: Certificates,
  destination: CertificateDestination,
): CertificateDestination[] {
  if ((destination.faults & SELF_SIGNED) === 0 || destination.subject === null) return [];
  return destinations.filter((other) => other.ip !== destination.ip && other.subject === destination.subject);
}

function worstPoints(faults: number): number {
  return FAULT_POINTS.find(([bit]) => (faults & bit) !== 0)?.[1] ?? 0;
}

function newCertificate(ip: string, port: number): CertificateDestination {
  const unknown = { subject: null, issuer: null, serverName: null, expiry: null, users: 0 };
  return { ...newDestination(ip, port), ...unknown, faults: 0 };
}
