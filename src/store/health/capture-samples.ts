import type { RecordKind } from "../../contract/record/kinds.ts";
import type { SensorSample } from "../record/parsed-batch.ts";
import type { Count } from "../../domain/record/observation.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/** The newest report of a capture process of a sensor. Times in microseconds. */
export type StoredSample = SensorSample;

const SAMPLE: Column<StoredSample>[] = [
  { name: "sensor_id", type: "text", of: (sample) => sample.sensorId },
  { name: "peer", type: "text", of: (sample) => sample.peer ?? "" },
  { name: "record_kind", type: "text", of: (sample) => sample.recordKind },
  { name: "at", type: "timestamptz", of: (sample) => sample.at },
  { name: "received_at", type: "timestamptz", of: (sample) => sample.receivedAt },
  { name: "interval_us", type: "bigint", of: (sample) => sample.interval },
  { name: "packets", type: "bigint", of: (sample) => sample.packets },
  { name: "dropped", type: "bigint", of: (sample) => sample.dropped },
  { name: "loss_percent", type: "double precision", of: (sample) => sample.lossPercent },
];

/** Replaces earlier samples; each sensor, process and kind at most once. */
export async function recordSamples(
  tx: Tx,
  tenantId: string,
  samples: readonly StoredSample[],
): Promise<void> {
  if (samples.length === 0) return;
  await tx.run(sql`
    ${insertRows("capture_sample", tenantId, SAMPLE, samples)}
    on conflict (tenant_id, sensor_id, peer, record_kind) do update set
      at = excluded.at, received_at = excluded.received_at, interval_us = excluded.interval_us,
      packets = excluded.packets, dropped = excluded.dropped, loss_percent = excluded.loss_percent`);
}

/** The samples received since `since` (microseconds). */
export async function samplesSince(tx: Tx, tenantId: string, since: number): Promise<StoredSample[]> {
  const rows = await tx.rows<{
    sensor_id: string;
    peer: string;
    record_kind: RecordKind;
    at: number;
    received_at: number;
    interval_us: number | null;
    packets: Count | null;
    dropped: Count | null;
    loss_percent: number | null;
  }>(sql`
    select * from capture_sample
    where tenant_id = ${tenantId} and received_at >= ${timestampLiteral(since)}::timestamptz
    order by sensor_id, peer, record_kind`);
  return rows.map((row) => ({
    sensorId: row.sensor_id,
    peer: row.peer === "" ? null : row.peer,
    recordKind: row.record_kind,
    at: row.at,
    receivedAt: row.received_at,
    interval: row.interval_us,
    packets: row.packets,
    dropped: row.dropped,
    lossPercent: row.loss_percent,
  }));
}

export async function expireSamples(tx: Tx, tenantId: string, cutoff: number): Promise<void> {
  await tx.run(sql`
    delete from capture_sample
    where tenant_id = ${tenantId} and received_at < ${timestampLiteral(cutoff)}::timestamptz`);
}
