// What the anomalies of a sensor tell. Most tell of the sensor: checksums that a network card writes later, packets that
// a mirror port lost, one direction that it never saw.
import type { AnomalyFacts } from "../../record/facts.ts";

/** `noise` says nothing; `odd` something where it comes together; `telling` that a conversation is not what it seems. */
export type Meaning = "noise" | "odd" | "telling" | "leak";

/** Of detecting an application's protocol, which of the two directions may not have been seen at all. */
const DETECTION: ReadonlyMap<string, Meaning> = new Map([
  ["APPLAYER_DETECT_PROTOCOL_ONLY_ONE_DIRECTION", "noise"],
  ["APPLAYER_PROTO_DETECTION_SKIPPED", "noise"],
  ["APPLAYER_WRONG_DIRECTION_FIRST_DATA", "odd"],
  ["APPLAYER_NO_TLS_AFTER_STARTTLS", "odd"],
  ["APPLAYER_UNEXPECTED_PROTOCOL", "telling"],
  ["APPLAYER_MISMATCH_PROTOCOL_BOTH_DIRECTIONS", "telling"],
]);
/** Of a protocol's parser. `DATALEAK_…`: more came back in a TLS heartbeat than was sent (Heartbleed has worked). */
const PARSER: ReadonlyMap<string, Meaning> = new Map([
  ["DATALEAK_HEARTBEAT_MISMATCH", "leak"],
  ["OVERFLOW_HEARTBEAT_MESSAGE", "telling"],
  ["INVALID_HEARTBEAT_MESSAGE", "telling"],
]);

const WORDS: ReadonlyMap<string, string> = new Map([
  ["APPLAYER_WRONG_DIRECTION_FIRST_DATA", "the wrong side spoke first"],
  ["APPLAYER_NO_TLS_AFTER_STARTTLS", "no TLS where it was agreed"],
  ["APPLAYER_UNEXPECTED_PROTOCOL", "another protocol than the one agreed"],
  ["APPLAYER_MISMATCH_PROTOCOL_BOTH_DIRECTIONS", "client and server speak different protocols"],
  ["DATALEAK_HEARTBEAT_MISMATCH", "more came back in a TLS heartbeat than was sent"],
]);

export function meaningOf({ anomalyType, event }: AnomalyFacts): Meaning {
  if (anomalyType !== "applayer") return "noise";
  const name = event.toUpperCase();
  return DETECTION.get(name) ?? PARSER.get(name) ?? (name.startsWith("APPLAYER_") ? "noise" : "odd");
}

/** The event in words where there are any, else its name. */
export function eventWords(event: string): string {
  return WORDS.get(event.toUpperCase()) ?? event;
}
