// A device of one purpose that does what its type does not: somebody else uses it, or it is something else.
//
// Score = points of the worst act, grown by how many it does it with, and some for every further act. Rests on what a
// person or the inventory said, so there is nothing to learn.
import { isOneHost } from "../../../kit/net/ip.ts";
import { endsOf, isReplyHalf } from "../kernel/attempt.ts";
import type { Detector, DetectorSite, Evaluate, Party, Sighting, StateLookup } from "../kernel/detector.ts";
import { onlyAssumedInside } from "../kernel/peer.ts";
import { type DetectorInfo, type DetectorResult, MAX_DESTINATIONS, REPORT_SCORE } from "../kernel/result.ts";
import { isInDay, leaveDay, newDay, stayInDay } from "../kernel/state/sample.ts";
import {
  type Act,
  ACTS,
  adminService,
  FIRST,
  FULL,
  FURTHER_POINTS,
  isForeignService,
  isQuietOutside,
  POINTS,
  THINGS,
} from "./acts.ts";
import {
  ACT_COUNTS,
  type ActCount,
  type ActCounts,
  MAX_ACT_EXAMPLES,
  MAX_ACT_REFS,
  newActCount,
} from "./state.ts";
import { extra, isDueCount, logShare, share, total } from "../kernel/score.ts";
import { list, moment, plural, within } from "../kernel/wording.ts";
import { portWords } from "../kernel/service-names.ts";

const TYPE_CONTRADICTION: DetectorInfo = {
  modelId: "type-contradiction",
  version: "1",
  title: "Device acts against its type",
  technique: null,
  description: "A printer, camera, desk phone or thing, so confirmed, that does what such devices do not.",
};

/** What was seen of an act: of what it is one more, and how it reads. */
interface Seen {
  act: Act;
  peer: string;
  ip: string;
  example: string;
}

export const TYPE_CONTRADICTION_DETECTOR: Detector = {
  info: TYPE_CONTRADICTION,
  feeds: ["connection"],
  match(sighting, need) {
    const { src, dst, proto, packetsOut, packetsIn } = sighting.connection!;
    if (dst.port === null || proto !== "tcp" && proto !== "udp") return null;
    const { client, server } = endsOf(sighting);
    if (thingOf(client, sighting.site) === null && thingOf(server, sighting.site) === null) return null;
    // Nobody answered, or the half of an answer.
    if (packetsIn === 0 || packetsOut === 0 || isReplyHalf(src, dst) || !isOneHost(server.ip)) return null;
    const deeds = deedsOf(client, server, sighting);
    return deeds.length === 0 ? null : attendDeeds(deeds, sighting, need);
  },
};

/** What a device did that its type does not. */
interface Contradiction {
  who: Party;
  type: string;
  seen: Seen;
}

function deedsOf(client: Party, server: Party, { connection, site }: Sighting): Contradiction[] {
  const { dst: { port }, proto, service, exporterDirection } = connection!;
  const [clientType, serverType] = [thingOf(client, site), thingOf(server, site)];
  const deeds: Contradiction[] = [];
  if (clientType !== null) {
    const seen = asClient(clientType, client, server, proto, port!, site);
    for (const one of seen) deeds.push({ who: client, type: clientType, seen: one });
  }
  if (serverType !== null && !exporterDirection && isForeignService(serverType, proto, port!, service)) {
    const seen: Seen = {
      act: "serves",
      peer: `${port} ${client.ip}`,
      ip: client.ip,
      example: `${portWords(port!)} to ${client.ip}`,
    };
    deeds.push({ who: server, type: serverType, seen });
  }
  return deeds;
}

function attendDeeds(deeds: readonly Contradiction[], sighting: Sighting, need: StateLookup): Evaluate {
  // Both ends are hardly ever of one purpose and at odds with it at once; the first with something to say speaks.
  const slots = deeds.map(({ who }) => need(ACT_COUNTS, who.deviceId!));
  return () => {
    let best: DetectorResult | null = null;
    for (const [index, { who, type, seen }] of deeds.entries()) {
      const slot = slots[index]!;
      if (!addDeed(slot.state, seen, sighting)) continue;
      best ??= judge(slot.state, who, type, sighting);
      slot.save(slot.state);
    }
    return best;
  };
}

function thingOf({ deviceId }: Party, site: DetectorSite): string | null {
  const type = deviceId === null ? null : site.confirmedType(deviceId);
  return type !== null && THINGS.has(type) ? type : null;
}

function asClient(
  type: string,
  client: Party,
  server: Party,
  proto: string,
  port: number,
  site: DetectorSite,
): Seen[] {
  const { ip } = server;
  const seen: Seen[] = [];
  const service = proto === "tcp" ? adminService(port) : null;
  if (service !== null) {
    seen.push({ act: "admin", peer: `${ip} ${port}`, ip, example: `${service} on ${ip}` });
  }
  const outside = !server.internal || onlyAssumedInside(site.networksAssumed, client.ip, ip);
  if (outside && isQuietOutside(type)) seen.push({ act: "outside", peer: ip, ip, example: ip });
  // Desk phones send voice to each other by UDP.
  if (!outside && proto === "tcp") seen.push({ act: "inside", peer: ip, ip, example: ip });
  return seen;
}

/** True where that told anything new. */
function addDeed(
  state: ActCounts,
  { act, peer, ip, example }: Seen,
  { observation: { start }, evidence }: Sighting,
): boolean {
  if (isInDay(state.day, start)) stayInDay(state.day, start);
  else {
    // A later day begins at once; earlier times come of a wild clock, theirs or the one before.
    if (start > (state.day.anchor ?? start)) state.day = newDay();
    if (!leaveDay(state.day, start)) return true;
    state.acts = ACTS.map(newActCount);
    state.reportedScore = 0;
  }
  const deed = state.acts[ACTS.indexOf(act)]!;
  if (!deed.peers.add(peer)) return false;
  if (deed.examples.length < MAX_ACT_EXAMPLES && !deed.examples.includes(example)) {
    deed.examples.push(example);
  }
  if (deed.ips.length < MAX_ACT_EXAMPLES && !deed.ips.includes(ip)) deed.ips.push(ip);
  deed.refs.push(evidence);
  if (deed.refs.length > MAX_ACT_REFS) deed.refs.splice(1, 1);
  return true;
}

function judge(state: ActCounts, who: Party, type: string, { site }: Sighting): DetectorResult | null {
  const due = state.acts.some(({ peers, evaluatedCount }, at) =>
    isDueCount(peers.count, evaluatedCount, FIRST[ACTS[at]!])
  );
  if (!due) return null;
  const acts: { act: Act; deed: ActCount; points: number }[] = [];
  for (const [at, deed] of state.acts.entries()) {
    const act = ACTS[at]!;
    const { count } = deed.peers;
    if (count < FIRST[act]) continue;
    if (isDueCount(count, deed.evaluatedCount, FIRST[act])) deed.evaluatedCount = count;
    const { base, growth } = POINTS[act];
    acts.push({ act, deed, points: base + growth * logShare(count, FIRST[act], FIRST[act] * FULL) });
  }
  acts.sort((a, b) => b.points - a.points);
  const [worst, ...further] = acts;
  if (worst === undefined) return null;
  const { base, growth } = POINTS[worst.act];
  const { count } = worst.deed.peers;
  const subScores = [
    share(worst.act, 1, base, phraseOf(worst.act, count)),
    share("peers", logShare(count, FIRST[worst.act], FIRST[worst.act] * FULL), growth, plural(count, "peer")),
  ];
  const modifiers = further.map(({ act, deed }) =>
    extra(act, FURTHER_POINTS, phraseOf(act, deed.peers.count))
  );
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= state.reportedScore) return null;
  state.reportedScore = score;
  const name = site.nameOf(who.deviceId!);
  const { firstSeen, lastSeen } = state.day;
  const ips = [...new Set(acts.flatMap(({ deed }) => deed.ips))].slice(0, MAX_DESTINATIONS);
  return {
    modelId: TYPE_CONTRADICTION.modelId,
    modelVersion: TYPE_CONTRADICTION.version,
    technique: worst.act === "admin" ? "T1021" : null,
    at: lastSeen,
    firstSeen,
    lastSeen,
    deviceId: who.deviceId,
    deviceIds: [who.deviceId!],
    destinations: ips.map((ip) => ({ ip, name: null, port: null })),
    groupKey: `${who.deviceId}|${type}`,
    subject: `${name} as ${THINGS.get(type)}`,
    ...describe(name, type, acts, firstSeen, lastSeen),
    score,
    confidence: worst.act === "outside" ? 0.5 : 0.7,
    subScores,
    modifiers,
    evidence: acts.flatMap(({ deed }) => deed.refs),
  };
}

function phraseOf(act: Act, count: number): string {
  switch (act) {
    case "admin":
      return `administers other machines (${count})`;
    case "serves":
      return `offers a service that such devices do not have (to ${plural(count, "client")})`;
    case "inside":
      return `opens connections to ${count} machines inside`;
    case "outside":
      return `talks to ${count} addresses outside`;
  }
}

function describe(
  name: string,
  type: string,
  acts: readonly { act: Act; deed: ActCount }[],
  firstSeen: number,
  lastSeen: number,
) {
  const [{ act, deed }] = acts as [{ act: Act; deed: ActCount }];
  const what = THINGS.get(type)!;
  const doings = acts.map((one) => `${phraseOf(one.act, one.deed.peers.count)}: ${list(one.deed.examples)}`);
  return {
    title: `${name} is ${what}, and ${phraseOf(act, deed.peers.count)}`,
    phrase: `acts unlike ${what}: ${phraseOf(act, deed.peers.count)}`,
    summary: `${name} is confirmed to be ${what}; ${within(firstSeen, lastSeen)} it ${doings.join("; it ")}.`,
    explanation:
      `Devices of one purpose have little memory, old software and nobody who looks at them, so attackers like to hide on them ` +
      `and go on from there. It is harmless where the type is wrong, or the address has gone to another device: check what ` +
      `has this address now, and correct its type. If it is ${what}, take it off the network, and look at who logged in to ` +
      `it before ${moment(firstSeen)}.`,
  };
}
