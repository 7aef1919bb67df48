// What an address at the other end is to a device.
import {
  canonicalIp,
  isBroadcastIp,
  isLinkLocalIp,
  isLoopbackIp,
  isMulticastIp,
  isUnspecifiedIp,
  parseIp,
} from "../../kit/ip.ts";

/**
 * Whether an address is called internal only because it is private, in another range than the device's: nobody configured
 * the networks, and so it may as well be a stranger's.
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

/** An address that one host has: no group, no network's broadcast, nobody's. */
export function isOneHost(ip: string): boolean {
  const bytes = parseIp(ip);
  if (bytes === null || isUnspecifiedIp(bytes)) return false;
  return !isMulticastIp(bytes) && !isBroadcastIp(bytes) && !isLoopbackIp(bytes) && !isLinkLocalIp(bytes);
}

/** Whether a text is an address and not a name. */
export function isIpText(text: string): boolean {
  return canonicalIp(text) !== null;
}
