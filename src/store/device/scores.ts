import type { Tx } from "../engine/database.ts";
import { plainArray } from "../engine/literals.ts";
import { type Column, placesWithin, relation } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/** A device's score and the incidents it is computed from, those of merged devices included. */
export interface DeviceStanding {
  deviceId: string;
  /** Those of the requested devices that this one stands for, possibly itself. */
  requested: string[];
  score: number;
  /** Scores of its open and investigating incidents that no suppression covers, by incident. */
  incidents: Map<string, number>;
}

/** Standings of these devices' survivors, which are locked until the transaction ends. */
export async function deviceStandings(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<DeviceStanding[]> {
  if (deviceIds.length === 0) return [];
  const locked = await lockScores(tx, tenantId, deviceIds);
  const standings = new Map<string, DeviceStanding>();
  const missing = new Map<string, string[]>();
  for (const { device_id: deviceId, score, merged_into: survivor } of locked) {
    if (survivor === null) {
      standings.set(deviceId, { deviceId, requested: [deviceId], score, incidents: new Map() });
    } else missing.set(survivor, [...missing.get(survivor) ?? [], deviceId]);
  }
  const unlocked = [...missing.keys()].filter((survivor) => !standings.has(survivor));
  for (const { device_id: deviceId, score } of await lockScores(tx, tenantId, unlocked)) {
    standings.set(deviceId, { deviceId, requested: [deviceId], score, incidents: new Map() });
  }
  for (const [survivor, members] of missing) standings.get(survivor)?.requested.push(...members);
  // Read after the locks are taken, to see what other transactions changed before they released them.
  const ids = plainArray([...standings.keys()]);
  const incidents = await tx.rows<{ device_id: string; incident_id: string; score: number }>(sql`
    select coalesce(d.merged_into, d.device_id) as device_id, x.incident_id, i.score
    from device d
    join incident_device x on x.tenant_id = d.tenant_id and x.device_id = d.device_id
    join incident i on i.tenant_id = x.tenant_id and i.incident_id = x.incident_id
    where d.tenant_id = ${tenantId} and (d.device_id = any(${ids}::uuid[]) or d.merged_into = any(${ids}::uuid[]))
      and i.status in ('open', 'investigating')
      and (i.suppressed_by is null or not exists (select from suppression s
        where s.tenant_id = i.tenant_id and s.suppression_id = i.suppressed_by and not s.lifted))`);
  for (const { device_id: deviceId, incident_id: incidentId, score } of incidents) {
    standings.get(deviceId)?.incidents.set(incidentId, score);
  }
  return [...standings.values()];
}

async function lockScores(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<{ device_id: string; score: number; merged_into: string | null }[]> {
  if (deviceIds.length === 0) return [];
  return await tx.rows(sql`
    select device_id, score, merged_into from device
    where tenant_id = ${tenantId} and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by device_id for update`);
}

export interface DeviceScore {
  deviceId: string;
  /** Microseconds. */
  at: number;
  score: number;
  reason: string;
}

const ENTRY: Column<DeviceScore & { place: number }>[] = [
  { name: "device_id", type: "uuid", of: (entry) => entry.deviceId },
  { name: "place", type: "integer", of: (entry) => entry.place },
  { name: "at", type: "timestamptz", of: (entry) => entry.at },
  { name: "score", type: "double precision", of: (entry) => entry.score },
  { name: "reason", type: "text", of: (entry) => entry.reason },
];

/** Appends to the score histories, in the given order; a device's last entry becomes its score. */
export async function appendDeviceScores(
  tx: Tx,
  tenantId: string,
  entries: readonly DeviceScore[],
): Promise<void> {
  if (entries.length === 0) return;
  const places = placesWithin(entries.map(({ deviceId }) => deviceId));
  const placed = entries.map((entry, at) => ({ ...entry, place: places[at]! }));
  const latest = new Map(placed.map((entry) => [entry.deviceId, entry]));
  await Promise.all([
    tx.run(sql`
      update device set score = u.score from ${relation(ENTRY, [...latest.values()])}
      where device.tenant_id = ${tenantId} and device.device_id = u.device_id`),
    tx.run(sql`
      insert into device_score (tenant_id, device_id, entry_no, at, score, reason)
      select ${tenantId}, device_id, place + coalesce((
          select max(entry_no) from device_score s where s.tenant_id = ${tenantId} and s.device_id = u.device_id
        ), 0), at, score, reason
      from ${relation(ENTRY, placed)}`),
  ]);
}

/** Sets each device's score to the highest of its open and investigating incidents. */
export async function rescoreDevices(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
  at: number,
  reason: string,
): Promise<void> {
  const standings = await deviceStandings(tx, tenantId, deviceIds);
  const changed = standings.flatMap(({ deviceId, score: before, incidents }) => {
    const score = Math.max(0, ...incidents.values());
    return score === before ? [] : [{ deviceId, at, score, reason }];
  });
  await appendDeviceScores(tx, tenantId, changed);
}
