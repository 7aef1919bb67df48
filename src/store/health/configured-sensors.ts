import type { Tx } from "../engine/database.ts";
import { textArray, timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

/** Since when the configuration has each sensor, in microseconds; as of the last run of the sensor watch. */
export async function configuredSensors(tx: Tx, tenantId: string): Promise<Map<string, number>> {
  const rows = await tx.rows<{ sensor_id: string; since: number }>(
    sql`select sensor_id, since from configured_sensor where tenant_id = ${tenantId}`,
  );
  return new Map(rows.map((row) => [row.sensor_id, row.since]));
}

/** Records the sensors of the configuration: new ones since `now` (microseconds); the others are forgotten. */
export async function saveConfiguredSensors(
  tx: Tx,
  tenantId: string,
  sensorIds: readonly string[],
  now: number,
): Promise<void> {
  const ids = sql`${textArray(sensorIds)}::text[]`;
  await tx.run(sql`
    insert into configured_sensor (tenant_id, sensor_id, since)
    select ${tenantId}, u.sensor_id, ${
    timestampLiteral(now)
  }::timestamptz from unnest(${ids}) as u (sensor_id)
    on conflict do nothing`);
  await tx.run(sql`
    delete from configured_sensor where tenant_id = ${tenantId} and sensor_id <> all(${ids})`);
}
