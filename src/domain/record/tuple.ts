import { icmpPorts } from "./icmp.ts";
import type { Endpoint, Observation } from "./observation.ts";

/** The two ends of a flow and its protocol. */
export type Tuple = Pick<Observation, "src" | "dst" | "proto" | "icmp">;

const WITH_PORTS: ReadonlySet<string> = new Set(["tcp", "udp", "sctp", "dccp", "udplite"]);

export function isIcmp(proto: string): boolean {
  return proto === "icmp" || proto === "ipv6-icmp";
}

/** One end of a flow. Drops ports of protocols without ports: sensors write 0 or an ICMP type there. */
export function endpoint(ip: string, port: number | null, proto: string): Endpoint {
  return { ip, port: WITH_PORTS.has(proto) ? port : null };
}

/** Whether the type has a counterpart, like echo request and reply. */
export function isPairedIcmp(ip: string, type: number): boolean {
  return !icmpPorts(ip.includes(":"), type, null).oneWay;
}

/**
 * The same flow seen from its other end. An ICMP request becomes its reply and vice versa; an ICMP message
 * without a counterpart is a flow of its own and stays unchanged.
 */
export function reversed(tuple: Tuple): Tuple {
  const { src, dst, proto, icmp } = tuple;
  if (icmp === null) return { src: dst, dst: src, proto, icmp };
  const ports = icmpPorts(src.ip.includes(":"), icmp.type, icmp.code);
  if (ports.oneWay || ports.dst === null) return tuple;
  return { src: dst, dst: src, proto, icmp: { type: ports.dst, code: icmp.code } };
}
