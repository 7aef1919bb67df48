import { communityId } from "../../../domain/record/community-id.ts";
import type { EvidenceKind, RecordKind } from "../../../contract/record/kinds.ts";
import { normaliserFor } from "../../../domain/record/registry.ts";
import type {
  EvidenceItem,
  Flow,
  FlowName,
  FlowObservation,
  RawRecord,
} from "../../../contract/flow/flow.ts";
import { orient } from "../../../domain/flow/ends.ts";
import { flowVlan, type VlanOf } from "../../../domain/device/vlan.ts";
import { summarise } from "../../../domain/flow/summary.ts";
import type { Counters, Endpoint } from "../../../domain/record/observation.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { DescribedFlow, EvidenceRow } from "../../../store/flow/read.ts";
import type { StoredRaw } from "../../../store/record/raw-read.ts";
import type { ShownFlow } from "../../../store/flow/shown-flows.ts";
import type { KnownMatch } from "../../../store/intel/match.ts";
import { factsView } from "./facts-view.ts";
import { type GeoOf, intelMarker } from "../intel/intel-view.ts";

/** The contract requires a port at each end; 0 if there is none, as in flow exports. */
function endView({ ip, port }: Endpoint, deviceId: string | null, geoOf: GeoOf): Flow["src"] {
  return { ip, port: port ?? 0, device_id: deviceId, geo: geoOf(ip) };
}

function sides(flow: ShownFlow, geoOf: GeoOf): { src: Flow["src"]; dst: Flow["src"] } {
  return {
    src: endView(flow.src, flow.srcDeviceId, geoOf),
    dst: endView(flow.dst, flow.dstDeviceId, geoOf),
  };
}

function countersView(counters: Counters): Flow["counters"] {
  return { src_to_dst: counters.srcToDst, dst_to_src: counters.dstToSrc, semantics: counters.semantics };
}

/** What a flow view needs beyond the flow's row. */
interface FlowContext {
  names: FlowName[];
  vlanOf: VlanOf;
  geoOf: GeoOf;
  intel: readonly KnownMatch[];
}

/** Community ID version 1, seed 0. */
function communityIdOf({ hasTuple, proto, src, dst, icmp }: ShownFlow): string | null {
  if (!hasTuple) return null;
  return communityId({ proto, srcIp: src.ip, dstIp: dst.ip, srcPort: src.port, dstPort: dst.port, icmp });
}

export function flowView(flow: ShownFlow, { names, vlanOf, geoOf, intel }: FlowContext): Omit<Flow, "facts"> {
  return {
    flow_id: flow.flowId,
    start: formatMillis(flow.start),
    end: formatMillis(flow.end),
    src: endView(flow.src, flow.srcDeviceId, geoOf),
    dst: endView(flow.dst, flow.dstDeviceId, geoOf),
    proto: flow.proto,
    service: flow.service,
    server_name: flow.serverName?.name ?? null,
    names,
    vlan_id: flowVlan(flow, vlanOf),
    community_id: communityIdOf(flow),
    counters: countersView(flow.counters),
    observation_count: flow.observationCount,
    sources: flow.sources,
    primary_evidence: {
      evidence_id: flow.primary.evidenceId,
      kind: evidenceKindOf(flow.primary.recordKind),
      source: normaliserFor(flow.primary.recordKind).source,
      sensor_id: flow.primary.sensorId,
    },
    ...intelMarker(intel),
  };
}

/** The evidence kind of a record kind. */
function evidenceKindOf(kind: RecordKind): EvidenceKind {
  return normaliserFor(kind).evidenceKind ?? "flow_observation";
}

function countersOf(row: EvidenceRow): Counters | null {
  if (row.semantics === null) return null;
  return {
    srcToDst: { bytes: row.src_bytes, packets: row.src_packets },
    dstToSrc: { bytes: row.dst_bytes, packets: row.dst_packets },
    semantics: row.semantics,
  };
}

/** An evidence item that summarises the flow as its own sensor reported it. */
export function evidenceView(row: EvidenceRow, flow: DescribedFlow): EvidenceItem {
  const { src, dst } = orient(flow.src, flow.dst, row.src_low);
  return {
    evidence_id: row.evidence_id,
    kind: row.kind,
    source: row.source,
    sensor_id: row.sensor_id,
    observed_at: formatMillis(row.observed_at),
    received_at: formatMillis(row.received_at),
    trust: row.trust,
    summary: summarise({
      proto: flow.proto,
      src,
      dst,
      service: flow.service,
      counters: countersOf(row),
      duration: row.end_at - row.start_at,
      facts: row.facts,
    }),
    flow_id: row.flow_id,
    record_kind: row.record_kind,
  };
}

export function observationView(
  row: EvidenceRow,
  flow: ShownFlow,
  raw: StoredRaw | null,
  geoOf: GeoOf,
): FlowObservation {
  const counters = countersOf(row);
  const { src, dst } = sides(flow, geoOf);
  return {
    ...evidenceView(row, flow),
    source_event_id: raw?.eventId ?? null,
    start: formatMillis(row.start_at),
    end: formatMillis(row.end_at),
    ...orient(src, dst, row.src_low),
    counters: counters === null ? null : countersView(counters),
    community_id: communityIdOf(flow),
    facts: row.facts === null ? null : factsView(row.facts),
    warnings: row.warnings ?? [],
    preferred: row.evidence_id === flow.primary.evidenceId,
    raw: raw === null ? null : rawView(raw),
  };
}

function rawView(raw: StoredRaw): RawRecord {
  return {
    kind: raw.kind,
    event_id: raw.eventId,
    observed_at: raw.observedAtText,
    payload: raw.payload,
    payload_bytes: raw.payloadBytes,
    truncated: raw.truncated,
  };
}
