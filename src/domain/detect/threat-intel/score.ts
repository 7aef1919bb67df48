// Scores contacts with listed indicators.
//
// Score = points for how far the contact went, scaled by the list's confidence, plus points for number, volume and
// variety; less if many devices of the site match the same indicator, as with false entries. A lookup alone is `low`; an
// answered contact is `medium` at once and `high` if it continues.
import type { IntelVia } from "../../intel/hits.ts";
import type { Match } from "../../intel/indicator.ts";
import type { SubScore } from "../kernel/result.ts";
import { extra, logShare, share } from "../kernel/score.ts";
import { clamp01 } from "../kernel/stats.ts";
import { percent, plural, size } from "../../../kit/text.ts";
import { ADMIN_PORTS } from "./contact.ts";
import type { Contact, MatchedIndicator } from "./state.ts";
import type { VisitorsState } from "./visits.ts";

const CONTACT_POINTS: Readonly<Record<Contact, number>> = {
  answer: 12,
  query: 26,
  fingerprint: 28,
  attempt: 28,
  contact: 40,
  exchange: 55,
};
/** Factor of the points at a confidence of 0 (it is 1 at a confidence of 1), and the confidence if the list states none. */
const CONFIDENCE = { none: 0.5, unstated: 0.7 } as const;
/** Log scales: full at this number of records, and of bytes sent. */
const PERSISTENCE = { points: 10, full: 100 } as const;
const VOLUME = { points: 10, none: 10_000, full: 100_000_000 } as const;
const WAYS = { points: 5, full: 3 } as const;
/** If this many devices, and this share of them, match an indicator, the list is more likely wrong. */
const COMMON = { points: -15, users: 3, from: 0.1, full: 0.5 } as const;

/** An answered listed host: routine for a public service, unless it may administer, or much data is sent. */
const VISIT = {
  points: 24,
  admin: 12,
  volume: 15,
  volumeNone: 1_000_000,
  volumeFull: 1e9,
  many: 8,
  manyFull: 64,
} as const;

/** Factor of an indicator's points, 0.5 to 1. */
export function certainty({ confidence }: Pick<Match, "confidence">): number {
  const stated = confidence === null || Number.isNaN(confidence) ? CONFIDENCE.unstated : clamp01(confidence);
  return CONFIDENCE.none + (1 - CONFIDENCE.none) * stated;
}

export const CONTACT_LABELS: Readonly<Record<Contact, string>> = {
  answer: "a name resolved to it, without evidence of a contact",
  query: "the device looked up the name, without evidence of a contact",
  fingerprint: "the device's client has the listed fingerprint",
  attempt: "the contact was unanswered or blocked",
  contact: "the contact was made, with an unknown answer",
  exchange: "the peer answered",
};

export const VIA_LABELS: Readonly<Record<IntelVia, string>> = {
  peer: "peer address",
  dns_query: "queried name",
  dns_answer: "address in a DNS answer",
  tls_server_name: "TLS server name",
  http_host: "HTTP host",
  url: "URL",
  ja3: "JA3 of the client",
  ja4: "JA4 of the client",
  certificate: "server certificate",
};

export function contactShares({ contact, count, bytesOut, vias }: MatchedIndicator): SubScore[] {
  return [
    share("contact", 1, CONTACT_POINTS[contact], CONTACT_LABELS[contact]),
    share("persistence", logShare(count, 1, PERSISTENCE.full), PERSISTENCE.points, plural(count, "record")),
    share("volume", logShare(bytesOut, VOLUME.none, VOLUME.full), VOLUME.points, `${size(bytesOut)} sent`),
    share(
      "ways",
      (vias.length - 1) / (WAYS.full - 1),
      WAYS.points,
      `seen as ${vias.map((via) => VIA_LABELS[via]).join(", ")}`,
    ),
  ];
}

export function contactModifiers(
  { contact }: MatchedIndicator,
  match: Match,
  users: number,
  deviceCount: number,
): SubScore[] {
  const { confidence } = match;
  const lost = CONTACT_POINTS[contact] * (1 - certainty(match));
  const part = users / Math.max(users, deviceCount);
  const common = users < COMMON.users ? 0 : clamp01((part - COMMON.from) / (COMMON.full - COMMON.from));
  return [
    extra(
      "list_confidence",
      -lost,
      confidence === null
        ? "the list states no confidence"
        : `the list's confidence is ${percent(confidence)}`,
    ),
    extra(
      "common",
      COMMON.points * common,
      `${users} of ${deviceCount} devices (${percent(part)}) have contact with it`,
    ),
  ].filter(({ value }) => value !== 0);
}

export function visitShares({ adminPort, bytesOut, visitors }: VisitorsState): SubScore[] {
  const service = ADMIN_PORTS.get(adminPort);
  return [
    share("listed_visitor", 1, VISIT.points, "the device answered a listed host"),
    service === undefined
      ? share("administration", 0, VISIT.admin, "no port of remote administration")
      : share("administration", 1, VISIT.admin, `answered on port ${adminPort} (${service})`),
    share(
      "volume",
      logShare(bytesOut, VISIT.volumeNone, VISIT.volumeFull),
      VISIT.volume,
      `${size(bytesOut)} sent back`,
    ),
    share(
      "visitors",
      logShare(visitors.count, 1, VISIT.manyFull),
      VISIT.many,
      plural(visitors.count, "listed host"),
    ),
  ];
}

export function visitModifiers({ certainty }: VisitorsState): SubScore[] {
  const lost = extra("list_confidence", -VISIT.points * (1 - certainty), "confidence of the lists");
  return lost.value === 0 ? [] : [lost];
}
