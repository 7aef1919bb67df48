import type { EvidenceKind, EvidenceSource, RecordKind } from "../../contract/record/kinds.ts";
import { protocolNumber } from "../../kit/net/ip-protocol.ts";
import type { JsonValue } from "../../kit/json/json.ts";
import { communityId, normalisedTuple } from "./community-id.ts";
import { type Fields, warn } from "./fields.ts";
import type { CaptureSample, Normalise, ReadObservation, RecordContext } from "./observation.ts";
import { isIcmp } from "./tuple.ts";

/** The result of a kind's reader: the record's content without what is common to all records. */
interface Reading
  extends Omit<ReadObservation, "kind" | "source" | "evidenceKind" | "observedAt" | "tuple" | "isDelta"> {
  /** The record's own `community_id`, to be verified; absent if it has none. */
  claimedCommunityId?: JsonValue;
  isDelta?: boolean;
}

export interface Unparsed {
  /** What was expected where: `src_ip: expected an address`. At most 200 characters. */
  unparsed: string;
}

export interface RecordType {
  source: EvidenceSource;
  /** Null if records of the kind are about the sensor itself and never evidence. */
  evidenceKind: EvidenceKind | null;
  normalise: Normalise;
  /** The reason why `normalise` would reject the record, else null; cheaper than a full observation. */
  unparsedReason(payload: Fields, context: RecordContext): string | null;
}

/**
 * Builds a record type from the reader of its payload. `check` may perform just the part of the reading that
 * can fail: ingest needs nothing else.
 */
export function recordType(
  kind: RecordKind,
  source: EvidenceSource,
  evidenceKind: EvidenceKind,
  read: (payload: Fields, context: RecordContext) => Reading | Unparsed,
  check: (payload: Fields, context: RecordContext) => object | Unparsed = read,
): RecordType {
  const normalise: Normalise = (payload, context) => {
    const reading = read(payload, context);
    if ("unparsed" in reading) return reading;
    const observation: ReadObservation = {
      kind,
      evidenceKind,
      source,
      observedAt: context.observedAt,
      start: reading.start,
      end: reading.end,
      src: reading.src,
      dst: reading.dst,
      proto: reading.proto,
      icmp: reading.icmp,
      counters: reading.counters,
      service: reading.service,
      nativeId: reading.nativeId,
      vlan: reading.vlan,
      tuple: tupleOf(reading),
      exporter: reading.exporter,
      facts: reading.facts,
      warnings: reading.warnings,
    };
    if (reading.isDelta) observation.isDelta = true;
    return { observation };
  };
  const unparsedReason = (payload: Fields, context: RecordContext) => {
    const checked = check(payload, context);
    return "unparsed" in checked ? checked.unparsed : null;
  };
  return { source, evidenceKind, normalise, unparsedReason };
}

/** Builds a record type whose records describe the sensor's own capture. */
export function captureType(
  source: EvidenceSource,
  read: (payload: Fields, context: RecordContext) => CaptureSample | Unparsed,
): RecordType {
  const normalise: Normalise = (payload, context) => {
    const sample = read(payload, context);
    return "unparsed" in sample ? sample : { capture: sample };
  };
  const unparsedReason = (payload: Fields, context: RecordContext) => {
    const sample = read(payload, context);
    return "unparsed" in sample ? sample.unparsed : null;
  };
  return { source, evidenceKind: null, normalise, unparsedReason };
}

/** Verifies a stated Community ID, which is never adopted; a mismatch becomes a warning. */
function tupleOf(reading: Reading): string | null {
  const { src, dst, proto, icmp, warnings, claimedCommunityId: claimed } = reading;
  const ends = { proto, srcIp: src.ip, dstIp: dst.ip, srcPort: src.port, dstPort: dst.port, icmp };
  const tuple = normalisedTuple(ends);
  if (tuple === null) {
    warn(warnings, `community_id not computed: ${missingPart(reading)}`);
  } else if (claimed !== undefined && claimed !== null && claimed !== "" && claimed !== communityId(ends)) {
    warn(warnings, "community_id does not match the tuple");
  }
  return tuple;
}

function missingPart({ src, dst, proto, icmp }: Reading): string {
  if (src.ip.includes(":") !== dst.ip.includes(":")) return "addresses of different families";
  if (protocolNumber(proto) === null) return "unknown protocol";
  if (isIcmp(proto)) return icmp === null ? "no ICMP type" : "no ICMP code";
  return src.port === null ? "no source port" : "no destination port";
}
