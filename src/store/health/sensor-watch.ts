import type { SensorWatch } from "../../domain/health/rhythm.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

/** The rhythm of each sensor's receipts, by sensor. */
export async function sensorWatches(tx: Tx, tenantId: string): Promise<Map<string, SensorWatch>> {
  const rows = await tx.rows<{
    sensor_id: string;
    heard_at: number;
    watched_at: number;
    silence_us: number;
    whole: boolean;
    pauses: number[];
    hour_at: number | null;
    hour_silence_us: number;
    silences: number[];
  }>(sql`
    select sensor_id, heard_at, watched_at, silence_us, whole, pauses, hour_at, hour_silence_us, silences
    from sensor_watch where tenant_id = ${tenantId}`);
  return new Map(rows.map((row) => [row.sensor_id, {
    heardAt: row.heard_at,
    watchedAt: row.watched_at,
    silence: row.silence_us,
    whole: row.whole,
    pauses: row.pauses,
    hourAt: row.hour_at,
    hourSilence: row.hour_silence_us,
    silences: row.silences,
  }]));
}

export async function saveSensorWatch(
  tx: Tx,
  tenantId: string,
  sensorId: string,
  watch: SensorWatch,
): Promise<void> {
  const hourAt = watch.hourAt === null ? null : timestampLiteral(watch.hourAt);
  await tx.run(sql`
    insert into sensor_watch (tenant_id, sensor_id, heard_at, watched_at, silence_us, whole, pauses, hour_at,
      hour_silence_us, silences)
    values (${tenantId}, ${sensorId}, ${timestampLiteral(watch.heardAt)}::timestamptz,
      ${timestampLiteral(watch.watchedAt)}::timestamptz, ${Math.round(watch.silence)}::bigint, ${watch.whole},
      ${plainArray(watch.pauses)}::double precision[], ${hourAt}::timestamptz,
      ${Math.round(watch.hourSilence)}::bigint, ${plainArray(watch.silences)}::smallint[])
    on conflict (tenant_id, sensor_id) do update set
      heard_at = excluded.heard_at, watched_at = excluded.watched_at, silence_us = excluded.silence_us,
      whole = excluded.whole, pauses = excluded.pauses, hour_at = excluded.hour_at,
      hour_silence_us = excluded.hour_silence_us, silences = excluded.silences`);
}
