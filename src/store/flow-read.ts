import type { FlowState } from "../domain/correlate/flow.ts";
import type { EvidenceKind, EvidenceSource, RecordKind, TrustClass } from "../contract/kinds.ts";
import type { Facts } from "../domain/records/facts.ts";
import type { Count } from "../domain/records/observation.ts";
import { normaliserFor } from "../domain/records/registry.ts";
import type { Tx } from "./database.ts";
import { asShown, deviceGroup } from "./device-group.ts";
import { type FlowRow, toFlowState } from "./flows.ts";
import { plainArray, timestampArray, timestampLiteral } from "./literals.ts";
import { all, type Sql, sql } from "./sql.ts";
import { kindOf, semanticsOf, sourceSet } from "./vocabulary.ts";

export interface FlowFilter {
  /** Microseconds, half-open, on the flow's start. Null: no window (an incident's flows). */
  window: { from: number; to: number } | null;
  deviceId?: string;
  /** Canonical address of either end. */
  peerIp?: string;
  proto?: string;
  /** In any case; one of several is enough. */
  service?: string;
  source?: EvidenceSource;
  incidentId?: string;
}

/** Where a page ended: start and id of its last flow. */
export interface FlowPosition {
  start: number;
  flowId: string;
}

/** Flows by start, newest first, the id breaking ties; at most `limit`. Their devices are those that show. */
export async function listFlows(
  tx: Tx,
  tenantId: string,
  filter: FlowFilter,
  after: FlowPosition | null,
  limit: number,
): Promise<FlowState[]> {
  const conditions = conditionsOf(tenantId, filter, after);
  const order = sql`order by start_at desc, flow_id desc limit ${limit}`;
  const ends = await endsOf(tx, tenantId, filter);
  if (filter.incidentId !== undefined) {
    const flowIds = await incidentFlows(tx, tenantId, filter.incidentId);
    const either = ends.map((end) => sql`(${all(end)})`).reduce((left, right) => sql`${left} or ${right}`);
    const some = lookUps(flowIds, [...conditions, sql`(${either})`]);
    return await asShown(tx, tenantId, (await tx.rows<FlowRow>(sql`${some} ${order}`)).map(toFlowState));
  }
  const scans = ends.map((end) => sql`(select * from flow where ${all([...conditions, ...end])} ${order})`);
  const rows = await tx.rows<FlowRow>(
    scans.length === 1 ? scans[0]! : sql`select * from (${unionAll(scans)}) scans ${order}`,
  );
  return await asShown(tx, tenantId, rows.map(toFlowState));
}

/** One scan for each end that is asked for, so that each has an index; no flow is in two of them. */
async function endsOf(tx: Tx, tenantId: string, { deviceId, peerIp }: FlowFilter): Promise<Sql[][]> {
  const group = deviceId === undefined ? [] : await deviceGroup(tx, tenantId, deviceId);
  const ids = plainArray(group);
  if (peerIp !== undefined) {
    const src = sql`src_ip = ${peerIp}::inet`;
    const dst = sql`dst_ip = ${peerIp}::inet and src_ip <> ${peerIp}::inet`;
    const ends = [[src, sql`src_device_id is null`], [dst, sql`dst_device_id is null`]];
    // An end that is a device is found by the device, any other by its address.
    const holder = await holderOf(tx, tenantId, peerIp);
    if (holder !== null) {
      ends.push([src, sql`src_device_id = ${holder}::uuid`], [dst, sql`dst_device_id = ${holder}::uuid`]);
    }
    if (deviceId === undefined) return ends;
    const withDevice = sql`(src_device_id = any(${ids}::uuid[]) or dst_device_id = any(${ids}::uuid[]))`;
    return ends.map((end) => [...end, withDevice]);
  }
  if (deviceId === undefined) return [[]];
  if (group.length === 0) return [[sql`false`]];
  return group.flatMap((id) => [
    [sql`src_device_id = ${id}::uuid`],
    [sql`dst_device_id = ${id}::uuid and (src_device_id is null or src_device_id <> all(${ids}::uuid[]))`],
  ]);
}

async function holderOf(tx: Tx, tenantId: string, ip: string): Promise<string | null> {
  const [row] = await tx.rows<{ device_id: string }>(
    sql`select device_id from device_address where tenant_id = ${tenantId} and ip = ${ip}::inet`,
  );
  return row?.device_id ?? null;
}

function unionAll(queries: readonly Sql[]): Sql {
  return queries.reduce((left, right) => sql`${left} union all ${right}`);
}

function conditionsOf(tenantId: string, filter: FlowFilter, after: FlowPosition | null): Sql[] {
  const conditions = [sql`tenant_id = ${tenantId}`];
  if (filter.window) {
    const from = timestampLiteral(filter.window.from);
    conditions.push(
      sql`start_at >= ${from}::timestamptz and start_at < ${timestampLiteral(filter.window.to)}::timestamptz`,
      // No flow starts more than a millisecond after its anchor: days before the window need no look.
      sql`anchor_at >= ${from}::timestamptz - interval '1 millisecond'`,
    );
  }
  if (after) {
    conditions.push(
      sql`(start_at, flow_id) < (${timestampLiteral(after.start)}::timestamptz, ${after.flowId}::uuid)`,
      sql`start_at <= ${timestampLiteral(after.start)}::timestamptz`,
    );
  }
  if (filter.proto !== undefined) conditions.push(sql`proto = ${filter.proto}`);
  if (filter.service !== undefined) conditions.push(hasService(filter.service));
  if (filter.source !== undefined) conditions.push(sql`(source_set & ${sourceSet([filter.source])}) <> 0`);
  return conditions;
}

/**
 * Sensors write services in lower case, and Zeek several of one connection joined by commas. (Not by `lower(…)`
 * alone: of an expression the planner knows no statistics.)
 */
function hasService(service: string): Sql {
  const name = service.toLowerCase();
  return sql`(service in (${service}, ${name})
    or (strpos(service, ',') > 0 and ${name} = any(string_to_array(service, ','))))`;
}

/** The millisecond in the first 48 bits of an id made by `timeUuid`, in microseconds. */
export function timeOfId(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16) * 1000;
}

/**
 * Looks flows up by their ids, each in its one partition. The limit keeps the look-ups apart: the planner does not know
 * how few partitions one meets, and would rather read them all.
 */
function lookUps(flowIds: readonly string[], conditions: readonly Sql[]): Sql {
  const ids = plainArray(flowIds);
  const anchors = timestampArray(flowIds.map(timeOfId));
  return sql`
    select f.* from unnest(${ids}::uuid[], ${anchors}::timestamptz[]) as u (flow_id, anchor_at)
    cross join lateral (
      select * from flow where ${all(conditions)} and flow_id = u.flow_id and anchor_at = u.anchor_at limit 1
    ) f`;
}

export async function flowsByIds(
  tx: Tx,
  tenantId: string,
  flowIds: readonly string[],
): Promise<Map<string, FlowState>> {
  if (flowIds.length === 0) return new Map();
  const rows = await tx.rows<FlowRow>(lookUps(flowIds, [sql`tenant_id = ${tenantId}`]));
  return new Map(rows.map((row) => [row.flow_id, toFlowState(row)]));
}

async function incidentFlows(tx: Tx, tenantId: string, incidentId: string): Promise<string[]> {
  const rows = await tx.rows<{ flow_id: string }>(sql`
    select distinct flow_id from incident_evidence
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid`);
  return rows.map((row) => row.flow_id);
}

export interface EvidenceRow {
  evidence_id: string;
  observed_at: number;
  flow_id: string;
  kind: EvidenceKind;
  record_kind: RecordKind;
  source: EvidenceSource;
  sensor_id: string;
  trust: TrustClass;
  src_low: boolean;
  received_at: number;
  block_id: number | bigint;
  position: number;
  start_at: number;
  end_at: number;
  src_bytes: Count | null;
  src_packets: Count | null;
  dst_bytes: Count | null;
  dst_packets: Count | null;
  semantics: "session" | "unidirectional_export" | "unknown" | null;
  facts: Facts | null;
  warnings: string[] | null;
}

type StoredEvidence = Omit<EvidenceRow, "kind" | "source" | "record_kind" | "semantics"> & {
  record_kind_no: number;
  semantics_no: number | null;
};

/** What to select of `observation e join raw_batch b` for `toEvidenceRow`. */
export const EVIDENCE_COLUMNS = sql`e.*, b.sensor_id, b.trust, b.block_id`;
/** The join that brings what the batch knows. */
const EVIDENCE_BATCH = sql`join raw_batch b on b.tenant_id = e.tenant_id and b.batch_no = e.batch_no`;

/**
 * Joins the evidence `e` of a link `x`, whose time is the millisecond in the evidence's id: 1970 for whatever was
 * before, and a little early in years so late that microseconds are not exact. One by one, as with flows.
 */
export function linkedEvidence(tenantId: string): Sql {
  return sql`
    cross join lateral (
      select * from observation
      where tenant_id = ${tenantId} and flow_id = x.flow_id and evidence_id = x.evidence_id
        and anchor_at = flow_anchor(x.flow_id)
        and observed_at >= case when x.observed_at = timestamptz 'epoch' then '-infinity' else x.observed_at end
        and observed_at < x.observed_at + interval '2 milliseconds'
      limit 1
    ) e ${EVIDENCE_BATCH}`;
}

/** Adds what follows from the record kind. */
export function toEvidenceRow(row: StoredEvidence): EvidenceRow {
  const record_kind = kindOf(row.record_kind_no);
  const semantics = row.semantics_no === null ? null : semanticsOf(row.semantics_no);
  const { source, evidenceKind } = normaliserFor(record_kind);
  return { ...row, record_kind, semantics, source, kind: evidenceKind ?? "flow_observation" };
}

/** A flow's observations in the order they were observed, after a position, at most `limit`. */
export async function evidenceOfFlow(
  tx: Tx,
  tenantId: string,
  flowId: string,
  after: { observedAt: number; evidenceId: string } | null,
  limit: number,
): Promise<EvidenceRow[]> {
  const position = after
    ? sql`and (e.observed_at, e.evidence_id) >
      (${timestampLiteral(after.observedAt)}::timestamptz, ${after.evidenceId}::uuid)`
    : sql``;
  const rows = await tx.rows<StoredEvidence>(sql`
    select ${EVIDENCE_COLUMNS} from observation e ${EVIDENCE_BATCH}
    where e.tenant_id = ${tenantId} and e.flow_id = ${flowId}::uuid and e.anchor_at = flow_anchor(${flowId}::uuid)
      ${position}
    order by e.observed_at, e.evidence_id limit ${limit}`);
  return rows.map(toEvidenceRow);
}
