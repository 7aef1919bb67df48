import type { JsonValue } from "../../../kit/json/json.ts";
import {
  address,
  expectTexts,
  type Fields,
  identifier,
  orWarn,
  portOf,
  protocol,
  small,
  text,
  vlanOf,
} from "../fields.ts";
import type { Micros, RecordContext } from "../observation.ts";
import type { Unparsed } from "../record-type.ts";
import { timeOf } from "../times.ts";
import { endpoint, isIcmp, type Tuple } from "../tuple.ts";

/** The tuple of an EVE record as stated, which for some event types has the packet's direction. */
export function eveTuple(payload: Fields, warnings: string[]): Tuple | Unparsed {
  const srcIp = address(payload.src_ip);
  if (srcIp === null) return { unparsed: "src_ip: expected an address" };
  const dstIp = address(payload.dest_ip);
  if (dstIp === null) return { unparsed: "dest_ip: expected an address" };
  const proto = protocol(payload.proto, srcIp);
  if (proto === null) return { unparsed: "proto: expected a protocol" };
  return {
    src: endpoint(srcIp, portOf(payload.src_port, "src_port", warnings), proto),
    dst: endpoint(dstIp, portOf(payload.dest_port, "dest_port", warnings), proto),
    proto,
    icmp: isIcmp(proto) ? eveIcmp(payload, warnings) : null,
  };
}

function eveIcmp({ icmp_type: type, icmp_code: code }: Fields, warnings: string[]): Tuple["icmp"] {
  const read = orWarn(small(type, 255), type, "icmp_type: expected an ICMP type", warnings);
  const readCode = orWarn(small(code, 255), code, "icmp_code: expected an ICMP code", warnings);
  return read === null ? null : { type: read, code: readCode };
}

/** Members common to all EVE records, apart from tuple and time. */
export function eveCommon(payload: Fields, warnings: string[]) {
  const { flow_id: id } = payload;
  return {
    nativeId: orWarn(identifier(id), id, "flow_id: expected an identifier", warnings),
    vlan: vlanOf(payload.vlan, "vlan", warnings),
    exporter: null,
    claimedCommunityId: payload.community_id,
  };
}

/** `timestamp`, or the envelope's time if the record has none. */
export function eveTime(payload: Fields, context: RecordContext, warnings: string[]): Micros {
  return timeOf(payload.timestamp, "timestamp", warnings) ?? context.observedAt;
}

/** Like `eveTime`, for a record with a single time: when the event was complete. */
export function eveMoment(
  payload: Fields,
  context: RecordContext,
  warnings: string[],
): { start: Micros; end: Micros } {
  const at = eveTime(payload, context, warnings);
  return { start: at, end: at };
}

/**
 * Like `eveTuple`, for a record about a packet: decoder events may concern a non-IP packet, which has no
 * addresses. Recent releases omit the members, earlier ones write empty strings.
 */
export function packetTuple(payload: Fields, warnings: string[]): Tuple | Unparsed {
  if (isAbsent(payload.src_ip) && isAbsent(payload.dest_ip)) {
    return {
      unparsed: "src_ip: expected an address; an event about a non-IP packet has no flow",
    };
  }
  return eveTuple(payload, warnings);
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === "";
}

/** The application protocol; null for `failed`, which Suricata writes if it could not detect one. */
export function appProtocol(fields: Fields, warnings: string[]): string | null {
  expectTexts(fields, ["app_proto"], warnings);
  const name = text(fields.app_proto, 64);
  return name === "failed" || name === "unknown" ? null : name;
}
