import type { FlowState } from "../domain/correlate/flow.ts";
import type { EvidenceKind, EvidenceSource, RecordKind, TrustClass } from "../contract/kinds.ts";
import type { Count, Facts } from "../domain/records/observation.ts";
import { decodeBlock } from "./block.ts";
import type { Tx } from "./database.ts";
import { type FlowRow, toFlowState } from "./flows.ts";
import { plainArray, timestampArray, timestampLiteral } from "./literals.ts";
import { all, type Sql, sql } from "./sql.ts";

export interface FlowFilter {
  /** Microseconds, half-open, on the flow's start. Null: no window (an incident's flows). */
  window: { from: number; to: number } | null;
  deviceId?: string;
  /** Canonical address of either end. */
  peerIp?: string;
  proto?: string;
  service?: string;
  source?: EvidenceSource;
  incidentId?: string;
}

/** Where a page ended: start and id of its last flow. */
export interface FlowPosition {
  start: number;
  flowId: string;
}

/** Flows by start, newest first, the id breaking ties; at most `limit`. */
export async function listFlows(
  tx: Tx,
  tenantId: string,
  filter: FlowFilter,
  after: FlowPosition | null,
  limit: number,
): Promise<FlowState[]> {
  const conditions = conditionsOf(tenantId, filter, after);
  const order = sql`order by start_at desc, flow_id desc limit ${limit}`;
  if (filter.deviceId === undefined) {
    return (await tx.rows<FlowRow>(sql`select * from flow where ${all(conditions)} ${order}`)).map(
      toFlowState,
    );
  }
  // One scan for each side, so that each has an index in the order of the list.
  const side = (column: Sql, extra: Sql) =>
    sql`
    (select * from flow where ${all(conditions)} and ${column} = ${filter.deviceId} ${extra} ${order})`;
  const rows = await tx.rows<FlowRow>(sql`
    select * from (
      ${side(sql`src_device_id`, sql``)}
      union all
      ${side(sql`dst_device_id`, sql`and src_device_id is distinct from ${filter.deviceId}`)}
    ) both_sides ${order}`);
  return rows.map(toFlowState);
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
  if (filter.peerIp !== undefined) {
    conditions.push(sql`(src_ip = ${filter.peerIp}::inet or dst_ip = ${filter.peerIp}::inet)`);
  }
  if (filter.proto !== undefined) conditions.push(sql`proto = ${filter.proto}`);
  if (filter.service !== undefined) conditions.push(sql`service = ${filter.service}`);
  if (filter.source !== undefined) conditions.push(sql`${filter.source} = any(sources)`);
  if (filter.incidentId !== undefined) {
    conditions.push(sql`flow_id in (
      select x.flow_id from incident_evidence x
      where x.tenant_id = ${tenantId} and x.incident_id = ${filter.incidentId}::uuid)`);
  }
  return conditions;
}

/** The millisecond in the first 48 bits of an id made by `timeUuid`, in microseconds. */
export function timeOfId(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16) * 1000;
}

/** Flows by id; each look-up meets one partition. */
export async function flowsByIds(
  tx: Tx,
  tenantId: string,
  flowIds: readonly string[],
): Promise<Map<string, FlowState>> {
  if (flowIds.length === 0) return new Map();
  const rows = await tx.rows<FlowRow>(sql`
    select f.* from unnest(${plainArray(flowIds)}::uuid[], ${
    timestampArray(flowIds.map(timeOfId))
  }::timestamptz[])
      as u (flow_id, anchor_at)
    join flow f on f.tenant_id = ${tenantId} and f.flow_id = u.flow_id and f.anchor_at = u.anchor_at`);
  return new Map(rows.map((row) => [row.flow_id, toFlowState(row)]));
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

/** A flow's observations in the order they were observed, after a position, at most `limit`. */
export async function evidenceOfFlow(
  tx: Tx,
  tenantId: string,
  flowId: string,
  after: { observedAt: number; evidenceId: string } | null,
  limit: number,
): Promise<EvidenceRow[]> {
  const position = after
    ? sql`and (observed_at, evidence_id) >
      (${timestampLiteral(after.observedAt)}::timestamptz, ${after.evidenceId}::uuid)`
    : sql``;
  return await tx.rows<EvidenceRow>(sql`
    select * from evidence where tenant_id = ${tenantId} and flow_id = ${flowId}::uuid ${position}
    order by observed_at, evidence_id limit ${limit}`);
}

export interface RawLocation {
  received_at: number;
  block_id: number | bigint;
  position: number;
}

export interface StoredRaw {
  kind: RecordKind;
  /** Hex. */
  eventId: string;
  observedAtText: string;
  payload: string;
}

/** The records at these places, in their order; null where the block is no longer kept. */
export async function readRaw(
  tx: Tx,
  tenantId: string,
  places: readonly RawLocation[],
): Promise<(StoredRaw | null)[]> {
  const keyOf = (place: { received_at: number; block_id: number | bigint }) =>
    `${place.received_at} ${place.block_id}`;
  const wanted = new Map(places.map((place) => [keyOf(place), place]));
  if (wanted.size === 0) return [];
  const rows = await tx.rows<{ received_at: number; block_id: number | bigint; body: Uint8Array }>(sql`
    select b.received_at, b.block_id, b.body
    from unnest(${timestampArray([...wanted.values()].map((place) => place.received_at))}::timestamptz[],
      ${
    plainArray([...wanted.values()].map((place) => place.block_id))
  }::bigint[]) as u (received_at, block_id)
    join raw_block b on b.tenant_id = ${tenantId} and b.received_at = u.received_at and b.block_id = u.block_id`);
  const blocks = new Map(
    await Promise.all(rows.map(async (row) => [keyOf(row), await decodeBlock(row.body)] as const)),
  );
  return places.map((place) => {
    const record = blocks.get(keyOf(place))?.[place.position];
    if (!record) return null;
    return {
      kind: record.kind,
      eventId: [...record.eventId].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
      observedAtText: record.observedAtText,
      payload: record.payload,
    };
  });
}
