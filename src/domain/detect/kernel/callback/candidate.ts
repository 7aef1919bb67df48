// Which flows belong to a channel.
import { isOneHost } from "../../../../kit/net/ip.ts";
import { onlyAssumedInside } from "../peer.ts";

/**
 * UDP services that are periodic by design between any two hosts; other detectors cover their misuse.
 * DHCP 67/68 and 546/547, NTP 123, NetBIOS 137/138, SSDP 1900, WS-Discovery 3702, mDNS 5353, LLMNR 5355.
 */
export const PERIODIC_UDP_PORTS: ReadonlySet<number> = new Set([
  67,
  68,
  123,
  137,
  138,
  546,
  547,
  1900,
  3702,
  5353,
  5355,
]);

/** Ports of name resolvers: the one internal service that forwards a device's data to the outside. */
export const RESOLVER_PORTS: ReadonlySet<number> = new Set([53, 853]);

/**
 * What must be known of a flow: endpoints as the sensor names them, and which of them are internal devices.
 */
export interface BeaconFlow {
  src: { ip: string; port: number | null };
  dst: { ip: string; port: number | null };
  /** Lower-case keyword. */
  proto: string;
  srcInternal: boolean;
  dstInternal: boolean;
  /**
   * True if no internal networks are configured and private addresses are only assumed to be inside. A peer
   * in another private range than the device's may then be external.
   */
  internalAssumed: boolean;
  /** One direction as an exporter saw it: its source need not be the originator. */
  exporterDirection: boolean;
}

/**
 * Whether the flow belongs to a channel: TCP or UDP from an internal device to one host. An internal peer
 * counts only as a resolver: nearly all traffic inside a network is regular (monitoring, backup, printers,
 * file shares), so a rhythm there means nothing, while an implant that uses DNS is visible inside only as
 * regular queries to the resolver. A peer that is only assumed to be internal counts as well.
 */
export function isBeaconCandidate(flow: BeaconFlow): boolean {
  const { src, dst, proto } = flow;
  if (!flow.srcInternal || dst.port === null || dst.port === 0) return false;
  if (proto !== "tcp" && proto !== "udp") return false;
  if (proto === "udp" && PERIODIC_UDP_PORTS.has(dst.port)) return false;
  if (
    flow.dstInternal && !RESOLVER_PORTS.has(dst.port) &&
    !onlyAssumedInside(flow.internalAssumed, src.ip, dst.ip)
  ) return false;
  if (flow.exporterDirection && isReplyHalf(src.port, dst.port)) return false;
  return isOneHost(dst.ip);
}

/** The server's half of a conversation: from a service port to a client's port. */
function isReplyHalf(srcPort: number | null, dstPort: number): boolean {
  return srcPort !== null && srcPort < 1024 && dstPort >= 1024;
}
