import {
  asObject,
  type Fields,
  firstOf,
  identifier,
  orWarn,
  portOf,
  protocol,
  small,
  text,
  vlanOf,
  warn,
} from "../fields.ts";
import { exportedCounters } from "./counters.ts";
import { exportFacts } from "./facts.ts";
import { exportedAddress, nameOf, NAMES, valueOf } from "./fields.ts";
import { flowTimes } from "./times.ts";
import { isUnstatedIp } from "../../../kit/net/ip.ts";
import type { Micros, RecordContext } from "../observation.ts";
import { recordType, type Unparsed } from "../record-type.ts";
import { MAX_AHEAD, span } from "../times.ts";
import { endpoint, isIcmp, type Tuple } from "../tuple.ts";

/**
 * A flow export (NetFlow, IPFIX, sFlow) as JSON from goflow2, pmacct (`print`, `kafka`) or nfdump.
 *
 * Source and destination are the exporter's; the originator of the connection is unknown. The other direction
 * has no counters unless the record has them (nfdump's `out_bytes`, from bidirectional exports and `-b`).
 * An address that the exporter does not export is filled in as the unspecified one and stays so; a record with neither
 * is unparsed.
 * `bytes` are layer 3 bytes; for sFlow, those of the sampled frame. Counters are multiplied by a stated
 * `sampling_rate` above 1 (goflow2; pmacct, which writes 1 after renormalising), with a warning; nfdump has
 * already scaled its own and marks them `sampled`.
 *
 * Translated addresses and ports appear in the facts only: the tuple and its Community ID are those before
 * translation, so that a flow seen before a NAT and the one behind it stay separate. A firewall or NAT event
 * (NSEL, NEL) has no counters, or those of the connection it ends; its `connect_id` is the firewall's
 * identifier of the connection.
 *
 * goflow2's `type` (`NETFLOW_V5`, `NETFLOW_V9`, `IPFIX`, `SFLOW_5`, a number before version 2) is read only to
 * recognise an sFlow sample, which is no report of a flow.
 */
export const netflowFlow = recordType("netflow.flow", "netflow", "flow_observation", (payload, context) => {
  const warnings: string[] = [];
  const notFlow = otherOutput(payload);
  if (notFlow !== null) return { unparsed: notFlow };
  const sampler = exportedAddress(payload, NAMES.exporter);
  const exporter = sampler !== null && isUnstatedIp(sampler) ? null : sampler;
  const refusal = refusedExporter(exporter, context);
  if (refusal !== null) return refusal;
  if (sampler === null && firstOf(payload, NAMES.exporter) !== null) {
    warn(warnings, "exporter: expected an address");
  }
  const tuple = exportedTuple(payload, warnings);
  if ("unparsed" in tuple) return tuple;
  const when = exportedSpan(payload, context.observedAt, warnings);
  const { counters, samplingRate, isDelta } = exportedCounters(payload, warnings);
  const { connect_id: id } = payload;
  const connection = orWarn(identifier(id), id, "connect_id: expected an identifier", warnings);
  return {
    ...when,
    ...tuple,
    counters,
    service: null,
    nativeId: connection === "0" ? null : connection,
    vlan: exportedVlan(payload, warnings),
    exporter,
    facts: exportFacts(payload, tuple, samplingRate, warnings),
    warnings,
    isDelta,
  };
});

/** Collector output other than flows. */
function otherOutput(payload: Fields): string | null {
  const event = text(payload.event_type, 32);
  if (event?.startsWith("purge_")) return `event_type: ${event} is pmacct's own message, not a flow`;
  if (asObject(payload.message) !== null) {
    return "message: goflow2 raw output; expected the output of -produce=sample";
  }
  return null;
}

function refusedExporter(exporter: string | null, { expectedExporters }: RecordContext): Unparsed | null {
  if (expectedExporters === null) return null;
  if (exporter === null) return { unparsed: "exporter is missing, but only expected exporters are accepted" };
  return expectedExporters.has(exporter) ? null : { unparsed: `exporter ${exporter} is not expected` };
}

function exportedTuple(payload: Fields, warnings: string[]): Tuple | Unparsed {
  const srcIp = exportedAddress(payload, NAMES.srcIp);
  if (srcIp === null) return { unparsed: noAddress(payload, NAMES.srcIp) };
  const dstIp = exportedAddress(payload, NAMES.dstIp);
  if (dstIp === null) return { unparsed: noAddress(payload, NAMES.dstIp) };
  if (isUnstatedIp(srcIp) && isUnstatedIp(dstIp)) {
    const names = `${nameOf(payload, NAMES.srcIp)}, ${nameOf(payload, NAMES.dstIp)}`;
    return {
      unparsed: `${names}: expected an address, but the exporter states neither (${srcIp}, ${dstIp})`,
    };
  }
  const proto = protocol(valueOf(payload, NAMES.proto), srcIp);
  if (proto === null) return { unparsed: noProtocol(payload) };
  const srcPort = exportedPort(payload, NAMES.srcPort, warnings);
  const dstPort = exportedPort(payload, NAMES.dstPort, warnings);
  // Both ports 0: a fragment, or a protocol whose ports the exporter does not read.
  const known = Boolean(srcPort || dstPort);
  return {
    src: endpoint(srcIp, known ? srcPort : null, proto),
    dst: endpoint(dstIp, known ? dstPort : null, proto),
    proto,
    icmp: isIcmp(proto) ? exportedIcmp(payload, dstPort, srcIp.includes(":"), warnings) : null,
  };
}

function exportedPort(payload: Fields, names: readonly string[], warnings: string[]): number | null {
  const found = firstOf(payload, names);
  return found && portOf(found.value, found.name, warnings);
}

/**
 * The type and code fields; if absent or unused, the destination port, which is type * 256 + code. Type 0 may
 * also mean "unknown". It counts as an echo reply only if the port is 0 too (nfdump writes no port, and type
 * 0 for what it did not read), for IPv4 (ICMPv6 has no type 0), and not from pmacct reading IPFIX, whose ICMP
 * fields it does not know.
 */
function exportedIcmp(
  payload: Fields,
  dstPort: number | null,
  isV6: boolean,
  warnings: string[],
): Tuple["icmp"] {
  const octet = (names: readonly string[], what: string) => {
    const found = firstOf(payload, names);
    return found && orWarn(small(found.value, 255), found.value, `${found.name}: expected ${what}`, warnings);
  };
  const type = octet(NAMES.icmpType, "an ICMP type");
  const code = octet(NAMES.icmpCode, "an ICMP code");
  if (type !== null && type > 0) return { type, code };
  if (dstPort === null) return null;
  if (dstPort > 0) return { type: dstPort >> 8, code: dstPort & 0xff };
  return isV6 || small(payload.export_proto_version, 10) === 10 ? null : { type: 0, code: code ?? 0 };
}

/** The reason names the frame type, because sFlow samples non-IP frames too. */
function noAddress(payload: Fields, names: readonly string[]): string {
  const reason = `${nameOf(payload, names)}: expected an address`;
  const etype = valueOf(payload, NAMES.etype);
  const frame = typeof etype === "number" ? String(etype) : text(etype, 8) ?? "";
  const isOther = /^[A-Za-z0-9]+$/.test(frame) && !/^(?:ipv[46]|0|800|86dd|2048|34525)$/i.test(frame);
  return isOther ? `${reason}; etype ${frame} is not IP` : reason;
}

function noProtocol(payload: Fields): string {
  const reason = `${nameOf(payload, NAMES.proto)}: expected a protocol`;
  if (valueOf(payload, NAMES.proto) !== "") return reason;
  return `${reason}; goflow2 names only a few: have it render the number (formatter, render, proto: none)`;
}

/** goflow2 has several VLAN fields, 0 if unused. */
function exportedVlan(payload: Fields, warnings: string[]): number | null {
  for (const name of NAMES.vlan) {
    const id = vlanOf(payload[name], name, warnings);
    if (id !== null) return id;
  }
  return null;
}

function exportedSpan(payload: Fields, observedAt: Micros, warnings: string[]) {
  const { start, end } = flowTimes(payload, warnings);
  const first = start ?? end;
  const last = end ?? start;
  if (first === null || last === null) return { start: observedAt, end: observedAt };
  if (first.zoneless || last.zoneless) warn(warnings, "time has no zone, assumed UTC");
  const latest = observedAt + MAX_AHEAD;
  const isAhead = first.micros > latest;
  let ended = last.micros;
  if (!isAhead && ended > latest) {
    warn(warnings, "ends more than a day after the envelope's time");
    ended = Math.max(first.micros, observedAt);
  }
  return span(first.micros, ended, isAhead ? observedAt : first.micros, warnings);
}
