import { count, expectTexts, type Fields, text, warn } from "../fields.ts";
import type { Count, DirectionCounters } from "../observation.ts";
import { recordType } from "../record-type.ts";
import { zeekCommon, zeekSpan, zeekTuple } from "./envelope.ts";

/** States of connections that were never established and so cannot have carried much. */
const NOT_ESTABLISHED: ReadonlySet<unknown> = new Set(["S0", "REJ", "RSTOS0", "RSTRH"]);
const MAX_IP_PACKET = 65_535n;

/**
 * Zeek `conn.log`: one connection, originator to responder.
 *
 * `bytes` are payload bytes (`orig_bytes`, `resp_bytes`) without headers, which is what an analyst means by
 * "how much was sent"; `orig_ip_bytes` also miss what segmentation offload hides from a capture. If Zeek
 * leaves them unset, as for a connection without visible payload, they are null: the IP bytes measure
 * something else and do not replace them. A direction never seen by a half-duplex capture has the 0 stated by
 * Zeek. `packets` are `orig_pkts` and `resp_pkts`. ICMP type and code are in Zeek's ports. The link-layer
 * addresses of mac-logging and `tunnel_parents` are not used.
 */
export const zeekConn = recordType("zeek.conn", "zeek", "flow_observation", (payload, context) => {
  const warnings: string[] = [];
  expectTexts(payload, ["service", "conn_state"], warnings);
  const tuple = zeekTuple(payload, warnings);
  if ("unparsed" in tuple) return tuple;
  return {
    ...zeekSpan(payload, "duration", context, warnings),
    ...tuple,
    counters: {
      srcToDst: direction(payload, "orig", warnings),
      dstToSrc: direction(payload, "resp", warnings),
      semantics: "session",
    },
    service: services(payload),
    facts: null,
    warnings,
    ...zeekCommon(payload, warnings),
  };
}, (payload) => zeekTuple(payload, []));

function direction(payload: Fields, side: "orig" | "resp", warnings: string[]): DirectionCounters {
  const packets = count(payload, `${side}_pkts`, warnings);
  let bytes = count(payload, `${side}_bytes`, warnings);
  if (bytes !== null && NOT_ESTABLISHED.has(payload.conn_state) && cannotCarry(packets, bytes)) {
    // Zeek derives TCP byte counts from sequence numbers, which are arbitrary in a refused connection.
    warn(warnings, `${side}_bytes: more than its packets can carry`);
    bytes = null;
  }
  return { bytes, packets };
}

function cannotCarry(packets: Count | null, bytes: Count): boolean {
  return packets !== null && packets > 0 && BigInt(bytes) > BigInt(packets) * MAX_IP_PACKET;
}

/**
 * Zeek lists several services in no particular order (`gssapi,smb,krb`); sorting makes sensors comparable. A
 * leading minus marks a service that was ruled out.
 */
function services(payload: Fields): string | null {
  const service = text(payload.service, 64);
  if (service === null || !/[-,]/.test(service)) return service;
  return service.split(",").filter((name) => !name.startsWith("-")).sort().join(",") || null;
}
