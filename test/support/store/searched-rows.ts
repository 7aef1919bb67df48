// What a search sees of a tenant's rows, read without the SQL of the search: for the in-memory predicate.

import { TERM_KINDS, type TermKind } from "../../../src/contract/filter/field.ts";
import type { SearchPlan } from "../../../src/domain/search/plan.ts";
import type {
  SearchedDevice,
  SearchedEnd,
  SearchedFlow,
  SearchedIncident,
  SearchedRow,
} from "../../../src/domain/search/row.ts";
import { communityId } from "../../../src/domain/record/community-id.ts";
import { FlowMatches } from "../../../src/domain/intel/flow-matches.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { type FlowRow, fromInet, toFlowState } from "../../../src/store/flow/flows.ts";
import { type KnownMatch, matchesOfAddresses } from "../../../src/store/intel/match.ts";
import { shownFlow } from "../../../src/store/flow/shown-flows.ts";

interface Place {
  country: string | null;
  asn: number | null;
}

/** Everything of one tenant. */
export interface SearchedWorld {
  flows: (SearchedFlow & { srcDeviceId: string | null; dstDeviceId: string | null })[];
  devices: SearchedDevice[];
  incidents: (SearchedIncident & { deviceIds: Set<string>; flowIds: Set<string> })[];
}

export async function searchedWorld(db: Database, tenantId: string): Promise<SearchedWorld> {
  return await db.tenant(tenantId, async (tx) => {
    const devices = await devicesOf(tx, tenantId);
    return {
      flows: await flowsOf(tx, tenantId),
      devices,
      incidents: await incidentsOf(tx, tenantId, devices),
    };
  });
}

async function flowsOf(tx: Tx, tenantId: string): Promise<SearchedWorld["flows"]> {
  const rows = await tx.rows<FlowRow>(sql`select * from flow where tenant_id = ${tenantId}`);
  const places = new Map(
    (await tx.rows<Place & { ip: string }>(
      sql`select ip, country, asn from address_geo where tenant_id = ${tenantId}`,
    )).map(({ ip, ...place }) => [fromInet(ip), place]),
  );
  const terms = await termsOfFlows(tx, tenantId);
  const parties = await tx.rows<{ party_ip: string }>(
    sql`select distinct party_ip from intel_match where tenant_id = ${tenantId}`,
  );
  const known = await matchesOfAddresses(tx, tenantId, parties.map(({ party_ip }) => party_ip), 1_000_000);
  const matches = new FlowMatches<KnownMatch>(known);
  return rows.map((row) => {
    const flow = shownFlow(toFlowState(row));
    const { proto, src, dst, icmp, counters, serverName } = flow;
    const end = (side: "src" | "dst"): SearchedEnd => {
      const place = places.get(flow[side].ip);
      return {
        ...flow[side],
        isDevice: (side === "src" ? flow.srcDeviceId : flow.dstDeviceId) !== null,
        ...side === "src" ? counters.srcToDst : counters.dstToSrc,
        country: place?.country ?? null,
        asn: place?.asn ?? null,
      };
    };
    const tuple = { proto, srcIp: src.ip, dstIp: dst.ip, srcPort: src.port, dstPort: dst.port, icmp };
    const names = serverName === null ? [] : [serverName.name];
    return {
      flowId: flow.flowId,
      start: flow.start,
      end: flow.end,
      src: end("src"),
      dst: end("dst"),
      srcDeviceId: flow.srcDeviceId,
      dstDeviceId: flow.dstDeviceId,
      proto,
      service: flow.service,
      vlanTag: flow.vlan,
      sources: flow.sources,
      sensorId: flow.primary.sensorId,
      communityId: flow.hasTuple ? communityId(tuple) : null,
      intel: matches.of({ flowId: flow.flowId, srcIp: src.ip, dstIp: dst.ip, names }).map(({ match }) =>
        match
      ),
      terms: terms.get(flow.flowId) ?? new Map(),
    };
  });
}

async function termsOfFlows(tx: Tx, tenantId: string): Promise<Map<string, Map<TermKind, string[]>>> {
  const rows = await tx.rows<{ kind: number; text: string; flow_ids: string[] }>(sql`
    select t.kind, t.text, p.flow_ids::text[] as flow_ids from flow_term p join term t using (tenant_id, day, term_id)
    where p.tenant_id = ${tenantId}`);
  const terms = new Map<string, Map<TermKind, string[]>>();
  for (const { kind: number, text, flow_ids } of rows) {
    const kind = TERM_KINDS[number - 1]!;
    for (const flowId of flow_ids) {
      const ofFlow = terms.get(flowId) ?? new Map<TermKind, string[]>();
      terms.set(flowId, ofFlow.set(kind, [...ofFlow.get(kind) ?? [], text]));
    }
  }
  return terms;
}

interface StoredDevice {
  device_id: string;
  merged_into: string | null;
  display_name: string;
  device_type: string;
  classification_source: string;
  confidence: number;
  owner: string | null;
  score: number;
  first_seen: number;
  last_seen: number;
}

async function devicesOf(tx: Tx, tenantId: string): Promise<SearchedDevice[]> {
  const rows = await tx.rows<StoredDevice>(sql`select * from device where tenant_id = ${tenantId}`);
  const addresses = await tx.rows<{ device_id: string; ip: string }>(
    sql`select device_id, ip from device_address where tenant_id = ${tenantId}`,
  );
  const vlans = await tx.rows<{ device_id: string; vlan_id: number }>(
    sql`select device_id, vlan_id from device_vlan where tenant_id = ${tenantId}`,
  );
  const tags = await tx.rows<{ device_id: string; tag: string }>(
    sql`select device_id, tag from device_tag where tenant_id = ${tenantId}`,
  );
  return rows.filter((row) => row.merged_into === null).map((row) => {
    const merged = rows.filter(({ merged_into }) => merged_into === row.device_id);
    const ids = [row.device_id, ...merged.map(({ device_id }) => device_id)];
    const surest = merged.toSorted((a, b) =>
      b.confidence - a.confidence || (a.device_id < b.device_id ? -1 : 1)
    )[0];
    const isBetter = surest !== undefined && row.classification_source === "observed" &&
      surest.confidence > row.confidence;
    return {
      deviceId: row.device_id,
      mergedIds: ids.slice(1),
      name: row.display_name,
      type: isBetter ? surest.device_type : row.device_type,
      owner: row.owner,
      tags: tags.filter(({ device_id }) => device_id === row.device_id).map(({ tag }) => tag),
      addresses: addresses.filter(({ device_id }) => ids.includes(device_id)).map(({ ip }) => fromInet(ip)),
      vlans: vlans.filter(({ device_id }) => ids.includes(device_id)).map(({ vlan_id }) => vlan_id),
      score: row.score,
      firstSeen: Math.min(row.first_seen, ...merged.map(({ first_seen }) => first_seen)),
      lastSeen: Math.max(row.last_seen, ...merged.map(({ last_seen }) => last_seen)),
    };
  });
}

type StoredIncident =
  & Pick<
    SearchedIncident,
    "title" | "summary" | "severity" | "status" | "score" | "assignee" | "assigneeName"
  >
  & { incident_id: string; model_scores: object; first_seen: number; last_seen: number };

async function incidentsOf(
  tx: Tx,
  tenantId: string,
  devices: readonly SearchedDevice[],
): Promise<SearchedWorld["incidents"]> {
  const rows = await tx.rows<StoredIncident>(sql`
    select i.*, p.display_name as "assigneeName" from incident i
    left join person p on p.tenant_id = i.tenant_id and p.subject = i.assignee where i.tenant_id = ${tenantId}`);
  const results = await tx.rows<{ incident_id: string; body: { technique: string | null } }>(
    sql`select incident_id, body from model_result where tenant_id = ${tenantId}`,
  );
  const ofDevices = await tx.rows<{ incident_id: string; device_id: string }>(
    sql`select incident_id, device_id from incident_device where tenant_id = ${tenantId}`,
  );
  const evidence = await tx.rows<{ incident_id: string; flow_id: string }>(
    sql`select incident_id, flow_id from incident_evidence where tenant_id = ${tenantId}`,
  );
  const shown = new Map(
    devices.flatMap(({ deviceId, mergedIds }) => [deviceId, ...mergedIds].map((id) => [id, deviceId])),
  );
  return rows.map(({ incident_id: incidentId, model_scores, first_seen, last_seen, ...row }) => {
    const own = <T extends { incident_id: string | null }>(all: T[]) =>
      all.filter(({ incident_id }) => incident_id === incidentId);
    return {
      ...row,
      incidentId,
      detectors: Object.keys(model_scores),
      techniques: own(results).flatMap(({ body }) => body.technique ?? []),
      firstSeen: first_seen,
      lastSeen: last_seen,
      deviceIds: new Set(own(ofDevices).flatMap(({ device_id }) => shown.get(device_id) ?? [])),
      flowIds: new Set(own(evidence).map(({ flow_id }) => flow_id)),
    };
  });
}

/** Rows of a search for the plan's kind in its window, in the order of its list, by id. */
export function rowsInWindow(
  world: SearchedWorld,
  { kind, window, context }: SearchPlan,
): [string, SearchedRow][] {
  const flowWindow = window ?? { from: 0, to: context.now };
  const isActive = ({ firstSeen, lastSeen }: { firstSeen: number; lastSeen: number }) =>
    window === null || (lastSeen >= window.from && firstSeen < window.to);
  const flows = world.flows.filter(({ start }) => start >= flowWindow.from && start < flowWindow.to);
  const order = (a: [number, string], b: [number, string]) => b[0] - a[0] || (b[1] < a[1] ? -1 : 1);
  const endsOf = ({ srcDeviceId, dstDeviceId }: SearchedWorld["flows"][number]) => [srcDeviceId, dstDeviceId];
  const isEnd = ({ deviceId, mergedIds }: SearchedDevice, flow: SearchedWorld["flows"][number]) =>
    endsOf(flow).some((id) => id !== null && (id === deviceId || mergedIds.includes(id)));
  if (kind === "flows") {
    return flows.toSorted((a, b) => order([a.start, a.flowId], [b.start, b.flowId])).map((
      flow,
    ) => [flow.flowId, {
      kind,
      flows: [flow],
      devices: world.devices.filter((device) => isEnd(device, flow)),
      incidents: world.incidents.filter(({ flowIds }) => flowIds.has(flow.flowId)),
    }]);
  }
  if (kind === "devices") {
    return world.devices.filter(isActive)
      .toSorted((a, b) => order([a.lastSeen, a.deviceId], [b.lastSeen, b.deviceId]))
      .map((device) => [device.deviceId, {
        kind,
        flows: flows.filter((flow) => isEnd(device, flow)),
        devices: [device],
        incidents: world.incidents.filter(({ deviceIds }) => deviceIds.has(device.deviceId)),
      }]);
  }
  return world.incidents.filter(isActive)
    .toSorted((a, b) => order([a.lastSeen, a.incidentId], [b.lastSeen, b.incidentId]))
    .map((incident) => [incident.incidentId, {
      kind,
      flows: world.flows.filter(({ flowId }) => incident.flowIds.has(flowId)),
      devices: world.devices.filter(({ deviceId }) => incident.deviceIds.has(deviceId)),
      incidents: [incident],
    }]);
}
