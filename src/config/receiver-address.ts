import { type Cidr, cidrContains, isLoopbackIp, isMulticastIp, parseCidr, parseIp } from "../kit/net/ip.ts";

/**
 * Addresses that no receiver may have: metadata services of clouds, which hand out the machine's credentials,
 * and addresses of no single machine.
 */
const REFUSED: readonly Cidr[] = [
  // Link-local: AWS, Azure, GCP, OpenStack and others at 169.254.169.254; AWS tasks at 169.254.170.2 and fe80::…
  "169.254.0.0/16",
  "fe80::/10",
  // AWS, GCP
  "fd00:ec2::/32",
  "fd20:ce::254/128",
  // Alibaba, Oracle, Azure
  "100.100.100.200/32",
  "192.0.0.192/32",
  "168.63.129.16/32",
  "0.0.0.0/8",
  "255.255.255.255/32",
  "::/128",
].map(cidrOf);

/** IPv6 that embeds an IPv4 address, and at which byte: IPv4-compatible, NAT64 (both prefixes), 6to4. */
const EMBEDDING: readonly { network: Cidr; at: number }[] = [
  { network: cidrOf("::/96"), at: 12 },
  { network: cidrOf("64:ff9b::/96"), at: 12 },
  { network: cidrOf("64:ff9b:1::/48"), at: 12 },
  { network: cidrOf("2002::/16"), at: 2 },
];

function cidrOf(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === null) throw new TypeError(`not a network: ${text}`);
  return cidr;
}

/** Whether a webhook may be delivered to this address. Anything but an address is refused too. */
export function mayBeReceiver(address: string): boolean {
  // parseIp returns the IPv4 address of an IPv4-mapped one.
  const ip = parseIp(address.replace(/%.*$/s, ""));
  if (ip === null || isMulticastIp(ip) || isRefused(ip)) return false;
  // ::1 lies in ::/96 and embeds no address.
  return isLoopbackIp(ip) ||
    EMBEDDING.every(({ network, at }) => !cidrContains(network, ip) || !isRefused(ip.slice(at, at + 4)));
}

function isRefused(ip: Uint8Array): boolean {
  return REFUSED.some((network) => cidrContains(network, ip));
}
