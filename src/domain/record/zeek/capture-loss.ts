import type { JsonValue } from "../../../kit/json/json.ts";
import { count, text, warn } from "../fields.ts";
import { captureType } from "../record-type.ts";
import { zeekInterval, zeekStart } from "./envelope.ts";

/**
 * Zeek `capture_loss.log`: the share of TCP acknowledgements whose data one process never saw
 * (`percent_lost`, from `gaps` and `acks`), over the `ts_delta` before `ts`. Includes what was lost before it
 * reached the sensor. Does not count packets.
 */
export const zeekCaptureLoss = captureType("zeek", (payload, context) => {
  const percent = percentOf(payload.percent_lost);
  if (percent === null) return { unparsed: "percent_lost: expected a percentage" };
  const warnings: string[] = [];
  const nothingSeen = count(payload, "acks", warnings) === 0;
  // Zeek writes 0 in this case, which would hide a port without traffic.
  if (nothingSeen) warn(warnings, "acks: none seen, capture loss unknown");
  return {
    at: zeekStart(payload, context, warnings),
    interval: zeekInterval(payload, "ts_delta", warnings),
    peer: text(payload.peer, 64),
    packets: null,
    dropped: null,
    lossPercent: nothingSeen ? null : percent,
    warnings,
  };
});

/** A number from 0 to 100, or its text with or without a percent sign (Bro 2.1). */
function percentOf(value: JsonValue | undefined): number | null {
  const number = typeof value === "string" && /^\d{1,3}(\.\d{1,30})?%?$/.test(value)
    ? parseFloat(value)
    : value;
  return typeof number === "number" && number >= 0 && number <= 100 ? number : null;
}
