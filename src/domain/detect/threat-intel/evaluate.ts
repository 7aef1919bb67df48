// What is told of a device that met something listed.
import { points } from "../kernel/callback/modifiers.ts";
import type { Match } from "../../intel/indicator.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, roundScore } from "../kernel/result.ts";
import { ADMIN_PORTS } from "./contact.ts";
import {
  certainty,
  CONTACT_WORDS,
  metModifiers,
  metShares,
  VIA_WORDS,
  visitModifiers,
  visitShares,
} from "./score.ts";
import type { Contact, MetIndicatorState } from "./state.ts";
import type { VisitorsState } from "./visits.ts";
import { duration, hostPort, list, moment, plural, shortened, size, within } from "../kernel/wording.ts";

export const THREAT_INTEL: DetectorInfo = {
  modelId: "threat-intel",
  version: "1",
  title: "Contact with something that a threat intelligence list names",
  technique: "T1071",
  description:
    "A device that talks to, asks for or shows an address, a name, a URL, a certificate or a fingerprint of a list.",
};

/** Whom a result is about. */
export interface Party {
  /** Null where the address is none of the site's. */
  deviceId: string | null;
  /** The device's name, or the address. */
  name: string;
  /** The device's id, or the address. */
  key: string;
  users: number;
  deviceCount: number;
}

type Texts = Required<Pick<DetectorResult, "title" | "summary" | "explanation" | "phrase">>;

const SECOND = 1_000_000;

/** Judges a device and an indicator; null where there is nothing to report. */
export function evaluateMet(state: MetIndicatorState, match: Match, party: Party): DetectorResult | null {
  if (state.count === 0 || state.refs.length === 0) return null;
  const subScores = metShares(state);
  const modifiers = metModifiers(state, match, party.users, party.deviceCount);
  const score = roundScore(points(subScores) + points(modifiers));
  if (score < REPORT_SCORE) return null;
  return {
    modelId: THREAT_INTEL.modelId,
    modelVersion: THREAT_INTEL.version,
    technique: technique(state),
    at: state.lastSeen,
    firstSeen: state.firstSeen,
    lastSeen: state.lastSeen,
    deviceId: party.deviceId,
    deviceIds: party.deviceId === null ? [] : [party.deviceId],
    destinations: [destination(state, match)],
    groupKey: `${party.key}|${match.kind} ${match.indicator}`,
    subject: `${party.name} and ${shortened(match.indicator)}`,
    campaign: `indicator ${match.kind} ${match.indicator}`,
    ...describeMet(state, match, party),
    score,
    confidence: Math.round(0.9 * certainty(match) * 100) / 100,
    subScores,
    modifiers,
    evidence: [...state.refs],
  };
}

/** Judges the listed hosts that a device answered; null where there is nothing to report. */
export function evaluateVisits(state: VisitorsState, party: Party): DetectorResult | null {
  if (state.count === 0 || state.refs.length === 0) return null;
  const subScores = visitShares(state);
  const modifiers = visitModifiers(state);
  const score = roundScore(points(subScores) + points(modifiers));
  if (score < REPORT_SCORE) return null;
  return {
    modelId: THREAT_INTEL.modelId,
    modelVersion: THREAT_INTEL.version,
    technique: "T1133",
    at: state.lastSeen,
    firstSeen: state.firstSeen,
    lastSeen: state.lastSeen,
    deviceId: party.deviceId,
    deviceIds: party.deviceId === null ? [] : [party.deviceId],
    destinations: state.named.map(({ ip }) => ({ ip, name: null, port: null })),
    groupKey: `${party.key}|visitors`,
    subject: `listed visitors of ${party.name}`,
    ...describeVisits(state, party),
    score,
    confidence: Math.round(0.6 * state.certainty * 100) / 100,
    subScores,
    modifiers,
    evidence: [...state.refs],
  };
}

function destination(
  { peerIp, peerPort, contact }: MetIndicatorState,
  match: Match,
): DetectorResult["destinations"][number] {
  const isName = match.kind === "domain" || match.kind === "url";
  // Who answers a question for a name is not who was meant.
  const asked = contact === "query" || contact === "answer";
  const ip = match.kind === "ip" ? match.indicator : asked || peerIp === "" ? null : peerIp;
  const name = isName ? match.indicator.split("/", 1)[0]! : null;
  return { ip, name, port: asked || peerPort === 0 ? null : peerPort };
}

function technique({ vias, contact }: MetIndicatorState): string {
  if (contact === "query" || contact === "answer") return "T1071.004";
  return vias.some((via) => via === "tls_server_name" || via === "http_host" || via === "url")
    ? "T1071.001"
    : "T1071";
}

const DID: Readonly<Record<Contact, [title: string, phrase: string]>> = {
  answer: ["was led to", "led to"],
  query: ["asked for", "asked for"],
  fingerprint: ["shows", "shows"],
  attempt: ["tried to reach", "tried to reach"],
  contact: ["contacted", "contacted"],
  exchange: ["talked to", "talked to"],
};

function describeMet(state: MetIndicatorState, match: Match, { name, users, deviceCount }: Party): Texts {
  const [did, phrase] = DID[state.contact];
  const indicator = `${KIND_WORDS[match.kind] ?? ""}${shortened(match.indicator)}`;
  const listed = shortened(match.list, 60);
  const peer = state.peerIp === "" || state.peerIp === match.indicator
    ? ""
    : ` (other end: ${state.peerPort === 0 ? state.peerIp : hostPort(state.peerIp, state.peerPort)})`;
  const took = (state.lastSeen - state.firstSeen) / SECOND;
  const when = took < 60
    ? `at ${moment(state.firstSeen)}`
    : `over ${duration(took)} from ${moment(state.firstSeen)}`;
  const others = users <= 1
    ? `No other of ${plural(deviceCount, "device")} met it`
    : `${users} of ${deviceCount} devices met it`;
  return {
    title: `${name} ${did} ${indicator}, listed by ${listed}`,
    phrase: `${phrase} ${indicator}, listed by ${listed}`,
    summary:
      `${name} ${did} ${indicator}${peer}: ${plural(state.count, "record")} ${when}, ${
        size(state.bytesOut)
      } sent; ` +
      `${CONTACT_WORDS[state.contact]}. ${others}.`,
    explanation:
      `${says(match)} It shows as ${list(state.vias.map((via) => VIA_WORDS[via]))}. ${
        MEANING[state.contact]
      } ` +
      `Lists age, and addresses of shared hosting and of content networks serve many: check what the list means by it, and ` +
      `which program on ${name} was behind it.`,
  };
}

const KIND_WORDS: Readonly<Partial<Record<Match["kind"], string>>> = {
  ja3: "the client fingerprint ",
  ja4: "the client fingerprint ",
  certificate: "a server with the certificate ",
  url: "the URL ",
  cidr: "a host of ",
};

function says({ list, description, confidence }: Match): string {
  const what = description === null || description === "" ? "" : ` as "${shortened(description, 120)}"`;
  const sure = confidence === null ? "" : `, with a confidence of ${confidence}`;
  return `The list ${shortened(list, 60)} names it${what}${sure}.`;
}

const MEANING: Readonly<Record<Contact, string>> = {
  answer: "A name that the device asked for has a listed address; a connection to it would show as such.",
  query:
    "A question for a name is no contact yet: a mail filter, a preview of a link or a resolver that asks for others " +
    "do the same. If the device is a resolver, look for whoever asked it.",
  fingerprint: "Programs of one make share a fingerprint, harmless ones with harmful ones.",
  attempt:
    "Nobody answered, so nothing was exchanged; what wanted the contact is on the device all the same.",
  contact: "Something on the device wanted this contact.",
  exchange: "Something on the device wanted this contact and had it.",
};

function describeVisits(state: VisitorsState, { name }: Party): Texts {
  const { visitors, named, adminPort, count } = state;
  const service = ADMIN_PORTS.get(adminPort);
  const on = service === undefined ? "" : ` on ${service}`;
  const who = plural(visitors.count, "listed host");
  const some = named.slice(0, 3).map(({ ip, list, description }) =>
    `${ip} (${description === "" ? list : `${list}: ${description}`})`
  );
  return {
    title: `${name} answered ${who}${on}`,
    phrase: `answered ${who}${on}`,
    summary: `${name} answered ${who}${on} ${within(state.firstSeen, state.lastSeen)} ` +
      `(${plural(count, "record")}) and sent ${size(state.bytesOut)}; among them ${list(some)}.`,
    explanation:
      `Hosts of a threat intelligence list opened connections to the device, and data went both ways. On a service ` +
      `that is open to the world such visits are daily weather, and a blocked address comes back as another. They matter ` +
      `where the service is not meant for strangers, or where much was sent: check what ${name} is to offer outside, and its ` +
      `own log for what they did.`,
  };
}
