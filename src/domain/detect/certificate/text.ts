// The certificate detector's sentences.
import { commonName, EXPIRED, NO_NAME, NOT_YET_VALID, SELF_SIGNED } from "../kernel/certificate-faults.ts";
import type { CertificateContext } from "./score.ts";
import type { CertificateDestination, RandomNames } from "./state.ts";
import { usageSentence } from "../kernel/destination-usage.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { hostPort, list, moment, plural, within } from "../kernel/wording.ts";

type Texts = Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation">;

export function describeCertificate(place: CertificateDestination, context: CertificateContext): Texts {
  const { faults, ip, port, count, serverName, subject, issuer, firstSeen, lastSeen, expiry } = place;
  const { deviceName, twins, users, deviceCount } = context;
  const peer = hostPort(ip, port);
  const where = faults & NO_NAME || serverName === null ? peer : `${serverName} (${peer})`;
  const phrase = `TLS to ${peer} with ${kind(faults)} certificate`;
  const named = faults & NO_NAME ? ", without asking for a server's name," : "";
  const owner = commonName(subject);
  const expired = faults & EXPIRED && expiry !== null ? ` It expired at ${moment(expiry)}.` : "";
  const same = twins.length === 0
    ? ""
    : ` The same certificate was shown by ${
      list(twins.slice(0, 4).map((twin) => hostPort(twin.ip, twin.port)))
    }.`;
  return {
    title: `${kindTitle(faults)} certificate: ${deviceName} to ${peer}`,
    phrase,
    summary: `${deviceName} opened ${plural(count, "TLS session")} to ${where}${named} ` +
      `${within(firstSeen, lastSeen)}. The server's certificate is ${kind(faults)} one` +
      `${owner === null ? "" : ` for "${owner}"`}${issuedBy(faults, issuer)}.${expired}${same}`,
    explanation:
      `${
        why(faults)
      } Command-and-control servers are set up this way, because nobody signs for them; so are ` +
      `appliances, private servers, VPN gateways and some programs that bring their own authority. ` +
      `${
        usageSentence(users, deviceCount)
      } Find out which program on ${deviceName} opens these sessions and who runs ` +
      `${ip}; look for other servers with the same certificate, and for what else the device did at ${
        moment(firstSeen)
      }.`,
  };
}

export function describeMadeUp(madeUp: RandomNames, deviceName: string): Texts {
  const servers = madeUp.servers.count;
  const { examples, firstSeen, lastSeen } = madeUp;
  const shown = examples.slice(0, 4).map(({ ip, port, name }) => `${name} at ${hostPort(ip, port)}`);
  return {
    title: `${deviceName} speaks TLS to ${servers} servers with made-up names`,
    phrase: `TLS to ${servers} servers with made-up names, as relays of Tor have`,
    summary: `${deviceName} opened TLS sessions to ${plural(servers, "server")} ${
      within(firstSeen, lastSeen)
    }, whose names are random letters, another at each: ${list(shown)}.`,
    explanation:
      `Relays of Tor make up names of this form, and a new certificate every few hours. Who uses Tor hides with whom ` +
      `it speaks: malware does, and so do people who want privacy. Ask the user of ${deviceName} whether Tor was ` +
      `installed on purpose; if not, look for the program that opens these sessions and treat the device as compromised.`,
  };
}

function kind(faults: number): string {
  if (faults & SELF_SIGNED) return faults & EXPIRED ? "an expired self-signed" : "a self-signed";
  if (faults & NOT_YET_VALID) return "a not yet valid";
  return faults & EXPIRED ? "an expired" : "an unvouched-for";
}

function kindTitle(faults: number): string {
  if (faults & SELF_SIGNED) return "Self-signed";
  if (faults & NOT_YET_VALID) return "Not yet valid";
  return faults & EXPIRED ? "Expired" : "Unvouched-for";
}

function issuedBy(faults: number, issuer: string | null): string {
  if (faults & SELF_SIGNED || issuer === null) return "";
  return `, issued by "${commonName(issuer) ?? issuer}"`;
}

function why(faults: number): string {
  if (faults & SELF_SIGNED) {
    return faults & NO_NAME
      ? "The client asked for no name and took a certificate that vouches for itself: it does not care with whom it speaks, " +
        "or knows this one certificate."
      : "The certificate vouches for itself, so any program that checks certificates would have refused it.";
  }
  if (faults & NOT_YET_VALID) {
    return "The certificate's time has not begun, so a program that checks would have refused it.";
  }
  if (faults & EXPIRED) {
    return "The certificate's time is over, so a program that checks would have refused it.";
  }
  return "No authority that programs know vouches for the certificate.";
}
