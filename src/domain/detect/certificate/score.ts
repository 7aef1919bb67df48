// Scores a faulty certificate of an outside server.
//
// Score = points of the worst fault, plus up to SESSION_GROWTH of them for the number of sessions, plus modifiers.
// A fault alone is not reported, because misconfigured servers are common: it takes a bare address, an unusual port or
// many sessions as well.
import {
  EXPIRED,
  NO_NAME,
  NOT_YET_VALID,
  OTHER_NAME,
  PLACEHOLDER,
  SELF_SIGNED,
  UNKNOWN_AUTHORITY,
} from "../kernel/certificate-faults.ts";
import { usageModifier } from "../kernel/destination-usage.ts";
import type { SubScore } from "../kernel/result.ts";
import { extra, logShare, share } from "../kernel/score.ts";
import { MAIL_PORTS, TLS_PORTS } from "../kernel/tls-ports.ts";
import { plural } from "../../../kit/text.ts";
import type { CertificateDestination } from "./state.ts";

/** Points per fault; the highest one applies. */
export const FAULT_POINTS: readonly [bit: number, points: number, detail: string][] = [
  [SELF_SIGNED, 20, "the certificate is self-signed"],
  [NOT_YET_VALID, 12, "the certificate is not valid yet"],
  [EXPIRED, 10, "the certificate has expired"],
  [UNKNOWN_AUTHORITY, 8, "no known authority signed the certificate"],
];
/** Share of the fault's points that sessions add, in full from FULL_SESSIONS on. */
const SESSION_GROWTH = 0.6;
const FULL_SESSIONS = 100;
/** Without a server name the client cannot have verified the certificate. */
export const NO_NAME_POINTS = 8;
const ODD_PORT_POINTS = 6;
const PLACEHOLDER_POINTS = 8;
const OTHER_NAME_POINTS = 3;
/**
 * For the same certificate on two, and on three or more servers, which suggests attacker infrastructure. Does not apply
 * with OTHER_NAME: then it is the default certificate of a hosting panel, or a captive portal.
 */
const SAME_POINTS = [8, 12] as const;
/** Mail servers often have self-signed certificates. */
const MAIL_POINTS = -20;

/** A private address of no configured network: usually an appliance of the site, which is often self-signed. */
export const ASSUMED_POINTS = -8;

/** Servers with random names: reported from MIN_RANDOM_NAMES on, full points from FULL_RANDOM_NAMES on. */
export const MIN_RANDOM_NAMES = 3;
const FULL_RANDOM_NAMES = 64;
const RANDOM_NAME_POINTS = { pattern: 30, servers: 24 } as const;

export interface CertificateContext {
  deviceId: string;
  deviceName: string;
  /** Devices that contact the server, and devices of the tenant. */
  users: number;
  deviceCount: number;
  /** The server may be inside, because no networks are configured and its address is private. */
  assumedInside: boolean;
  /** Other servers that presented the same certificate to the device. */
  twins: CertificateDestination[];
}

export interface Score {
  subScores: SubScore[];
  modifiers: SubScore[];
}

export function scoreCertificate(destination: CertificateDestination, context: CertificateContext): Score {
  const { faults, port, count } = destination;
  const [, points, detail] = FAULT_POINTS.find(([bit]) => (faults & bit) !== 0)!;
  const subScores = [
    share("fault", 1, points, detail),
    share(
      "sessions",
      logShare(count, 1, FULL_SESSIONS),
      Math.round(points * SESSION_GROWTH * 10) / 10,
      plural(count, "session"),
    ),
  ];
  const twins = faults & OTHER_NAME ? 0 : Math.min(context.twins.length, SAME_POINTS.length);
  const modifiers = [
    faults & NO_NAME ? extra("no_server_name", NO_NAME_POINTS, "the client sent no server name") : null,
    faults & OTHER_NAME
      ? extra("other_name", OTHER_NAME_POINTS, "the certificate is for a name other than the requested one")
      : null,
    faults & PLACEHOLDER
      ? extra("placeholder", PLACEHOLDER_POINTS, "the certificate has a tool's default names")
      : null,
    TLS_PORTS.has(port) ? null : extra("odd_port", ODD_PORT_POINTS, `port ${port} is unusual for TLS`),
    MAIL_PORTS.has(port)
      ? extra("mail", MAIL_POINTS, "mail servers often have self-signed certificates")
      : null,
    twins === 0 ? null : extra(
      "same_certificate",
      SAME_POINTS[twins - 1]!,
      `${twins + 1} or more servers present the same certificate`,
    ),
    context.assumedInside
      ? extra(
        "assumed_inside",
        ASSUMED_POINTS,
        "a private address that may be inside; no internal networks are configured",
      )
      : null,
    usageModifier(context.users, context.deviceCount),
  ];
  return { subScores, modifiers: modifiers.filter((one) => one !== null) };
}

export function scoreRandomNames(servers: number): Score {
  return {
    subScores: [
      share(
        "pattern",
        1,
        RANDOM_NAME_POINTS.pattern,
        "server names and certificates consist of random letters",
      ),
      share(
        "servers",
        logShare(servers, MIN_RANDOM_NAMES, FULL_RANDOM_NAMES),
        RANDOM_NAME_POINTS.servers,
        plural(servers, "server"),
      ),
    ],
    modifiers: [],
  };
}
