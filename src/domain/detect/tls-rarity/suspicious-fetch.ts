// Programs that come over HTTP from a bare address, and tools that fetch from one.
//
// Score = what came and how, grown by the number of requests, and what the circumstances add or take.
import type { HttpFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";
import { isNameless } from "../kernel/certificate-faults.ts";
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
import { extra, isDueCount, logShare, share, total } from "../kernel/score.ts";
import { hostPort, moment, plural, size, within } from "../kernel/wording.ts";

/** What was fetched: a program from a bare address, from who knows where, by name; or anything else from a bare address. */
const FETCH_POINTS = { bare: 26, unseen: 22, named: 12, other: 4 } as const;
/** Requests, in full from FULL_REQUESTS on. */
const REQUEST_POINTS = 8;
const FULL_REQUESTS = 100;
const TOOL_POINTS = 6;
/** Users never see these at work; scripts do. */
const SCRIPT_POINTS = 16;
const NO_AGENT_POINTS = 4;
/** Scripts and archives that hand out programs have names of their own; a picture that is a program wants to pass unseen. */
const DISGUISED_POINTS = { any: 10, harmless: 24 } as const;
const ODD_PORT_POINTS = 6;
const WEB_PORTS: ReadonlySet<number> = new Set([80, 8000, 8008, 8080, 8088, 3128]);

/** What to do about a request; null where it is an ordinary one. */
export function matchFetch(
  sighting: Sighting,
  facts: HttpFacts,
  info: DetectorInfo,
  need: StateLookup,
): Evaluate | null {
  const marks = traitsOf(facts);
  if (!isSuspiciousFetch(marks)) return null;
  const who = outbound(sighting);
  if (who === null) return null;
  const slot = need(FETCHES, who.deviceId);
  const use = need(PREVALENCE, `peer ${who.peer.ip}`);
  return () => {
    const fetch = see(slot.state, who, facts, marks, sighting);
    const result = judge(fetch, who, use.state.users.count, sighting, info);
    slot.save(slot.state);
    return result;
  };
}

/** The newest executable that the device fetched from this address within `micros` before; null where there is none. */
export function executableFetchedBefore(
  { destinations }: Fetches,
  ip: string,
  at: Micros,
  micros: Micros,
): Fetch | null {
  return destinations.find((place) =>
    place.ip === ip && (place.traits & EXECUTABLE) !== 0 && at >= place.firstSeen &&
    at - place.lastSeen <= micros
  ) ?? null;
}

function see(
  { destinations }: Fetches,
  who: Outbound,
  facts: HttpFacts,
  marks: number,
  sighting: Sighting,
): Fetch {
  const { start } = sighting.observation;
  const fetch = findDestination(destinations, who.peer.ip, who.port, start) ?? addDestination(
    destinations,
    { ...newDestination(who.peer.ip, who.port), traits: 0, host: null, uri: null, agent: null, bytes: 0 },
    MAX_FETCHES,
    start,
  );
  if ((marks & ~fetch.traits) !== 0) fetch.evaluatedCount = 0;
  // A program is told of before anything else.
  if ((marks & EXECUTABLE) !== 0 || (fetch.traits & EXECUTABLE) === 0) {
    fetch.host = boundedText(facts.host);
    fetch.uri = boundedText(facts.uri);
    fetch.agent = boundedText(facts.userAgent);
    fetch.bytes = Math.max(fetch.bytes, countOf(facts.responseBytes));
  }
  fetch.traits |= marks;
  recordUse(fetch, start, sighting.evidence);
  return fetch;
}

function judge(
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
    whatCame(traits),
    share("requests", logShare(count, 1, FULL_REQUESTS), REQUEST_POINTS, plural(count, "request")),
  ];
  const modifiers = [
    traits & SCRIPT ? extra("script", SCRIPT_POINTS, "fetched by a script") : null,
    traits & TOOL ? extra("tool", TOOL_POINTS, "fetched by a tool for downloads") : null,
    traits & NO_AGENT ? extra("no_agent", NO_AGENT_POINTS, "the program does not say its name") : null,
    traits & HARMLESS_NAME
      ? extra("disguised", DISGUISED_POINTS.harmless, "a program under the name of a picture or a text")
      : traits & DISGUISED
      ? extra("disguised", DISGUISED_POINTS.any, "a program under the name of another kind of file")
      : null,
    WEB_PORTS.has(port) ? null : extra("odd_port", ODD_PORT_POINTS, `port ${port} is no usual one for HTTP`),
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

function whatCame(marks: number) {
  const { bare, unseen, named, other } = FETCH_POINTS;
  if ((marks & EXECUTABLE) === 0) {
    return share("tool_to_address", 1, other, "HTTP to a bare address, not by a browser");
  }
  if (marks & BARE_ADDRESS) return share("program", 1, bare, "a program from a bare address");
  if (marks & REQUEST_UNSEEN) {
    return share("program", 1, unseen, "a program; the sensor did not see who was asked for it");
  }
  const how = marks & (TOOL | SCRIPT) ? "a program, not by a browser" : "a program";
  return share("program", 1, named, how);
}

function describe(fetch: Fetch, deviceName: string, users: number, deviceCount: number) {
  const { traits, host, uri, agent, bytes, count, firstSeen, lastSeen } = fetch;
  const peer = hostPort(fetch.ip, fetch.port);
  const where = host === null || host === fetch.ip || host === peer ? peer : `${host} (${peer})`;
  const isProgram = (traits & EXECUTABLE) !== 0;
  const what = isProgram ? "a program" : "files";
  const how = traits & SCRIPT ? " by a script" : traits & TOOL ? " by a download tool" : "";
  const file = uri === null ? "" : ` (${uri}${bytes > 0 ? `, ${size(bytes)}` : ""})`;
  const program = agent === null ? "" : ` The program calls itself "${agent}".`;
  return {
    title: `${deviceName} fetched ${what} from ${peer}${how}`,
    phrase: `${what} fetched from ${peer}${how}`,
    summary: `${deviceName} made ${plural(count, "HTTP request")} to ${where} ` +
      `${within(firstSeen, lastSeen)}${isProgram ? `, and a program came back${file}` : file}.${program}`,
    explanation:
      `${
        isProgram
          ? "Software comes from names, over TLS and from a store or an updater; a first stage of malware is fetched like this."
          : "People and their programs go to names; what goes to a bare address by a tool is a script."
      } Administrators' scripts and devices that update from an address do it, too. ${
        usageSentence(users, deviceCount)
      } ` +
      `Find the file on ${deviceName} and the process that fetched it, and look at what the device did in the minutes after ` +
      `${moment(lastSeen)}, above all at other connections to ${fetch.ip}.`,
  };
}
