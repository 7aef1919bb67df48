// Single-purpose devices that do what their type does not: they are misused, or their type is wrong. Relies on types that
// a person or the inventory confirmed, so there is nothing to learn first.
import { isOneHost } from "../../../kit/net/ip.ts";
import { endsOf, isReplyHalf } from "../kernel/attempt.ts";
import type { Detector, DetectorSite, Evaluate, Party, Sighting, StateLookup } from "../kernel/detector.ts";
import { onlyAssumedInside } from "../kernel/peer.ts";
import { type DetectorInfo, type DetectorResult, MAX_DESTINATIONS, REPORT_SCORE } from "../kernel/result.ts";
import { total } from "../kernel/score.ts";
import { portLabel } from "../kernel/service-names.ts";
import { SINGLE_PURPOSE_TYPES } from "../kernel/single-purpose.ts";
import { extendDay, isInDay, leaveDay, newDay } from "../kernel/state/sample.ts";
import { type Act, ACTS, adminService, isForeignService, isQuietOutside } from "./acts.ts";
import { scoreActs } from "./score.ts";
import { ACT_COUNTS, type ActCounts, MAX_ACT_EXAMPLES, MAX_ACT_REFS, newActCount } from "./state.ts";
import { describeContradiction } from "./text.ts";

const TYPE_CONTRADICTION: DetectorInfo = {
  modelId: "type-contradiction",
  version: "1",
  title: "Device acts against its type",
  technique: null,
  kind: "device",
  description: "A confirmed printer, camera, desk phone or IoT device that does what such devices do not.",
  meaning:
    "Attackers hide on unwatched devices, such as printers and cameras, and move on from there. If the type is wrong or the address was given to another device, it means nothing.",
  checks: [
    "which device has the address now; correct its type if it is another one",
    "what it offered or contacted, and who logged on to it before",
    "whether its firmware is current; disconnect it until then",
  ],
  sources: "flows",
  baseline: "the type of the device as a person or the inventory confirmed it",
  reports: [
    "a printer, camera, desk phone or IoT device that administers others (technique T1021), offers services foreign to its type, or contacts many hosts",
  ],
  ignores: ["types that were only inferred", "other types"],
};

/** One act in one connection. */
interface ObservedAct {
  act: Act;
  /** What the act counts: the peer, with a port if that matters. */
  peer: string;
  ip: string;
  /** The act as a phrase for the summary. */
  example: string;
}

/** A single-purpose device and an act of it. */
interface Contradiction {
  device: Party;
  type: string;
  observed: ObservedAct;
}

export const TYPE_CONTRADICTION_DETECTOR: Detector = {
  info: TYPE_CONTRADICTION,
  states: [ACT_COUNTS],
  feeds: ["connection"],
  match(sighting, states) {
    const { src, dst, proto, packetsOut, packetsIn } = sighting.connection!;
    if (dst.port === null || proto !== "tcp" && proto !== "udp") return null;
    const { client, server } = endsOf(sighting);
    if (typeOf(client, sighting.site) === null && typeOf(server, sighting.site) === null) return null;
    // Unanswered, or half of an answer.
    if (packetsIn === 0 || packetsOut === 0 || isReplyHalf(src, dst) || !isOneHost(server.ip)) return null;
    const contradictions = contradictionsOf(client, server, sighting);
    return contradictions.length === 0 ? null : matchContradictions(contradictions, sighting, states);
  },
};

/** The confirmed type of a party, if it is a single-purpose one. */
function typeOf({ deviceId }: Party, site: DetectorSite): string | null {
  const type = deviceId === null ? null : site.confirmedType(deviceId);
  return type !== null && SINGLE_PURPOSE_TYPES.has(type) ? type : null;
}

function contradictionsOf(client: Party, server: Party, { connection, site }: Sighting): Contradiction[] {
  const { dst, proto, service, exporterDirection } = connection!;
  const port = dst.port!;
  const [clientType, serverType] = [typeOf(client, site), typeOf(server, site)];
  const found: Contradiction[] = [];
  if (clientType !== null) {
    const acts = clientActs(clientType, client, server, proto, port, site);
    for (const observed of acts) found.push({ device: client, type: clientType, observed });
  }
  if (serverType !== null && !exporterDirection && isForeignService(serverType, proto, port, service)) {
    const observed: ObservedAct = {
      act: "serves",
      peer: `${port} ${client.ip}`,
      ip: client.ip,
      example: `${portLabel(port)} to ${client.ip}`,
    };
    found.push({ device: server, type: serverType, observed });
  }
  return found;
}

function clientActs(
  type: string,
  client: Party,
  { ip, internal }: Party,
  proto: string,
  port: number,
  site: DetectorSite,
): ObservedAct[] {
  const acts: ObservedAct[] = [];
  const service = proto === "tcp" ? adminService(port) : null;
  if (service !== null) {
    acts.push({ act: "admin", peer: `${ip} ${port}`, ip, example: `${service} on ${ip}` });
  }
  const outside = !internal || onlyAssumedInside(site.networksAssumed, client.ip, ip);
  if (outside && isQuietOutside(type)) acts.push({ act: "outside", peer: ip, ip, example: ip });
  // Desk phones send voice to each other over UDP.
  if (!outside && proto === "tcp") acts.push({ act: "inside", peer: ip, ip, example: ip });
  return acts;
}

function matchContradictions(
  contradictions: readonly Contradiction[],
  sighting: Sighting,
  states: StateLookup,
): Evaluate {
  const entries = contradictions.map(({ device }) => states(ACT_COUNTS, device.deviceId!));
  return () => {
    // Both ends rarely contradict their types in one connection; the first result is reported.
    let result: DetectorResult | null = null;
    for (const [index, { device, type, observed }] of contradictions.entries()) {
      const entry = entries[index]!;
      if (!addAct(entry.state, observed, sighting)) continue;
      result ??= evaluate(entry.state, device, type, sighting);
      entry.save(entry.state);
    }
    return result;
  };
}

/** True if the state changed. */
function addAct(
  state: ActCounts,
  { act, peer, ip, example }: ObservedAct,
  { observation: { start }, evidence }: Sighting,
): boolean {
  if (!isInDay(state.day, start)) {
    // A later day begins at once. Earlier times mean a wrong clock, in this record or in the previous ones.
    if (start > (state.day.anchor ?? start)) state.day = newDay();
    if (!leaveDay(state.day, start)) return true;
    state.acts = ACTS.map(newActCount);
    state.reportedScore = 0;
  }
  const count = state.acts[ACTS.indexOf(act)]!;
  // A known peer leaves the times alone too, because the caller does not save the state.
  if (!count.peers.add(peer)) return false;
  extendDay(state.day, start);
  if (count.examples.length < MAX_ACT_EXAMPLES && !count.examples.includes(example)) {
    count.examples.push(example);
  }
  if (count.ips.length < MAX_ACT_EXAMPLES && !count.ips.includes(ip)) count.ips.push(ip);
  count.refs.push(evidence);
  if (count.refs.length > MAX_ACT_REFS) count.refs.splice(1, 1);
  return true;
}

function evaluate(
  state: ActCounts,
  { deviceId }: Party,
  type: string,
  { site }: Sighting,
): DetectorResult | null {
  const scored = scoreActs(state);
  if (scored === null) return null;
  const { acts, subScores, modifiers } = scored;
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= state.reportedScore) return null;
  state.reportedScore = score;
  const name = site.nameOf(deviceId!);
  const { firstSeen, lastSeen } = state.day;
  const ips = [...new Set(acts.flatMap(({ observed }) => observed.ips))].slice(0, MAX_DESTINATIONS);
  return {
    modelId: TYPE_CONTRADICTION.modelId,
    modelVersion: TYPE_CONTRADICTION.version,
    technique: acts[0].act === "admin" ? "T1021" : null,
    at: lastSeen,
    firstSeen,
    lastSeen,
    deviceId,
    deviceIds: [deviceId!],
    destinations: ips.map((ip) => ({ ip, name: null, port: null })),
    groupKey: `${deviceId}|${type}`,
    subject: `${name} as ${SINGLE_PURPOSE_TYPES.get(type)}`,
    ...describeContradiction(name, type, acts, firstSeen, lastSeen),
    score,
    confidence: acts[0].act === "outside" ? 0.5 : 0.7,
    subScores,
    modifiers,
    evidence: acts.flatMap(({ observed }) => observed.refs),
  };
}
