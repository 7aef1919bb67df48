// Protocols where they do not belong: a known one on another's port, or an unknown one on a port of nobody's, to a server
// outside.
import { isReplyHalf } from "../kernel/attempt.ts";
import { isNameless } from "../kernel/certificate-faults.ts";
import {
  type Connection,
  countOf,
  type Detector,
  type Evaluate,
  type Sighting,
  type StateLookup,
} from "../kernel/detector.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { executableFetchedBefore } from "../tls-rarity/suspicious-fetch.ts";
import { FETCHES } from "../kernel/fetches.ts";
import { isOwnProtocolPort, oddService } from "../kernel/odd-service.ts";
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
import { type DetectorInfo, type DetectorResult, REPORT_SCORE } from "../kernel/result.ts";
import {
  MANY_UNEXPECTED,
  MAX_FTP_SERVERS,
  MAX_UNEXPECTED,
  UNEXPECTED,
  type UnexpectedDestination,
  type UnexpectedProtocols,
} from "./state.ts";
import { describeUnexpected, type UnexpectedContext, weighUnexpected } from "./score.ts";
import { isDueCount, total } from "../kernel/score.ts";
import { hostPort } from "../kernel/wording.ts";

/**
 * An unknown protocol is worth a look where the server said this much, or the connection lasted. Of a server that a one-sided
 * capture never saw, the device's own half tells the same.
 */
const UNKNOWN = { packets: 10, bytes: 5000, seconds: 60 } as const;
/** A program that was fetched from the same address within this time before. */
const AFTER_FETCH_SECONDS = 3600;

const SECOND = 1_000_000;

const UNEXPECTED_PROTOCOL: DetectorInfo = {
  modelId: "unexpected-protocol",
  version: "2",
  title: "Protocols on unexpected ports",
  technique: "T1571",
  description:
    "Known protocols on ports of others, and unknown ones on ports of nobody's, to servers outside.",
};

export const UNEXPECTED_DETECTOR: Detector = {
  info: UNEXPECTED_PROTOCOL,
  feeds: ["connection", "tls", "http", "ssh"],
  match(sighting, need) {
    const { connection, observation: { facts, proto, service } } = sighting;
    // Records of applications tell the service of flows whose own record does not.
    if (connection === null || (facts !== null && facts.type !== "export")) {
      const port = sighting.dst.port;
      if (facts === null || service === null || port === null || oddService(service, proto, port) === null) {
        return null;
      }
      const name = facts.type === "tls" ? facts.serverName : facts.type === "http" ? facts.host : null;
      return attendPlace(sighting, service, name, null, need);
    }
    if (connection.proto !== "tcp") return null;
    const port = connection.dst.port;
    if (port === null || connection.src.ip !== sighting.src.ip) return null;
    if (connection.service !== null) {
      if (connection.service.startsWith("ftp") && port === 21) return attendFtp(sighting, need);
      if (oddService(connection.service, proto, port) === null) return null;
    } else if (!isTelling(sighting, connection, port)) return null;
    return attendPlace(sighting, connection.service, connection.serverName, connection, need);
  },
};

/** Whether an unknown protocol is one to look at. Only sensors that look for protocols can fail to recognise one. */
function isTelling({ observation }: Sighting, connection: Connection, port: number): boolean {
  if (observation.source !== "zeek" && observation.source !== "suricata") return false;
  if (isOwnProtocolPort(port) || isReplyHalf(connection.src, connection.dst)) return false;
  const { packetsIn, packetsOut, bytesIn, bytesOut, start, end } = connection;
  const unseen = countOf(packetsIn) === 0;
  if (countOf(unseen ? packetsOut : packetsIn) < UNKNOWN.packets) return false;
  const bytes = countOf(unseen ? bytesOut : bytesIn);
  return bytes >= UNKNOWN.bytes || (!unseen && end - start >= UNKNOWN.seconds * SECOND);
}

function attendFtp(sighting: Sighting, need: StateLookup): Evaluate | null {
  const who = outbound(sighting);
  if (who === null) return null;
  const slot = need(UNEXPECTED, who.deviceId);
  return () => {
    const { ftpServers } = slot.state;
    const hash = hash32(who.peer.ip);
    if (ftpServers.includes(hash)) return null;
    ftpServers.push(hash);
    if (ftpServers.length > MAX_FTP_SERVERS) ftpServers.shift();
    slot.save(slot.state);
    return null;
  };
}

function attendPlace(
  sighting: Sighting,
  service: string | null,
  serverName: string | null,
  connection: Connection | null,
  need: StateLookup,
): Evaluate | null {
  const who = outbound(sighting);
  if (who === null) return null;
  const { deviceId, peer: { ip } } = who;
  const slot = need(UNEXPECTED, deviceId);
  const fetches = need(FETCHES, deviceId);
  const use = need(PREVALENCE, `peer ${ip}`);
  return () => {
    const state = slot.state;
    if (service === null && state.ftpServers.includes(hash32(ip))) return null;
    state.servers.add(`${ip} ${who.port}`);
    const place = see(state, who, service, serverName, connection, sighting);
    const { start } = sighting.observation;
    const result = judge(place, who, {
      deviceName: sighting.site.nameOf(deviceId),
      users: use.state.users.count,
      deviceCount: sighting.deviceCount,
      fetch: executableFetchedBefore(fetches.state, ip, start, AFTER_FETCH_SECONDS * SECOND),
      many: state.servers.count >= MANY_UNEXPECTED,
    });
    slot.save(state);
    return result;
  };
}

function see(
  { destinations }: UnexpectedProtocols,
  { peer: { ip }, port }: Outbound,
  service: string | null,
  serverName: string | null,
  connection: Connection | null,
  { observation: { start }, evidence }: Sighting,
): UnexpectedDestination {
  const place = findDestination(destinations, ip, port, start) ?? addDestination(
    destinations,
    { ...newDestination(ip, port), service: null, serverName: null, bytesIn: 0, bytesOut: 0, longest: 0 },
    MAX_UNEXPECTED,
    start,
  );
  if (service !== null && place.service === null) {
    place.service = boundedText(service);
    place.evaluatedCount = 0;
  }
  if (!isNameless(serverName)) place.serverName = boundedText(serverName);
  if (connection !== null) {
    place.bytesIn = Math.min(place.bytesIn + countOf(connection.bytesIn), Number.MAX_SAFE_INTEGER);
    place.bytesOut = Math.min(place.bytesOut + countOf(connection.bytesOut), Number.MAX_SAFE_INTEGER);
    place.longest = Math.max(place.longest, connection.end - connection.start);
  }
  recordUse(place, start, evidence);
  return place;
}

function judge(
  place: UnexpectedDestination,
  { deviceId, peer, port }: Outbound,
  context: UnexpectedContext,
): DetectorResult | null {
  if (!isDueCount(place.count, place.evaluatedCount)) return null;
  place.evaluatedCount = place.count;
  const odd = place.service === null ? null : oddService(place.service, "tcp", port);
  const [subScores, modifiers] = weighUnexpected(place, odd, context);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= place.reportedScore) return null;
  place.reportedScore = score;
  return {
    modelId: UNEXPECTED_PROTOCOL.modelId,
    modelVersion: UNEXPECTED_PROTOCOL.version,
    technique: place.service === "ssh" ? "T1572" : UNEXPECTED_PROTOCOL.technique,
    at: place.lastSeen,
    firstSeen: place.firstSeen,
    lastSeen: place.lastSeen,
    deviceId,
    deviceIds: [deviceId],
    destinations: [{ ip: peer.ip, name: place.serverName, port }],
    groupKey: `${deviceId}|${peer.ip}|${port}`,
    subject: `protocol between ${context.deviceName} and ${hostPort(peer.ip, port)}`,
    ...describeUnexpected(place, odd, context),
    score,
    confidence: context.fetch !== null ? 0.8 : odd !== null ? 0.5 : 0.35,
    subScores,
    modifiers,
    evidence: [...(context.fetch?.refs ?? []), ...place.refs],
  };
}
