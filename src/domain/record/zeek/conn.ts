import { count, type Fields, text, warn } from "../fields.ts";
import type { Count, DirectionCounters } from "../observation.ts";
import { recordType } from "../record-type.ts";
import { zeekCommon, zeekSpan, zeekTuple } from "./envelope.ts";

/** Connections that were never established, so that they cannot have carried much. */
const NOT_ESTABLISHED: ReadonlySet<unknown> = new Set(["S0", "REJ", "RSTOS0", "RSTRH"]);
const MAX_IP_PACKET = 65_535n;

/**
 * Zeek `conn.log`: one connection, originator to responder.
 *
 * `bytes` are payload bytes (`orig_bytes`, `resp_bytes`), without any header, which is what "how much was sent"
 * means to an analyst; `orig_ip_bytes` also miss what segmentation offload hides from a capture. Where Zeek leaves
 * them unset, as in a connection of which it saw no payload, they are `null`: the IP bytes count something else
 * and are not put in their place. A direction that a half-duplex capture never saw has the 0 that Zeek states.
 * `packets` are `orig_pkts` and `resp_pkts`. ICMP type and code are in Zeek's ports. The link-layer addresses of
 * mac-logging and `tunnel_parents` are not used.
 */
export const zeekConn = recordType("zeek.conn", "zeek", "flow_observation", (payload, context) => {
  const tuple = zeekTuple(payload);
  if ("unparsed" in tuple) return tuple;
  const warnings: string[] = [];
  return {
    ...zeekSpan(payload, payload.duration, context, warnings),
    ...tuple,
    counters: {
      srcToDst: direction(payload, "orig", warnings),
      dstToSrc: direction(payload, "resp", warnings),
      semantics: "session",
    },
    service: services(payload),
    facts: null,
    warnings,
    ...zeekCommon(payload),
  };
}, (payload) => zeekTuple(payload));

function direction(payload: Fields, side: "orig" | "resp", warnings: string[]): DirectionCounters {
  const packets = count(payload, `${side}_pkts`, warnings);
  let bytes = count(payload, `${side}_bytes`, warnings);
  if (bytes !== null && NOT_ESTABLISHED.has(payload.conn_state) && cannotCarry(packets, bytes)) {
    // Zeek takes TCP byte counts from sequence numbers; those of a refused connection may be any number.
    warn(warnings, `${side}_bytes: more than its packets can carry`);
    bytes = null;
  }
  return { bytes, packets };
}

function cannotCarry(packets: Count | null, bytes: Count): boolean {
  return packets !== null && packets > 0 && BigInt(bytes) > BigInt(packets) * MAX_IP_PACKET;
}

/**
 * Zeek joins several services in no order (`gssapi,smb,krb`); sorted, two sensors say the same. One with a minus
 * was found not to be spoken after all.
 */
function services(payload: Fields): string | null {
  const service = text(payload.service, 64);
  if (service === null || !/[-,]/.test(service)) return service;
  return service.split(",").filter((name) => !name.startsWith("-")).sort().join(",") || null;
}
