// Floods: masses of UDP or ICMP packets of a device to one host that hardly answers, as bots send them on command to take a
// service from the net. Floods of new TCP connections are strobes and scans, which others tell.
//
// What is counted are packets within an hour. Score = base of the pattern + growth with the number + pace, and what the ports
// say: a flood goes to ports at random or to one, a stream always to one.
import { isOneHost } from "../../../kit/net/ip.ts";
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
import { type DetectorInfo, type DetectorResult, REPORT_SCORE } from "../kernel/result.ts";
import { extra, isDueCount, logShare, share, total } from "../kernel/score.ts";
import { duration, plural, size, within } from "../kernel/wording.ts";

const FLOOD: DetectorInfo = {
  modelId: "flood",
  version: "1",
  title: "Floods",
  technique: "T1498.001",
  kind: "reach",
  description: "A device that sends masses of UDP or ICMP packets to one host, which hardly answers.",
};

/** Flows with less are no part of a flood to one host; nearly all UDP and ICMP is told from one by this. */
const MIN_FLOW_PACKETS = 10;
/** Packets within an hour that are remarkable, and that are worth the full growth: monitoring pings a few hundred times. */
const PACKETS = { from: 10_000, full: 10_000_000 } as const;
/** Packets a second on the average: a camera or a call sends some 50 to 300. */
const PACE = { from: 300, full: 2000 } as const;
/** Slower ones are no flood: a router may ping its neighbour several times a second all day. */
const MIN_PACE = 20;
const POINTS = { base: 28, growth: 30, pace: 16 } as const;
const PORT_POINTS = { many: 8, one: -12 } as const;
/** UDP that is answered by so many packets to one that was sent is a conversation. ICMP is answered by design. */
const ANSWERED = 0.1;
/**
 * So many ports are no stream. Inside, where cameras, mirrors of traffic and collectors of logs send to one port that never
 * answers, only that counts.
 */
const MANY_PORTS = 20;
/** Outside, the same by port: QUIC and calls, of which some sensors see one half only; logs, flows, tunnels. */
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
  match(sighting, need) {
    const connection = sighting.connection!;
    const { proto, packetsOut } = connection;
    if (proto === "tcp" || packetsOut === null || countOf(packetsOut) < MIN_FLOW_PACKETS) return null;
    const isIcmp = proto === "icmp" || proto === "ipv6-icmp";
    if (!isIcmp && proto !== "udp") return null;
    // Other kinds of ICMP tell of what somebody else sent.
    const { icmp } = sighting.observation;
    if (isIcmp && icmp !== null && !ECHOES.has(icmp.type) && !ECHO_REPLIES.has(icmp.type)) return null;
    return connection.exporterDirection
      ? attendExport(sighting, isIcmp, need)
      : attendSession(sighting, isIcmp, need);
  },
};

function attendSession(sighting: Sighting, isIcmp: boolean, need: StateLookup): Evaluate | null {
  const { connection, src, dst, site } = sighting;
  const { bytesOut, newBytesOut, first } = connection!;
  const packets = countOf(connection!.packetsOut);
  const received = countOf(connection!.packetsIn);
  if (!isIcmp && received > packets * ANSWERED) return null;
  const straight = connection!.src.ip === src.ip && connection!.src.port === src.port;
  const { client, server } = straight ? { client: src, server: dst } : { client: dst, server: src };
  const all = countOf(bytesOut);
  // Of a flow that grows only the new bytes are known; its packets have grown alike.
  const grown = first ? 1 : all === 0 ? 0 : Math.min(1, newBytesOut / all);
  if (client.deviceId === null || grown === 0 || !isTarget(server, isIcmp)) return null;
  if (isIcmp && ECHO_REPLIES.has(sighting.observation.icmp?.type ?? -1)) return null;
  return attendSent(
    sighting,
    client,
    server,
    {
      packets: Math.round(packets * grown),
      received: Math.round(received * grown),
      bytes: newBytesOut,
    },
    need,
    site.nameOf(client.deviceId),
  );
}

/** One direction as an exporter tells it: each record says what is new, and the answers come as records of their own. */
function attendExport(sighting: Sighting, isIcmp: boolean, need: StateLookup): Evaluate | null {
  const { src, dst, observation: { counters, icmp, proto }, site } = sighting;
  const packets = countOf(counters?.srcToDst.packets ?? null);
  if (packets < MIN_FLOW_PACKETS) return null;
  const isAnswer = isIcmp
    ? icmp !== null && ECHO_REPLIES.has(icmp.type)
    : src.deviceId === null || (dst.deviceId !== null && (src.port ?? 0) < (dst.port ?? 0));
  if (isAnswer) {
    if (dst.deviceId === null) return null;
    const slot = need(FLOODS, dst.deviceId);
    return () => {
      const target = findTarget(slot.state, src.ip, proto);
      if (target === null) return null;
      target.received = Math.min(target.received + packets, Number.MAX_SAFE_INTEGER);
      slot.save(slot.state);
      return null;
    };
  }
  if (src.deviceId === null || !isTarget(dst, isIcmp)) return null;
  const bytes = countOf(counters!.srcToDst.bytes);
  return attendSent(sighting, src, dst, { packets, received: 0, bytes }, need, site.nameOf(src.deviceId));
}

function isTarget({ ip, port }: Party, isIcmp: boolean): boolean {
  if (!isIcmp && (port === null || STREAM_PORTS.has(port) || PERIODIC_UDP_PORTS.has(port))) return false;
  return isOneHost(ip);
}

function attendSent(
  { connection, observation, evidence }: Sighting,
  client: Party,
  server: Party,
  counts: { packets: number; received: number; bytes: number },
  need: StateLookup,
  deviceName: string,
): Evaluate {
  const { ip } = server;
  const deviceId = client.deviceId!;
  const { proto } = observation;
  const port = proto === "udp" ? server.port : null;
  const slot = need(FLOODS, deviceId);
  return () => {
    const { state } = slot;
    const ref = { ...evidence, observedAt: observation.start };
    const known = findTarget(state, ip, proto);
    // An exporter's answer may come after the question: what was told before is judged when more follows.
    const before = connection!.exporterDirection ? known?.sent ?? 0 : Infinity;
    const target = addSent(state, { ip, proto, port, at: observation.start, ...counts }, ref);
    target.last = Math.max(target.last, observation.end);
    slot.save(state);
    return judge(target, Math.min(before, target.sent), server, deviceId, deviceName);
  };
}

function judge(
  target: Target,
  sent: number,
  server: Party,
  deviceId: string,
  deviceName: string,
): DetectorResult | null {
  const { ip, proto, first, last, received, bytes, ports } = target;
  if (sent < PACKETS.from || !isDueCount(sent, target.judged)) return null;
  target.judged = sent;
  const isUdp = proto === "udp";
  if (isUdp && received > sent * ANSWERED) return null;
  const many = ports.count >= MANY_PORTS;
  if (isUdp && server.internal && !many) return null;
  const seconds = Math.max(1, (last - first) / SECOND);
  const pace = Math.round(sent / seconds);
  if (pace < MIN_PACE) return null;
  const subScores = [
    share("pattern", 1, POINTS.base, `masses of ${isUdp ? "UDP" : "ICMP"} packets to one host`),
    share(
      "number",
      logShare(sent, PACKETS.from, PACKETS.full),
      POINTS.growth,
      `${plural(sent, "packet")}, where ${PACKETS.from} in an hour are remarkable`,
    ),
    share("pace", logShare(pace, PACE.from, PACE.full), POINTS.pace, `${plural(pace, "packet")} a second`),
  ];
  const modifiers = !isUdp
    ? []
    : many
    ? [extra("many_ports", PORT_POINTS.many, "to many ports, as no stream goes")]
    : ports.count > 1
    ? []
    : [extra("one_port", PORT_POINTS.one, "to one port, as streams go, too")];
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= target.told) return null;
  target.told = score;
  const what = isUdp ? "UDP" : "ICMP";
  const single = isUdp && ports.count === 1 ? server.port : null;
  const answered = received === 0 ? "none came back" : `${plural(received, "packet")} came back`;
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
    summary: `${deviceName} sent ${plural(sent, "packet")} (${size(bytes)}) to ${ip}${
      ports.count > 1 ? `, to ${ports.exact ? "" : "about "}${plural(ports.count, "port")}` : ""
    } ${within(first, last)} (${duration(seconds)}); ${answered}.`,
    explanation:
      "Bots send such masses when they are told to take somebody's service from the net. A stream of sound, pictures or " +
      "measurements, or a test of a line's speed, sends as many packets; few of these go to a host that does not answer. " +
      `Find out which program on ${deviceName} sends them, and stop it: it takes the site's own line as well.`,
    score,
    confidence: isUdp ? 0.6 : 0.7,
    subScores,
    modifiers,
    evidence: [...target.refs],
  };
}
