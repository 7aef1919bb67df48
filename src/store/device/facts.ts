import { DEVICE_FACT_KINDS, type DeviceFactKind, MAX_FACTS_OF_KIND } from "../../domain/device/fact.ts";
import type { EvidenceSource } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, textArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";
import { sourceSet, sourcesOf } from "../record/vocabulary.ts";

/** A fact about a device from observations. Times in microseconds. */
export interface StoredFact {
  deviceId: string;
  kind: DeviceFactKind;
  value: string;
  /** The meaning of the value, if it is not evident (see src/domain/device/fact.ts). */
  detail: string | null;
  firstSeen: number;
  lastSeen: number;
  receivedAt: number;
  /** Number of observations that show it. */
  count: number;
  sources: EvidenceSource[];
  /** The newest observation. */
  evidenceId: string;
  flowId: string;
}

const FACT: Column<StoredFact>[] = [
  { name: "device_id", type: "uuid", of: (fact) => fact.deviceId },
  { name: "kind", type: "text", of: (fact) => fact.kind },
  { name: "value", type: "text", of: (fact) => fact.value },
  { name: "detail", type: "text", of: (fact) => fact.detail },
  { name: "first_seen", type: "timestamptz", of: (fact) => fact.firstSeen },
  { name: "last_seen", type: "timestamptz", of: (fact) => fact.lastSeen },
  { name: "received_at", type: "timestamptz", of: (fact) => fact.receivedAt },
  { name: "seen_count", type: "bigint", of: (fact) => fact.count },
  { name: "source_set", type: "smallint", of: (fact) => sourceSet(fact.sources) },
  { name: "evidence_id", type: "uuid", of: (fact) => fact.evidenceId },
  { name: "flow_id", type: "uuid", of: (fact) => fact.flowId },
];

/** Merges facts into the known ones, each key at most once; of equally new evidence the later one is kept. */
export async function recordDeviceFacts(
  tx: Tx,
  tenantId: string,
  facts: readonly StoredFact[],
): Promise<void> {
  if (facts.length === 0) return;
  const newer = sql`excluded.last_seen >= device_fact.last_seen`;
  await tx.run(sql`
    ${insertRows("device_fact", tenantId, FACT, facts)}
    on conflict (tenant_id, device_id, kind, value) do update set
      detail = coalesce(device_fact.detail, excluded.detail),
      first_seen = least(device_fact.first_seen, excluded.first_seen),
      last_seen = greatest(device_fact.last_seen, excluded.last_seen),
      received_at = greatest(device_fact.received_at, excluded.received_at),
      seen_count = device_fact.seen_count + excluded.seen_count,
      source_set = device_fact.source_set | excluded.source_set,
      evidence_id = case when ${newer} then excluded.evidence_id else device_fact.evidence_id end,
      flow_id = case when ${newer} then excluded.flow_id else device_fact.flow_id end`);
}

interface FactRow {
  kind: DeviceFactKind;
  value: string;
  detail: string | null;
  first_seen: number;
  last_seen: number;
  received_at: number;
  seen_count: number;
  source_set: number;
  evidence_id: string;
  flow_id: string;
}

/**
 * The newest facts of merged devices, at most `limit` of each kind. A fact of several devices is returned
 * once, under the first device's id.
 */
export async function factsOfDevices(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
  limit: number,
  kinds: readonly DeviceFactKind[] = DEVICE_FACT_KINDS,
): Promise<StoredFact[]> {
  const ofGroup = sql`tenant_id = ${tenantId} and device_id = any(${plainArray(deviceIds)}::uuid[])
    and kind = k.kind`;
  // Finds the newest values first, then reads only those in full.
  const rows = await tx.rows<FactRow>(sql`
    select k.kind, n.value, f.* from unnest(${textArray(kinds)}::text[]) as k (kind) cross join lateral (
      select value, max(last_seen) as last_seen from device_fact where ${ofGroup}
      group by value order by 2 desc, 1 limit ${limit}
    ) n cross join lateral (
      select max(detail) as detail, min(first_seen) as first_seen, max(last_seen) as last_seen,
        max(received_at) as received_at, sum(seen_count)::bigint as seen_count, bit_or(source_set) as source_set,
        (array_agg(evidence_id order by last_seen desc, device_id))[1] as evidence_id,
        (array_agg(flow_id order by last_seen desc, device_id))[1] as flow_id
      from device_fact where ${ofGroup} and value = n.value
    ) f order by k.kind, n.last_seen desc, n.value`);
  return rows.map((row) => ({
    deviceId: deviceIds[0]!,
    kind: row.kind,
    value: row.value,
    detail: row.detail,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    receivedAt: row.received_at,
    count: row.seen_count,
    sources: sourcesOf(row.source_set),
    evidenceId: row.evidence_id,
    flowId: row.flow_id,
  }));
}

/**
 * Deletes facts last received before `cutoff` (microseconds), and all but the newest of each device and kind.
 */
export async function expireDeviceFacts(tx: Tx, tenantId: string, cutoff: number): Promise<void> {
  await tx.run(sql`
    delete from device_fact
    where tenant_id = ${tenantId} and received_at < ${timestampLiteral(cutoff)}::timestamptz`);
  await tx.run(sql`
    delete from device_fact f using (
      select device_id, kind, value,
        row_number() over (partition by device_id, kind order by last_seen desc, value) as place
      from device_fact join (
        select device_id, kind from device_fact where tenant_id = ${tenantId}
        group by 1, 2 having count(*) > ${MAX_FACTS_OF_KIND}
      ) full_kinds using (device_id, kind)
      where tenant_id = ${tenantId}
    ) ranked
    where f.tenant_id = ${tenantId} and f.device_id = ranked.device_id and f.kind = ranked.kind
      and f.value = ranked.value and ranked.place > ${MAX_FACTS_OF_KIND}`);
}
