import { asObject, count, type Fields } from "../fields.ts";
import { recordType } from "../record-type.ts";
import { appProtocol, eveCommon, eveTime, eveTuple } from "./envelope.ts";
import { span, timeOf } from "../times.ts";

/**
 * Suricata EVE `flow`: one flow, always from its originator (`toserver`). `bytes` are whole frames with link,
 * network and transport headers, so they exceed Zeek's payload bytes of the same connection. They include
 * what `flow.bypassed` counts separately. Not used: `tcp`, `ether`, `app_proto_ts` and similar (one end's
 * view of the protocol), `state` and `reason`.
 */
export const suricataFlow = recordType(
  "suricata.flow",
  "suricata",
  "flow_observation",
  (payload, context) => {
    const warnings: string[] = [];
    const tuple = eveTuple(payload, warnings);
    if ("unparsed" in tuple) return tuple;
    const flow: Fields | null = asObject(payload.flow);
    if (flow === null) return { unparsed: "flow: expected an object" };
    const from = timeOf(flow.start, "flow.start", warnings);
    const to = timeOf(flow.end, "flow.end", warnings);
    // The record's own timestamp is when the flow timed out, minutes after its end: use it last.
    const start = from ?? to ?? eveTime(payload, context, warnings);
    return {
      ...span(start, to ?? start, start, warnings),
      ...tuple,
      counters: {
        srcToDst: {
          bytes: count(flow, "bytes_toserver", warnings),
          packets: count(flow, "pkts_toserver", warnings),
        },
        dstToSrc: {
          bytes: count(flow, "bytes_toclient", warnings),
          packets: count(flow, "pkts_toclient", warnings),
        },
        semantics: "session",
      },
      service: appProtocol(payload, warnings),
      facts: null,
      warnings,
      ...eveCommon(payload, warnings),
    };
  },
);
