/** IANA keywords of the IP protocols that sensors report, lower-case. */
const KEYWORDS: ReadonlyMap<number, string> = new Map([
  [0, "hopopt"],
  [1, "icmp"],
  [2, "igmp"],
  [3, "ggp"],
  [4, "ipv4"],
  [5, "st"],
  [6, "tcp"],
  [7, "cbt"],
  [8, "egp"],
  [9, "igp"],
  [12, "pup"],
  [17, "udp"],
  [27, "rdp"],
  [33, "dccp"],
  [41, "ipv6"],
  [43, "ipv6-route"],
  [44, "ipv6-frag"],
  [46, "rsvp"],
  [47, "gre"],
  [50, "esp"],
  [51, "ah"],
  [58, "ipv6-icmp"],
  [59, "ipv6-nonxt"],
  [60, "ipv6-opts"],
  [88, "eigrp"],
  [89, "ospfigp"],
  [94, "ipip"],
  [97, "etherip"],
  [98, "encap"],
  [103, "pim"],
  [108, "ipcomp"],
  [112, "vrrp"],
  [115, "l2tp"],
  [132, "sctp"],
  [133, "fc"],
  [135, "mobility header"],
  [136, "udplite"],
  [137, "mpls-in-ip"],
]);

/** Names that tools write instead of the IANA keyword. */
const ALIASES: ReadonlyMap<string, number> = new Map([
  ["icmp6", 58],
  ["icmpv6", 58],
  ["icmp4", 1],
  ["icmpv4", 1],
  ["ipencap", 4],
  ["ospf", 89],
  ["mobility-header", 135],
]);

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...[...KEYWORDS].map(([number, keyword]) => [keyword, number] as const),
  ...ALIASES,
]);

/**
 * The protocol number of a keyword (any case, common aliases too) or of a decimal number 0 to 255, else
 * `null`.
 */
export function protocolNumber(text: string): number | null {
  const known = NUMBERS.get(text) ?? NUMBERS.get(text.toLowerCase());
  if (known !== undefined) return known;
  return /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : null;
}

/** The IANA keyword of a protocol number in lower case, or the number as text if none is listed. */
export function protocolKeyword(number: number): string {
  return KEYWORDS.get(number) ?? String(number);
}
