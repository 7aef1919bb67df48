import { asObject, count, type Fields, orWarn, small } from "../fields.ts";
import type { Count } from "../observation.ts";
import { captureType } from "../record-type.ts";
import { eveTime } from "./envelope.ts";

/**
 * Suricata EVE `stats`, for the whole process. It has no record kind of its own and arrives as
 * `suricata.anomaly`.
 *
 * `capture.kernel_packets` are those seen by the kernel, including dropped ones, and `capture.kernel_drops`
 * those that never reached Suricata. Both count since the start, `uptime` seconds ago; neither exists when
 * reading a file. With `deltas: yes` the record also has the differences to the previous one, which are
 * preferred.
 */
export const suricataStats = captureType("suricata", (payload, context) => {
  const stats = asObject(payload.stats);
  const capture = asObject(stats?.capture);
  if (stats === null) return { unparsed: "stats: expected an object" };
  const warnings: string[] = [];
  const read = (name: string) => capture === null ? null : count(capture, name, warnings);
  const deltas = { packets: read("kernel_packets_delta"), dropped: read("kernel_drops_delta") };
  const known = deltas.packets !== null && deltas.dropped !== null;
  const counters = known ? deltas : { packets: read("kernel_packets"), dropped: read("kernel_drops") };
  return {
    at: eveTime(payload, context, warnings),
    interval: known ? null : uptime(stats, warnings),
    peer: null,
    ...counters,
    lossPercent: droppedPercent(counters.packets, counters.dropped),
    warnings,
  };
});

export function isStats(payload: Fields): boolean {
  return payload.event_type === "stats";
}

/** Share of dropped packets, 0 to 100; null if unknown or idle. */
export function droppedPercent(packets: Count | null, dropped: Count | null): number | null {
  if (packets === null || dropped === null) return null;
  // Some capture methods count only delivered packets.
  const total = Math.max(Number(packets), Number(dropped));
  return total === 0 ? null : 100 * Number(dropped) / total;
}

/** Microseconds. */
function uptime(stats: Fields, warnings: string[]): number | null {
  const seconds = orWarn(small(stats.uptime, 2 ** 31), stats.uptime, "uptime: expected seconds", warnings);
  return seconds === null ? null : seconds * 1_000_000;
}
