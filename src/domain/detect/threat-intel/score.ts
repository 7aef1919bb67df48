// What it is worth that a device met something a list names.
//
// Score = how far the contact went, times how sure the list is, + how often, how much was sent, in how many ways it
// shows; less where many devices of the site meet the same, as they do what a list names by mistake. A question for a name
// alone is `low`; an exchange with a listed host is `medium` at once, and `high` where it goes on.
import type { IntelVia } from "../../intel/hits.ts";
import type { Match } from "../../intel/indicator.ts";
import type { SubScore } from "../kernel/result.ts";
import { clamp01 } from "../kernel/stats.ts";
import { ADMIN_PORTS } from "./contact.ts";
import type { Contact, MetIndicatorState } from "./state.ts";
import type { VisitorsState } from "./visits.ts";
import { percent, plural, size } from "../kernel/wording.ts";

const CONTACT_POINTS: Readonly<Record<Contact, number>> = {
  answer: 12,
  query: 26,
  fingerprint: 28,
  attempt: 28,
  contact: 40,
  exchange: 55,
};
/** Of an indicator's confidence: nothing is left of its points at `none`, all at 1; a list that says none is taken at `unstated`. */
const CONFIDENCE = { none: 0.5, unstated: 0.7 } as const;
/** Full at so many records, and at so many bytes sent; both logarithmic. */
const PERSISTENCE = { points: 10, full: 100 } as const;
const VOLUME = { points: 10, none: 10_000, full: 100_000_000 } as const;
const WAYS = { points: 5, full: 3 } as const;
/** From so many devices on, and this share of all, a list more likely errs than all of them. */
const COMMON = { points: -15, users: 3, from: 0.1, full: 0.5 } as const;

/** A listed host that a device answers: daily weather on an exposed service, unless it may administer, or much is sent. */
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

export const CONTACT_WORDS: Readonly<Record<Contact, string>> = {
  answer: "a name led to it; nothing shows that it was contacted",
  query: "the device asked for the name; nothing shows that it was contacted",
  fingerprint: "the device's client has the listed fingerprint",
  attempt: "the contact was not answered, or stopped",
  contact: "the contact was made; what came back is not known",
  exchange: "the other side answered",
};

export function metShares(state: MetIndicatorState): SubScore[] {
  return [
    {
      name: "contact",
      value: 1,
      weight: CONTACT_POINTS[state.contact],
      detail: CONTACT_WORDS[state.contact],
    },
    {
      name: "persistence",
      value: share(Math.log(state.count) / Math.log(PERSISTENCE.full)),
      weight: PERSISTENCE.points,
      detail: plural(state.count, "record"),
    },
    {
      name: "volume",
      value: share(Math.log(Math.max(1, state.bytesOut) / VOLUME.none) / Math.log(VOLUME.full / VOLUME.none)),
      weight: VOLUME.points,
      detail: `${size(state.bytesOut)} sent`,
    },
    {
      name: "ways",
      value: share((state.vias.length - 1) / (WAYS.full - 1)),
      weight: WAYS.points,
      detail: `shows as ${state.vias.map((via) => VIA_WORDS[via]).join(", ")}`,
    },
  ];
}

export const VIA_WORDS: Readonly<Record<IntelVia, string>> = {
  peer: "address of the other end",
  dns_query: "name asked for",
  dns_answer: "address in an answer",
  tls_server_name: "TLS server name",
  http_host: "HTTP host",
  url: "URL",
  ja3: "JA3 of the client",
  ja4: "JA4 of the client",
  certificate: "server's certificate",
};

export function metModifiers(
  state: MetIndicatorState,
  match: Match,
  users: number,
  deviceCount: number,
): SubScore[] {
  const { confidence } = match;
  const lost = CONTACT_POINTS[state.contact] * (1 - certainty(match));
  const part = users / Math.max(users, deviceCount);
  const common = users < COMMON.users ? 0 : clamp01((part - COMMON.from) / (COMMON.full - COMMON.from));
  return [
    modifier(
      "list_confidence",
      -lost,
      confidence === null
        ? "the list does not say how sure it is"
        : `the list is ${percent(confidence)} sure`,
    ),
    modifier(
      "common",
      COMMON.points * common,
      `${users} of ${deviceCount} devices (${percent(part)}) meet it`,
    ),
  ].filter(({ value }) => value !== 0);
}

export function visitShares(state: VisitorsState): SubScore[] {
  const { adminPort, bytesOut, visitors } = state;
  const service = ADMIN_PORTS.get(adminPort);
  return [
    { name: "listed_visitor", value: 1, weight: VISIT.points, detail: "the device answered a listed host" },
    {
      name: "administration",
      value: service === undefined ? 0 : 1,
      weight: VISIT.admin,
      detail: service === undefined
        ? "no port of remote administration"
        : `answered on port ${adminPort} (${service})`,
    },
    {
      name: "volume",
      value: share(
        Math.log(Math.max(1, bytesOut) / VISIT.volumeNone) / Math.log(VISIT.volumeFull / VISIT.volumeNone),
      ),
      weight: VISIT.volume,
      detail: `${size(bytesOut)} sent back`,
    },
    {
      name: "visitors",
      value: share(Math.log(visitors.count) / Math.log(VISIT.manyFull)),
      weight: VISIT.many,
      detail: plural(visitors.count, "listed host"),
    },
  ];
}

export function visitModifiers({ certainty }: VisitorsState): SubScore[] {
  const lost = modifier("list_confidence", -VISIT.points * (1 - certainty), "how sure the lists are");
  return lost.value === 0 ? [] : [lost];
}

function modifier(name: string, value: number, detail: string): SubScore {
  return { name, value: Math.round(value * 10) / 10 || 0, weight: 1, detail };
}

function share(value: number): number {
  return Math.round(clamp01(value) * 1000) / 1000;
}
