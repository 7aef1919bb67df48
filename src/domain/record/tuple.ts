import { icmpPorts } from "./icmp.ts";
import type { Endpoint, Observation } from "./observation.ts";

/** The two ends of a flow and its protocol. */
export type Tuple = Pick<Observation, "src" | "dst" | "proto" | "icmp">;

const WITH_PORTS: ReadonlySet<string> = new Set(["tcp", "udp", "sctp", "dccp", "udplite"]);

export function isIcmp(proto: string): boolean {
  return proto === "icmp" || proto === "ipv6-icmp";
}

/** An end of a flow. Ports of a protocol that has none are dropped: sensors write 0 there, or an ICMP type. */
export function endpoint(ip: string, port: number | null, proto: string): Endpoint {
  return { ip, port: WITH_PORTS.has(proto) ? port : null };
}

/** The type has an answering one, as an echo request has its reply. */
export function isPairedIcmp(ip: string, type: number): boolean {
  return !icmpPorts(ip.includes(":"), type, null).oneWay;
}

/**
 * The same flow from its other end. An ICMP request becomes its reply and the reverse; an ICMP message that has
 * no answer is a flow of its own and has no other end, so it stays as it is.
 */
export function reversed(tuple: Tuple): Tuple {
  const { src, dst, proto, icmp } = tuple;
  if (icmp === null) return { src: dst, dst: src, proto, icmp };
  const ports = icmpPorts(src.ip.includes(":"), icmp.type, icmp.code);
  if (ports.oneWay || ports.dst === null) return tuple;
  return { src: dst, dst: src, proto, icmp: { type: ports.dst, code: icmp.code } };
}
