// Connections to a host outside that stay open for hours, or are reopened as soon as they end: remote
// control, a tunnel, a reverse shell. The open time is the union of all connections to the host.
//
// Score = sum of four shares (80 points) + modifiers for the circumstances. Time alone is at most `medium`;
// many legitimate programs hold a connection all day, and most of them are known by their port.
import { isOneHost } from "../../../kit/net/ip.ts";
import { PERIODIC_UDP_PORTS } from "../kernel/callback/candidate.ts";
import {
  COMMON_MIN_USERS,
  COMMON_POINTS,
  COMMON_SHARE,
  HISTORY_DAYS,
  NEW_POINTS,
  PREVALENCE_MIN_DEVICES,
  RARE_MIN_DEVICES,
  RARE_POINTS,
} from "../kernel/callback/modifiers.ts";
import {
  type Connection,
  countOf,
  type Detector,
  type Evaluate,
  type Sighting,
  type StateLookup,
} from "../kernel/detector.ts";
import { hasOwnProtocol, oddService } from "../kernel/odd-service.ts";
import { onlyAssumedInside } from "../kernel/peer.ts";
import { addUser, PREVALENCE, type Prevalence } from "../kernel/prevalence.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  REPORT_SCORE,
  STRETCH_GAP,
  type SubScore,
} from "../kernel/result.ts";
import { extra, logShare, share, total } from "../kernel/score.ts";
import { portLabel } from "../kernel/service-names.ts";
import { SINGLE_PURPOSE_TYPES } from "../kernel/single-purpose.ts";
import { clamp01 } from "../kernel/stats.ts";
import { duration, hostPort, moment, percent, plural } from "../../../kit/text.ts";
import { addConnection, LONG_USES, type LongUse, openSteps, STEP } from "./state.ts";
import { describeLong } from "./text.ts";

const LONG_CONNECTION: DetectorInfo = {
  modelId: "long-connection",
  version: "3",
  title: "Long connections",
  technique: "T1071",
  kind: "callback",
  description: "A device that keeps a connection to a host outside open for hours, or reopens it repeatedly.",
  meaning:
    "A connection that is held for hours belongs to a program that waits for the other side: remote control, a tunnel or a reverse shell. Mailboxes, push services, conferences and VPNs do the same.",
  checks: [
    "who runs the host, and whether its service fits the port",
    "which program on the device holds the connection, and whether a person started it",
    "how much was sent, and whether the connection goes on outside working hours",
    "whether remote support or a VPN explains it",
  ],
  sources: "flows",
  baseline: "none",
  reports: ["connections to external hosts that stay open for hours, or are reopened when they end"],
  ignores: [
    "internal hosts",
    "scored lower: services that hold connections by design, and confirmed VPN gateways",
    "scored lower: hosts that several confirmed cameras, printers, desk phones or IoT devices use",
    "scored lower: UDP that carries nothing but keepalives",
  ],
};

/** Points of a full share each. */
const WEIGHTS = { longest: 22, open: 22, reopened: 14, unusual: 22 } as const;
/** Shorter connections are ignored. Nearly all are, which keeps the detector cheap. */
const MIN_SECONDS = 300;
/** Longer ones are wrong clocks. */
const MAX_SECONDS = 30 * 86_400;
/** Open time within a day from which a host is evaluated, and again when it has grown by half. */
const MIN_OPEN_SECONDS = 2 * 3600;
/** Seconds of the longest connection: worth nothing, and the full share (log scale). */
const LONGEST = { none: 1800, full: 86_400 } as const;
/** Seconds within a day in which a connection was open (log scale). */
const OPEN = { none: 3600, full: 82_800 } as const;
/** Connections that replaced one just ended, for the full share (log scale from none). */
const FULL_REOPENED = 12;
/**
 * Reported again when the score rises by this many points, and after this long, so that the incident stays
 * open.
 */
const RISE = 3;
const REPEAT_AFTER = STRETCH_GAP / 2;

/**
 * Unrecognised protocol on an unknown port, known one on another port, unrecognised one on a known port,
 * known on its own.
 */
const UNUSUAL = { unknown: 1, moved: 0.6, unrecognised: 0.3, usual: 0 } as const;

/** Services that hold connections by design, by server port: what they are and the points taken. */
const HELD_OPEN: ReadonlyMap<number, readonly [what: string, points: number]> = new Map([
  [22, ["remote shell", -10]],
  [80, ["web server", -15]],
  [443, ["web server", -15]],
  [143, ["mailbox", -25]],
  [500, ["VPN", -15]],
  [993, ["mailbox", -25]],
  [1194, ["VPN", -15]],
  [1883, ["message queue", -15]],
  [3389, ["remote desktop", -5]],
  // Chat over IRC, which botnets use as well.
  [6666, ["chat server", -5]],
  [6667, ["chat server", -5]],
  [6668, ["chat server", -5]],
  [6669, ["chat server", -5]],
  [6697, ["chat server", -5]],
  [7000, ["chat server", -5]],
  [3478, ["call or conference", -20]],
  [4500, ["VPN", -15]],
  [5060, ["telephony", -20]],
  [5061, ["telephony", -20]],
  [1863, ["messenger", -20]],
  [5050, ["messenger", -20]],
  [5190, ["messenger", -20]],
  [5222, ["messenger", -20]],
  [5223, ["push notification service", -25]],
  [5228, ["push notification service", -25]],
  [8883, ["message queue", -20]],
  [51820, ["VPN", -15]],
]);
/** Games, databases, remote support: programs that keep a connection of a proprietary protocol all day. */
const OWN_PROTOCOL_POINTS = -12;
/** A private address assumed to be internal: mostly one of the site's servers. */
export const ASSUMED_POINTS = -15;
/** The device looked the address up by name. Reverse shells mostly use bare addresses. */
export const NAMED_POINTS = -15;
/** Confirmed device types that hold tunnels. */
const TUNNEL_TYPES: ReadonlySet<string> = new Set([
  "router",
  "vpn",
  "vpn_gateway",
  "vpn_server",
  "firewall",
]);
const TUNNEL_TYPE_POINTS = -40;
/**
 * Further devices of one single-purpose type that hold connections to the same host: their maker's service,
 * which each of them contacts because of what it is. An intruder mostly holds one of them. Points per device.
 * Few devices are of such a type, so it says nothing that no other one uses the host.
 */
const SAME_TYPE = { points: -15, most: 2 } as const;
/**
 * UDP with at most this many packets per second each way, of at most this many bytes with headers: keepalives
 * of one small packet every 10 s or more, which keep a mapping open and carry nothing. They take one severity.
 * Idle TCP scores fully, because a shell that waits for its user looks the same.
 */
const KEEPALIVE = { packets: 0.1, bytes: 200, points: -20 } as const;

const DAY = 86_400_000_000;

export const LONG_CONNECTION_DETECTOR: Detector = {
  info: LONG_CONNECTION,
  states: [LONG_USES],
  feeds: ["connection", "growth"],
  match(sighting, states) {
    const connection = sighting.connection!;
    const { start, end, src, dst, proto } = connection;
    const seconds = (end - start) / 1e6;
    if (seconds < MIN_SECONDS || seconds > MAX_SECONDS || (proto !== "tcp" && proto !== "udp")) return null;
    const deviceId = src.ip === sighting.src.ip ? sighting.src.deviceId : sighting.dst.deviceId;
    if (deviceId === null || dst.port === null || !isToServer(connection)) return null;
    if (proto === "udp" && PERIODIC_UDP_PORTS.has(dst.port)) return null;
    const { site } = sighting;
    if (site.isInternal(dst.ip) && !onlyAssumedInside(site.networksAssumed, src.ip, dst.ip)) return null;
    if (!isOneHost(dst.ip)) return null;
    return matchUse(sighting, deviceId, dst.ip, states);
  },
};

function matchUse(sighting: Sighting, deviceId: string, peerIp: string, states: StateLookup): Evaluate {
  const use = states(LONG_USES, `${deviceId} ${peerIp}`);
  const peer = states(PREVALENCE, `peer ${peerIp}`);
  const type = sighting.site.confirmedType(deviceId);
  const sameType = type !== null && SINGLE_PURPOSE_TYPES.has(type)
    ? states(PREVALENCE, `peer ${peerIp} ${type}`)
    : null;
  return () => {
    const { start, end } = sighting.connection!;
    const state = use.state;
    for (const users of sameType === null ? [peer] : [peer, sameType]) {
      if (addUser(users.state, deviceId, start)) users.save(users.state);
    }
    if (!addConnection(state, start, end, sighting.evidence)) return null;
    use.save(state);
    const steps = openSteps(state);
    if (steps * STEP < MIN_OPEN_SECONDS * 1e6 || !isDue(state, steps)) return null;
    const repeats = state.lastSeen - state.evaluatedAt >= REPEAT_AFTER;
    state.evaluatedSteps = steps;
    state.evaluatedAt = state.lastSeen;
    const users = { ...peer.state, sameType: sameType?.state.users.count ?? 0 };
    return evaluate(state, users, deviceId, repeats, sighting);
  };
}

/** Whether the destination is a server that answered. Exporters report either direction. */
function isToServer({ exporterDirection, src, dst, packetsIn }: Connection): boolean {
  if (exporterDirection) return src.port === null || src.port >= dst.port!;
  return packetsIn === null || countOf(packetsIn) > 0;
}

/** Evaluated when the open time has grown by half or by six hours, and twice a day while it lasts. */
function isDue({ evaluatedSteps, evaluatedAt, lastSeen }: LongUse, steps: number): boolean {
  return steps >= Math.min(evaluatedSteps * 1.5, evaluatedSteps + 36) ||
    lastSeen - evaluatedAt >= REPEAT_AFTER;
}

/** The users of a host; `sameType` of them are of the device's own single-purpose type. */
interface Users extends Prevalence {
  sameType: number;
}

function evaluate(
  state: LongUse,
  peer: Users,
  deviceId: string,
  repeats: boolean,
  sighting: Sighting,
): DetectorResult | null {
  const { site } = sighting;
  const connection = sighting.connection!;
  const { dst, proto } = connection;
  const subScores = shares(state, connection);
  const modifiers = contextModifiers(state, peer, deviceId, sighting);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || (score < state.reportedScore + RISE && !repeats)) return null;
  state.reportedScore = score;
  const deviceName = site.nameOf(deviceId);
  const { firstSeen, lastSeen } = state;
  return {
    modelId: LONG_CONNECTION.modelId,
    modelVersion: LONG_CONNECTION.version,
    technique: subScores.some(({ name, value }) => name === "unusual" && value >= UNUSUAL.moved)
      ? "T1571"
      : "T1071",
    at: lastSeen,
    firstSeen,
    lastSeen,
    deviceId,
    deviceIds: [deviceId],
    destinations: [{ ip: dst.ip, name: null, port: dst.port }],
    groupKey: `${deviceId}|${dst.ip}`,
    subject: `${deviceName} to ${hostPort(dst.ip, dst.port!)}/${proto}`,
    ...describeLong(state, {
      deviceName,
      connection,
      users: peer.users.count,
      deviceCount: sighting.deviceCount,
    }),
    score,
    confidence: Math.round(clamp01(score / 100) * 100) / 100,
    subScores,
    modifiers,
    evidence: state.refs.list(),
  };
}

function shares(state: LongUse, connection: Connection): SubScore[] {
  const longest = state.longest / 1e6;
  const open = openSteps(state) * STEP / 1e6;
  const { reopened } = state;
  return [
    share(
      "longest",
      logShare(longest, LONGEST.none, LONGEST.full),
      WEIGHTS.longest,
      `the longest connection lasted ${duration(longest)}`,
    ),
    share(
      "open",
      logShare(open, OPEN.none, OPEN.full),
      WEIGHTS.open,
      `a connection was open for ${duration(open)} of the last day`,
    ),
    share(
      "reopened",
      logShare(1 + reopened, 1, 1 + FULL_REOPENED),
      WEIGHTS.reopened,
      `${plural(reopened, "connection")} opened within a minute after another ended`,
    ),
    unusualShare(connection),
  ];
}

function unusualShare({ service, dst, proto }: Connection): SubScore {
  const port = dst.port!;
  const where = `${proto} ${portLabel(port)}`;
  const unusual = (value: number, detail: string) => share("unusual", value, WEIGHTS.unusual, detail);
  const isKnownPort = HELD_OPEN.has(port) || port < 1024 || hasOwnProtocol(port);
  if (service !== null) {
    // TLS on 8443 and SSH on 2222 are as usual as on their first ports.
    return isKnownPort || oddService(service, proto, port) === null
      ? unusual(UNUSUAL.usual, `${service} on ${where}`)
      : unusual(UNUSUAL.moved, `${service} on ${where}, where it is unusual`);
  }
  return isKnownPort
    ? unusual(UNUSUAL.unrecognised, `${where}, protocol not recognised`)
    : unusual(UNUSUAL.unknown, `${where} is not a known service, protocol not recognised`);
}

function contextModifiers(
  state: LongUse,
  { users, sameType, firstSeen, lookedUpAt }: Users,
  deviceId: string,
  { connection, deviceCount, historySince, site }: Sighting,
): SubScore[] {
  const { ip, port } = connection!.dst;
  const found: SubScore[] = [];
  const add = (name: string, points: number, detail: string) => {
    if (points !== 0) found.push(extra(name, points, detail));
  };
  const held = HELD_OPEN.get(port!);
  if (held) {
    add("held_open", held[1], `port ${port} is used by a ${held[0]}, which holds connections`);
  } else if (hasOwnProtocol(port!)) {
    add("own_protocol", OWN_PROTOCOL_POINTS, `port ${port} is used by a program with a proprietary protocol`);
  }
  if (site.isInternal(ip)) {
    add("assumed_inside", ASSUMED_POINTS, "a private address, assumed to be internal");
  }
  if (lookedUpAt !== null) add("named", NAMED_POINTS, "the address was looked up by name");
  const type = site.confirmedType(deviceId);
  if (type !== null && TUNNEL_TYPES.has(type)) {
    add("tunnel_device", TUNNEL_TYPE_POINTS, `the device type is ${type}`);
  }
  if (sameType > 1) {
    const points = SAME_TYPE.points * Math.min(sameType - 1, SAME_TYPE.most);
    add("same_type", points, `${sameType} devices of the type ${type} hold connections to this host`);
  }
  if (isKeptAlive(connection!)) {
    add("keepalive", KEEPALIVE.points, "one small UDP packet at a time, which only keeps the path open");
  }
  const { count } = users;
  if (count <= 1 && sameType === 0 && deviceCount >= RARE_MIN_DEVICES && held === undefined) {
    add("rare_peer", RARE_POINTS, `no other of ${deviceCount} devices uses this host`);
  }
  if (deviceCount >= PREVALENCE_MIN_DEVICES && count >= COMMON_MIN_USERS) {
    const part = count / deviceCount;
    const common = clamp01((part - COMMON_SHARE.from) / (COMMON_SHARE.full - COMMON_SHARE.from));
    const detail = `${count} of ${deviceCount} devices (${percent(part)}) use this host`;
    add("common_peer", COMMON_POINTS * common, detail);
  }
  const isNew = firstSeen !== null && firstSeen - historySince >= HISTORY_DAYS * DAY &&
    state.firstSeen - firstSeen < DAY;
  if (isNew && held === undefined) {
    add("new_peer", NEW_POINTS, `no device here contacted it before ${moment(firstSeen)}`);
  }
  return found;
}

function isKeptAlive(connection: Connection): boolean {
  const { proto, start, end, bytesOut, bytesIn, packetsOut, packetsIn } = connection;
  if (proto !== "udp") return false;
  const seconds = (end - start) / 1e6;
  return ([[bytesOut, packetsOut], [bytesIn, packetsIn]] as const).every(([bytes, packets]) =>
    bytes !== null && packets !== null && countOf(packets) <= seconds * KEEPALIVE.packets &&
    countOf(bytes) <= countOf(packets) * KEEPALIVE.bytes
  );
}
