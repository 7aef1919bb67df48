import { isResolverTransaction } from "../flow/dns-answers.ts";
import { statedName } from "../flow/server-name.ts";
import type { HttpFacts, KerberosFacts, SmbFacts, SshFacts, TlsFacts } from "../record/facts.ts";
import type { Observation } from "../record/observation.ts";
import { displayHostName } from "./display-name.ts";
import { registeredDomain } from "./registered-domain.ts";

/**
 * Facts an observation can contribute to a device, by the end of the flow they describe.
 *
 * | kind (client) | value |
 * |---|---|
 * | `domain` | registered domain it asked for: by DNS, TLS server name or HTTP host |
 * | `ja3`, `ja4`, `hassh` | fingerprints of its hello |
 * | `user_agent` | HTTP user agent |
 * | `ssh_client` | its software, from the banner |
 * | `smb_user` | account of a session that was not refused: `DOMAIN\user`, or `user` |
 * | `smb_host` | its own name; `detail` is the same if suitable for display |
 * | `smb_domain` | domain it logs in to, NetBIOS name or Kerberos realm |
 * | `kerberos_principal` | `user@REALM` that was issued a ticket; `detail` is the host name of a machine account |
 *
 * | kind (server) | value |
 * |---|---|
 * | `ja3s`, `ja4s`, `hassh_server` | fingerprints of its hello |
 * | `certificate` | fingerprint of its certificate, or else the subject; `detail` is the subject |
 * | `ssh_server` | its software, from the banner |
 * | `ssh_host_key` | fingerprint of its host key, in the sensor's notation |
 */
export const DEVICE_FACT_KINDS = [
  "domain",
  "ja3",
  "ja4",
  "hassh",
  "user_agent",
  "ssh_client",
  "smb_user",
  "smb_host",
  "smb_domain",
  "kerberos_principal",
  "ja3s",
  "ja4s",
  "hassh_server",
  "certificate",
  "ssh_server",
  "ssh_host_key",
] as const;
export type DeviceFactKind = (typeof DEVICE_FACT_KINDS)[number];

/** Facts kept per device and kind, newest first; maintenance deletes the rest. */
export const MAX_FACTS_OF_KIND = 250;
/** UTF-16 code units; short enough for an index in UTF-8, too. */
const MAX_VALUE = 512;

export interface DeviceFact {
  end: "src" | "dst";
  kind: DeviceFactKind;
  value: string;
  detail: string | null;
}

/** All facts of one observation about its two ends. */
export function deviceFacts(observation: Observation): DeviceFact[] {
  const { facts } = observation;
  switch (facts?.type) {
    case "dns":
      return isResolverTransaction(observation) ? domainFact(facts.query) : [];
    case "tls":
      return [...domainFact(statedName(observation)?.name ?? null), ...tlsFacts(facts)];
    case "http":
      return [...domainFact(statedName(observation)?.name ?? null), ...httpFacts(facts)];
    case "ssh":
      return sshFacts(facts);
    case "smb":
      return smbFacts(facts);
    case "kerberos":
      return kerberosFacts(facts);
    default:
      return [];
  }
}

function fact(
  end: DeviceFact["end"],
  kind: DeviceFactKind,
  value: string | null,
  detail: string | null = null,
): DeviceFact[] {
  return value === null || value.length > MAX_VALUE ? [] : [{ end, kind, value, detail }];
}

function domainFact(name: string | null): DeviceFact[] {
  return name === null ? [] : fact("src", "domain", registeredDomain(name));
}

function tlsFacts(facts: TlsFacts): DeviceFact[] {
  return [
    ...fact("src", "ja3", facts.ja3),
    ...fact("src", "ja4", facts.ja4),
    ...fact("dst", "ja3s", facts.ja3s),
    ...fact("dst", "ja4s", facts.ja4s),
    ...fact("dst", "certificate", facts.fingerprint ?? facts.subject, facts.subject),
  ];
}

function httpFacts(facts: HttpFacts): DeviceFact[] {
  return fact("src", "user_agent", facts.userAgent);
}

function sshFacts(facts: SshFacts): DeviceFact[] {
  return [
    ...fact("src", "ssh_client", facts.clientSoftware),
    ...fact("src", "hassh", facts.hassh),
    ...fact("dst", "ssh_server", facts.serverSoftware),
    ...fact("dst", "hassh_server", facts.hasshServer),
    ...fact("dst", "ssh_host_key", facts.hostKey),
  ];
}

/** A session setup takes several messages, only the last of which succeeds. */
const SMB_NOT_REFUSED: ReadonlySet<string | null> = new Set([
  null,
  "STATUS_SUCCESS",
  "STATUS_MORE_PROCESSING_REQUIRED",
]);

function smbFacts(facts: SmbFacts): DeviceFact[] {
  const { user, domain, host } = facts;
  const account = user !== null && domain !== null ? `${domain}\\${user}` : user;
  return [
    ...SMB_NOT_REFUSED.has(facts.status) ? fact("src", "smb_user", account) : [],
    ...fact("src", "smb_host", host, displayHostName(host)),
    ...fact("src", "smb_domain", domain),
  ];
}

/** Only a client that was issued a ticket has proven its identity. */
function kerberosFacts({ messageType, client, realm, error }: KerberosFacts): DeviceFact[] {
  if (client === null || error !== null || !messageType?.endsWith("-REP")) return [];
  const machine = /^([^/@]+)\$$/.exec(client)?.[1] ?? /^host\/([^/@]+)$/.exec(client)?.[1] ?? null;
  const principal = realm === null || client.includes("@") ? client : `${client}@${realm}`;
  return fact("src", "kerberos_principal", principal, displayHostName(machine));
}
