// HTTP from a program that is new in the tenant and used by one device only. Browsers (`Mozilla`) are ignored because
// nearly every program claims to be one, and versions because they change with every update.
import type { HttpFacts } from "../../record/facts.ts";
import { isNameless } from "../kernel/certificate-faults.ts";
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
import type { Evaluate, Sighting, StateLookup } from "../kernel/detector.ts";
import { PREVALENCE } from "../kernel/prevalence.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE } from "../kernel/result.ts";
import { extra, isDueCount, logShare, share, total } from "../kernel/score.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { atLeast, hostPort, plural, within } from "../../../kit/text.ts";
import {
  addFingerprint,
  FINGERPRINTS,
  isRareFingerprint,
  MAX_TLS_DESTINATIONS,
  MIN_DEVICES,
  recordAgent,
  TLS_CLIENTS,
  type TlsClient,
  type TlsDestination,
} from "./state.ts";
import { titleLine } from "../../../kit/title-line.ts";

const RARE_AGENT_POINTS = 12;
/** Fewer requests are likely a one-off test. */
const MIN_REQUESTS = 9;
const FULL_REQUESTS = 100;
const REQUEST_POINTS = 8;
const BARE_ADDRESS_POINTS = 6;
const ODD_PORT_POINTS = 6;

/** Null if the request has no significant user agent. */
export function matchUserAgent(
  sighting: Sighting,
  facts: HttpFacts,
  info: DetectorInfo,
  states: StateLookup,
): Evaluate | null {
  const product = productOf(facts.userAgent);
  if (product === null) return null;
  const contact = outbound(sighting);
  if (contact === null) return null;
  const clients = states(TLS_CLIENTS, contact.deviceId);
  const fingerprints = states(FINGERPRINTS, "");
  const prevalence = states(PREVALENCE, `peer ${contact.peer.ip}`);
  return () => {
    const hash = hash32(`agent ${product}`);
    const user = hash32(contact.deviceId);
    if (recordAgent(clients.state, hash) === "new") clients.save(clients.state);
    else if (addFingerprint(fingerprints.state, hash, user, sighting.learned)) {
      fingerprints.save(fingerprints.state);
    }
    if (sighting.deviceCount < MIN_DEVICES || !isRareFingerprint(fingerprints.state, hash, user)) return null;
    const destination = addRequest(clients.state, contact, facts, sighting);
    const result = evaluate(destination, contact, prevalence.state.users.count, sighting, info);
    clients.save(clients.state);
    return result;
  };
}

/** `cgminer` for `cgminer 2.7.5`: the first word without its version, in lower case. */
export function productOf(userAgent: string | null): string | null {
  const product = /^[^\s/()\d;,]{2,40}/.exec(userAgent ?? "")?.[0].toLowerCase() ?? null;
  return product === "mozilla" || product === "opera" ? null : product;
}

function addRequest(
  { destinations }: TlsClient,
  { peer: { ip }, port }: Outbound,
  { host, userAgent }: HttpFacts,
  { observation: { start }, evidence }: Sighting,
): TlsDestination {
  const destination = findDestination(destinations, ip, port, start) ?? addDestination(
    destinations,
    { ...newDestination(ip, port), fingerprint: null, serverName: null, isRare: true },
    MAX_TLS_DESTINATIONS,
    start,
  );
  destination.fingerprint = boundedText(userAgent);
  destination.serverName = isNameless(host) ? null : boundedText(host);
  recordUse(destination, start, evidence);
  return destination;
}

function evaluate(
  destination: TlsDestination,
  { deviceId }: Outbound,
  users: number,
  { site, deviceCount }: Sighting,
  info: DetectorInfo,
): DetectorResult | null {
  const { ip, port, count, serverName, fingerprint, firstSeen, lastSeen } = destination;
  if (!isDueCount(count, destination.evaluatedCount, MIN_REQUESTS)) return null;
  destination.evaluatedCount = count;
  const subScores = [
    share(
      "rare_program",
      1,
      RARE_AGENT_POINTS,
      `new program that no other device of ${deviceCount} uses`,
    ),
    share("requests", logShare(count, 1, FULL_REQUESTS), REQUEST_POINTS, plural(count, "request")),
  ];
  const modifiers = [
    serverName === null ? extra("bare_address", BARE_ADDRESS_POINTS, "to a bare address") : null,
    port === 80 || port === 8080
      ? null
      : extra("odd_port", ODD_PORT_POINTS, `port ${port} is unusual for HTTP`),
    usageModifier(users, deviceCount),
  ].filter((one) => one !== null);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= destination.reportedScore) return null;
  destination.reportedScore = score;
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
    subject: `HTTP programs on ${name}`,
    title: titleLine`HTTP from a new program: ${name} to ${serverName ?? peer}`,
    phrase: `HTTP to ${serverName ?? peer} from a new program`,
    summary:
      `A program on ${name} with the user agent "${fingerprint ?? ""}" made ${
        atLeast(count, "HTTP request")
      } to ` +
      `${serverName === null ? peer : `${serverName} (${peer})`} ${
        within(firstSeen, lastSeen)
      }. No other device ` +
      `uses it, and it was not seen during the learning phase.`,
    explanation:
      `New programs come with new tasks, and with intruders, whose tools often have distinctive user agents. ` +
      `${
        usageSentence(users, deviceCount)
      } Find the program on ${name} and who installed it, and check what else ` +
      `contacts ${ip}.`,
    score,
    confidence: 0.4,
    subScores,
    modifiers,
    evidence: [...destination.refs],
  };
}
