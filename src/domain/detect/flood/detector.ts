// Floods: a device sends large numbers of UDP or ICMP packets to one host that hardly answers, as botnets do
// to knock a service offline. Floods of new TCP connections are reported by beacon (strobes) and scan.
//
// Counted are packets within an hour. Score = base of the pattern + growth with the number + pace + points
// for the ports: a flood goes to random ports or to one, a stream always to one.
import { isOneHost } from "../../../kit/net/ip.ts";
import { endsOf } from "../kernel/attempt.ts";
import { PERIODIC_UDP_PORTS } from "../kernel/callback/candidate.ts";
import {
  countOf,
  type Detector,
  type Evaluate,
  type Party,
  type Sighting,
  type StateLookup,
} from "../kernel/detector.ts";
import { addSent, findTarget, FLOODS, type Target } from "./state.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, type SubScore } from "../kernel/result.ts";
import { extra, isDueCount, logShare, share, total } from "../kernel/score.ts";
import { duration, plural, size, within } from "../../../kit/text.ts";

const FLOOD: DetectorInfo = {
  modelId: "flood",
  version: "1",
  title: "Floods",
  technique: "T1498.001",
  kind: "reach",
  description: "A device that sends large numbers of UDP or ICMP packets to one host that hardly answers.",
  sources: "flows",
  baseline: "none",
  reports: ["large numbers of UDP or ICMP packets to one host that hardly answers"],
  ignores: [
    "TCP floods, which `beacon` (strobes) and `scan` report",
    "streams on known ports; inside, on any single port",
  ],
};

/** Smaller flows are not part of a flood. This rejects nearly all UDP and ICMP traffic. */
const MIN_FLOW_PACKETS = 10;
/** Packets per hour at the threshold and at full growth. Monitoring sends a few hundred pings. */
const PACKETS = { from: 10_000, full: 10_000_000 } as const;
/** Average packets per second. A camera or a call sends 50 to 300. */
const PACE = { from: 300, full: 2000 } as const;
/** Slower traffic is not a flood: routers may ping a neighbour several times per second all day. */
const MIN_PACE = 20;
const POINTS = { base: 28, growth: 30, pace: 16 } as const;
const PORT_POINTS = { many: 8, one: -12 } as const;
/** UDP with more received packets per sent one is a conversation. ICMP is answered by design. */
const ANSWERED = 0.1;
/**
 * A stream does not use this many ports. Inside, where cameras, mirror ports and log collectors use one port
 * that never answers, only traffic to many ports counts.
 */
const MANY_PORTS = 20;
/**
 * Ports of one-way streams outside: QUIC and calls (some sensors see one direction only), logs, flow export,
 * tunnels.
 */
const STREAM_PORTS: ReadonlySet<number> = new Set([
  443,
  500,
  514,
  1194,
  2055,
  3478,
  3479,
  3480,
  3481,
  4500,
  4739,
  4789,
  6343,
  9995,
  9996,
  19_302,
  51_820,
]);

const SECOND = 1_000_000;
const ECHOES: ReadonlySet<number> = new Set([8, 128]);
const ECHO_REPLIES: ReadonlySet<number> = new Set([0, 129]);

export const FLOOD_DETECTOR: Detector = {
  info: FLOOD,
  states: [FLOODS],
  feeds: ["connection", "growth"],
  match(sighting, states) {
    const connection = sighting.connection!;
    const { proto, packetsOut } = connection;
    if (proto === "tcp" || packetsOut === null || countOf(packetsOut) < MIN_FLOW_PACKETS) return null;
    const isIcmp = proto === "icmp" || proto === "ipv6-icmp";
    if (!isIcmp && proto !== "udp") return null;
    // Other ICMP types report on packets of another sender.
    const { icmp } = sighting.observation;
    if (isIcmp && icmp !== null && !ECHOES.has(icmp.type) && !ECHO_REPLIES.has(icmp.type)) return null;
    return connection.exporterDirection
      ? matchExport(sighting, isIcmp, states)
      : matchSession(sighting, isIcmp, states);
  },
};

interface Counts {
  packets: number;
  received: number;
  bytes: number;
}

function matchSession(sighting: Sighting, isIcmp: boolean, states: StateLookup): Evaluate | null {
  const { bytesOut, newBytesOut, first, packetsOut, packetsIn } = sighting.connection!;
  const packets = countOf(packetsOut);
  const received = countOf(packetsIn);
  if (!isIcmp && received > packets * ANSWERED) return null;
  const { client, server } = endsOf(sighting);
  const all = countOf(bytesOut);
  // For a growing flow only the new bytes are known; its packets are taken to have grown in proportion.
  const grown = first ? 1 : all === 0 ? 0 : Math.min(1, newBytesOut / all);
  if (client.deviceId === null || grown === 0 || !isTarget(server, isIcmp)) return null;
  if (isIcmp && ECHO_REPLIES.has(sighting.observation.icmp?.type ?? -1)) return null;
  const counts = {
    packets: Math.round(packets * grown),
    received: Math.round(received * grown),
    bytes: newBytesOut,
  };
  return matchSent(sighting, client, server, counts, states);
}

/**
 * One direction of an exporter: each record reports what is new, and answers come as records of their own.
 */
function matchExport(sighting: Sighting, isIcmp: boolean, states: StateLookup): Evaluate | null {
  const { src, dst, observation: { counters, icmp, proto } } = sighting;
  const packets = countOf(counters?.srcToDst.packets ?? null);
  if (packets < MIN_FLOW_PACKETS) return null;
  const isAnswer = isIcmp
    ? icmp !== null && ECHO_REPLIES.has(icmp.type)
    : src.deviceId === null || (dst.deviceId !== null && (src.port ?? 0) < (dst.port ?? 0));
  if (isAnswer) {
    if (dst.deviceId === null) return null;
    const entry = states(FLOODS, dst.deviceId);
    return () => {
      const target = findTarget(entry.state, src.ip, proto);
      if (target === null) return null;
      target.received = Math.min(target.received + packets, Number.MAX_SAFE_INTEGER);
      entry.save(entry.state);
      return null;
    };
  }
  if (src.deviceId === null || !isTarget(dst, isIcmp)) return null;
  const bytes = countOf(counters!.srcToDst.bytes);
  return matchSent(sighting, src, dst, { packets, received: 0, bytes }, states);
}

function isTarget({ ip, port }: Party, isIcmp: boolean): boolean {
  if (!isIcmp && (port === null || STREAM_PORTS.has(port) || PERIODIC_UDP_PORTS.has(port))) return false;
  return isOneHost(ip);
}

function matchSent(
  { connection, observation, evidence, site }: Sighting,
  client: Party,
  server: Party,
  counts: Counts,
  states: StateLookup,
): Evaluate {
  const { ip } = server;
  const deviceId = client.deviceId!;
  const { proto } = observation;
  const port = proto === "udp" ? server.port : null;
  const entry = states(FLOODS, deviceId);
  const deviceName = site.nameOf(deviceId);
  return () => {
    const { state } = entry;
    const ref = { ...evidence, observedAt: observation.start };
    const known = findTarget(state, ip, proto);
    // An exporter's answer may arrive after the request, so only what earlier records sent is evaluated.
    const before = connection!.exporterDirection ? known?.sent ?? 0 : Infinity;
    const target = addSent(state, { ip, proto, port, at: observation.start, ...counts }, ref);
    target.last = Math.max(target.last, observation.end);
    entry.save(state);
    return evaluate(target, Math.min(before, target.sent), server, deviceId, deviceName);
  };
}

function evaluate(
  target: Target,
  sent: number,
  server: Party,
  deviceId: string,
  deviceName: string,
): DetectorResult | null {
  const { ip, proto, first, last, received, bytes, ports } = target;
  if (sent < PACKETS.from || !isDueCount(sent, target.evaluatedPackets)) return null;
  target.evaluatedPackets = sent;
  const isUdp = proto === "udp";
  if (isUdp && received > sent * ANSWERED) return null;
  const many = ports.count >= MANY_PORTS;
  if (isUdp && server.internal && !many) return null;
  const seconds = Math.max(1, (last - first) / SECOND);
  const pace = Math.round(sent / seconds);
  if (pace < MIN_PACE) return null;
  const what = isUdp ? "UDP" : "ICMP";
  const subScores = [
    share("pattern", 1, POINTS.base, `many ${what} packets to one host`),
    share(
      "number",
      logShare(sent, PACKETS.from, PACKETS.full),
      POINTS.growth,
      `${plural(sent, "packet")} (threshold: ${PACKETS.from} per hour)`,
    ),
    share("pace", logShare(pace, PACE.from, PACE.full), POINTS.pace, `${plural(pace, "packet")} per second`),
  ];
  const modifiers = isUdp ? portModifiers(ports.count) : [];
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= target.reportedScore) return null;
  target.reportedScore = score;
  const single = isUdp && ports.count === 1 ? server.port : null;
  const answered = received === 0 ? "none came back" : `${plural(received, "packet")} came back`;
  const toPorts = ports.count > 1 ? ` on ${ports.exact ? "" : "about "}${plural(ports.count, "port")}` : "";
  return {
    modelId: FLOOD.modelId,
    modelVersion: FLOOD.version,
    technique: FLOOD.technique,
    at: last,
    firstSeen: first,
    lastSeen: last,
    deviceId,
    deviceIds: [deviceId],
    destinations: [{ ip, name: null, port: single }],
    groupKey: `${deviceId}|${proto} ${ip}`,
    subject: `${what} from ${deviceName} to ${ip}`,
    title: `${deviceName} floods ${ip} with ${what} packets`,
    phrase: `flooding ${ip} with ${what} packets`,
    summary: `${deviceName} sent ${plural(sent, "packet")} (${size(bytes)}) to ${ip}${toPorts} ` +
      `${within(first, last)} (${duration(seconds)}); ${answered}.`,
    explanation:
      "Botnets send floods like this to knock a service offline. Audio, video or measurement streams and speed tests " +
      "send as many packets, but rarely to a host that does not answer. " +
      `Find the program on ${deviceName} that sends them and stop it: the flood also saturates the site's own uplink.`,
    score,
    confidence: isUdp ? 0.6 : 0.7,
    subScores,
    modifiers,
    evidence: [...target.refs],
  };
}

function portModifiers(ports: number): SubScore[] {
  if (ports >= MANY_PORTS) return [extra("many_ports", PORT_POINTS.many, "to many ports, unlike a stream")];
  return ports > 1 ? [] : [extra("one_port", PORT_POINTS.one, "to one port, like a stream")];
}
