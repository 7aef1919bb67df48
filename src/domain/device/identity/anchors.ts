import type { Micros } from "../../record/observation.ts";
import { isDistinctiveName, shortHostName } from "../host-name.ts";
import { macKind } from "../mac-kind.ts";

/**
 * Evidence that two addresses belong to one machine. The weight states how strongly an equal value shows it (1 would
 * be certain); devices merge from `MERGE_WEIGHT` on (see same-device.ts). Anchors of one `family` have the same
 * origin and count once, by the highest weight.
 *
 * | class | weight | evidence |
 * |---|---|---|
 * | `inventory` | 1 | an inventory entry that lists both addresses |
 * | `mac` | 0.9, randomized 0.4 | the MAC address that leased the address |
 * | `kerberos_principal` | 0.9, a person's 0.1 | a machine account (`ws-77$`) belongs to one machine; people move around |
 * | `dhcp_client_id` | 0.6 | as the MAC address if derived from one |
 * | `ssh_host_key` | 0.6 | a server's key; images and factory settings may share one |
 * | `dhcp_hostname`, `smb_host` | 0.5 | the machine's own name, unless it is a default one |
 * | `tls_certificate` | 0.5 | the certificate it serves; a farm may share one |
 * | `ip_static` | 0.3 | an address kept for a week without a lease: shown, never compared |
 * | `dhcp_vendor_class`, `tls_client`, `ssh_client` | 0.05 | a kind of software, never a machine |
 */
const ANCHOR_CLASSES = [
  "inventory",
  "mac",
  "kerberos_principal",
  "dhcp_client_id",
  "ssh_host_key",
  "dhcp_hostname",
  "smb_host",
  "tls_certificate",
  "ip_static",
  "dhcp_vendor_class",
  "tls_client",
  "ssh_client",
] as const;
export type AnchorClass = (typeof ANCHOR_CLASSES)[number];

export interface Anchor {
  class: AnchorClass;
  /** Human-readable. */
  value: string;
  /** The evidence source that saw it. */
  source: string;
  firstSeen: Micros;
  lastSeen: Micros;
  /** UTC days it was seen on, as days since 1970, ascending. */
  days: readonly number[];
}

/** An anchor and its value as evidence. */
export interface Clue {
  anchor: Anchor;
  traits: AnchorTraits;
}

export function clueOf(anchor: Anchor): Clue {
  return { anchor, traits: traitsOf(anchor) };
}

export interface AnchorTraits {
  weight: number;
  /** Based on a randomized MAC address. */
  randomized: boolean;
  /** An equal value suffices by itself, even if both addresses are in use at once. */
  strong: boolean;
  /** An equal value supports another one. */
  confirming: boolean;
  /** Comparison key, equal across classes of one origin; null if the value identifies no machine. */
  key: string | null;
  /** Values of one family count once. */
  family: string;
}

const MACHINE = { randomized: false, strong: true, confirming: true };
const CONFIRMING = { randomized: false, strong: false, confirming: true };
const WEAK = { randomized: false, strong: false, confirming: false };
const NO_IDENTITY = { weight: 0, ...WEAK, key: null };

/** The value of an anchor by itself; whether it is shared depends on other devices. */
export function traitsOf({ class: kind, value }: Pick<Anchor, "class" | "value">): AnchorTraits {
  switch (kind) {
    case "inventory":
      return { weight: 1, ...MACHINE, key: `inventory ${value}`, family: "inventory" };
    case "mac":
      return hardware(value);
    case "dhcp_client_id":
      return clientId(value);
    case "kerberos_principal":
      return principal(value);
    case "dhcp_hostname":
    case "smb_host": {
      const name = shortHostName(value);
      if (name === null || !isDistinctiveName(name)) return { ...NO_IDENTITY, family: "name" };
      return { weight: 0.5, ...CONFIRMING, key: `name ${name}`, family: "name" };
    }
    case "ssh_host_key":
      return { weight: 0.6, ...CONFIRMING, key: `ssh ${value}`, family: "ssh" };
    case "tls_certificate":
      return { weight: 0.5, ...CONFIRMING, key: `tls ${value}`, family: "tls" };
    case "ip_static":
      return { weight: 0.3, ...WEAK, key: null, family: "address" };
    case "dhcp_vendor_class":
    case "tls_client":
    case "ssh_client":
      return { weight: 0.05, ...WEAK, key: `software ${kind} ${value}`, family: "software" };
  }
}

function hardware(mac: string): AnchorTraits {
  const family = "hardware";
  switch (macKind(mac)) {
    case "hardware":
      return { weight: 0.9, ...MACHINE, key: `mac ${mac}`, family };
    case "randomized":
      return { weight: 0.4, ...WEAK, randomized: true, key: `mac ${mac}`, family };
    case "virtual":
      return { ...NO_IDENTITY, family };
  }
}

const MAC_ID = /^01:((?:[0-9a-f]{2}:){5}[0-9a-f]{2})$/;
/** Type 255, four octets for the interface, then the machine identifier (RFC 4361). */
const MACHINE_ID = /^ff:(?:[0-9a-f]{2}:){4}((?:[0-9a-f]{2}:)+[0-9a-f]{2})$/;

function clientId(value: string): AnchorTraits {
  const id = value.toLowerCase();
  const mac = MAC_ID.exec(id)?.[1];
  if (mac !== undefined) return hardware(mac);
  return { weight: 0.6, ...CONFIRMING, key: `client ${MACHINE_ID.exec(id)?.[1] ?? id}`, family: "client" };
}

/**
 * `ws-77$@CORP.EXAMPLE` and `host/ws-77.corp.example@…` are machines; everything else is a person or a
 * service.
 */
function principal(value: string): AnchorTraits {
  const name = value.toLowerCase();
  const machine = /^[^@/]+\$(?:@|$)/.test(name) || name.startsWith("host/");
  if (!machine) return { weight: 0.1, ...WEAK, key: `person ${name}`, family: "person" };
  return { weight: 0.9, ...MACHINE, key: `account ${name}`, family: "account" };
}
