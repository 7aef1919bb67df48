import {
  type Cidr,
  cidrContains,
  isBroadcastIp,
  isLinkLocalIp,
  isLoopbackIp,
  isMulticastIp,
  parseIp,
} from "../../kit/ip.ts";
import type { Observation } from "../records/observation.ts";

/** True for an address of the site's own networks that can be one host's. */
export function isDeviceAddress(ip: string, networks: readonly Cidr[]): boolean {
  const bytes = parseIp(ip);
  if (!bytes || isMulticastIp(bytes) || isBroadcastIp(bytes) || isLoopbackIp(bytes)) return false;
  if (bytes.every((byte) => byte === 0)) return false;
  // A link-local address means another host on each link.
  if (isLinkLocalIp(bytes)) return false;
  return networks.some((network) => cidrContains(network, bytes));
}

/**
 * True when the record shows that somebody answers at its destination. A sweep over empty addresses, or a
 * broadcast, must not fill the device list with hosts that do not exist.
 */
export function responderAnswered(observation: Observation): boolean {
  const { counters, facts } = observation;
  if (facts?.type === "dns") return facts.answered;
  if (facts?.type === "alert") return !/[.]255$/.test(observation.dst.ip);
  if (counters === null) return false;
  return Number(counters.dstToSrc.packets ?? 0) > 0 || Number(counters.dstToSrc.bytes ?? 0) > 0;
}
