import { count, text } from "../fields.ts";
import type { Count } from "../observation.ts";
import { captureType } from "../record-type.ts";
import { zeekStart } from "./envelope.ts";

/**
 * Zeek `stats.log`: what one process handled since its last report. The length of that period
 * (`Stats::report_interval`) is not in the record.
 *
 * `packets` are those on the link (`pkts_link`), including dropped ones, or else those processed by Zeek
 * (`pkts_proc`). `pkts_dropped` and `pkts_link` exist only for live traffic; without them the loss is
 * unknown.
 */
export const zeekStats = captureType("zeek", (payload, context) => {
  const warnings: string[] = [];
  const processed = count(payload, "pkts_proc", warnings);
  const onLink = count(payload, "pkts_link", warnings);
  const dropped = count(payload, "pkts_dropped", warnings);
  if (processed === null && onLink === null && dropped === null) {
    return { unparsed: "pkts_proc: expected a count" };
  }
  return {
    at: zeekStart(payload, context, warnings),
    interval: null,
    peer: text(payload.peer, 64),
    packets: onLink ?? processed,
    dropped,
    lossPercent: lossPercent(dropped, processed, onLink),
    warnings,
  };
});

/** Null if unknown or idle. */
function lossPercent(dropped: Count | null, processed: Count | null, onLink: Count | null): number | null {
  if (dropped === null || (processed === null && onLink === null)) return null;
  const lost = Number(dropped);
  // Some drivers count only delivered packets as on the link.
  const total = Math.max(Number(onLink ?? 0), Number(processed ?? 0) + lost);
  return total === 0 ? null : (100 * lost) / total;
}
