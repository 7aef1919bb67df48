import type { Tx } from "../engine/database.ts";
import { textArray, timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

const HOUR = 3_600_000_000;

/**
 * The hours (their starts, in microseconds) of a window in which records of each sensor were accepted. `from` and `to`
 * are full hours. An index finds the first batch of an hour, however many follow.
 */
export async function receivedHours(
  tx: Tx,
  tenantId: string,
  sensorIds: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Map<string, Set<number>>> {
  const rows = await tx.rows<{ sensor_id: string; hour: number }>(sql`
    select s.sensor_id, h.hour from unnest(${textArray(sensorIds)}::text[]) as s (sensor_id)
    cross join generate_series(${timestampLiteral(from)}::timestamptz, ${
    timestampLiteral(to - HOUR)
  }::timestamptz, interval '1 hour') as h (hour)
    where exists (
      select from raw_batch b where b.tenant_id = ${tenantId} and b.received_at >= h.hour
        and b.received_at < h.hour + interval '1 hour' and b.sensor_id = s.sensor_id and b.accepted > 0)`);
  const hours = new Map(sensorIds.map((sensorId) => [sensorId, new Set<number>()]));
  for (const { sensor_id, hour } of rows) hours.get(sensor_id)?.add(hour);
  return hours;
}
