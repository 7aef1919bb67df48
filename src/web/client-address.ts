import type { Context } from "hono";
import { formatIp, isLoopbackIp, parseIp } from "../kit/net/ip.ts";
import { peerOf } from "../kit/net/listen.ts";

/**
 * The client's address in canonical text; null if unknown.
 *
 * Behind a proxy (`proxied`) it is the last entry of X-Forwarded-For, which the proxy wrote whatever the
 * client sent. It is trusted only from a proxy on this machine. Without a proxy the header is the client's
 * own and ignored.
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
 * The key under which an address is counted: itself, or its /64 for IPv6, which is the least that one
 * customer has. Requests of unknown origin share a key.
 */
export function addressKey(address: string | null): string {
  const ip = parseIp(address ?? "");
  if (ip === null) return "unknown";
  return ip.length === 4 ? formatIp(ip) : `${formatIp(ip.map((byte, i) => i < 8 ? byte : 0))}/64`;
}

/** Some proxies append a port, and put IPv6 in brackets. */
function lastHop(header: string): Uint8Array | null {
  const text = header.slice(header.lastIndexOf(",") + 1).trim();
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(text);
  return parseIp(withoutZone(match?.[1] ?? match?.[2] ?? text));
}

function withoutZone(text: string): string {
  return text.replace(/%.*$/s, "");
}
