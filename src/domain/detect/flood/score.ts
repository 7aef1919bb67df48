// Score = base of the pattern + growth with the number + pace + points for ports and sources: a flood comes
// from random ports or addresses or goes to random ports, a stream keeps to one of each.
import {
  type DetectorInfo,
  type DetectorResult,
  REPORT_SCORE,
  type SubScore,
  whileLearning,
} from "../kernel/result.ts";
import { extra, logShare, share, total } from "../kernel/score.ts";
import type { FloodContext, Measured } from "./context.ts";
import { ANSWERED } from "./count.ts";
import { busiestHour, sumOf, type Target, type Window } from "./state.ts";
import { describeFlood } from "./text.ts";

export const FLOOD: DetectorInfo = {
  modelId: "flood",
  version: "3",
  title: "Floods",
  technique: "T1498.001",
  kind: "reach",
  description:
    "Large numbers of UDP or ICMP packets that are hardly answered, or of TCP connections that nothing comes of, to one host.",
  meaning:
    "A device that sends a flood is usually part of a botnet that attacks a service. Load tests, streams and clients of a broken service can look alike.",
  checks: [
    "whether the flooded service still answers",
    "which program on a sending device of the site does it; stop it or disconnect the device",
    "for sources outside, what the firewall or the provider can limit; their addresses are often forged",
  ],
  sources: "flows",
  baseline: "none; inside, the last 24 hours of the target for UDP between the same few ports",
  reports: [
    "10,000 UDP or ICMP packets in ten minutes from a device to one host outside that hardly answers, or to an internal host from anywhere",
    "3,000 TCP connections in ten minutes to one host that stay unanswered, are refused or carry nothing, from one source or from thousands",
  ],
  ignores: [
    "streams on known ports; inside, UDP between the same few ports below 2000 packets per second",
    "small requests to name, time, directory and management services",
    "TCP to a host where most connections carry data, such as a busy server or a load test, and from confirmed routers, firewalls and proxies",
    "port scans: fewer than ten attempts per port",
    "UDP from outside in records of an exporter, which reports each direction on its own",
  ],
};

interface Scale {
  /** Count within ten minutes that makes a flood, and count within an hour for full growth. */
  from: number;
  full: number;
  /** Per second, in the ten minutes: below `min` it is no flood. */
  pace: { min: number; from: number; full: number };
}

/** Monitoring sends a few hundred pings; a camera or a call 50 to 300 packets per second. */
const PACKETS: Scale = { from: 10_000, full: 10_000_000, pace: { min: 20, from: 300, full: 2000 } };
/**
 * Health checks and dead services cause a few failed connections per second. The failures of a client in a
 * loop have no upper limit, but they are worth a look as well.
 */
const ATTEMPTS: Scale = { from: 3000, full: 1_000_000, pace: { min: 5, from: 20, full: 1000 } };
/** Peer-to-peer programs that left are still asked for by up to some 50 packets per second from outside. */
const MIN_PACE_INSIDE = 100;
/** Video of the highest quality takes less. */
const MIN_STREAM_PACE = 2000;
/** A recorder, a log or a mirror port receives streams from more devices. */
const MAX_STREAM_SOURCES = 3;
const POINTS = { base: 28, growth: 30, pace: 16 } as const;
const MODIFIERS = { manyPorts: 8, onePort: -12, manySources: 8, manyTuples: 8 } as const;
/** A stream does not use this many ports of a host per source. */
const MANY_PORTS = 20;
/** Streams, metrics and logs keep their source ports; a flood draws new ones. */
const MANY_TUPLES = 500;
/** More sources than the clients of most servers: a botnet or forged addresses. */
const MANY_SOURCES = 1000;
/** An attempt per port or a few are a scan. */
const ATTEMPTS_PER_PORT = 10;
/**
 * Connections that carry data, per failed one. A busy server and a load test have more. With many sources,
 * customers may still get through.
 */
const WORKING = { fewSources: 1, manySources: 4 } as const;
/** UDP between the same ports for longer than this is a stream. */
const STREAM_AGE = 3_600_000_000;
/** Growth of the count after which to evaluate again. */
const GROWTH = 1.5;
/** Points that the score must rise to report again. */
const RISE = 2;
/** Confidence by what is known of the sources: the counters alone, or ports or addresses that no stream has. */
const CONFIDENCE = { packets: 0.6, echoes: 0.7, attempts: 0.7 } as const;

/**
 * Null if it is no flood, or adds too little to what was reported.
 * @param sent What the window counted that may be judged already: an exporter's answers arrive later.
 */
export function evaluateFlood(
  target: Target,
  window: Window,
  sent: number,
  context: FloodContext,
): DetectorResult | null {
  const isTcp = target.proto === "tcp";
  const scale = isTcp ? ATTEMPTS : PACKETS;
  if (sent < scale.from) return null;
  const windows = busiestHour(target, window.slot, target.evaluated * GROWTH);
  if (windows === null) return null;
  const sum = sumOf(windows);
  const sources = Math.min(target.sources.count, sum.sent);
  const ports = Math.min(target.ports.count, sum.sent);
  // The window of this record may be only beginning to arrive, while others of the hour are complete.
  let pace = 0;
  for (const one of windows) {
    const judged = one === window ? { ...one, sent } : one;
    if (judged.sent < scale.from || isAnswered(target.proto, judged, sources)) continue;
    pace = Math.max(pace, Math.round(judged.sent / Math.max(1, (judged.last - judged.first) / 1_000_000)));
  }
  if (pace < scale.pace.min) return null;
  const measured: Measured = { ...sum, pace, sources, ports };
  const evaluation = isTcp ? ofAttempts(measured) : ofPackets(target, window, measured, context);
  // A stream must not raise what a flood on top of it has to exceed.
  if (evaluation === null) return null;
  target.evaluated = sum.sent;
  const { modifiers, needsBaseline } = evaluation;
  const noun = isTcp ? "failed connection" : "packet";
  const subScores = [
    share(
      "pattern",
      1,
      POINTS.base,
      isTcp ? "many failed connections to one host" : "many packets to one host",
    ),
    share(
      "number",
      logShare(sum.sent, scale.from, scale.full),
      POINTS.growth,
      `${sum.sent} ${noun}s within an hour (threshold: ${scale.from} in ten minutes)`,
    ),
    share(
      "pace",
      logShare(pace, scale.pace.from, scale.pace.full),
      POINTS.pace,
      `${pace} ${noun}s per second`,
    ),
  ];
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || (target.reportedScore > 0 && score < target.reportedScore + RISE)) return null;
  const { client, server } = context;
  const isOneDevice = sources === 1 && client.deviceId !== null;
  const deviceId = isOneDevice ? client.deviceId : server.deviceId;
  const others = [client.deviceId, server.deviceId].filter((id) =>
    id !== null && id !== deviceId
  ) as string[];
  const result: DetectorResult = {
    modelId: FLOOD.modelId,
    modelVersion: FLOOD.version,
    technique: isTcp ? "T1499.001" : FLOOD.technique,
    at: sum.last,
    firstSeen: sum.first,
    lastSeen: sum.last,
    deviceId,
    deviceIds: [...deviceId === null ? [] : [deviceId], ...isOneDevice ? others : []],
    destinations: [{ ip: target.ip, name: null, port: ports === 1 ? server.port : null }],
    groupKey: server.internal
      ? `${target.proto} ${target.ip}`
      : `${client.deviceId}|${target.proto} ${target.ip}`,
    ...describeFlood(target, measured, context, isOneDevice || !server.internal),
    score,
    confidence: isTcp ? CONFIDENCE.attempts : target.proto === "udp" ? CONFIDENCE.packets : CONFIDENCE.echoes,
    subScores,
    modifiers,
    evidence: [...target.refs],
  };
  const held = needsBaseline ? whileLearning(result, context.learned) : result;
  target.reportedScore = held.score;
  return held;
}

interface Evaluation {
  modifiers: SubScore[];
  /** Whether the target's habit decided. */
  needsBaseline: boolean;
}

/** Whether a service works, or packets are a conversation. */
function isAnswered(proto: string, { sent, answered }: Window, sources: number): boolean {
  if (proto === "udp") return answered > sent * ANSWERED;
  if (proto !== "tcp") return false;
  return answered > sent * (sources >= MANY_SOURCES ? WORKING.manySources : WORKING.fewSources);
}

function ofAttempts({ sent, sources, ports }: Measured): Evaluation | null {
  if (ports * ATTEMPTS_PER_PORT > sent) return null;
  const modifiers = sources >= MANY_SOURCES
    ? [extra("many_sources", MODIFIERS.manySources, "from thousands of addresses")]
    : [];
  return { modifiers, needsBaseline: false };
}

function ofPackets(
  target: Target,
  window: Window,
  { pace, sources, ports }: Measured,
  { client, server }: FloodContext,
): Evaluation | null {
  if (target.proto !== "udp") return { modifiers: [], needsBaseline: false };
  const modifiers: SubScore[] = [];
  const manyPorts = ports >= MANY_PORTS * sources;
  if (manyPorts) modifiers.push(extra("many_ports", MODIFIERS.manyPorts, "to many ports, unlike a stream"));
  if (!server.internal) {
    if (ports === 1) modifiers.push(extra("one_port", MODIFIERS.onePort, "to one port, like a stream"));
    return { modifiers, needsBaseline: false };
  }
  const manyTuples = target.tuples.count >= MANY_TUPLES;
  if (manyTuples) {
    modifiers.push(extra("many_source_ports", MODIFIERS.manyTuples, "from ever new ports, unlike a stream"));
  }
  if (manyPorts || manyTuples) return pace < MIN_PACE_INSIDE ? null : { modifiers, needsBaseline: false };
  if (client.internal && sources > MAX_STREAM_SOURCES) return null;
  if (pace < MIN_STREAM_PACE || window.first - target.since > STREAM_AGE) return null;
  if (ports === 1 && client.internal) {
    modifiers.push(extra("one_port", MODIFIERS.onePort, "to one port, like a stream"));
  }
  return { modifiers, needsBaseline: client.internal };
}
