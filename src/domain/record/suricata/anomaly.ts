import { asObject, expectTexts, type Fields, identifier, text } from "../fields.ts";
import type { AnomalyFacts } from "../facts.ts";
import { type RecordType, recordType } from "../record-type.ts";
import { appProtocol, eveCommon, eveMoment, packetTuple } from "./envelope.ts";
import { isStats, suricataStats } from "./stats.ts";
import type { Tuple } from "../tuple.ts";

/**
 * Suricata EVE `anomaly`: a packet or conversation that violates a protocol. Of the types `decode` (the
 * packet itself), `stream` (TCP) and `applayer` only the last is enabled by default.
 *
 * The record lists the packet's source first and does not state the flow's originator, so the direction is
 * the packet's; a `flow` record of the same flow corrects it. `app_proto` is inside `anomaly` since Suricata
 * 6 and beside it before. The packet's first bytes (`packet`) are not used.
 */
const anomalyRecord = recordType("suricata.anomaly", "suricata", "alert", (payload, context) => {
  const warnings: string[] = [];
  const tuple = packetTuple(payload, warnings);
  if ("unparsed" in tuple) return tuple;
  const anomaly = asObject(payload.anomaly);
  if (anomaly === null) return { unparsed: "anomaly: expected an object" };
  const facts = anomalyFacts(anomaly, payload, warnings);
  if (facts === null) return { unparsed: "anomaly: expected a type, and an event or a code" };
  return {
    ...eveMoment(payload, context, warnings),
    ...(facts.anomalyType === "decode" ? withoutUnreadPorts(tuple) : tuple),
    counters: null,
    service: facts.appProto,
    facts,
    warnings,
    ...eveCommon(payload, warnings),
  };
});

/** Anomalies, and Suricata's capture statistics, which have no record kind of their own. */
export const suricataAnomaly: RecordType = {
  ...anomalyRecord,
  normalise: (payload, context) => typeOf(payload).normalise(payload, context),
  unparsedReason: (payload, context) => typeOf(payload).unparsedReason(payload, context),
};

function typeOf(payload: Fields): RecordType {
  return isStats(payload) ? suricataStats : anomalyRecord;
}

/** Null if the record does not state the anomaly. An event without a name has a `code`. */
function anomalyFacts(anomaly: Fields, payload: Fields, warnings: string[]): AnomalyFacts | null {
  expectTexts(anomaly, ["type", "event", "layer"], warnings);
  const anomalyType = text(anomaly.type, 32);
  const event = text(anomaly.event, 128) ?? identifier(anomaly.code);
  if (anomalyType === null || event === null) return null;
  return {
    type: "anomaly",
    anomalyType,
    event,
    layer: text(anomaly.layer, 32),
    appProto: appProtocol(anomaly, warnings) ?? appProtocol(payload, warnings),
  };
}

/** Ports of a packet broken below the transport layer were not read: the record has 0 for both. */
function withoutUnreadPorts(tuple: Tuple): Tuple {
  if (tuple.src.port !== 0 || tuple.dst.port !== 0) return tuple;
  return { ...tuple, src: { ...tuple.src, port: null }, dst: { ...tuple.dst, port: null } };
}
