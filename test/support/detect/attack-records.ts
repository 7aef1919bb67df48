// Records of attacks, for the scenarios of tests over all detectors.
import type { PartyHit } from "../../../src/domain/intel/hits.ts";
import type {
  AlertFacts,
  DhcpFacts,
  DnsFacts,
  Facts,
  HttpFacts,
  SmbFacts,
} from "../../../src/domain/record/facts.ts";
import { random } from "./beacon-fixtures.ts";
import { type Seen, type Setting, times } from "./play-fixtures.ts";

export interface AttackScenario {
  name: string;
  /** Models that must report it. */
  models: readonly string[];
  /** What the site does before, in the order of time. */
  before?: readonly Seen[];
  /** What detectors learn from: while they see it, the learning phase lasts. */
  learning?: readonly Seen[];
  seen: readonly Seen[];
  setting?: Setting;
}

export const MINUTE = 60;
export const HOUR = 3600;
export const DAY = 24 * HOUR;
export const MB = 1_000_000;

/** The compromised device, two servers of the site and hosts outside, which are in documentation ranges. */
export const VICTIM = "10.0.0.5";
export const SERVER = "10.0.0.9";
export const RESOLVER = "10.0.0.53";
export const OUTSIDE = "203.0.113.7";

export const ANSWERED = { out: [2000, 12], in: [5000, 14] } as const;
export const UNANSWERED = { out: [0, 1], in: [0, 0] } as const;

/** The name of a server in the scenarios, as long as DNS permits if `long`. */
export function serverName(long: boolean): string {
  return long ? `${`${"very-long-label-".repeat(3)}x.`.repeat(4)}example.org` : "news.example.org";
}

export function letters(seed: number): (length: number) => string {
  const next = random(seed);
  return (length) => times(length, () => String.fromCharCode(97 + Math.floor(next() * 26))).join("");
}

export function from(index: number, src = VICTIM): string {
  return `${src} ${30_000 + index}`;
}

export function dns(query: string, more: Partial<DnsFacts> = {}): DnsFacts {
  return { type: "dns", query, qtype: "A", rcode: "NOERROR", answers: [], answered: true, ...more };
}

export function http(more: Partial<HttpFacts>): HttpFacts {
  return {
    type: "http",
    method: "GET",
    host: null,
    uri: "/",
    userAgent: "Mozilla/5.0",
    referrer: null,
    version: "1.1",
    status: 200,
    contentType: "text/html",
    requestBytes: null,
    responseBytes: 7168,
    username: null,
    ...more,
  };
}

export function dhcp(server: string, client: number, router: string): DhcpFacts {
  return {
    type: "dhcp",
    messageType: "ack",
    clientMac: `02:00:00:00:00:${client.toString(16).padStart(2, "0")}`,
    clientId: null,
    hostName: null,
    vendorClass: null,
    requestedIp: null,
    assignedIp: `10.0.0.${client}`,
    leaseSeconds: 3600,
    serverIp: server,
    routers: [router],
    dnsServers: [router],
    subnetMask: "255.255.255.0",
  };
}

export function alert(signature: string, category: string): AlertFacts {
  return {
    type: "alert",
    gid: 1,
    signatureId: 2_000_001,
    revision: 1,
    signature,
    category,
    priority: 1,
    action: "allowed",
    metadata: {},
  };
}

export function hit(
  match: Partial<PartyHit["match"]> & { indicator: string },
  vias: PartyHit["vias"] = ["peer"],
): PartyHit {
  return {
    partyIp: VICTIM,
    match: { list: "feodo.csv", kind: "ip", description: "Emotet", confidence: null, exact: true, ...match },
    vias,
  };
}

export function ssh(authSuccess: boolean): Facts {
  return {
    type: "ssh",
    version: 2,
    clientSoftware: "libssh",
    serverSoftware: "OpenSSH",
    hassh: null,
    hasshServer: null,
    hostKey: null,
    authSuccess,
    authAttempts: 1,
  };
}

export function kerberos(client: string): Facts {
  return {
    type: "kerberos",
    messageType: "ERROR",
    client,
    realm: "CORP",
    service: "krbtgt/CORP",
    encryption: null,
    ticketEncryption: null,
    weakEncryption: null,
    error: "KDC_ERR_PREAUTH_FAILED",
  };
}

export function smb(more: Partial<SmbFacts>): Facts {
  return {
    type: "smb",
    command: "SMB2_COMMAND_CREATE",
    status: "STATUS_SUCCESS",
    dialect: "3.11",
    share: null,
    filename: null,
    namedPipe: null,
    user: null,
    domain: null,
    host: null,
    rpcInterface: null,
    rpcOperation: null,
    ...more,
  };
}

/** Connections about `period` seconds apart, up to a tenth early or late. */
export function rhythm(count: number, period: number, one: (index: number) => Partial<Seen>): Seen[] {
  const next = random(count);
  return times(count, (index) => ({
    at: index * period + (next() - 0.5) * period / 5,
    src: from(index),
    dst: `${OUTSIDE} 443`,
    out: [587, 8],
    in: [900, 9],
    ...one(index),
  }));
}

/** Attempts without an answer, `step` seconds apart. */
export function attempts(
  count: number,
  step: number,
  dst: (index: number) => string,
  more: Partial<Seen> = {},
): Seen[] {
  return times(
    count,
    (index) => ({ at: index * step, src: from(index), dst: dst(index), ...UNANSWERED, ...more }),
  );
}
