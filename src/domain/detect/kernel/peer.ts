// What kind of address a peer has.
import { canonicalIp, formatIp, parseIp } from "../../../kit/net/ip.ts";

/**
 * Whether a peer counts as internal only because it is private, in another range than the device's: without
 * configured networks it may be external.
 */
export function onlyAssumedInside(networksAssumed: boolean, ownIp: string, peerIp: string): boolean {
  return networksAssumed && privateRange(ownIp) !== privateRange(peerIp);
}

function privateRange(ip: string): string {
  if (ip.startsWith("10.")) return "10/8";
  if (ip.startsWith("192.168.")) return "192.168/16";
  if (/^172\.(1[6-9]|2\d|3[01])\./.test(ip)) return "172.16/12";
  return /^f[cd]/.test(ip) ? "fc00::/7" : "other";
}

/**
 * The key of an address outside of the site: an IPv6 address counts as its /64, within which one host chooses
 * its addresses freely.
 */
export function outsideKey(ip: string): string {
  const bytes = parseIp(ip);
  return bytes?.length === 16 ? `${formatIp(bytes.slice().fill(0, 8))}/64` : ip;
}

/** Whether a text is an IP address rather than a name. */
export function isIpText(text: string): boolean {
  return canonicalIp(text) !== null;
}
