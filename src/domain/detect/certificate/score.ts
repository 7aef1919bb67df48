// What a faulty certificate on a server outside is worth.
//
// Score = points of the worst fault, grown by up to half for the number of sessions, and what the circumstances add or
// take. A fault alone is nothing to report: misconfigured servers are many. It is told where the client went to a bare
// address, to an odd port, or again and again.
import {
  EXPIRED,
  NO_NAME,
  NOT_YET_VALID,
  OTHER_NAME,
  PLACEHOLDER,
  SELF_SIGNED,
  UNKNOWN_AUTHORITY,
} from "../kernel/certificate-faults.ts";
import type { CertificateDestination } from "./state.ts";
import { usageModifier } from "../kernel/destination-usage.ts";
import type { SubScore } from "../kernel/result.ts";
import { MAIL_PORTS, TLS_PORTS } from "../kernel/tls-ports.ts";
import { extra, logShare, share } from "../kernel/score.ts";
import { plural } from "../kernel/wording.ts";

/** Points of a fault; of several the highest counts. */
export const FAULT_POINTS: readonly [bit: number, points: number, words: string][] = [
  [SELF_SIGNED, 20, "it vouches for itself"],
  [NOT_YET_VALID, 12, "it is not valid yet"],
  [EXPIRED, 10, "it has expired"],
  [UNKNOWN_AUTHORITY, 8, "no known authority vouches for it"],
];
/** Sessions add up to this share of the fault's points, in full from FULL_SESSIONS on. */
const SESSION_GROWTH = 0.6;
const FULL_SESSIONS = 100;
/** The client named no server, so the certificate could not have convinced it of anything. */
export const NO_NAME_POINTS = 8;
const ODD_PORT_POINTS = 6;
const PLACEHOLDER_POINTS = 8;
const OTHER_NAME_POINTS = 3;
/**
 * The same certificate on two, and on three or more servers: nobody's appliance, somebody's infrastructure. Where the client
 * asked for names that are not in it, it is what a hosting panel shows for sites without their own, or a portal for all.
 */
const SAME_POINTS = [8, 12] as const;
/** Mail servers with certificates of their own are ordinary. */
const MAIL_POINTS = -20;

/** A private address that nobody placed: mostly an appliance of the site's own, which is how these are. */
export const ASSUMED_POINTS = -8;

/** Servers with made-up names: from MIN_MADE_UP on, in full from FULL_MADE_UP on. */
export const MIN_MADE_UP = 3;
const FULL_MADE_UP = 64;
const MADE_UP_POINTS = { pattern: 30, servers: 24 } as const;

export interface CertificateContext {
  deviceId: string;
  deviceName: string;
  /** Devices that contact the server, and devices of the tenant. */
  users: number;
  deviceCount: number;
  /** The server is taken to be inside, and so may as well be. */
  assumedInside: boolean;
  /** Other servers that showed the same device the same certificate. */
  twins: CertificateDestination[];
}

export interface Weighed {
  subScores: SubScore[];
  modifiers: SubScore[];
}

export function weighCertificate(place: CertificateDestination, context: CertificateContext): Weighed {
  const { faults, port, count } = place;
  const [, points, words] = FAULT_POINTS.find(([bit]) => (faults & bit) !== 0)!;
  const subScores = [
    share("fault", 1, points, words),
    share(
      "sessions",
      logShare(count, 1, FULL_SESSIONS),
      Math.round(points * SESSION_GROWTH * 10) / 10,
      plural(count, "session"),
    ),
  ];
  const twins = faults & OTHER_NAME ? 0 : Math.min(context.twins.length, SAME_POINTS.length);
  const modifiers = [
    faults & NO_NAME ? extra("no_server_name", NO_NAME_POINTS, "the client asked for no name") : null,
    faults & OTHER_NAME
      ? extra("other_name", OTHER_NAME_POINTS, "it is for another name than asked for")
      : null,
    faults & PLACEHOLDER ? extra("placeholder", PLACEHOLDER_POINTS, "its names were never filled in") : null,
    TLS_PORTS.has(port) ? null : extra("odd_port", ODD_PORT_POINTS, `port ${port} is no usual one for TLS`),
    MAIL_PORTS.has(port)
      ? extra("mail", MAIL_POINTS, "mail servers often have certificates of their own")
      : null,
    twins === 0 ? null : extra(
      "same_certificate",
      SAME_POINTS[twins - 1]!,
      `the same certificate on ${twins + 1} servers or more`,
    ),
    context.assumedInside
      ? extra(
        "assumed_inside",
        ASSUMED_POINTS,
        "a private address, taken to be inside as nobody said otherwise",
      )
      : null,
    usageModifier(context.users, context.deviceCount),
  ];
  return { subScores, modifiers: modifiers.filter((one) => one !== null) };
}

export function weighMadeUp(servers: number): Weighed {
  return {
    subScores: [
      share("pattern", 1, MADE_UP_POINTS.pattern, "server names and certificates made up of random letters"),
      share(
        "servers",
        logShare(servers, MIN_MADE_UP, FULL_MADE_UP),
        MADE_UP_POINTS.servers,
        plural(servers, "server"),
      ),
    ],
    modifiers: [],
  };
}
