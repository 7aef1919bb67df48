// Texts of the certificate detector.
import { commonName, EXPIRED, NO_NAME, NOT_YET_VALID, SELF_SIGNED } from "../kernel/certificate-faults.ts";
import { usageSentence } from "../kernel/destination-usage.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { atLeast, hostPort, list, moment, within } from "../../../kit/text.ts";
import type { CertificateContext } from "./score.ts";
import type { CertificateDestination, RandomNames } from "./state.ts";
import { titleLine } from "../../../kit/title-line.ts";

type Texts = Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation">;

/** Servers listed in a summary. */
const LISTED = 4;

export function describeCertificate(destination: CertificateDestination, context: CertificateContext): Texts {
  const { faults, ip, port, count, serverName, subject, issuer, firstSeen, lastSeen, expiry } = destination;
  const { deviceName, twins, users, deviceCount } = context;
  const peer = hostPort(ip, port);
  const server = faults & NO_NAME || serverName === null ? peer : `${serverName} (${peer})`;
  const nameless = faults & NO_NAME ? " without sending a server name" : "";
  const owner = commonName(subject);
  const expired = faults & EXPIRED && expiry !== null ? ` It expired at ${moment(expiry)}.` : "";
  const same = twins.length === 0
    ? ""
    : ` The same certificate was presented by ${
      list(twins.slice(0, LISTED).map((twin) => hostPort(twin.ip, twin.port)))
    }.`;
  return {
    title: titleLine`${kindTitle(faults)} certificate: ${deviceName} to ${peer}`,
    phrase: `TLS to ${peer} with ${kind(faults)} certificate`,
    summary: `${deviceName} opened ${atLeast(count, "TLS session")} to ${server}${nameless} ` +
      `${within(firstSeen, lastSeen)}. The server presented ${kind(faults)} certificate` +
      `${owner === null ? "" : ` for "${owner}"`}${issuedBy(faults, issuer)}.${expired}${same}`,
    explanation:
      `${
        meaning(faults)
      } Command-and-control servers often use such certificates, and so do appliances, private ` +
      `servers, VPN gateways and programs with their own certificate authority. ${
        usageSentence(users, deviceCount)
      } Find out which program on ${deviceName} opens these sessions and who runs ${ip}; look for other servers ` +
      `with the same certificate and for other activity of the device around ${moment(firstSeen)}.`,
  };
}

export function describeRandomNames(randomNames: RandomNames, deviceName: string): Texts {
  const servers = randomNames.servers.count;
  const { examples, firstSeen, lastSeen } = randomNames;
  const shown = examples.slice(0, LISTED).map(({ ip, port, name }) => `${name} at ${hostPort(ip, port)}`);
  return {
    title: titleLine`TLS to ${servers} servers with random names: ${deviceName}`,
    phrase: `TLS to ${servers} servers with random names, typical of Tor relays`,
    summary: `${deviceName} opened TLS sessions to ${atLeast(servers, "server")} ${
      within(firstSeen, lastSeen)
    }. Each server has a different name of random letters: ${list(shown)}.`,
    explanation:
      `Tor relays generate names of this form, with a new certificate every few hours. Tor hides the destination: ` +
      `malware uses it, and so do people who want privacy. Ask the user of ${deviceName} whether Tor was installed ` +
      `on purpose; if not, look for the program that opens these sessions and treat the device as compromised.`,
  };
}

function kind(faults: number): string {
  if (faults & SELF_SIGNED) return faults & EXPIRED ? "an expired self-signed" : "a self-signed";
  if (faults & NOT_YET_VALID) return "a not yet valid";
  return faults & EXPIRED ? "an expired" : "an untrusted";
}

function kindTitle(faults: number): string {
  if (faults & SELF_SIGNED) return "Self-signed";
  if (faults & NOT_YET_VALID) return "Not yet valid";
  return faults & EXPIRED ? "Expired" : "Untrusted";
}

function issuedBy(faults: number, issuer: string | null): string {
  if (faults & SELF_SIGNED || issuer === null) return "";
  return `, issued by "${commonName(issuer) ?? issuer}"`;
}

function meaning(faults: number): string {
  if (faults & SELF_SIGNED) {
    return faults & NO_NAME
      ? "The client sent no server name and accepted a self-signed certificate: it does not verify the server, or " +
        "knows this one certificate."
      : "The certificate is self-signed; any program that verifies certificates would have rejected it.";
  }
  if (faults & NOT_YET_VALID) {
    return "The certificate is not valid yet; a program that verifies certificates would have rejected it.";
  }
  if (faults & EXPIRED) {
    return "The certificate has expired; a program that verifies certificates would have rejected it.";
  }
  return "The certificate is not signed by a commonly trusted authority.";
}
