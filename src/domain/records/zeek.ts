import type { JsonValue } from "../../kit/json.ts";
import { address, asObject, type Fields, port, protocol, small } from "./fields.ts";
import type { RecordContext } from "./observation.ts";
import type { Unparsed } from "./record-type.ts";
import { span, timeOf } from "./times.ts";
import { endpoint, isIcmp, isPairedIcmp, type Tuple } from "./tuple.ts";

/**
 * The connection 4-tuple in any of its three spellings: `id.orig_h` as Zeek writes it, `id_orig_h` as log
 * shippers do that dislike dots, and `id: {orig_h}` after a shipper has expanded the dots.
 */
export function zeekTuple(payload: Fields): Tuple | Unparsed {
  const nested = asObject(payload.id);
  const member = (name: string): JsonValue | undefined =>
    payload[`id.${name}`] ?? payload[`id_${name}`] ?? nested?.[name];

  const srcIp = address(member("orig_h"));
  if (srcIp === null) return { unparsed: "id.orig_h: expected an address" };
  const dstIp = address(member("resp_h"));
  if (dstIp === null) return { unparsed: "id.resp_h: expected an address" };
  // Since Zeek 7.1 `ip_proto` has the number of a transport that `proto` does not name.
  const proto = payload.proto === "unknown_transport" && small(payload.ip_proto, 255) !== null
    ? protocol(payload.ip_proto, srcIp)
    : protocol(payload.proto, srcIp);
  if (proto === null) return { unparsed: "proto: expected a protocol" };

  const srcPort = port(member("orig_p"));
  const dstPort = port(member("resp_p"));
  return {
    src: endpoint(srcIp, srcPort, proto),
    dst: endpoint(dstIp, dstPort, proto),
    proto,
    icmp: isIcmp(proto) ? zeekIcmp(srcIp, srcPort, dstPort) : null,
  };
}

/** Zeek puts the ICMP type into the originator's port, and the answering type or else the code into the other. */
function zeekIcmp(ip: string, origPort: number | null, respPort: number | null): Tuple["icmp"] {
  if (origPort === null || origPort > 255) return null;
  const code = isPairedIcmp(ip, origPort) || respPort === null || respPort > 255 ? null : respPort;
  return { type: origPort, code };
}

/** From `ts` (epoch seconds or ISO text; the envelope's time where it is absent), lasting `seconds`. */
export function zeekSpan(
  payload: Fields,
  seconds: JsonValue | undefined,
  context: RecordContext,
  warnings: string[],
): { start: number; end: number } {
  const start = timeOf(payload.ts, "ts", warnings) ?? context.observedAt;
  const length = typeof seconds === "string" && /^\d{1,12}(\.\d{1,30})?$/.test(seconds)
    ? Number(seconds)
    : seconds;
  if (typeof length !== "number") return { start, end: start };
  return span(start, start + Math.round(length * 1e6), start, warnings);
}
