// Scores an unexpected protocol.
//
// Score = points for the protocol, the bytes received, an upload, the longest connection and the number of records, plus modifiers.
import { usageModifier } from "../kernel/destination-usage.ts";
import { KIT_PORTS, type OddService } from "../kernel/odd-service.ts";
import type { Micros } from "../../record/observation.ts";
import type { EvidenceRef, SubScore } from "../kernel/result.ts";
import { extra, logShare, share } from "../kernel/score.ts";
import { duration, plural, size } from "../../../kit/text.ts";
import type { UnexpectedDestination } from "./state.ts";

/** An unrecognized protocol on a port of no known service. */
const UNKNOWN_POINTS = 6;
/** Log scales: bytes received, longest connection, number of records. */
const BYTES_IN = { from: 100_000, full: 10_000_000, points: 6 } as const;
const LONGEST = { fromSeconds: 60, fullSeconds: 3600, points: 6 } as const;
/** A service that is only remarkable because it lasts: a bot stays in its channel, a refused client does not. */
const LASTING_FULL_SECONDS = 1200;
/** Bytes sent over HTTP or TLS to a bare address, log scale, if they are this many times those received. */
const SENT = { from: 100_000, full: 10_000_000, points: 12, ratio: 4 } as const;
const RECORDS = { full: 100, known: 12, unknown: 6 } as const;
/** An executable was fetched from another port of the same address before: first and second stage of malware. */
const AFTER_FETCH_POINTS = 36;
/**
 * Content of no stated type was fetched from another port of the same address before a session of LONG_SESSION
 * seconds: the same two stages as a sensor shows them that sees one direction only. Each alone is common.
 */
const AFTER_DOWNLOAD_POINTS = 32;
export const LONG_SESSION = 600;
/** Default ports of remote-control kits: with an unrecognized protocol, a single connection is reported. */
const KIT_PORT_POINTS = 14;
/** HTTP or TLS to a bare address. */
const NO_NAME_POINTS = 4;
const MANY_SERVERS_POINTS = -15;

const SECOND = 1_000_000;

/** An executable, or content of no stated type. */
export interface EarlierFetch {
  isExecutable: boolean;
  port: number;
  lastSeen: Micros;
  refs: readonly EvidenceRef[];
}

export interface UnexpectedContext {
  deviceName: string;
  users: number;
  deviceCount: number;
  /** What the device fetched from the same address shortly before. */
  fetch: EarlierFetch | null;
  /** The device has many such servers. */
  many: boolean;
}

export function scoreUnexpected(
  { port, count, bytesIn, bytesOut, longest, serverName }: UnexpectedDestination,
  odd: OddService | null,
  { users, deviceCount, fetch, many }: UnexpectedContext,
): [SubScore[], SubScore[]] {
  const seconds = longest / SECOND;
  const recordPoints = odd === null ? RECORDS.unknown : RECORDS.known;
  const isWeb = odd !== null && /HTTP|TLS/.test(odd.name);
  const uploads = isWeb && serverName === null && bytesOut >= bytesIn * SENT.ratio;
  const subScores = [
    odd === null
      ? share("unknown_protocol", 1, UNKNOWN_POINTS, `the sensor recognizes no protocol on port ${port}`)
      : share("protocol", 1, odd.points, `${odd.name} ${odd.why} (port ${port})`),
    share(
      "received",
      logShare(bytesIn, BYTES_IN.from, BYTES_IN.full),
      BYTES_IN.points,
      `${size(bytesIn)} received`,
    ),
    share(
      "sent",
      uploads ? logShare(bytesOut, SENT.from, SENT.full) : 0,
      SENT.points,
      uploads ? `${size(bytesOut)} sent` : "no upload to a bare address over HTTP or TLS",
    ),
    share(
      "longest",
      logShare(seconds, LONGEST.fromSeconds, odd?.atHome ? LASTING_FULL_SECONDS : LONGEST.fullSeconds),
      LONGEST.points,
      `longest connection: ${duration(seconds)}`,
    ),
    share("connections", logShare(count, 1, RECORDS.full), recordPoints, plural(count, "record")),
  ];
  const modifiers = [
    fetch === null || fetch.port === port ? null : fetch.isExecutable
      ? extra(
        "after_fetch",
        AFTER_FETCH_POINTS,
        `an executable was fetched from port ${fetch.port} of the same address before`,
      )
      : extra(
        "after_download",
        AFTER_DOWNLOAD_POINTS,
        `content of no stated type was fetched from port ${fetch.port} of the same address before`,
      ),
    KIT_PORTS.has(port) && odd?.atHome !== true
      ? extra("kit_port", KIT_PORT_POINTS, `port ${port} is a default port of remote-control kits`)
      : null,
    isWeb && serverName === null ? extra("no_server_name", NO_NAME_POINTS, "to a bare address") : null,
    many
      ? extra(
        "many_servers",
        MANY_SERVERS_POINTS,
        "the device contacts many such servers, as peer-to-peer programs do",
      )
      : null,
    usageModifier(users, deviceCount),
  ].filter((one) => one !== null);
  return [subScores, modifiers];
}
