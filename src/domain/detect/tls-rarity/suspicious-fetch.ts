// Executables fetched over HTTP from bare addresses or with tools, and tools that contact bare addresses.
//
// Score = points for what was fetched and how, points for the number of requests, plus modifiers.
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
import { countOf, type Evaluate, type Sighting, type StateLookup } from "../kernel/detector.ts";
import {
  BARE_ADDRESS,
  DISGUISED,
  EXECUTABLE,
  type Fetch,
  FETCHES,
  type Fetches,
  HARMLESS_NAME,
  isSuspiciousFetch,
  MAX_FETCHES,
  NO_AGENT,
  REQUEST_UNSEEN,
  SCRIPT,
  TOOL,
  traitsOf,
} from "../kernel/fetches.ts";
import { PREVALENCE } from "../kernel/prevalence.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, type SubScore } from "../kernel/result.ts";
import { extra, isDueCount, logShare, share, total } from "../kernel/score.ts";
import { atLeast, hostPort, moment, plural, size, within } from "../../../kit/text.ts";
import { titleLine } from "../../../kit/title-line.ts";

/** An executable from a bare address, from an unknown host, or by name; or anything else from a bare address. */
const FETCH_POINTS = { bare: 26, unseen: 22, named: 12, other: 4 } as const;
/** Requests, full points from FULL_REQUESTS on. */
const REQUEST_POINTS = 8;
const FULL_REQUESTS = 100;
const TOOL_POINTS = 6;
/** Scripts run without the user's knowledge. */
const SCRIPT_POINTS = 16;
const NO_AGENT_POINTS = 4;
/** Download pages have legitimate reasons for other file names; an executable named as an image hides. */
const DISGUISED_POINTS = { any: 10, harmless: 24 } as const;
const ODD_PORT_POINTS = 6;
const WEB_PORTS: ReadonlySet<number> = new Set([80, 8000, 8008, 8080, 8088, 3128]);

/** Null for an ordinary request. */
export function matchFetch(
  sighting: Sighting,
  facts: HttpFacts,
  info: DetectorInfo,
  states: StateLookup,
): Evaluate | null {
  const traits = traitsOf(facts);
  if (!isSuspiciousFetch(traits)) return null;
  const contact = outbound(sighting);
  if (contact === null) return null;
  const entry = states(FETCHES, contact.deviceId);
  const prevalence = states(PREVALENCE, `peer ${contact.peer.ip}`);
  return () => {
    const fetch = addFetch(entry.state, contact, facts, traits, sighting);
    const result = evaluate(fetch, contact, prevalence.state.users.count, sighting, info);
    entry.save(entry.state);
    return result;
  };
}

function addFetch(
  { destinations }: Fetches,
  { peer: { ip }, port }: Outbound,
  facts: HttpFacts,
  traits: number,
  { observation: { start }, evidence }: Sighting,
): Fetch {
  const fetch = findDestination(destinations, ip, port, start) ?? addDestination(
    destinations,
    { ...newDestination(ip, port), traits: 0, host: null, uri: null, agent: null, bytes: 0 },
    MAX_FETCHES,
    start,
  );
  if ((traits & ~fetch.traits) !== 0) fetch.evaluatedCount = 0;
  // Details of an executable take precedence over those of other files.
  if ((traits & EXECUTABLE) !== 0 || (fetch.traits & EXECUTABLE) === 0) {
    fetch.host = boundedText(facts.host);
    fetch.uri = boundedText(facts.uri);
    fetch.agent = boundedText(facts.userAgent);
    fetch.bytes = Math.max(fetch.bytes, countOf(facts.responseBytes));
  }
  fetch.traits |= traits;
  recordUse(fetch, start, evidence);
  return fetch;
}

function evaluate(
  fetch: Fetch,
  { deviceId, port }: Outbound,
  users: number,
  { site, deviceCount }: Sighting,
  info: DetectorInfo,
): DetectorResult | null {
  if (!isDueCount(fetch.count, fetch.evaluatedCount)) return null;
  fetch.evaluatedCount = fetch.count;
  const { traits, count } = fetch;
  const subScores = [
    contentScore(traits),
    share("requests", logShare(count, 1, FULL_REQUESTS), REQUEST_POINTS, plural(count, "request")),
  ];
  const modifiers = [
    traits & SCRIPT ? extra("script", SCRIPT_POINTS, "fetched by a script") : null,
    traits & TOOL ? extra("tool", TOOL_POINTS, "fetched by a download tool") : null,
    traits & NO_AGENT ? extra("no_agent", NO_AGENT_POINTS, "the request has no user agent") : null,
    traits & HARMLESS_NAME
      ? extra("disguised", DISGUISED_POINTS.harmless, "an executable named as an image or a document")
      : traits & DISGUISED
      ? extra("disguised", DISGUISED_POINTS.any, "an executable named as another type of file")
      : null,
    WEB_PORTS.has(port) ? null : extra("odd_port", ODD_PORT_POINTS, `port ${port} is unusual for HTTP`),
    usageModifier(users, deviceCount),
  ].filter((one) => one !== null);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= fetch.reportedScore) return null;
  fetch.reportedScore = score;
  return {
    modelId: info.modelId,
    modelVersion: info.version,
    technique: traits & EXECUTABLE ? "T1105" : "T1071.001",
    at: fetch.lastSeen,
    firstSeen: fetch.firstSeen,
    lastSeen: fetch.lastSeen,
    deviceId,
    deviceIds: [deviceId],
    destinations: [{ ip: fetch.ip, name: isNameless(fetch.host) ? null : fetch.host, port: fetch.port }],
    groupKey: `${deviceId}|fetch|${fetch.ip}|${fetch.port}`,
    subject: `HTTP from ${site.nameOf(deviceId)} to ${hostPort(fetch.ip, fetch.port)}`,
    ...describe(fetch, site.nameOf(deviceId), users, deviceCount),
    score,
    confidence: traits & EXECUTABLE ? 0.6 : 0.4,
    subScores,
    modifiers,
    evidence: [...fetch.refs],
  };
}

function contentScore(traits: number): SubScore {
  const { bare, unseen, named, other } = FETCH_POINTS;
  if ((traits & EXECUTABLE) === 0) {
    return share("tool_to_address", 1, other, "HTTP to a bare address, not from a browser");
  }
  if (traits & BARE_ADDRESS) return share("program", 1, bare, "an executable from a bare address");
  if (traits & REQUEST_UNSEEN) {
    return share("program", 1, unseen, "an executable; the sensor missed the request");
  }
  const detail = traits & (TOOL | SCRIPT) ? "an executable, not fetched by a browser" : "an executable";
  return share("program", 1, named, detail);
}

function describe(fetch: Fetch, deviceName: string, users: number, deviceCount: number) {
  const { traits, host, uri, agent, bytes, count, firstSeen, lastSeen } = fetch;
  const peer = hostPort(fetch.ip, fetch.port);
  const server = host === null || host === fetch.ip || host === peer ? peer : `${host} (${peer})`;
  const isExecutable = (traits & EXECUTABLE) !== 0;
  const content = isExecutable ? "an executable" : "files";
  const client = traits & SCRIPT ? " with a script" : traits & TOOL ? " with a download tool" : "";
  const file = uri === null ? "" : ` (${uri}${bytes > 0 ? `, ${size(bytes)}` : ""})`;
  const program = agent === null ? "" : ` The user agent is "${agent}".`;
  return {
    title: titleLine`${deviceName} fetched ${content} from ${peer}${client}`,
    phrase: `${content} fetched from ${peer}${client}`,
    summary: `${deviceName} made ${atLeast(count, "HTTP request")} to ${server} ` +
      `${within(firstSeen, lastSeen)}${
        isExecutable ? ` and received an executable${file}` : file
      }.${program}`,
    explanation:
      `${
        isExecutable
          ? "Software normally comes from named servers, over TLS, from a store or an updater; the first stage of " +
            "malware is often fetched like this."
          : "People and their programs use names; a tool that contacts a bare address is usually a script."
      } Administrators' scripts and devices that update from an address do the same. ${
        usageSentence(users, deviceCount)
      } Find the file on ${deviceName} and the process that fetched it, and check the device's activity in the ` +
      `minutes after ${moment(lastSeen)}, above all other connections to ${fetch.ip}.`,
  };
}
