import type { DeviceAnchor } from "../../domain/device/identity/anchor-sightings.ts";
import type { AnchorClass } from "../../domain/device/identity/anchors.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows, nestedArray, relation } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

export type StoredAnchor = DeviceAnchor & {
  /** Whether several machines had the value at the same time at the job's last run. */
  shared: boolean;
};

/** Maximum on one device's page. */
const MAX_SHOWN = 200;

/** All anchors of a tenant. */
export async function allAnchors(tx: Tx, tenantId: string): Promise<StoredAnchor[]> {
  const rows = await tx.rows<AnchorRow>(sql`select * from device_anchor where tenant_id = ${tenantId}`);
  return rows.map(toAnchor);
}

/** The anchors of some devices, last seen first. */
export async function anchorsOf(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<StoredAnchor[]> {
  const rows = await tx.rows<AnchorRow>(sql`
    select * from device_anchor
    where tenant_id = ${tenantId} and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by last_seen desc, class, value, device_id limit ${MAX_SHOWN}`);
  return rows.map(toAnchor);
}

/** The anchors of some devices, each with those of devices merged into it. */
export async function anchorsOfGroups(
  tx: Tx,
  tenantId: string,
  survivorIds: readonly string[],
): Promise<Map<string, StoredAnchor[]>> {
  if (survivorIds.length === 0) return new Map();
  const ids = plainArray(survivorIds);
  const rows = await tx.rows<AnchorRow & { survivor_id: string }>(sql`
    select a.*, coalesce(d.merged_into, d.device_id) as survivor_id
    from device d join device_anchor a on a.tenant_id = d.tenant_id and a.device_id = d.device_id
    where d.tenant_id = ${tenantId} and (d.device_id = any(${ids}::uuid[]) or d.merged_into = any(${ids}::uuid[]))`);
  const groups = Map.groupBy(rows, (row) => row.survivor_id);
  return new Map([...groups].map(([id, group]) => [id, group.map(toAnchor)]));
}

interface AnchorRow {
  device_id: string;
  class: AnchorClass;
  value: string;
  source: string;
  first_seen: number;
  last_seen: number;
  days: number[];
  shared: boolean;
}

function toAnchor(row: AnchorRow): StoredAnchor {
  return {
    deviceId: row.device_id,
    class: row.class,
    value: row.value,
    source: row.source,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    days: row.days,
    shared: row.shared,
  };
}

const KEY: Column<DeviceAnchor>[] = [
  { name: "device_id", type: "uuid", of: (anchor) => anchor.deviceId },
  { name: "class", type: "text", of: (anchor) => anchor.class },
  { name: "value", type: "text", of: (anchor) => anchor.value },
];

/** `updatedAt` in microseconds. */
export async function writeAnchors(
  tx: Tx,
  tenantId: string,
  anchors: readonly DeviceAnchor[],
  updatedAt: number,
): Promise<void> {
  if (anchors.length === 0) return;
  const columns: Column<DeviceAnchor>[] = [
    ...KEY,
    { name: "source", type: "text", of: (anchor) => anchor.source },
    { name: "first_seen", type: "timestamptz", of: (anchor) => anchor.firstSeen },
    { name: "last_seen", type: "timestamptz", of: (anchor) => anchor.lastSeen },
    { name: "days", type: "text", cast: "integer[]", of: (anchor) => nestedArray(anchor.days) },
    { name: "updated_at", type: "timestamptz", of: () => updatedAt },
  ];
  await tx.run(sql`
    ${insertRows("device_anchor", tenantId, columns, anchors)}
    on conflict (tenant_id, device_id, class, value) do update
      set source = excluded.source, first_seen = excluded.first_seen, last_seen = excluded.last_seen,
          days = excluded.days, updated_at = excluded.updated_at`);
}

export async function deleteAnchors(
  tx: Tx,
  tenantId: string,
  anchors: readonly DeviceAnchor[],
): Promise<void> {
  if (anchors.length === 0) return;
  await tx.run(sql`
    delete from device_anchor a using ${relation(KEY, anchors)}
    where a.tenant_id = ${tenantId} and a.device_id = u.device_id and a.class = u.class and a.value = u.value`);
}

/** Updates which values are shared. */
export async function markShared(tx: Tx, tenantId: string, anchors: readonly StoredAnchor[]): Promise<void> {
  if (anchors.length === 0) return;
  const columns: Column<StoredAnchor>[] = [
    ...KEY,
    { name: "shared", type: "boolean", of: (anchor) => anchor.shared },
  ];
  await tx.run(sql`
    update device_anchor a set shared = u.shared from ${relation(columns, anchors)}
    where a.tenant_id = ${tenantId} and a.device_id = u.device_id and a.class = u.class and a.value = u.value`);
}

/** Deletes anchors not found since `cutoff` (microseconds), and merges that ended before it. */
export async function expireIdentities(tx: Tx, tenantId: string, cutoff: number): Promise<void> {
  const before = timestampLiteral(cutoff);
  await tx.run(
    sql`delete from device_anchor where tenant_id = ${tenantId} and updated_at < ${before}::timestamptz`,
  );
  await tx.run(
    sql`delete from device_merge where tenant_id = ${tenantId} and undone_at < ${before}::timestamptz`,
  );
}
