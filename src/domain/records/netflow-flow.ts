import type { JsonValue } from "../../kit/json.ts";
import { countOf, type Fields, firstOf, port, protocol, small, vlan, warn, whole } from "./fields.ts";
import { exportedAddress, flowEnd, flowStart, NAMES } from "./netflow-fields.ts";
import type { Count, Counters, Micros, RecordContext } from "./observation.ts";
import { recordType, type Unparsed } from "./record-type.ts";
import { span } from "./times.ts";
import { endpoint, isIcmp, type Tuple } from "./tuple.ts";

/**
 * A flow export (NetFlow, IPFIX, sFlow) as the JSON of goflow2, pmacct (`print`, `kafka`) or nfdump.
 *
 * Source and destination are the exporter's; who opened the connection is not known. The other direction has
 * no counters, unless the record itself has them (nfdump's `out_bytes`, of bidirectional exports and `-b`).
 * `bytes` are layer 3 bytes. Counters are multiplied by `sampling_rate` where the record states one above 1
 * (goflow2; pmacct without renormalisation), with a warning that says so; nfdump has scaled its own already.
 */
export const netflowFlow = recordType("netflow.flow", "netflow", "flow_observation", (payload, context) => {
  const warnings: string[] = [];
  const exporter = exportedAddress(payload, NAMES.exporter);
  const refusal = refusedExporter(exporter, context);
  if (refusal !== null) return refusal;
  if (exporter === null && firstOf(payload, NAMES.exporter) !== null) {
    warn(warnings, "exporter: expected an address");
  }
  const tuple = exportedTuple(payload);
  if ("unparsed" in tuple) return tuple;
  return {
    ...exportedSpan(payload, context.observedAt, warnings),
    ...tuple,
    counters: exportedCounters(payload, warnings),
    service: null,
    nativeId: null,
    vlan: exportedVlan(payload),
    exporter,
    facts: null,
    warnings,
  };
});

function refusedExporter(exporter: string | null, { expectedExporters }: RecordContext): Unparsed | null {
  if (expectedExporters === null) return null;
  if (exporter === null) return { unparsed: "exporter is not stated, so it is not expected" };
  return expectedExporters.has(exporter) ? null : { unparsed: `exporter ${exporter} is not expected` };
}

function exportedTuple(payload: Fields): Tuple | Unparsed {
  const srcIp = exportedAddress(payload, NAMES.srcIp);
  if (srcIp === null) return { unparsed: `${nameOf(payload, NAMES.srcIp)}: expected an address` };
  const dstIp = exportedAddress(payload, NAMES.dstIp);
  if (dstIp === null) return { unparsed: `${nameOf(payload, NAMES.dstIp)}: expected an address` };
  const proto = protocol(valueOf(payload, NAMES.proto), srcIp);
  if (proto === null) return { unparsed: `${nameOf(payload, NAMES.proto)}: expected a protocol` };
  const dstPort = port(valueOf(payload, NAMES.dstPort));
  return {
    src: endpoint(srcIp, port(valueOf(payload, NAMES.srcPort)), proto),
    dst: endpoint(dstIp, dstPort, proto),
    proto,
    icmp: isIcmp(proto) ? exportedIcmp(payload, dstPort) : null,
  };
}

/** The type and code fields; where they are absent or unused, the destination port, which is type * 256 + code. */
function exportedIcmp(payload: Fields, dstPort: number | null): Tuple["icmp"] {
  const type = small(valueOf(payload, NAMES.icmpType), 255);
  const code = small(valueOf(payload, NAMES.icmpCode), 255);
  if (type !== null && (type > 0 || (code ?? 0) > 0 || !dstPort)) return { type, code };
  return dstPort === null ? null : { type: dstPort >> 8, code: dstPort & 0xff };
}

/** goflow2 has several VLAN fields, 0 where unused. */
function exportedVlan(payload: Fields): number | null {
  for (const name of NAMES.vlan) {
    const id = vlan(payload[name]);
    if (id !== null) return id;
  }
  return null;
}

function exportedSpan(payload: Fields, observedAt: Micros, warnings: string[]) {
  const first = flowStart(payload) ?? flowEnd(payload);
  const last = flowEnd(payload) ?? first;
  if (first === null || last === null) return { start: observedAt, end: observedAt };
  if (first.zoneless || last.zoneless) warn(warnings, "time without a zone taken as UTC");
  return span(first.micros, last.micros, first.micros, warnings);
}

function exportedCounters(payload: Fields, warnings: string[]): Counters {
  const rate = samplingRate(payload, warnings);
  const read = (names: readonly string[]) => scaledCount(payload, names, rate, warnings);
  const srcToDst = { bytes: read(NAMES.bytes), packets: read(NAMES.packets) };
  const dstToSrc = { bytes: read(["out_bytes"]), packets: read(["out_packets"]) };
  // nfdump writes zeros for out fields that are in the exporter's template but unused.
  if (dstToSrc.packets) return { srcToDst, dstToSrc, semantics: "session" };
  return { srcToDst, dstToSrc: { bytes: null, packets: null }, semantics: "unidirectional_export" };
}

function samplingRate(payload: Fields, warnings: string[]): bigint {
  const found = firstOf(payload, NAMES.samplingRate);
  if (found === null) return 1n;
  const rate = small(found.value, 0xffffffff);
  if (rate === null) warn(warnings, `${found.name}: expected a rate`);
  if (rate === null || rate <= 1) return 1n;
  warn(warnings, `counters scaled by sampling rate ${rate}`);
  return BigInt(rate);
}

function scaledCount(
  payload: Fields,
  names: readonly string[],
  rate: bigint,
  warnings: string[],
): Count | null {
  const found = firstOf(payload, names);
  if (found === null) return null;
  const exact = whole(found.value);
  if (exact === null || exact < 0n) {
    warn(warnings, `${found.name}: expected a count`);
    return null;
  }
  return countOf(exact * rate, found.name, warnings);
}

function valueOf(payload: Fields, names: readonly string[]): JsonValue | undefined {
  return firstOf(payload, names)?.value;
}

function nameOf(payload: Fields, names: readonly string[]): string {
  return firstOf(payload, names)?.name ?? names[0] ?? "";
}
