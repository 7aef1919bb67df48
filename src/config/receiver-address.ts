import {
  type Cidr,
  cidrContains,
  isLoopbackIp,
  isMulticastIp,
  isUnspecifiedIp,
  parseCidr,
  parseIp,
} from "../kit/net/ip.ts";

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
  // Site-local, deprecated by RFC 3879: no receiver has such an address, but routers may still forward it.
  "fec0::/10",
].map(cidrOf);

const LOCAL_NAT64 = cidrOf("64:ff9b:1::/48");

/** The IPv6 networks whose addresses embed an IPv4 address, and the position of its four bytes. */
const EMBEDDING: readonly { network: Cidr; at: readonly number[]; inverted?: true }[] = [
  // IPv4-compatible (RFC 4291) and IPv4-translated for SIIT (RFC 2765).
  { network: cidrOf("::/96"), at: [12, 13, 14, 15] },
  { network: cidrOf("::ffff:0:0:0/96"), at: [12, 13, 14, 15] },
  // NAT64: well-known prefix, and the local-use one with a /96 or a /48 (RFC 6052, byte 8 is zero).
  { network: cidrOf("64:ff9b::/96"), at: [12, 13, 14, 15] },
  { network: LOCAL_NAT64, at: [12, 13, 14, 15] },
  { network: LOCAL_NAT64, at: [6, 7, 9, 10] },
  // 6to4.
  { network: cidrOf("2002::/16"), at: [2, 3, 4, 5] },
  // Teredo (RFC 4380): the server, and the client with all bits inverted.
  { network: cidrOf("2001::/32"), at: [4, 5, 6, 7] },
  { network: cidrOf("2001::/32"), at: [12, 13, 14, 15], inverted: true },
];

function cidrOf(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === null) throw new TypeError(`not a network: ${text}`);
  return cidr;
}

/**
 * Whether the appliance may connect to this address: for webhooks, telemetry and the identity provider.
 * Anything but an address is refused too.
 */
export function mayBeReceiver(address: string): boolean {
  // parseIp returns the IPv4 address of an IPv4-mapped one.
  const ip = parseIp(address.replace(/%.*$/s, ""));
  if (ip === null || isMulticastIp(ip) || isRefused(ip)) return false;
  // ::1 lies in ::/96 and embeds no address.
  return isLoopbackIp(ip) ||
    embeddedAddresses(ip).every((embedded) => !isRefused(embedded));
}

function embeddedAddresses(ip: Uint8Array): Uint8Array[] {
  const found = EMBEDDING.filter(({ network }) => cidrContains(network, ip)).map(({ at, inverted }) =>
    Uint8Array.from(at, (index) => inverted ? ip[index]! ^ 0xff : ip[index]!)
  );
  // With a /96 of the local-use NAT64 prefix, the bytes that a /48 would use are usually zero padding.
  const padding = found.length > 1 && cidrContains(LOCAL_NAT64, ip) && isUnspecifiedIp(found[1]!);
  if (padding) found.pop();
  if (isIsatap(ip)) found.push(ip.slice(12));
  return found;
}

/** An ISATAP interface identifier (RFC 5214), in any network: `0:5efe` or `200:5efe` before the IPv4 address. */
function isIsatap(ip: Uint8Array): boolean {
  return ip.length === 16 && (ip[8]! & 0xfd) === 0 && ip[9] === 0 && ip[10] === 0x5e && ip[11] === 0xfe;
}

function isRefused(ip: Uint8Array): boolean {
  return REFUSED.some((network) => cidrContains(network, ip));
}
