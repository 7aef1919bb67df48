// Texts of the unexpected-protocol detector.
import { usageSentence } from "../kernel/destination-usage.ts";
import type { OddService } from "../kernel/odd-service.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { atLeast, duration, hostPort, size, within } from "../../../kit/text.ts";
import type { EarlierFetch, UnexpectedContext } from "./score.ts";
import type { UnexpectedDestination } from "./state.ts";
import { titleLine } from "../../../kit/title-line.ts";

const SECOND = 1_000_000;

export function describeUnexpected(
  destination: UnexpectedDestination,
  odd: OddService | null,
  { deviceName, users, deviceCount, fetch }: UnexpectedContext,
): Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation"> {
  const { ip, port, count, bytesIn, bytesOut, longest, firstSeen, lastSeen, serverName } = destination;
  const peer = hostPort(ip, port);
  const server = serverName === null ? peer : `${serverName} (${peer})`;
  const protocol = odd?.name ?? "an unknown protocol";
  const after = fetch === null || fetch.port === port ? null : fetch;
  const fetched = after?.isExecutable === false ? "content of no stated type" : "an executable";
  // A sensor that sees one direction only.
  const received = bytesIn === 0 ? "no data seen from the server" : `${size(bytesIn)} received`;
  const sent = bytesOut === 0 ? "no data seen from the device" : `${size(bytesOut)} sent`;
  const volume = bytesIn + bytesOut === 0
    ? ""
    : `, ${received} and ${sent}, longest connection ${duration(longest / SECOND)}`;
  return {
    title: after === null
      ? titleLine`${odd?.name ?? "Unknown protocol"} on port ${port}: ${deviceName} to ${ip}`
      : titleLine`${deviceName} fetched ${
        after.isExecutable ? "an executable" : "a file"
      } from ${ip}, then used port ${port}`,
    phrase: after === null
      ? `${protocol} to ${peer}`
      : `${fetched} fetched from ${ip}, then ${protocol} to ${peer}`,
    summary: `${deviceName} and ${server} used ` +
      `${odd === null ? "a protocol that the sensor does not recognize" : `${odd.name} ${odd.why},`} ` +
      `${within(firstSeen, lastSeen)}: ${atLeast(count, "record")}${volume}.${
        fetchSentence(after, fetched, firstSeen)
      }`,
    explanation: `${meaning(odd, after)} ${
      usageSentence(users, deviceCount)
    } Find out which program on ${deviceName} connects to ${ip} and who runs that server${
      after === null ? "" : "; isolate the device if you cannot find out"
    }. If the connection is legitimate, suppress it for this server and port.`,
  };
}

function fetchSentence(fetch: EarlierFetch | null, fetched: string, firstSeen: number): string {
  if (fetch === null) return "";
  const seconds = Math.max(0, firstSeen - fetch.lastSeen) / SECOND;
  const gap = seconds < 1 ? "just" : duration(seconds);
  return ` It had fetched ${fetched} from port ${fetch.port} of the same address ${gap} before.`;
}

function meaning(odd: OddService | null, fetch: EarlierFetch | null): string {
  if (fetch?.isExecutable === false) {
    return "A download whose content nobody named, followed by a long session on another port of the same server, is how " +
      "the first stage of malware loads the second one and receives commands, if the sensor sees one direction only. " +
      "Players, games and devices that get their settings from a server and then stay connected to it look similar.";
  }
  if (fetch !== null) {
    return "A small program from a server, followed by a connection to another port of the same server, is how the first " +
      "stage of malware loads the second one and receives commands. Installers that contact the server they came from " +
      "look similar, but are rare.";
  }
  if (odd === null) {
    return "Sensors recognize nearly all protocols of outbound traffic. An unrecognized one, on a port of no known program, " +
      "is often remote control; games, peer-to-peer programs and proprietary protocols look similar.";
  }
  if (odd.name === "LDAP") {
    return "Programs query the directory of their own site, on its standard ports. A server that queries an outside one was " +
      "often exploited (Log4Shell) and fetches an executable next.";
  }
  if (odd.name === "IRC") {
    return "Few people still use IRC, while bots have received their commands over it for decades, on its own ports and " +
      "on others. Legitimate users know their channels and their program.";
  }
  if (odd.name === "SSH") {
    return "SSH on such a port passes firewalls and can carry anything: tunnels, reverse shells, files. Administrators also " +
      "set this up to reach their own machines from anywhere.";
  }
  return "A known protocol on another service's port evades filters and attention, as malware does. Vendors' appliances " +
    "and test servers do it out of habit.";
}
