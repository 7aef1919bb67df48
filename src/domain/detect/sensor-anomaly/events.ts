// How significant a sensor's anomaly events are. Most say more about the sensor than about the traffic: checksums that a
// network card fills in later, packets that a mirror port lost, a direction that was never captured.
import type { AnomalyFacts } from "../../record/facts.ts";

/** `noise` is ignored; `odd` counts in numbers; `suspicious` means that a connection is not what it seems. */
export type AnomalyLevel = "noise" | "odd" | "suspicious" | "leak";

/** Events of protocol detection, which may have missed one of the two directions. */
const DETECTION: ReadonlyMap<string, AnomalyLevel> = new Map([
  ["APPLAYER_DETECT_PROTOCOL_ONLY_ONE_DIRECTION", "noise"],
  ["APPLAYER_PROTO_DETECTION_SKIPPED", "noise"],
  ["APPLAYER_WRONG_DIRECTION_FIRST_DATA", "odd"],
  ["APPLAYER_NO_TLS_AFTER_STARTTLS", "odd"],
  ["APPLAYER_UNEXPECTED_PROTOCOL", "suspicious"],
  ["APPLAYER_MISMATCH_PROTOCOL_BOTH_DIRECTIONS", "suspicious"],
]);
/** Events of protocol parsers. `DATALEAK_…`: a TLS heartbeat returned more than was sent (successful Heartbleed). */
const PARSER: ReadonlyMap<string, AnomalyLevel> = new Map([
  ["DATALEAK_HEARTBEAT_MISMATCH", "leak"],
  ["OVERFLOW_HEARTBEAT_MESSAGE", "suspicious"],
  ["INVALID_HEARTBEAT_MESSAGE", "suspicious"],
]);

const LABELS: ReadonlyMap<string, string> = new Map([
  ["APPLAYER_WRONG_DIRECTION_FIRST_DATA", "the wrong side sent first"],
  ["APPLAYER_NO_TLS_AFTER_STARTTLS", "no TLS after STARTTLS"],
  ["APPLAYER_UNEXPECTED_PROTOCOL", "a protocol other than the negotiated one"],
  ["APPLAYER_MISMATCH_PROTOCOL_BOTH_DIRECTIONS", "client and server use different protocols"],
  ["DATALEAK_HEARTBEAT_MISMATCH", "a TLS heartbeat returned more than was sent"],
]);

export function levelOf({ anomalyType, event }: AnomalyFacts): AnomalyLevel {
  if (anomalyType !== "applayer") return "noise";
  const name = event.toUpperCase();
  return DETECTION.get(name) ?? PARSER.get(name) ?? (name.startsWith("APPLAYER_") ? "noise" : "odd");
}

/** A description of the event, or its name if there is none. */
export function eventLabel(event: string): string {
  return LABELS.get(event.toUpperCase()) ?? event;
}
