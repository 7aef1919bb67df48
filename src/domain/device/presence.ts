import { type Cidr, cidrContains, isOneHost, parseIp } from "../../kit/net/ip.ts";
import type { TlsFacts } from "../record/facts.ts";
import type { Observation } from "../record/observation.ts";

/** True for an address within the site's own networks that can belong to one host. */
export function isDeviceAddress(ip: string, networks: readonly Cidr[]): boolean {
  if (!isOneHost(ip)) return false;
  const bytes = parseIp(ip)!;
  return networks.some((network) => cidrContains(network, bytes));
}

/**
 * True if the record shows a response from its destination. Sweeps over unused addresses and broadcasts must
 * not fill the device list with hosts that do not exist.
 */
export function responderAnswered(observation: Observation): boolean {
  const { counters, facts } = observation;
  switch (facts?.type) {
    case "dns":
      return facts.answered;
    case "alert":
      return !/[.]255$/.test(observation.dst.ip);
    case "tls":
      return hasServerHello(facts);
    case "http":
      return facts.status !== null;
    case "ssh":
      return (facts.serverSoftware ?? facts.hasshServer ?? facts.hostKey) !== null;
    case "smb":
      return (facts.status ?? facts.dialect) !== null;
    case "kerberos":
      // Only replies are logged, both tickets and errors.
      return facts.messageType !== null;
    case "dhcp":
      // A reply has the server as its destination because the client is put first.
      return DHCP_REPLIES.has(facts.messageType);
  }
  if (counters === null) return false;
  return Number(counters.dstToSrc.packets ?? 0) > 0 || Number(counters.dstToSrc.bytes ?? 0) > 0;
}

const DHCP_REPLIES: ReadonlySet<string | null> = new Set(["offer", "ack", "nak"]);

/** Properties that only the server's part of the handshake reveals: its choices, its certificate. */
function hasServerHello(facts: TlsFacts): boolean {
  return facts.established === true || facts.resumed === true ||
    (facts.version ?? facts.cipher ?? facts.alpn ?? facts.ja3s ?? facts.ja4s ?? facts.subject ??
        facts.issuer ?? facts.fingerprint) !== null;
}
