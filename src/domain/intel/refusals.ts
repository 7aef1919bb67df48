import { parse } from "tldts";
import { type Cidr, cidrContains, formatIp, parseCidr } from "../../kit/net/ip.ts";
import { quoted, type Refusal } from "./indicator.ts";

// Indicators that are never used: a mistaken or poisoned list must not flag a site's own network or half of
// the internet.

const SHORTEST_PREFIX = { 4: 8, 6: 16 } as const;

/** Networks that are site-specific or name no host (RFC 6890). */
const NOT_PUBLIC = [
  special("0.0.0.0/8", "unspecified"),
  special("10.0.0.0/8", "private"),
  special("100.64.0.0/10", "shared between a carrier's customers"),
  special("127.0.0.0/8", "loopback"),
  special("169.254.0.0/16", "link-local"),
  special("172.16.0.0/12", "private"),
  special("192.168.0.0/16", "private"),
  special("224.0.0.0/4", "multicast"),
  special("255.255.255.255/32", "broadcast"),
  special("::/127", "unspecified or loopback"),
  special("fc00::/7", "private"),
  special("fe80::/10", "link-local"),
  special("ff00::/8", "multicast"),
];

/** Why an address may not be an indicator; null if it may. */
export function addressRefusal(bytes: Uint8Array): Refusal | null {
  const hit = NOT_PUBLIC.find(({ cidr }) => cidrContains(cidr, bytes));
  return hit === undefined
    ? null
    : { expected: `expected a public address, but ${formatIp(bytes)} is ${hit.what}` };
}

export function networkRefusal(cidr: Cidr): Refusal | null {
  const text = `${formatIp(cidr.first)}/${cidr.prefix}`;
  const shortest = SHORTEST_PREFIX[cidr.version];
  if (cidr.prefix < shortest) return { expected: `expected a prefix of /${shortest} or longer, got ${text}` };
  const hit = NOT_PUBLIC.find((special) =>
    cidrContains(special.cidr, cidr.first) || cidrContains(cidr, special.cidr.first)
  );
  return hit === undefined ? null : { expected: `expected a public network, but ${text} is ${hit.what}` };
}

const AS_GIVEN = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  mixedInputs: false,
  detectIp: false,
};

type SuffixKind = "registry" | "provider" | null;

/**
 * Whether others register names below this one: with a registry (`com`, `co.uk`), or with a provider that
 * assigns names to its customers (`github.io`, `duckdns.org`).
 */
export function suffixKind(name: string): SuffixKind {
  const found = parse(name, AS_GIVEN);
  if (found.publicSuffix !== name) return null;
  return found.isIcann ? "registry" : found.isPrivate ? "provider" : null;
}

export function suffixRefusal(name: string): Refusal {
  return { expected: `expected a registered domain, but ${quoted(name)} is a public suffix` };
}

function special(network: string, what: string): { cidr: Cidr; what: string } {
  const cidr = parseCidr(network);
  if (cidr === null) throw new TypeError(`expected a network, got "${network}"`);
  return { cidr, what };
}
