import { canonicalIp, formatIp, isUnstatedIp } from "../../../kit/net/ip.ts";
import type { JsonValue } from "../../../kit/json/json.ts";
import { address, type Fields, firstOf } from "../fields.ts";

// Field names in the JSON of goflow2, pmacct and nfdump. Their names do not collide, so one list covers all
// three. goflow2 wrote `SrcAddr` before version 2 and `src_addr` since.

export const NAMES = {
  srcIp: [...goflow("src_addr"), "ip_src", "src4_addr", "src6_addr"],
  dstIp: [...goflow("dst_addr"), "ip_dst", "dst4_addr", "dst6_addr"],
  srcPort: [...goflow("src_port"), "port_src"],
  dstPort: [...goflow("dst_port"), "port_dst"],
  proto: [...goflow("proto"), "ip_proto"],
  etype: goflow("etype"),
  icmpType: goflow("icmp_type"),
  icmpCode: goflow("icmp_code"),
  bytes: [...goflow("bytes"), "in_bytes"],
  packets: [...goflow("packets"), "in_packets"],
  // Elements 85 and 86, where a mapping or a custom primitive exports them.
  totalBytes: ["octetTotalCount", "octet_total_count"],
  totalPackets: ["packetTotalCount", "packet_total_count"],
  firewallEvent: ["event_id", "fw_event", "firewall_event"],
  // By reliability: the interface's own VLAN, the tag in a sampled packet, pmacct's, nfdump's.
  vlan: [...goflow("src_vlan"), ...goflow("vlan_id"), "dot1q_vlan_id", "vlan", "vlan_in", "vlanID"],
  samplingRate: goflow("sampling_rate"),
  exporter: [...goflow("sampler_address"), "peer_ip_src", "ip4_router", "ip6_router"],
  tcpFlags: [...goflow("tcp_flags"), "TCPFlags"],
  inputInterface: [...goflow("in_if"), "iface_in", "input_snmp"],
  outputInterface: [...goflow("out_if"), "iface_out", "output_snmp"],
  // goflow2 has no NAT fields; these are common names for the fields 225 to 228 in its mapping file.
  natSrcIp: ["src4_xlt_ip", "src6_xlt_ip", "post_nat_ip_src", "post_nat_src_addr"],
  natDstIp: ["dst4_xlt_ip", "dst6_xlt_ip", "post_nat_ip_dst", "post_nat_dst_addr"],
  natSrcPort: ["src_xlt_port", "post_nat_port_src", "post_napt_src_port"],
  natDstPort: ["dst_xlt_port", "post_nat_port_dst", "post_napt_dst_port"],
} as const;

/** The value of the first of these names that is present and not null. */
export function valueOf(payload: Fields, names: readonly string[]): JsonValue | undefined {
  return firstOf(payload, names)?.value;
}

/** The name used by the record; the first one if it uses none. */
export function nameOf(payload: Fields, names: readonly string[]): string {
  return firstOf(payload, names)?.name ?? names[0] ?? "";
}

/**
 * An address as text, or base64 of its 4 or 16 bytes as in goflow2's older JSON. Exporters fill in the unspecified
 * address for one that they do not export, so a stated one under a further name takes precedence.
 */
export function exportedAddress(payload: Fields, names: readonly string[]): string | null {
  let unstated: string | null = null;
  for (const name of names) {
    const value = payload[name];
    if (value === undefined || value === null) continue;
    const ip = typeof value === "string" ? address(value) ?? base64Address(value) : null;
    if (ip === null || !isUnstatedIp(ip)) return ip ?? unstated;
    unstated ??= ip;
  }
  return unstated;
}

/**
 * Like `exportedAddress`, but also accepts hex, which goflow2 writes for a mapped field without a renderer.
 */
export function mappedAddress(value: JsonValue | undefined): string | null {
  if (typeof value !== "string") return null;
  return address(value) ?? base64Address(value) ?? hexAddress(value);
}

/** The spellings of a goflow2 field: `src_addr`, `SrcAddr`, and `srcAddr` in its protobuf JSON. */
export function goflow(name: string): string[] {
  const pascal = name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return [name, pascal, pascal.charAt(0).toLowerCase() + pascal.slice(1)];
}

function base64Address(value: string): string | null {
  if (!/^(?:[A-Za-z0-9+/]{6}==|[A-Za-z0-9+/]{22}==)$/.test(value)) return null;
  const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  return canonicalIp(formatIp(bytes));
}

function hexAddress(value: string): string | null {
  if (!/^(?:[0-9a-f]{8}|[0-9a-f]{32})$/.test(value)) return null;
  return canonicalIp(formatIp(Uint8Array.fromHex(value)));
}
