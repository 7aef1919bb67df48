import type { Context } from "hono";
import { formatIp, isLoopbackIp, parseIp } from "../kit/net/ip.ts";
import { peerOf } from "../kit/net/listen.ts";

/**
 * Where a request comes from, in canonical text; null where that is not known.
 *
 * Behind a proxy (`proxied`) it is the last entry of X-Forwarded-For: the proxy wrote that one, whatever a client
 * put before it. It is believed only from a proxy on this machine. Without a proxy the header is a client's own and
 * says nothing.
 */
export function clientAddress(c: Context, proxied: boolean): string | null {
  const peer = parseIp(withoutZone(peerOf(c.env)?.address ?? ""));
  if (peer === null) return null;
  if (proxied && isLoopbackIp(peer)) {
    const last = lastHop(c.req.header("x-forwarded-for") ?? "");
    if (last !== null) return formatIp(last);
  }
  return formatIp(peer);
}

/**
 * The key under which an address is counted: itself, or for IPv6 its /64, which is what one customer has at least.
 * Requests of unknown origin share one key.
 */
export function addressKey(address: string | null): string {
  const ip = parseIp(address ?? "");
  if (ip === null) return "unknown";
  return ip.length === 4 ? formatIp(ip) : `${formatIp(ip.map((byte, i) => i < 8 ? byte : 0))}/64`;
}

/** Some proxies write a port behind the address, and IPv6 in brackets. */
function lastHop(header: string): Uint8Array | null {
  const text = header.slice(header.lastIndexOf(",") + 1).trim();
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(text);
  return parseIp(withoutZone(match?.[1] ?? match?.[2] ?? text));
}

function withoutZone(text: string): string {
  return text.replace(/%.*$/s, "");
}
