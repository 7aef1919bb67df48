import { countOf, type Fields, firstOf, small, warn, whole } from "../fields.ts";
import { NAMES } from "./fields.ts";
import type { Count, Counters, DirectionCounters } from "../observation.ts";

/**
 * All bits of a 32-bit or 64-bit counter: what exporters write into a field they do not export. A count of
 * exactly this value is far less likely.
 */
const NOT_EXPORTED: ReadonlySet<bigint> = new Set([2n ** 32n - 1n, 2n ** 64n - 1n]);

const NOTHING: DirectionCounters = { bytes: null, packets: null };

/** An export's counters and the rate they were scaled by (null if none above 1). */
interface ExportedCounters {
  counters: Counters | null;
  samplingRate: number | null;
}

/**
 * The counters of an export; null if it counted nothing, like a firewall or NAT event.
 *
 * Exporters and collectors write 0 for what they did not count: no flow has 0 packets, and no packet 0 bytes.
 */
export function exportedCounters(payload: Fields, warnings: string[]): ExportedCounters {
  const rate = statedRate(payload, warnings);
  let srcToDst = direction(payload, NAMES.bytes, NAMES.packets, rate, warnings);
  let dstToSrc = direction(payload, ["out_bytes"], ["out_packets"], rate, warnings);
  // nfdump, from an exporter that counts flows on egress: still the flow's own direction.
  if (isNothing(srcToDst) && small(payload.direction, 1) === 1) [srcToDst, dstToSrc] = [dstToSrc, NOTHING];
  if (isNothing(srcToDst) && isNothing(dstToSrc)) {
    if (!isEvent(payload) && firstOf(payload, [...NAMES.bytes, ...NAMES.packets]) !== null) {
      warn(warnings, "all counters are 0, treated as not counted");
    }
    return { counters: null, samplingRate: null };
  }
  if (rate > 1) warn(warnings, `counters scaled by sampling rate ${rate}`);
  if (small(payload.sampled, 1) === 1) {
    warn(warnings, "counters scaled by the collector at an unstated rate");
  }
  const semantics = isNothing(dstToSrc) ? "unidirectional_export" : "session";
  return { counters: { srcToDst, dstToSrc, semantics }, samplingRate: rate > 1 ? rate : null };
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
  if (payload.type === "EVENT") return true;
  return [payload.nat_event, payload.fw_event].some((event) => (small(event, 255) ?? 0) > 0);
}
