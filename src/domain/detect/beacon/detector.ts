// Follows every channel (one device, one service of one peer) and evaluates it at growing counts.
import { CHANNELS } from "../kernel/callback/channel-state.ts";
import { addConnection, isDue, markEvaluated } from "../kernel/callback/channel.ts";
import { isContinuation } from "../kernel/callback/rhythm.ts";
import { isBeaconCandidate, RESOLVER_PORTS } from "../kernel/callback/candidate.ts";
import { evaluateBeacon, WEB_PORTS } from "../kernel/callback/score.ts";
import {
  type Connection,
  countOf,
  type Detector,
  type Evaluate,
  peerOf,
  type Sighting,
  type StateLookup,
} from "../kernel/detector.ts";
import { isFailedAttempt } from "../kernel/attempt.ts";
import { canonicalIp, isOneHost } from "../../../kit/net/ip.ts";
import { registeredDomain } from "../../device/registered-domain.ts";
import type { DhcpFacts, DnsFacts } from "../../record/facts.ts";
import { addUser, noteGateway, noteLookup, PREVALENCE, type Prevalence } from "../kernel/prevalence.ts";
import type { DetectorInfo } from "../kernel/result.ts";

export const BEACON: DetectorInfo = {
  modelId: "beacon",
  version: "7",
  title: "Periodic callbacks",
  technique: "T1071",
  kind: "callback",
  description: "A device that repeatedly contacts one service of one host in a regular rhythm.",
  meaning:
    "Malware on a device calls its operators on a schedule and asks for commands. Monitoring, telemetry, updates and polling by programs are as regular; they have a known owner and a host that other devices also contact.",
  checks: [
    "who runs the host: its network and country, its names, and whether other devices contact it",
    "which program on the device opens the connections, and since when it is installed",
    "what else the device did around the first callback: downloads, alerts, new names",
    "whether the callbacks go on at night, when nobody uses the device",
  ],
  sources: "flows; DNS, for the names of addresses; DHCP, for the site's gateways and resolvers",
  baseline:
    "none for bare addresses; a named peer stays `low` until the network's history shows that the name is new",
  reports: [
    "callbacks in a rhythm to one port of one host, also with jitter and pauses",
    "strobes: similar connections within seconds of each other, without pause",
  ],
  ignores: [
    "internal hosts other than resolvers",
    "UDP services that are periodic by design, such as DHCP, NTP and mDNS",
    "resolvers that three or more devices use, or half of them at a small site; that DHCP names as resolver or router; that serve DHCP or export flow records; or that are confirmed as resolver, domain controller, router or firewall",
    "fewer than ten callbacks",
    "further records of one idle TCP connection: the same client port within three hours",
    "transfers of megabytes",
    "`low` at most: connections that never received data, lookups alone, single-packet keepalives of VPNs, calls and telephones, polling seen only in records without names, private addresses outside the configured networks",
  ],
};

/**
 * A resolver with this many devices is the site's, or a public one that the site uses; at a small site already one
 * with this many and this share of the devices other than itself.
 */
const RESOLVER_USERS = 3;
const SMALL_SITE = { users: 2, share: 0.5 } as const;
/** Confirmed types of hosts that answer or forward the site's lookups. */
const RESOLVER_TYPES: ReadonlySet<string> = new Set([
  "dns_server",
  "domain_controller",
  "router",
  "firewall",
]);
/** Addresses of one answer that are recorded: clients use the first, rarely another. */
const MAX_ANSWERS = 4;
/** Routers and resolvers of one lease that are recorded. */
const MAX_GATEWAYS = 8;
const DHCP = { server: 67, client: 68 } as const;

export const BEACON_DETECTOR: Detector = {
  info: BEACON,
  states: [CHANNELS],
  feeds: ["connection", "dns", "dhcp"],
  match(sighting, states) {
    const { facts } = sighting.observation;
    if (facts?.type === "dns") return matchAnswer(sighting, facts, states);
    if (facts?.type === "dhcp") return matchLease(facts, states);
    const connection = sighting.connection!;
    const { src, dst, proto } = connection;
    if (dst.port === DHCP.server || src.port === DHCP.server) return matchDhcpFlow(connection, states);
    const deviceId = originatorOf(sighting);
    if (deviceId === null) return null;
    const { site } = sighting;
    const peerInternal = peerOf(sighting).internal;
    const candidate = isBeaconCandidate({
      src,
      dst,
      proto,
      srcInternal: true,
      dstInternal: peerInternal,
      internalAssumed: site.networksAssumed,
      exporterDirection: connection.exporterDirection,
    });
    return candidate ? matchChannel(sighting, deviceId, peerInternal, states) : null;
  },
};

/**
 * Records which addresses are the answer to a name: a connection to one is a connection to the name, whatever
 * its protocol, even if no TLS or HTTP record states the name.
 */
function matchAnswer({ observation }: Sighting, facts: DnsFacts, states: StateLookup): Evaluate | null {
  const { query, answers } = facts;
  if (query === null || answers.length === 0) return null;
  const ips: string[] = [];
  for (const answer of answers) {
    const ip = canonicalIp(answer);
    if (ip !== null && ips.push(ip) === MAX_ANSWERS) break;
  }
  const name = ips.length === 0 ? null : registeredDomain(query);
  if (name === null) return null;
  const domain = states(PREVALENCE, `domain ${name}`);
  const peers = ips.map((ip) => states(PREVALENCE, `peer ${ip}`));
  return () => {
    if (noteLookup(domain.state, observation.start)) domain.save(domain.state);
    const { lookedUpAt, firstSeen } = domain.state;
    const since = firstSeen === null ? lookedUpAt! : Math.min(lookedUpAt!, firstSeen);
    for (const peer of peers) if (noteLookup(peer.state, since)) peer.save(peer.state);
    return null;
  };
}

/** Records the gateways and resolvers that a DHCP server announces. */
function matchLease(
  { messageType, routers, dnsServers, serverIp }: DhcpFacts,
  states: StateLookup,
): Evaluate | null {
  if (messageType !== "ack") return null;
  const ips = [...serverIp === null ? [] : [serverIp], ...routers, ...dnsServers];
  return matchGateways(ips.slice(0, MAX_GATEWAYS), states);
}

/** Records a DHCP server by a flow that carries its answer: at small sites it is the gateway. */
function matchDhcpFlow({ src, dst, proto, packetsIn, exporterDirection }: Connection, states: StateLookup) {
  if (proto !== "udp") return null;
  if (src.port === DHCP.server) return dst.port === DHCP.client ? matchGateways([src.ip], states) : null;
  const answered = src.port === DHCP.client && !exporterDirection && countOf(packetsIn) > 0;
  return answered ? matchGateways([dst.ip], states) : null;
}

function matchGateways(ips: readonly string[], states: StateLookup): Evaluate | null {
  const peers = ips.filter(isOneHost).map((ip) => states(PREVALENCE, `peer ${ip}`));
  if (peers.length === 0) return null;
  return () => {
    for (const peer of peers) if (noteGateway(peer.state)) peer.save(peer.state);
    return null;
  };
}

function matchChannel(
  sighting: Sighting,
  deviceId: string,
  peerInternal: boolean,
  states: StateLookup,
): Evaluate {
  const { dst, proto } = sighting.connection!;
  const channel = states(CHANNELS, `${deviceId} ${dst.ip} ${proto} ${dst.port}`);
  const peer = states(PREVALENCE, `peer ${dst.ip}`);
  const isResolverPort = RESOLVER_PORTS.has(dst.port!);
  return () => {
    const { evidence: { evidenceId }, connection, site } = sighting;
    const { start, end, src, dst, proto, bytesOut, flowId, service } = connection!;
    if (addUser(peer.state, deviceId, start)) peer.save(peer.state);
    const sent = bytesOut === null ? null : countOf(bytesOut);
    const failed = isFailedAttempt(connection!);
    const beat = { start, end, srcPort: src.port, bytesOut: sent };
    const counted = isContinuation(channel.state, beat, proto);
    const state = addConnection(channel.state, { ...beat, failed, counted, evidenceId, flowId });
    if (!isDue(state)) {
      channel.save(state);
      return null;
    }
    channel.save(markEvaluated(state));
    if (isResolverPort && isSiteResolver(sighting, peer.state)) return null;
    return evaluateBeacon(BEACON, state, {
      deviceId,
      deviceName: site.nameOf(deviceId),
      peerIp: dst.ip,
      peerPort: dst.port!,
      peerName: state.severalNames ? null : state.name,
      byName: false,
      named: state.name !== null || peer.state.lookedUpAt !== null,
      exported: connection!.exporterDirection,
      // A sensor that recognises web traffic also writes records that state the server's name, or that there
      // is none. Sites with names use the web ports.
      unnamed: state.name === null && !state.knownNameless && isWebService(service) &&
        WEB_PORTS.has(dst.port!),
      proto,
      service,
      peerInternal,
      prevalence: peer.state.users.count,
      deviceCount: sighting.deviceCount,
      firstSeenPeerAt: state.name === null ? peer.state.lookedUpAt ?? peer.state.firstSeen : state.nameSince,
      historySince: sighting.historySince,
    });
  };
}

/**
 * Whether a resolver serves the site: several devices use it, it is the gateway or was announced by it, or its confirmed
 * type says so. Each device asks it in the rhythm of its programs; detectors of lookups find what hides in the names.
 */
function isSiteResolver(sighting: Sighting, { users: { count }, gateway }: Prevalence): boolean {
  const { deviceCount, observation } = sighting;
  if (gateway || count >= RESOLVER_USERS) return true;
  const { deviceId, ip } = peerOf(sighting);
  const others = deviceId === null ? deviceCount : deviceCount - 1;
  if (count >= SMALL_SITE.users && count >= others * SMALL_SITE.share) return true;
  if (ip === observation.exporter) return true;
  const type = deviceId === null ? null : sighting.site.confirmedType(deviceId);
  return type !== null && RESOLVER_TYPES.has(type);
}

const WEB_SERVICES = /\b(http|http2|ssl|tls|quic)\b/;

function isWebService(service: string | null): boolean {
  return service !== null && WEB_SERVICES.test(service);
}

/** The device that opened the connection: its flow may have been turned against the observation. */
function originatorOf({ connection, src, dst }: Sighting): string | null {
  return connection!.src.ip === src.ip ? src.deviceId : dst.deviceId;
}
