import type { JsonValue } from "../../../kit/json/json.ts";
import {
  address,
  asObject,
  type Fields,
  isStated,
  orWarn,
  portOf,
  protocol,
  small,
  text,
  vlanOf,
  warn,
} from "../fields.ts";
import type { Micros, RecordContext } from "../observation.ts";
import type { Unparsed } from "../record-type.ts";
import { readEpoch, readTime, span, type Time, timeOf } from "../times.ts";
import { endpoint, isIcmp, isPairedIcmp, type Tuple } from "../tuple.ts";

/** Longer intervals come from a broken clock. */
const MAX_SECONDS = 366 * 86_400;
/**
 * Epoch seconds stay below 1e11 until the year 5138; epoch milliseconds have exceeded it since 1973. The same
 * holds for milliseconds and microseconds at 1e14, and for nanoseconds at 1e17.
 */
const LEAST_MILLIS = 1e11;
const LEAST_MICROS = 1e14;
const LEAST_NANOS = 1e17;
const MAX_ICMP = 255;
const ISO_DURATION =
  /^P(?=.*\d[DHMS]$)(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,12}(?:\.\d{1,30})?)S)?)?$/;

/**
 * The connection 4-tuple in any of its three spellings: `id.orig_h` as Zeek writes it, `id_orig_h` from log
 * shippers that replace dots, and `id: {orig_h}` from shippers that expand dots.
 *
 * `conn.log` and `dns.log` state the transport; a log without `proto` uses the one `implied` by its protocol.
 */
export function zeekTuple(payload: Fields, warnings: string[], implied?: string): Tuple | Unparsed {
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

  const srcPort = portOf(member("orig_p"), "id.orig_p", warnings);
  const dstPort = portOf(member("resp_p"), "id.resp_p", warnings);
  return {
    src: endpoint(srcIp, srcPort, proto),
    dst: endpoint(dstIp, dstPort, proto),
    proto,
    icmp: isIcmp(proto) ? zeekIcmp(srcIp, srcPort, dstPort, warnings) : null,
  };
}

/**
 * Zeek puts the ICMP type into the originator's port, and the counterpart type, else the code, into the
 * responder's.
 */
function zeekIcmp(
  ip: string,
  origPort: number | null,
  respPort: number | null,
  warnings: string[],
): Tuple["icmp"] {
  if (origPort === null) return null;
  if (origPort > MAX_ICMP) {
    warn(warnings, "id.orig_p: expected an ICMP type");
    return null;
  }
  if (isPairedIcmp(ip, origPort) || respPort === null) return { type: origPort, code: null };
  if (respPort <= MAX_ICMP) return { type: origPort, code: respPort };
  warn(warnings, "id.resp_p: expected an ICMP code");
  return { type: origPort, code: null };
}

/** Members common to all logs of a connection, apart from tuple and time. */
export function zeekCommon(payload: Fields, warnings: string[]) {
  return {
    nativeId: orWarn(text(payload.uid, 64), payload.uid, "uid: expected text", warnings),
    vlan: zeekVlan(payload, warnings),
    exporter: null,
    claimedCommunityId: payload.community_id,
  };
}

/**
 * The outer VLAN tag: from `conn.log` with vlan-logging, or from any log if connections are separated by tags
 * (Zeek 8).
 */
function zeekVlan(payload: Fields, warnings: string[]): number | null {
  const context = asObject(asObject(payload.id)?.ctx);
  return vlanOf(payload.vlan, "vlan", warnings) ??
    vlanOf(payload["id.ctx.vlan"] ?? payload.id_ctx_vlan ?? context?.vlan, "id.ctx.vlan", warnings);
}

/** The interval from `ts`, or from the envelope's time if absent, lasting the member `length`; null for an instant. */
export function zeekSpan(
  payload: Fields,
  length: "duration" | "rtt" | null,
  context: RecordContext,
  warnings: string[],
): { start: Micros; end: Micros } {
  const start = zeekStart(payload, context, warnings);
  if (length === null) return { start, end: start };
  const seconds = secondsOf(payload[length]);
  if (seconds === null) {
    if (isStated(payload[length])) warn(warnings, `${length}: expected seconds`);
    return { start, end: start };
  }
  return span(start, start + Math.round(seconds * 1e6), start, warnings);
}

/** The time of `ts`, or the envelope's if absent. */
export function zeekStart(payload: Fields, context: RecordContext, warnings: string[]): Micros {
  const { ts } = payload;
  if (!isScaled(ts)) return timeOf(ts, "ts", warnings) ?? context.observedAt;
  const time = zeekTime(ts);
  if (time === null) warn(warnings, "ts: expected a time");
  return time?.micros ?? context.observedAt;
}

/**
 * A time in any format of `LogAscii::json_timestamps`: epoch seconds, epoch milliseconds, ISO text. Log shippers
 * also write epoch microseconds and nanoseconds.
 */
export function zeekTime(value: JsonValue | undefined): Time | null {
  if (!isScaled(value)) return readTime(value);
  if (value >= LEAST_NANOS) return readEpoch(value, "ns");
  return readEpoch(value, value >= LEAST_MICROS ? "us" : "ms");
}

function isScaled(value: JsonValue | undefined): value is number | bigint {
  return (typeof value === "number" || typeof value === "bigint") && value >= LEAST_MILLIS;
}

/** An interval member in microseconds, stated in seconds. Warns if present but invalid. */
export function zeekInterval(payload: Fields, name: string, warnings: string[]): Micros | null {
  const seconds = secondsOf(payload[name]);
  if (seconds !== null && seconds >= 0 && seconds <= MAX_SECONDS) return Math.round(seconds * 1e6);
  if (isStated(payload[name])) warn(warnings, `${name}: expected seconds`);
  return null;
}

/** Seconds as a number or its text, or an ISO 8601 duration (`PT1.25S`). */
function secondsOf(value: JsonValue | undefined): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.length > 64) return null;
  if (/^\d{1,12}(\.\d{1,30})?$/.test(value)) return Number(value);
  const iso = ISO_DURATION.exec(value);
  if (iso === null) return null;
  const [days, hours, minutes, seconds] = iso.slice(1).map((part) => Number(part ?? 0));
  return days! * 86_400 + hours! * 3600 + minutes! * 60 + seconds!;
}

/** A flag of this name. Warns if it has a value of another form. */
export function zeekFlagOf(payload: Fields, name: string, warnings: string[]): boolean | null {
  return orWarn(zeekFlag(payload[name]), payload[name], `${name}: expected a boolean`, warnings);
}

/** A boolean, also as the letter in Zeek's tab-separated logs. */
export function zeekFlag(value: JsonValue | undefined): boolean | null {
  if (value === true || value === "T") return true;
  return value === false || value === "F" ? false : null;
}
