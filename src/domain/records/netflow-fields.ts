import { canonicalIp, formatIp } from "../../kit/ip.ts";
import type { JsonValue } from "../../kit/json.ts";
import { address, type Fields, firstOf } from "./fields.ts";
import { readEpoch, readTime, type Time } from "./times.ts";

// Where the JSON of goflow2, pmacct and nfdump has what. The names of the three do not collide, so one list
// serves all of them. goflow2 wrote `SrcAddr` before version 2, `src_addr` since.

export const NAMES = {
  srcIp: [...goflow("src_addr"), "ip_src", "src4_addr", "src6_addr"],
  dstIp: [...goflow("dst_addr"), "ip_dst", "dst4_addr", "dst6_addr"],
  srcPort: [...goflow("src_port"), "port_src"],
  dstPort: [...goflow("dst_port"), "port_dst"],
  proto: [...goflow("proto"), "ip_proto"],
  icmpType: goflow("icmp_type"),
  icmpCode: goflow("icmp_code"),
  bytes: [...goflow("bytes"), "in_bytes"],
  packets: [...goflow("packets"), "in_packets"],
  vlan: [...goflow("src_vlan"), ...goflow("vlan_id"), "vlan"],
  samplingRate: goflow("sampling_rate"),
  exporter: [...goflow("sampler_address"), "peer_ip_src", "ip4_router", "ip6_router"],
} as const;

type TimeReader = (value: JsonValue) => Time | null;
type TimeField = readonly [name: string, read: TimeReader];

const nanos: TimeReader = (value) => readEpoch(value, "ns");
const millis: TimeReader = (value) => readEpoch(value, "ms");
const seconds: TimeReader = (value) => readEpoch(value, "s");

const STARTS: readonly TimeField[] = [
  ...goflow("time_flow_start_ns").map((name) => [name, nanos] as const),
  ...goflow("time_flow_start_ms").map((name) => [name, millis] as const),
  ...goflow("time_flow_start").map((name) => [name, seconds] as const),
  ["timestamp_start", readTime],
  ["timestamp_min", readTime],
  ["first", readTime],
  ["t_first", readTime],
  // pmacct without `timestamp_start` in its aggregate: the time bin the record belongs to.
  ["stamp_inserted", readTime],
];
const ENDS: readonly TimeField[] = [
  ...goflow("time_flow_end_ns").map((name) => [name, nanos] as const),
  ...goflow("time_flow_end_ms").map((name) => [name, millis] as const),
  ...goflow("time_flow_end").map((name) => [name, seconds] as const),
  ["timestamp_end", readTime],
  ["timestamp_max", readTime],
  ["last", readTime],
  ["t_last", readTime],
  ["stamp_updated", readTime],
];
const RECEIPTS: readonly TimeField[] = [
  ...goflow("time_received_ns").map((name) => [name, nanos] as const),
  ...goflow("time_received").map((name) => [name, seconds] as const),
  ["timestamp_arrival", readTime],
  ["received", readTime],
  ["t_received", readTime],
];

export function flowStart(payload: Fields): Time | null {
  return firstTime(payload, STARTS);
}

export function flowEnd(payload: Fields): Time | null {
  return firstTime(payload, ENDS);
}

/** When the collector received the export packet. */
export function flowReceived(payload: Fields): Time | null {
  return firstTime(payload, RECEIPTS);
}

/** An address as text, or as the base64 of its 4 or 16 bytes, which goflow2's older JSON writes. */
export function exportedAddress(payload: Fields, names: readonly string[]): string | null {
  const found = firstOf(payload, names);
  if (found === null || typeof found.value !== "string") return null;
  return address(found.value) ?? base64Address(found.value);
}

function base64Address(value: string): string | null {
  if (!/^(?:[A-Za-z0-9+/]{6}==|[A-Za-z0-9+/]{22}==)$/.test(value)) return null;
  const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  return canonicalIp(formatIp(bytes));
}

/** The first of these times that is set: exporters and collectors leave 0, and the text of 0, where there is none. */
function firstTime(payload: Fields, fields: readonly TimeField[]): Time | null {
  for (const [name, read] of fields) {
    const value = payload[name];
    const time = value === undefined || value === null ? null : read(value);
    if (time !== null && time.micros > 0) return time;
  }
  return null;
}

/** The spellings of a goflow2 field: `src_addr`, `SrcAddr`, and `srcAddr` of its protobuf JSON. */
function goflow(name: string): string[] {
  const pascal = name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return [name, pascal, pascal.charAt(0).toLowerCase() + pascal.slice(1)];
}
