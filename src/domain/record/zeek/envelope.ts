import type { JsonValue } from "../../../kit/json/json.ts";
import { address, asObject, type Fields, port, protocol, small, text, vlan, warn } from "../fields.ts";
import type { Micros, RecordContext } from "../observation.ts";
import type { Unparsed } from "../record-type.ts";
import { readEpoch, readTime, span, type Time, timeOf } from "../times.ts";
import { endpoint, isIcmp, isPairedIcmp, type Tuple } from "../tuple.ts";

/** Longer intervals come from a broken clock. */
const MAX_SECONDS = 366 * 86_400;
/** Epoch seconds stay below this until the year 5138; epoch milliseconds have exceeded it since 1973. */
const LEAST_MILLIS = 1e11;

/**
 * The connection 4-tuple in any of its three spellings: `id.orig_h` as Zeek writes it, `id_orig_h` from log
 * shippers that replace dots, and `id: {orig_h}` from shippers that expand dots.
 *
 * `conn.log` and `dns.log` state the transport; a log without `proto` uses the one `implied` by its protocol.
 */
export function zeekTuple(payload: Fields, implied?: string): Tuple | Unparsed {
  const nested = asObject(payload.id);
  const member = (name: string): JsonValue | undefined =>
    payload[`id.${name}`] ?? payload[`id_${name}`] ?? nested?.[name];

  const srcIp = address(member("orig_h"));
  if (srcIp === null) return { unparsed: "id.orig_h: expected an address" };
  const dstIp = address(member("resp_h"));
  if (dstIp === null) return { unparsed: "id.resp_h: expected an address" };
  // Since Zeek 7.1 `ip_proto` has the number of a transport that `proto` does not name.
  const proto = payload.proto === "unknown_transport" && small(payload.ip_proto, 255) !== null
    ? protocol(payload.ip_proto, srcIp)
    : protocol(payload.proto ?? implied, srcIp);
  if (proto === null) return { unparsed: "proto: expected a protocol" };

  const srcPort = port(member("orig_p"));
  const dstPort = port(member("resp_p"));
  return {
    src: endpoint(srcIp, srcPort, proto),
    dst: endpoint(dstIp, dstPort, proto),
    proto,
    icmp: isIcmp(proto) ? zeekIcmp(srcIp, srcPort, dstPort) : null,
  };
}

/**
 * Zeek puts the ICMP type into the originator's port, and the counterpart type, else the code, into the
 * responder's.
 */
function zeekIcmp(ip: string, origPort: number | null, respPort: number | null): Tuple["icmp"] {
  if (origPort === null || origPort > 255) return null;
  const code = isPairedIcmp(ip, origPort) || respPort === null || respPort > 255 ? null : respPort;
  return { type: origPort, code };
}

/** Members common to all logs of a connection, apart from tuple and time. */
export function zeekCommon(payload: Fields) {
  return {
    nativeId: text(payload.uid, 64),
    vlan: zeekVlan(payload),
    exporter: null,
    claimedCommunityId: payload.community_id,
  };
}

/**
 * The outer VLAN tag: from `conn.log` with vlan-logging, or from any log if connections are separated by tags
 * (Zeek 8).
 */
function zeekVlan(payload: Fields): number | null {
  const context = asObject(asObject(payload.id)?.ctx);
  return vlan(payload.vlan) ?? vlan(payload["id.ctx.vlan"] ?? payload.id_ctx_vlan ?? context?.vlan);
}

/** The interval from `ts`, or from the envelope's time if absent, lasting `seconds`. */
export function zeekSpan(
  payload: Fields,
  seconds: JsonValue | undefined,
  context: RecordContext,
  warnings: string[],
): { start: Micros; end: Micros } {
  const start = zeekStart(payload, context, warnings);
  const length = secondsOf(seconds);
  if (length === null) return { start, end: start };
  return span(start, start + Math.round(length * 1e6), start, warnings);
}

/** The time of `ts`, or the envelope's if absent. */
export function zeekStart(payload: Fields, context: RecordContext, warnings: string[]): Micros {
  const { ts } = payload;
  return (isMillis(ts) ? zeekTime(ts)?.micros : timeOf(ts, "ts", warnings)) ?? context.observedAt;
}

/** A time in any format of `LogAscii::json_timestamps`: epoch seconds, epoch milliseconds, ISO text. */
export function zeekTime(value: JsonValue | undefined): Time | null {
  return isMillis(value) ? readEpoch(value, "ms") : readTime(value);
}

function isMillis(value: JsonValue | undefined): boolean {
  return typeof value === "number" && value >= LEAST_MILLIS;
}

/** An interval member in microseconds, stated in seconds. Warns if present but invalid. */
export function zeekInterval(payload: Fields, name: string, warnings: string[]): Micros | null {
  const seconds = secondsOf(payload[name]);
  if (seconds !== null && seconds >= 0 && seconds <= MAX_SECONDS) return Math.round(seconds * 1e6);
  if (payload[name] !== undefined && payload[name] !== null) warn(warnings, `${name}: expected seconds`);
  return null;
}

function secondsOf(value: JsonValue | undefined): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,12}(\.\d{1,30})?$/.test(value) ? Number(value) : null;
}

/** A boolean, also as the letter in Zeek's tab-separated logs. */
export function zeekFlag(value: JsonValue | undefined): boolean | null {
  if (value === true || value === "T") return true;
  return value === false || value === "F" ? false : null;
}
