// Connections to a host outside that stay open for hours, or are opened again as soon as they end: remote control, a
// tunnel, a reverse shell that an operator keeps. The open time is the union of all connections to the host.
//
// Score = sum of four shares (80 points) and what the circumstances add or take. Time alone is at most `medium`; many
// honest programs hold a connection all day, and most of them are known by their port.
import { isOneHost } from "../../../kit/net/ip.ts";
import { PERIODIC_UDP_PORTS } from "../kernel/callback/candidate.ts";
import {
  COMMON_MIN_USERS,
  COMMON_POINTS,
  COMMON_SHARE,
  HISTORY_DAYS,
  NEW_POINTS,
  points,
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
import { addLong, LONG_USES, type LongUse, openSteps, STEP } from "./state.ts";
import { describeLong } from "./text.ts";
import { hasOwnProtocol, oddService } from "../kernel/odd-service.ts";
import { onlyAssumedInside } from "../kernel/peer.ts";
import { addUser, PREVALENCE, type Prevalence } from "../kernel/prevalence.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  REPORT_SCORE,
  roundScore,
  STRETCH_GAP,
  type SubScore,
} from "../kernel/result.ts";
import { portWords } from "../kernel/service-names.ts";
import { clamp01 } from "../kernel/stats.ts";
import { duration, hostPort, moment, percent, plural } from "../kernel/wording.ts";

const LONG_CONNECTION: DetectorInfo = {
  modelId: "long-connection",
  version: "2",
  title: "Long connections",
  technique: "T1071",
  kind: "callback",
  description:
    "A device that keeps a connection to a host outside open for hours, or opens it again and again.",
};

/** Points of a full share each. */
const WEIGHTS = { longest: 22, open: 22, reopened: 14, unusual: 22 } as const;
/** Shorter connections are not looked at: nearly all are, so this is what keeps the detector cheap. */
const MIN_SECONDS = 300;
/** Longer ones come from a wild clock. */
const MAX_SECONDS = 30 * 86_400;
/** Open time within a day before a host is judged at all, and again when it has grown by a half. */
const MIN_OPEN_SECONDS = 2 * 3600;
/** Seconds of the longest connection (log scale): worth nothing, and the full share. */
const LONGEST = { none: 1800, full: 86_400 } as const;
/** Seconds within a day in which a connection was open (log scale). */
const OPEN = { none: 3600, full: 82_800 } as const;
/** Connections that took the place of one just ended (log scale from none). */
const FULL_REOPENED = 12;
/** Told again when the score rises by so much, and after so long while it goes on, before its incident is over. */
const RETELL_POINTS = 3;
const AGAIN = STRETCH_GAP / 2;

/** How unusual it is that programs hold a connection there: a protocol nobody recognised on a port of nobody's. */
const UNUSUAL = { unknown: 1, moved: 0.6, unrecognised: 0.3, usual: 0 } as const;

/** Services that hold connections by design, by port of the server: what they are, and what that takes off. */
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
  // Chat over IRC: botnets do it, too.
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
/** Games, databases, remote help: programs that keep a connection of a protocol of their own all day. */
const OWN_PROTOCOL_POINTS = -12;
/** A private address that nobody placed: mostly a server of the site's own. */
export const ASSUMED_POINTS = -15;
/** The device came by the address through a name: it is no bare one, as a reverse shell is given most often. */
export const NAMED_POINTS = -15;
/** A device that a person says is there to hold tunnels. */
const TUNNEL_TYPES: ReadonlySet<string> = new Set([
  "router",
  "vpn",
  "vpn_gateway",
  "vpn_server",
  "firewall",
]);
const TUNNEL_TYPE_POINTS = -40;

export const LONG_CONNECTION_DETECTOR: Detector = {
  info: LONG_CONNECTION,
  states: [LONG_USES],
  feeds: ["connection", "growth"],
  match(sighting, need) {
    const connection = sighting.connection!;
    const { start, end, src, dst, proto } = connection;
    const seconds = (end - start) / 1e6;
    if (seconds < MIN_SECONDS || seconds > MAX_SECONDS || (proto !== "tcp" && proto !== "udp")) return null;
    const deviceId = src.ip === sighting.src.ip ? sighting.src.deviceId : sighting.dst.deviceId;
    if (deviceId === null || dst.port === null || !isAsked(connection)) return null;
    if (proto === "udp" && PERIODIC_UDP_PORTS.has(dst.port)) return null;
    const { site } = sighting;
    if (site.isInternal(dst.ip) && !onlyAssumedInside(site.networksAssumed, src.ip, dst.ip)) return null;
    if (!isOneHost(dst.ip)) return null;
    return attendUse(sighting, deviceId, dst.ip, need);
  },
};

function attendUse(sighting: Sighting, deviceId: string, peerIp: string, need: StateLookup): Evaluate {
  const use = need(LONG_USES, `${deviceId} ${peerIp}`);
  const peer = need(PREVALENCE, `peer ${peerIp}`);
  return () => {
    const { start, end } = sighting.connection!;
    const state = use.state;
    if (addUser(peer.state, deviceId, start)) peer.save(peer.state);
    if (!addLong(state, start, end, sighting.evidence)) return null;
    use.save(state);
    const steps = openSteps(state);
    if (steps * STEP < MIN_OPEN_SECONDS * 1e6 || !isDue(state, steps)) return null;
    const again = state.lastSeen - state.judgedAt >= AGAIN;
    state.judged = steps;
    state.judgedAt = state.lastSeen;
    return judge(state, peer.state, deviceId, again, sighting);
  };
}

/** Whether its destination is the server: exporters tell of either direction, and something has to have come back. */
function isAsked({ exporterDirection, src, dst, packetsIn }: Connection): boolean {
  if (exporterDirection) return src.port === null || src.port >= dst.port!;
  return packetsIn === null || countOf(packetsIn) > 0;
}

/** When the open time has grown by a half or by six hours, and twice a day while it goes on. */
function isDue({ judged, judgedAt, lastSeen }: LongUse, steps: number): boolean {
  return steps >= Math.min(judged * 1.5, judged + 36) || lastSeen - judgedAt >= AGAIN;
}

function judge(
  state: LongUse,
  peer: Prevalence,
  deviceId: string,
  again: boolean,
  sighting: Sighting,
): DetectorResult | null {
  const { site } = sighting;
  const connection = sighting.connection!;
  const { dst, proto } = connection;
  const shares = subScores(state, connection);
  const modifiers = contextModifiers(state, peer, deviceId, sighting);
  const score = roundScore(points(shares) + points(modifiers));
  if (score < REPORT_SCORE || (score < state.saidScore + RETELL_POINTS && !again)) return null;
  state.saidScore = score;
  const deviceName = site.nameOf(deviceId);
  const { firstSeen, lastSeen } = state;
  return {
    modelId: LONG_CONNECTION.modelId,
    modelVersion: LONG_CONNECTION.version,
    technique: shares.some(({ name, value }) => name === "unusual" && value >= UNUSUAL.moved)
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
    subScores: shares,
    modifiers,
    evidence: state.refs.list(),
  };
}

function subScores(state: LongUse, connection: Connection): SubScore[] {
  const longest = state.longest / 1e6;
  const open = openSteps(state) * STEP / 1e6;
  const [unusual, why] = unusualness(connection);
  const { reopened } = state;
  return [
    share(
      "longest",
      logShare(longest, LONGEST),
      WEIGHTS.longest,
      `the longest connection lasted ${duration(longest)}`,
    ),
    share("open", logShare(open, OPEN), WEIGHTS.open, `one was open for ${duration(open)} of the last day`),
    share(
      "reopened",
      Math.log(1 + reopened) / Math.log(1 + FULL_REOPENED),
      WEIGHTS.reopened,
      `${plural(reopened, "connection")} opened within a minute after another had ended`,
    ),
    share("unusual", unusual, WEIGHTS.unusual, why),
  ];
}

function unusualness({ service, dst, proto }: Connection): [number, string] {
  const port = dst.port!;
  const where = `${proto} ${portWords(port)}`;
  const usual = HELD_OPEN.has(port) || port < 1024 || hasOwnProtocol(port);
  if (service !== null) {
    // TLS on 8443 and SSH on 2222 are at home there as much as on their first ports.
    if (usual || oddService(service, proto, port) === null) return [UNUSUAL.usual, `${service} on ${where}`];
    return [UNUSUAL.moved, `${service} on ${where}, where it is not usual`];
  }
  if (usual) return [UNUSUAL.unrecognised, `${where}, the protocol not recognised`];
  return [UNUSUAL.unknown, `${where} is no known service, and the protocol was not recognised`];
}

function contextModifiers(
  state: LongUse,
  { users, firstSeen, asked }: Prevalence,
  deviceId: string,
  { connection, deviceCount, historySince, site }: Sighting,
): SubScore[] {
  const found: SubScore[] = [];
  const add = (name: string, value: number, detail: string) => {
    if (value !== 0) found.push({ name, value: Math.round(value * 10) / 10, weight: 1, detail });
  };
  const held = HELD_OPEN.get(connection!.dst.port!);
  if (held) {
    add(
      "held_open",
      held[1],
      `port ${connection!.dst.port} is that of a ${held[0]}, which holds connections`,
    );
  } else if (hasOwnProtocol(connection!.dst.port!)) {
    const detail = `port ${connection!.dst.port} is that of a program with a protocol of its own`;
    add("own_protocol", OWN_PROTOCOL_POINTS, detail);
  }
  if (site.isInternal(connection!.dst.ip)) {
    add("assumed_inside", ASSUMED_POINTS, "a private address, taken to be inside as nobody said otherwise");
  }
  if (asked !== null) add("named", NAMED_POINTS, "the address was the answer to a name");
  const type = site.confirmedType(deviceId);
  if (type !== null && TUNNEL_TYPES.has(type)) {
    add("tunnel_device", TUNNEL_TYPE_POINTS, `the device is a ${type}`);
  }
  const { count } = users;
  if (count <= 1 && deviceCount >= RARE_MIN_DEVICES && held === undefined) {
    add("rare_peer", RARE_POINTS, `no other of ${deviceCount} devices uses this host`);
  }
  if (deviceCount >= PREVALENCE_MIN_DEVICES && count >= COMMON_MIN_USERS) {
    const part = count / deviceCount;
    const common = clamp01((part - COMMON_SHARE.from) / (COMMON_SHARE.full - COMMON_SHARE.from));
    add(
      "common_peer",
      COMMON_POINTS * common,
      `${count} of ${deviceCount} devices (${percent(part)}) use this host`,
    );
  }
  const day = 86_400_000_000;
  const isNew = firstSeen !== null && firstSeen - historySince >= HISTORY_DAYS * day &&
    state.firstSeen - firstSeen < day;
  if (isNew && held === undefined) {
    add("new_peer", NEW_POINTS, `nobody here contacted it before ${moment(firstSeen)}`);
  }
  return found;
}

function share(name: string, value: number, weight: number, detail: string): SubScore {
  return { name, value: Math.round(clamp01(value) * 1000) / 1000, weight, detail };
}

function logShare(value: number, { none, full }: { none: number; full: number }): number {
  return Math.log(Math.max(value, none) / none) / Math.log(full / none);
}
