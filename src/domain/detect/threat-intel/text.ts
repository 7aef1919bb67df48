// Texts of the threat-intel detector.
import type { Match } from "../../intel/indicator.ts";
import type { DetectorResult } from "../kernel/result.ts";
import {
  atLeast,
  duration,
  hostPort,
  list,
  moment,
  plural,
  shortened,
  size,
  within,
} from "../../../kit/text.ts";
import { ADMIN_PORTS } from "./contact.ts";
import type { Party } from "./party.ts";
import { CONTACT_LABELS, VIA_LABELS } from "./score.ts";
import type { Contact, MatchedIndicator } from "./state.ts";
import type { VisitorsState } from "./visits.ts";
import { fixedPart, titleLine, titlePart } from "../../../kit/title-line.ts";

type Texts = Required<Pick<DetectorResult, "title" | "summary" | "explanation" | "phrase">>;

const SECOND = 1_000_000;
/** Visitors named in a summary. */
const NAMED = 3;
/** Characters of a list's name and of its description. */
const MAX_LIST = 60;
const MAX_DESCRIPTION = 120;

const VERBS: Readonly<Record<Contact, string>> = {
  answer: "resolved a name to",
  query: "looked up",
  fingerprint: "presents",
  attempt: "tried to contact",
  contact: "contacted",
  exchange: "communicated with",
};

const KIND_LABELS: Readonly<Partial<Record<Match["kind"], string>>> = {
  ja3: "the client fingerprint ",
  ja4: "the client fingerprint ",
  certificate: "a server with the certificate ",
  url: "the URL ",
  cidr: "a host of ",
};

const MEANING: Readonly<Record<Contact, string>> = {
  answer:
    "A name that the device looked up has a listed address; a connection to it would be reported as such.",
  query:
    "A lookup alone is not a contact: mail filters, link previews and forwarding resolvers look up names, too. If " +
    "the device is a resolver, find the client that sent the query.",
  fingerprint: "Programs that share a TLS library share a fingerprint, harmless and malicious ones alike.",
  attempt: "The contact was not answered, so no data was exchanged, but its cause is still on the device.",
  contact: "A program on the device initiated this contact.",
  exchange: "A program on the device initiated this contact and received an answer.",
};

export function describeContact(
  state: MatchedIndicator,
  match: Match,
  { name, users, deviceCount }: Pick<Party, "name" | "users" | "deviceCount">,
): Texts {
  const { contact, peerIp, peerPort, firstSeen, lastSeen, count, bytesOut, vias } = state;
  const indicator = `${KIND_LABELS[match.kind] ?? ""}${shortened(match.indicator)}`;
  const activity = `${VERBS[contact]} ${indicator}`;
  const listed = shortened(match.list, MAX_LIST);
  const peer = peerIp === "" || peerIp === match.indicator
    ? ""
    : ` (peer: ${peerPort === 0 ? peerIp : hostPort(peerIp, peerPort)})`;
  const seconds = (lastSeen - firstSeen) / SECOND;
  const when = seconds < 60
    ? `at ${moment(firstSeen)}`
    : `over ${duration(seconds)} from ${moment(firstSeen)}`;
  const others = users <= 1
    ? `No other device (${deviceCount} in total) had contact with it`
    : `${users} of ${plural(deviceCount, "device")} had contact with it`;
  return {
    title: titleLine`${name} ${titlePart`${VERBS[contact]} ${indicator}`}, listed by ${listed}`,
    phrase: `${activity}, listed by ${listed}`,
    summary: `${name} ${activity}${peer}: ${atLeast(count, "record")} ${when}, ${size(bytesOut)} sent; ` +
      `${CONTACT_LABELS[contact]}. ${others}.`,
    explanation:
      `${listSentence(match)} It was seen as ${list(vias.map((via) => VIA_LABELS[via]))}. ${
        MEANING[contact]
      } Lists become outdated, and addresses of shared hosting and content delivery networks serve many sites: check what ` +
      `the list means by this entry, and which program on ${name} caused the contact.`,
  };
}

function listSentence({ list, description, confidence }: Match): string {
  const label = description === null || description === ""
    ? "contains this indicator"
    : `names this indicator "${shortened(description, MAX_DESCRIPTION)}"`;
  const stated = confidence === null ? "" : `, with a confidence of ${confidence}`;
  return `The list ${shortened(list, MAX_LIST)} ${label}${stated}.`;
}

export function describeVisits(
  { visitors, named, adminPort, count, firstSeen, lastSeen, bytesOut }: VisitorsState,
  name: string,
): Texts {
  const service = ADMIN_PORTS.get(adminPort);
  const activity = `answered ${plural(visitors.count, "listed host")}${
    service === undefined ? "" : ` on ${service}`
  }`;
  const examples = named.slice(0, NAMED).map(({ ip, list, description }) =>
    `${ip} (${description === "" ? list : `${list}: ${description}`})`
  );
  return {
    title: titleLine`${name} ${fixedPart(activity)}`,
    phrase: activity,
    summary: `${name} ${activity} ${within(firstSeen, lastSeen)} (${atLeast(count, "record")}) and sent ` +
      `${size(bytesOut)}, including to ${list(examples)}.`,
    explanation:
      `Hosts of a threat intelligence list connected to the device, and data was exchanged in both directions. Such ` +
      `visits are routine for a public service, and blocked visitors return from other addresses. They matter if the ` +
      `service is not meant to be public, or if much data was sent: check which services ${name} should offer to the ` +
      `Internet, and check its own log for what these hosts did.`,
  };
}
