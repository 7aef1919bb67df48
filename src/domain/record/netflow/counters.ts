import { countOf, type Fields, firstOf, orWarn, small, warn, whole } from "../fields.ts";
import { NAMES } from "./fields.ts";
import type { Count, Counters, DirectionCounters } from "../observation.ts";

/**
 * All bits of a 32-bit or 64-bit counter: what exporters write into a field they do not export. A count of
 * exactly this value is far less likely.
 */
const NOT_EXPORTED: ReadonlySet<bigint> = new Set([2n ** 32n - 1n, 2n ** 64n - 1n]);

const NOTHING: DirectionCounters = { bytes: null, packets: null };

/** Event codes of firewalls (element 233): the connection was deleted, or is reported while it lasts. */
const DELETED = 2;
const UPDATED = 5;

/** An export's counters and the rate they were scaled by (null if none above 1). */
interface ExportedCounters {
  counters: Counters | null;
  samplingRate: number | null;
  /** The counters start at the previous report of the flow. */
  isDelta: boolean;
}

/**
 * The counters of an export; null if it counted nothing, like a firewall or NAT event.
 *
 * Exporters and collectors write 0 for what they did not count: no flow has 0 packets, and no packet 0 bytes.
 * A firewall's update or deletion counts the bytes of both directions, one of which may be silent.
 *
 * The counters are totals of the flow if the record says so: total counters (elements 85 and 86), or the
 * deletion of a firewall's connection. All others are delta counters (elements 1 and 2, a firewall's updates),
 * which start at the previous report (RFC 5102, 5.10). An sFlow sample is no report of a flow.
 */
export function exportedCounters(payload: Fields, warnings: string[]): ExportedCounters {
  const rate = statedRate(payload, warnings);
  const hasTotals = firstOf(payload, NAMES.totalBytes) !== null;
  let srcToDst = hasTotals
    ? direction(payload, NAMES.totalBytes, NAMES.totalPackets, rate, warnings)
    : direction(payload, NAMES.bytes, NAMES.packets, rate, warnings);
  let dstToSrc = direction(payload, ["out_bytes"], ["out_packets"], rate, warnings);
  // nfdump, from an exporter that counts flows on egress: still the flow's own direction.
  if (isNothing(srcToDst) && flag(payload, "direction", warnings)) [srcToDst, dstToSrc] = [dstToSrc, NOTHING];
  if (isNothing(srcToDst) && isNothing(dstToSrc)) {
    if (!isEvent(payload) && firstOf(payload, [...NAMES.bytes, ...NAMES.packets]) !== null) {
      warn(warnings, "all counters are 0, treated as not counted");
    }
    return { counters: null, samplingRate: null, isDelta: false };
  }
  const event = firewallEvent(payload, warnings);
  const isOfConnection = event === DELETED || event === UPDATED;
  if (isOfConnection) [srcToDst, dstToSrc] = [withSilence(srcToDst), withSilence(dstToSrc)];
  if (rate > 1) warn(warnings, `counters scaled by sampling rate ${rate}`);
  if (flag(payload, "sampled", warnings)) {
    warn(warnings, "counters scaled by the collector at an unstated rate");
  }
  const semantics = isNothing(dstToSrc) ? "unidirectional_export" : "session";
  return {
    counters: { srcToDst, dstToSrc, semantics },
    samplingRate: rate > 1 ? rate : null,
    isDelta: !hasTotals && event !== DELETED && !isSample(payload),
  };
}

function withSilence({ bytes, packets }: DirectionCounters): DirectionCounters {
  return { bytes: bytes ?? 0, packets };
}

/** The event code of a firewall's record, as nfdump, pmacct or a goflow2 mapping names it; 0 for none. */
function firewallEvent(payload: Fields, warnings: string[]): number {
  const found = firstOf(payload, NAMES.firewallEvent);
  if (found === null) return 0;
  const { name, value } = found;
  return orWarn(small(value, 255), value, `${name}: expected an event code`, warnings) ?? 0;
}

/** goflow2's type of an sFlow sample: its name, or its number before version 2. */
function isSample({ type, Type }: Fields): boolean {
  return type === "SFLOW_5" || Type === "SFLOW_5" || Type === 1;
}

/** Whether nfdump wrote 1. */
function flag(payload: Fields, name: string, warnings: string[]): boolean {
  return orWarn(small(payload[name], 1), payload[name], `${name}: expected 0 or 1`, warnings) === 1;
}

function statedRate(payload: Fields, warnings: string[]): number {
  const found = firstOf(payload, NAMES.samplingRate);
  if (found === null) return 1;
  const rate = small(found.value, 0xffffffff);
  if (rate === null) warn(warnings, `${found.name}: expected a rate`);
  return Math.max(rate ?? 1, 1);
}

function direction(
  payload: Fields,
  bytes: readonly string[],
  packets: readonly string[],
  rate: number,
  warnings: string[],
): DirectionCounters {
  return {
    bytes: scaledCount(payload, bytes, rate, warnings),
    packets: scaledCount(payload, packets, rate, warnings),
  };
}

function scaledCount(
  payload: Fields,
  names: readonly string[],
  rate: number,
  warnings: string[],
): Count | null {
  const found = firstOf(payload, names);
  if (found === null) return null;
  const exact = whole(found.value);
  if (exact === null || exact < 0n) {
    warn(warnings, `${found.name}: expected a count`);
    return null;
  }
  if (NOT_EXPORTED.has(exact)) {
    warn(warnings, `${found.name}: ${exact} stands for "not exported"`);
    return null;
  }
  return exact === 0n ? null : countOf(exact * BigInt(rate), found.name, warnings);
}

function isNothing({ bytes, packets }: DirectionCounters): boolean {
  return bytes === null && packets === null;
}

/** A firewall or NAT event: nfdump's type, pmacct's `nat_event` and `fw_event`, which are 0 for none. */
function isEvent(payload: Fields): boolean {
  return payload.type === "EVENT" || (small(payload.nat_event, 255) ?? 0) > 0 ||
    firewallEvent(payload, []) > 0;
}
