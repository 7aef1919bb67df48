// Protocols where they do not belong, to outside servers: a known one on another service's port, or an unrecognized one
// on a port of no known service.
import type { HttpFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";
import { isReplyHalf } from "../kernel/attempt.ts";
import { isNameless } from "../kernel/certificate-faults.ts";
import {
  addDestination,
  boundedText,
  findDestination,
  newDestination,
  type Outbound,
  outbound,
  recordUse,
} from "../kernel/destination-usage.ts";
import {
  type Connection,
  countOf,
  type Detector,
  type Evaluate,
  type Sighting,
  type StateLookup,
} from "../kernel/detector.ts";
import { executableFetchedBefore, FETCHES, type Fetches } from "../kernel/fetches.ts";
import { isOwnProtocolPort, oddService } from "../kernel/odd-service.ts";
import { isIpText } from "../kernel/peer.ts";
import { PREVALENCE, type Prevalence } from "../kernel/prevalence.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE } from "../kernel/result.ts";
import { isDueCount, total } from "../kernel/score.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { hostPort } from "../../../kit/text.ts";
import { type EarlierFetch, LONG_SESSION, scoreUnexpected, type UnexpectedContext } from "./score.ts";
import {
  addDownload,
  MANY_UNEXPECTED,
  MAX_FTP_SERVERS,
  MAX_UNEXPECTED,
  UNEXPECTED,
  type UnexpectedDestination,
  type UnexpectedProtocols,
} from "./state.ts";
import { describeUnexpected } from "./text.ts";

/**
 * An unrecognized protocol counts if the server sent this much, or the connection lasted this long. If the capture
 * missed the server's half, the device's own half is used instead.
 */
const UNKNOWN = { packets: 10, bytes: 5000, seconds: 60 } as const;
/** For one half of a connection that lasts LONG_SESSION; repeated attempts to connect are fewer and carry nothing. */
const MIN_HALF_PACKETS = 20;
/** Ports that systems choose for their own connections begin here. */
const FIRST_OWN_PORT = 32_768;
/** What was fetched from the same address within this time before counts. */
const AFTER_FETCH_SECONDS = 3600;

const SECOND = 1_000_000;

const UNEXPECTED_PROTOCOL: DetectorInfo = {
  modelId: "unexpected-protocol",
  version: "4",
  title: "Protocols on unexpected ports",
  technique: "T1571",
  kind: "transport",
  description:
    "Known protocols on ports of other services, and unrecognized ones on ports of no known service, to outside servers.",
  meaning:
    "Malware and tunnels use a port that the firewall lets through, or a protocol that hides what they do. Games, proprietary programs and servers on unusual ports look the same.",
  checks: [
    "who runs the other end, and whether a known program uses this port",
    "which program on the device opened the connection, and what it fetched just before",
    "how much was sent in which direction",
  ],
  sources: "flows, TLS, HTTP, SSH",
  baseline: "none",
  reports: [
    "a protocol on the port of another service",
    "lasting IRC connections",
    "uploads over HTTP or TLS on an unusual port to a bare address",
    "an unknown protocol on a port of no known service, above all after an executable came from the server",
    "a session of ten minutes or more over an unknown protocol, within an hour after HTTP from another port of the same address whose content has no stated type, also if the sensor sees one direction only",
  ],
  ignores: [
    "internal servers",
    "flows of exporters, which do not recognise protocols",
    "short or empty connections",
  ],
};

export const UNEXPECTED_DETECTOR: Detector = {
  info: UNEXPECTED_PROTOCOL,
  states: [UNEXPECTED, FETCHES],
  feeds: ["connection", "tls", "http", "ssh"],
  match(sighting, states) {
    const { connection, observation: { facts, proto, service } } = sighting;
    // Application records name the service of flows whose own record does not.
    if (connection === null || (facts !== null && facts.type !== "export")) {
      const port = sighting.dst.port;
      if (facts === null || port === null) return null;
      const download = facts.type === "http" && isUntypedDownload(facts)
        ? matchDownload(sighting, states)
        : null;
      if (service === null || oddService(service, proto, port) === null) return download;
      const name = facts.type === "tls" ? facts.serverName : facts.type === "http" ? facts.host : null;
      const destination = matchDestination(sighting, service, name, null, states);
      if (download === null || destination === null) return destination ?? download;
      return () => better(download(), destination());
    }
    if (connection.proto !== "tcp") return null;
    if (isServerHalf(sighting, connection)) return matchServerHalf(sighting, connection, states);
    const port = connection.dst.port;
    if (port === null || connection.src.ip !== sighting.src.ip) return null;
    if (connection.service !== null) {
      if (connection.service.startsWith("ftp") && port === 21) return matchFtp(sighting, states);
      if (oddService(connection.service, proto, port) === null) return null;
    } else if (!isUnknownProtocol(sighting, connection, port)) return null;
    return matchDestination(sighting, connection.service, connection.serverName, connection, states);
  },
};

/** Whether the sensor failed to recognize a protocol. Only sensors that detect protocols can fail. */
function isUnknownProtocol({ observation }: Sighting, connection: Connection, port: number): boolean {
  if (observation.source !== "zeek" && observation.source !== "suricata") return false;
  if (isOwnProtocolPort(port) || isReplyHalf(connection.src, connection.dst)) return false;
  const { packetsIn, packetsOut, bytesIn, bytesOut, start, end } = connection;
  const unseen = countOf(packetsIn) === 0;
  if (countOf(unseen ? packetsOut : packetsIn) < UNKNOWN.packets) return false;
  const bytes = countOf(unseen ? bytesOut : bytesIn);
  if (bytes >= UNKNOWN.bytes) return true;
  if (!unseen) return end - start >= UNKNOWN.seconds * SECOND;
  return bytes > 0 && countOf(packetsOut) >= MIN_HALF_PACKETS && isLong(end - start);
}

function isLong(duration: Micros): boolean {
  return duration >= LONG_SESSION * SECOND;
}

/**
 * Whether the sensor saw only what an outside server sent, and not the start: the server is taken for the
 * originator.
 */
function isServerHalf(
  { src, dst, observation }: Sighting,
  { exporterDirection, packetsIn, packetsOut, bytesOut, service, start, end, ...ends }: Connection,
): boolean {
  if (service !== null || exporterDirection || packetsIn === null || countOf(packetsIn) > 0) return false;
  if (src.internal || !dst.internal || dst.deviceId === null || ends.src.ip !== src.ip) return false;
  if (observation.source !== "zeek" && observation.source !== "suricata") return false;
  const [from, to] = [ends.src.port ?? 0, ends.dst.port ?? 0];
  if (from === 0 || from >= FIRST_OWN_PORT || to < FIRST_OWN_PORT || isOwnProtocolPort(from)) return false;
  return countOf(bytesOut) > 0 && countOf(packetsOut) >= MIN_HALF_PACKETS && isLong(end - start);
}

function matchServerHalf(
  sighting: Sighting,
  { src, dst, bytesIn, bytesOut, ...rest }: Connection,
  states: StateLookup,
): Evaluate | null {
  const turned = { ...rest, src: dst, dst: src, bytesIn: bytesOut, bytesOut: bytesIn };
  const { src: server, dst: client } = sighting;
  return matchDestination({ ...sighting, src: client, dst: server }, null, null, turned, states);
}

/**
 * Whether a request fetched content of no stated type from a bare address, or the sensor missed either half.
 * An answer that was seen must have had content.
 */
function isUntypedDownload({ method, host, uri, status, contentType, responseBytes }: HttpFacts): boolean {
  if (contentType !== null || (method !== null && method !== "GET")) return false;
  if (status !== null && (status < 200 || status >= 300 || responseBytes === 0)) return false;
  return (method === null && uri === null) || (host !== null && isIpText(host));
}

/** Records a download, and evaluates sessions that began after it but whose records arrived before. */
function matchDownload(sighting: Sighting, states: StateLookup): Evaluate | null {
  const contact = outbound(sighting);
  if (contact === null) return null;
  const { deviceId, port, peer: { ip } } = contact;
  const entry = states(UNEXPECTED, deviceId);
  const prevalence = states(PREVALENCE, `peer ${ip}`);
  return () => {
    const { state } = entry;
    const { start } = sighting.observation;
    const server = hash32(ip);
    addDownload(state, server, port, start, { ...sighting.evidence, observedAt: start });
    let best: DetectorResult | null = null;
    for (const destination of state.destinations) {
      if (destination.ip !== ip) continue;
      const fetch = downloadBefore(state, server, destination);
      if (fetch === null) continue;
      destination.evaluatedCount = 0;
      const context = { ...contextOf(state, deviceId, prevalence.state, sighting), fetch };
      const found = evaluate(destination, { deviceId, peer: contact.peer, port: destination.port }, context);
      best = better(best, found);
    }
    entry.save(state);
    return best;
  };
}

/** The untyped download from another port of the address before a long session of an unknown protocol. */
function downloadBefore(
  { downloads }: UnexpectedProtocols,
  server: number,
  { port, service, longest, firstSeen }: UnexpectedDestination,
): EarlierFetch | null {
  if (service !== null || !isLong(longest)) return null;
  const found = downloads.find((one) =>
    one.server === server && one.port !== port && firstSeen >= one.firstSeen &&
    firstSeen - one.lastSeen <= AFTER_FETCH_SECONDS * SECOND
  );
  return found === undefined ? null : { isExecutable: false, ...found };
}

function better(a: DetectorResult | null, b: DetectorResult | null): DetectorResult | null {
  return a === null || (b !== null && b.score > a.score) ? b : a;
}

function contextOf(
  { servers }: UnexpectedProtocols,
  deviceId: string,
  { users }: Prevalence,
  { site, deviceCount }: Sighting,
): Omit<UnexpectedContext, "fetch"> {
  return {
    deviceName: site.nameOf(deviceId),
    users: users.count,
    deviceCount,
    many: servers.count >= MANY_UNEXPECTED,
  };
}

function fetchBefore(
  fetches: Fetches,
  state: UnexpectedProtocols,
  destination: UnexpectedDestination,
  at: Micros,
): EarlierFetch | null {
  const { ip } = destination;
  const executable = executableFetchedBefore(fetches, ip, at, AFTER_FETCH_SECONDS * SECOND);
  return executable === null
    ? downloadBefore(state, hash32(ip), destination)
    : { isExecutable: true, ...executable };
}

/** Remembers FTP servers, because their data connections use arbitrary ports. */
function matchFtp(sighting: Sighting, states: StateLookup): Evaluate | null {
  const contact = outbound(sighting);
  if (contact === null) return null;
  const entry = states(UNEXPECTED, contact.deviceId);
  return () => {
    const { ftpServers } = entry.state;
    const hash = hash32(contact.peer.ip);
    if (ftpServers.includes(hash)) return null;
    ftpServers.push(hash);
    if (ftpServers.length > MAX_FTP_SERVERS) ftpServers.shift();
    entry.save(entry.state);
    return null;
  };
}

function matchDestination(
  sighting: Sighting,
  service: string | null,
  serverName: string | null,
  connection: Connection | null,
  states: StateLookup,
): Evaluate | null {
  const contact = outbound(sighting);
  if (contact === null) return null;
  const { deviceId, peer: { ip } } = contact;
  const entry = states(UNEXPECTED, deviceId);
  const fetches = states(FETCHES, deviceId);
  const prevalence = states(PREVALENCE, `peer ${ip}`);
  return () => {
    const { state } = entry;
    if (service === null && state.ftpServers.includes(hash32(ip))) return null;
    state.servers.add(`${ip} ${contact.port}`);
    const destination = addConnection(state, contact, service, serverName, connection, sighting);
    const { start } = sighting.observation;
    const result = evaluate(destination, contact, {
      ...contextOf(state, deviceId, prevalence.state, sighting),
      fetch: fetchBefore(fetches.state, state, destination, start),
    });
    entry.save(state);
    return result;
  };
}

function addConnection(
  { destinations }: UnexpectedProtocols,
  { peer: { ip }, port }: Outbound,
  service: string | null,
  serverName: string | null,
  connection: Connection | null,
  { observation: { start }, evidence }: Sighting,
): UnexpectedDestination {
  const destination = findDestination(destinations, ip, port, start) ?? addDestination(
    destinations,
    { ...newDestination(ip, port), service: null, serverName: null, bytesIn: 0, bytesOut: 0, longest: 0 },
    MAX_UNEXPECTED,
    start,
  );
  if (service !== null && destination.service === null) {
    destination.service = boundedText(service);
    destination.evaluatedCount = 0;
  }
  if (!isNameless(serverName)) destination.serverName = boundedText(serverName);
  if (connection !== null) {
    const { bytesIn, bytesOut, start, end } = connection;
    destination.bytesIn = Math.min(destination.bytesIn + countOf(bytesIn), Number.MAX_SAFE_INTEGER);
    destination.bytesOut = Math.min(destination.bytesOut + countOf(bytesOut), Number.MAX_SAFE_INTEGER);
    destination.longest = Math.max(destination.longest, end - start);
  }
  recordUse(destination, start, evidence);
  return destination;
}

function evaluate(
  destination: UnexpectedDestination,
  { deviceId, peer, port }: Outbound,
  context: UnexpectedContext,
): DetectorResult | null {
  if (!isDueCount(destination.count, destination.evaluatedCount)) return null;
  destination.evaluatedCount = destination.count;
  const odd = destination.service === null ? null : oddService(destination.service, "tcp", port);
  const [subScores, modifiers] = scoreUnexpected(destination, odd, context);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= destination.reportedScore) return null;
  destination.reportedScore = score;
  return {
    modelId: UNEXPECTED_PROTOCOL.modelId,
    modelVersion: UNEXPECTED_PROTOCOL.version,
    technique: destination.service === "ssh" ? "T1572" : UNEXPECTED_PROTOCOL.technique,
    at: destination.lastSeen,
    firstSeen: destination.firstSeen,
    lastSeen: destination.lastSeen,
    deviceId,
    deviceIds: [deviceId],
    destinations: [{ ip: peer.ip, name: destination.serverName, port }],
    groupKey: `${deviceId}|${peer.ip}|${port}`,
    subject: `protocol between ${context.deviceName} and ${hostPort(peer.ip, port)}`,
    ...describeUnexpected(destination, odd, context),
    score,
    confidence: context.fetch !== null ? (context.fetch.isExecutable ? 0.8 : 0.6) : odd !== null ? 0.5 : 0.35,
    subScores,
    modifiers,
    evidence: [...(context.fetch?.refs ?? []), ...destination.refs],
  };
}
