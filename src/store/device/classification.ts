import type { Classification } from "../../domain/device/classify/classify.ts";
import type { Tx } from "../engine/database.ts";
import { textArray, timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

/** A device that is due for classification, with those merged into it. */
export interface DueDevice {
  device_id: string;
  merged: string[];
  first_seen: number;
  last_seen: number;
  /** The newest batch with a record of it. */
  seen_batch: number | bigint;
}

/**
 * Devices that were never classified, or have newer records, or were classified by other rules; longest
 * waiting first. Newer records count only if the last classification was before `before` (microseconds), so
 * that busy devices are not classified constantly.
 */
export async function dueDevices(
  tx: Tx,
  tenantId: string,
  rulesVersion: number,
  before: number,
  limit: number,
): Promise<DueDevice[]> {
  return await tx.rows<DueDevice>(sql`
    select d.device_id, coalesce(m.merged, '{}') as merged, least(d.first_seen, m.first_seen) as first_seen,
      greatest(d.last_seen, m.last_seen) as last_seen, greatest(d.seen_batch, m.seen_batch) as seen_batch
    from device d
    left join (
      select merged_into, array_agg(device_id order by device_id) as merged, min(first_seen) as first_seen,
        max(last_seen) as last_seen, max(seen_batch) as seen_batch
      from device where tenant_id = ${tenantId} and merged_into is not null group by merged_into
    ) m on m.merged_into = d.device_id
    left join device_classification c on c.tenant_id = d.tenant_id and c.device_id = d.device_id
    where d.tenant_id = ${tenantId} and d.merged_into is null
      and (c.device_id is null or c.rules_version <> ${rulesVersion}
        or (c.seen_batch <> greatest(d.seen_batch, m.seen_batch)
          and c.classified_at < ${timestampLiteral(before)}::timestamptz))
    order by c.classified_at nulls first, d.device_id limit ${limit}`);
}

/** A device's classification; null if none of its records are left, so the last one stays. */
export interface ClassifiedDevice {
  device: DueDevice;
  classification: Classification | null;
}

/**
 * Saves a classification, and applies it unless a person or the inventory has classified the device. Use one
 * transaction per device: a pipeline round locks devices twice, so a transaction that locks several can
 * deadlock with it.
 */
export async function writeClassification(
  tx: Tx,
  tenantId: string,
  { device, classification }: ClassifiedDevice,
  rulesVersion: number,
  at: number,
): Promise<void> {
  const { device_id: deviceId, seen_batch: seenBatch } = device;
  const { type, confidence, reasons } = classification ?? { type: "unknown", confidence: 0, reasons: [] };
  await tx.run(sql`
    insert into device_classification (tenant_id, device_id, device_type, confidence, reasons, rules_version, seen_batch,
      classified_at)
    values (${tenantId}, ${deviceId}::uuid, ${type}, ${confidence}, ${
    textArray(reasons)
  }::text[], ${rulesVersion},
      ${seenBatch}, ${timestampLiteral(at)}::timestamptz)
    on conflict (tenant_id, device_id) do update set ${
    classification === null ? sql`` : sql`
      device_type = excluded.device_type, confidence = excluded.confidence, reasons = excluded.reasons,`
  }
      rules_version = excluded.rules_version, seen_batch = excluded.seen_batch, classified_at = excluded.classified_at`);
  if (classification === null) return;
  await tx.run(sql`
    update device set device_type = ${type}, confidence = ${confidence}
    where tenant_id = ${tenantId} and device_id = ${deviceId}::uuid and classification_source = 'observed'
      and (device_type <> ${type} or confidence <> ${confidence})`);
}

/** A device's classification by its behaviour alone. */
export interface ObservedClassification {
  device_type: string;
  confidence: number;
  reasons: string[];
  classified_at: number;
}

/** Null if the device was not classified yet. */
export async function observedClassification(
  tx: Tx,
  tenantId: string,
  deviceId: string,
): Promise<ObservedClassification | null> {
  const [row] = await tx.rows<ObservedClassification>(sql`
    select device_type, confidence, reasons, classified_at from device_classification
    where tenant_id = ${tenantId} and device_id = ${deviceId}::uuid`);
  return row ?? null;
}
