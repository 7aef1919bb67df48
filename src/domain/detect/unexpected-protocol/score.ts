// What an unexpected protocol is worth, and how it is told.
//
// Score = points of the protocol, of how much came, how long and how often, and what the circumstances add or take.
import type { Fetch } from "../kernel/fetches.ts";
import { KIT_PORTS, type OddService } from "../kernel/odd-service.ts";
import { usageModifier, usageSentence } from "../kernel/destination-usage.ts";
import type { DetectorResult, SubScore } from "../kernel/result.ts";
import type { UnexpectedDestination } from "./state.ts";
import { extra, logShare, share } from "../kernel/score.ts";
import { duration, hostPort, plural, size, within } from "../kernel/wording.ts";

/** No protocol was recognised on a port of nobody's. */
const UNKNOWN_POINTS = 6;
/** Each on a log scale: what came, the longest connection, their number. */
const BYTES_IN = { from: 100_000, full: 10_000_000, points: 6 } as const;
const LONGEST = { fromSeconds: 60, fullSeconds: 3600, points: 6 } as const;
const FLOWS = { full: 100, known: 12, unknown: 6 } as const;
/** A program was fetched from another port of the same address within the hour before: a first and a second stage. */
const AFTER_FETCH_POINTS = 36;
/**
 * Where kits for remote control listen unless they are told otherwise: with a protocol that nobody recognises, a conversation
 * there is worth a look by itself.
 */
const KIT_PORT_POINTS = 14;
/** HTTP or TLS to a bare address. */
const NO_NAME_POINTS = 4;
const MANY_SERVERS_POINTS = -15;

const SECOND = 1_000_000;

export interface UnexpectedContext {
  deviceName: string;
  users: number;
  deviceCount: number;
  fetch: Fetch | null;
  /** The device has many such servers. */
  many: boolean;
}

export function weighUnexpected(
  place: UnexpectedDestination,
  odd: OddService | null,
  { users, deviceCount, fetch, many }: UnexpectedContext,
): [SubScore[], SubScore[]] {
  const { port, count, bytesIn, longest, serverName } = place;
  const seconds = longest / SECOND;
  const flows = odd === null ? FLOWS.unknown : FLOWS.known;
  const isWeb = odd !== null && /HTTP|TLS/.test(odd.name);
  const subScores = [
    odd === null
      ? share("unknown_protocol", 1, UNKNOWN_POINTS, `the sensor recognises no protocol on port ${port}`)
      : share("protocol", 1, odd.points, `${odd.name} ${odd.why} (port ${port})`),
    share(
      "received",
      logShare(bytesIn, BYTES_IN.from, BYTES_IN.full),
      BYTES_IN.points,
      `${size(bytesIn)} came in`,
    ),
    share(
      "longest",
      logShare(seconds, LONGEST.fromSeconds, LONGEST.fullSeconds),
      LONGEST.points,
      `the longest took ${duration(seconds)}`,
    ),
    share("connections", logShare(count, 1, FLOWS.full), flows, plural(count, "record")),
  ];
  const modifiers = [
    fetch === null || fetch.port === port ? null : extra(
      "after_fetch",
      AFTER_FETCH_POINTS,
      `a program was fetched from port ${fetch.port} of the same address before`,
    ),
    KIT_PORTS.has(port) && odd?.atHome !== true
      ? extra("kit_port", KIT_PORT_POINTS, `kits for remote control listen on port ${port} by default`)
      : null,
    isWeb && serverName === null ? extra("no_server_name", NO_NAME_POINTS, "to a bare address") : null,
    many
      ? extra(
        "many_servers",
        MANY_SERVERS_POINTS,
        "the device has many such servers, as peer-to-peer programs do",
      )
      : null,
    usageModifier(users, deviceCount),
  ].filter((one) => one !== null);
  return [subScores, modifiers];
}

export function describeUnexpected(
  place: UnexpectedDestination,
  odd: OddService | null,
  { deviceName, users, deviceCount, fetch }: UnexpectedContext,
): Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation"> {
  const { ip, port, count, bytesIn, bytesOut, longest, firstSeen, lastSeen, serverName } = place;
  const peer = hostPort(ip, port);
  const what = odd?.name ?? "An unknown protocol";
  const after = fetch === null || fetch.port === port ? null : fetch;
  const gap = after === null ? 0 : Math.max(0, firstSeen - after.lastSeen) / SECOND;
  const before = after === null
    ? ""
    : ` ${
      gap < 1 ? "Just" : duration(gap)
    } before, it fetched a program from port ${after.port} of the same address.`;
  const carried = bytesIn + bytesOut === 0
    ? ""
    : `, ${size(bytesIn)} came in and ${size(bytesOut)} went out, the longest connection took ${
      duration(longest / SECOND)
    }`;
  return {
    title: after === null
      ? `${what} on port ${port}: ${deviceName} to ${ip}`
      : `${deviceName} fetched a program from ${ip} and then spoke with it on port ${port}`,
    phrase: after === null
      ? `${odd?.name ?? "an unknown protocol"} to ${peer}`
      : `a program fetched from ${ip}, then ${odd?.name ?? "an unknown protocol"} to ${peer}`,
    summary: `${deviceName} and ${serverName === null ? peer : `${serverName} (${peer})`} spoke ` +
      `${odd === null ? "a protocol that the sensor does not recognise" : `${odd.name} ${odd.why},`} ` +
      `${within(firstSeen, lastSeen)}: ${plural(count, "record")}${carried}.${before}`,
    explanation:
      `${why(odd, after)} ${
        usageSentence(users, deviceCount)
      } Find out which program on ${deviceName} speaks with ` +
      `${ip} and who runs it${
        after === null ? "" : "; isolate the device if nobody can say"
      }. Where it is known and wanted, ` +
      `suppress it for this server and port.`,
  };
}

function why(odd: OddService | null, fetch: Fetch | null): string {
  if (fetch !== null) {
    return "A small program from a server, and soon after a conversation with the same server on another port, is how a first " +
      "stage of malware loads the second and then takes orders. Installers that call home to the machine they came from " +
      "look alike, and are rare.";
  }
  if (odd === null) {
    return "Nearly everything that goes outside is a protocol that sensors know. What they do not know, on a port that belongs " +
      "to no program one knows of, is often remote control; games, peer-to-peer programs and vendors' own protocols look alike.";
  }
  if (odd.name === "LDAP") {
    return "Programs ask the directory of their own site, on its own ports. A server that asks one outside was often told to by a " +
      "request that exploits it (Log4Shell), and fetches a program next.";
  }
  if (odd.name === "IRC") {
    return "Few people chat by IRC today, while bots have taken their orders there for decades, on its own ports and on others. " +
      "Where somebody does chat, the channels and the program are known to that person.";
  }
  if (odd.name === "SSH") {
    return "SSH on such a port passes firewalls and carries anything: tunnels, reverse shells, files. Administrators who want to " +
      "reach their own machines from anywhere set it up, too.";
  }
  return "Who hides a known protocol on another port wants to pass a filter or avoid being looked at, as malware does. Vendors' " +
    "appliances and test servers do it out of habit.";
}
