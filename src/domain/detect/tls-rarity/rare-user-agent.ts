// HTTP of a program that nobody else has, and that is new here. What nearly everybody calls itself (`Mozilla`) tells
// nothing; versions neither, since they change with every update.
import type { HttpFacts } from "../../record/facts.ts";
import { isNameless } from "../kernel/certificate-faults.ts";
import type { Evaluate, Sighting, StateLookup } from "../kernel/detector.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import {
  addDestination,
  boundedText,
  findDestination,
  newDestination,
  type Outbound,
  outbound,
  recordUse,
  usageModifier,
  usageSentence,
} from "../kernel/destination-usage.ts";
import { PREVALENCE } from "../kernel/prevalence.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE } from "../kernel/result.ts";
import { RARE_CLIENT_DEVICES } from "./tls-client.ts";
import {
  addFingerprint,
  FINGERPRINTS,
  isRareFingerprint,
  MAX_TLS_DESTINATIONS,
  recordAgent,
  TLS_CLIENTS,
  type TlsClient,
  type TlsDestination,
} from "./state.ts";
import { extra, isDueCount, logShare, share, total } from "../kernel/score.ts";
import { hostPort, plural, within } from "../kernel/wording.ts";

const RARE_AGENT_POINTS = 12;
/** Requests: few are somebody trying something. */
const MIN_REQUESTS = 9;
const FULL_REQUESTS = 100;
const REQUEST_POINTS = 8;
const BARE_ADDRESS_POINTS = 6;
const ODD_PORT_POINTS = 6;

/** What to do about a request; null where its program says nothing of use about itself. */
export function matchUserAgent(
  sighting: Sighting,
  facts: HttpFacts,
  info: DetectorInfo,
  need: StateLookup,
): Evaluate | null {
  const product = productOf(facts.userAgent);
  if (product === null) return null;
  const who = outbound(sighting);
  if (who === null) return null;
  const clients = need(TLS_CLIENTS, who.deviceId);
  const prints = need(FINGERPRINTS, "");
  const use = need(PREVALENCE, `peer ${who.peer.ip}`);
  return () => {
    const hash = hash32(`agent ${product}`);
    const user = hash32(who.deviceId);
    if (recordAgent(clients.state, hash) === "new") clients.save(clients.state);
    else if (addFingerprint(prints.state, hash, user, sighting.learned)) prints.save(prints.state);
    if (sighting.deviceCount < RARE_CLIENT_DEVICES || !isRareFingerprint(prints.state, hash, user)) {
      return null;
    }
    const place = see(clients.state, who, facts, sighting);
    const result = judge(place, who, use.state.users.count, sighting, info);
    clients.save(clients.state);
    return result;
  };
}

/** `cgminer` of `cgminer 2.7.5`: the first word without its version, in lower case. */
export function productOf(userAgent: string | null): string | null {
  const product = /^[^\s/()\d;,]{2,40}/.exec(userAgent ?? "")?.[0].toLowerCase() ?? null;
  return product === "mozilla" || product === "opera" ? null : product;
}

function see(
  { destinations }: TlsClient,
  { peer: { ip }, port }: Outbound,
  { host, userAgent }: HttpFacts,
  { observation: { start }, evidence }: Sighting,
): TlsDestination {
  const place = findDestination(destinations, ip, port, start) ?? addDestination(
    destinations,
    { ...newDestination(ip, port), fingerprint: null, serverName: null, isRare: true },
    MAX_TLS_DESTINATIONS,
    start,
  );
  place.fingerprint = boundedText(userAgent);
  place.serverName = isNameless(host) ? null : boundedText(host);
  recordUse(place, start, evidence);
  return place;
}

function judge(
  place: TlsDestination,
  { deviceId }: Outbound,
  users: number,
  { site, deviceCount }: Sighting,
  info: DetectorInfo,
): DetectorResult | null {
  const { ip, port, count, serverName, fingerprint, firstSeen, lastSeen } = place;
  if (!isDueCount(count, place.evaluatedCount, MIN_REQUESTS)) return null;
  place.evaluatedCount = count;
  const subScores = [
    share(
      "rare_program",
      1,
      RARE_AGENT_POINTS,
      `no other of ${deviceCount} devices has this program, which is new here`,
    ),
    share("requests", logShare(count, 1, FULL_REQUESTS), REQUEST_POINTS, plural(count, "request")),
  ];
  const modifiers = [
    serverName === null ? extra("bare_address", BARE_ADDRESS_POINTS, "to a bare address") : null,
    port === 80 || port === 8080
      ? null
      : extra("odd_port", ODD_PORT_POINTS, `port ${port} is no usual one for HTTP`),
    usageModifier(users, deviceCount),
  ].filter((one) => one !== null);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= place.reportedScore) return null;
  place.reportedScore = score;
  const name = site.nameOf(deviceId);
  const peer = hostPort(ip, port);
  return {
    modelId: info.modelId,
    modelVersion: info.version,
    technique: info.technique,
    at: lastSeen,
    firstSeen,
    lastSeen,
    deviceId,
    deviceIds: [deviceId],
    destinations: [{ ip, name: serverName, port }],
    groupKey: `${deviceId}|agent|${ip}|${port}`,
    subject: `programs of ${name} that speak HTTP`,
    title: `A program that is new here: ${name} to ${serverName ?? peer}`,
    phrase: `HTTP to ${serverName ?? peer} by a program that is new here`,
    summary:
      `A program on ${name} that calls itself "${fingerprint ?? ""}" made ${
        plural(count, "HTTP request")
      } to ` +
      `${serverName === null ? peer : `${serverName} (${peer})`} ${within(firstSeen, lastSeen)}. No ` +
      `other device here has it, and it was not here while the usual was learned.`,
    explanation:
      `New programs come with new work, and with intruders, whose tools often keep a name of their own. ` +
      `${
        usageSentence(users, deviceCount)
      } Find the program on ${name}, and who installed it; look at what else contacts ${ip}.`,
    score,
    confidence: 0.4,
    subScores,
    modifiers,
    evidence: [...place.refs],
  };
}
