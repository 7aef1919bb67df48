import type { Tx } from "./database.ts";
import { plainArray } from "./literals.ts";
import { type Column, insertRows, relation } from "./rows.ts";
import { sql } from "./sql.ts";

/** A device's score and what it follows from. */
export interface DeviceStanding {
  deviceId: string;
  score: number;
  /** Scores of its open and investigated incidents, by incident. */
  incidents: Map<string, number>;
}

/** Where these devices stand; nobody else can change that until the transaction ends. */
export async function deviceStandings(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<DeviceStanding[]> {
  if (deviceIds.length === 0) return [];
  const ids = plainArray(deviceIds);
  const devices = await tx.rows<{ device_id: string; score: number }>(sql`
    select device_id, score from device
    where tenant_id = ${tenantId} and device_id = any(${ids}::uuid[]) order by device_id for update`);
  // Only now: what another transaction did to these devices before it let go of them can be seen.
  const incidents = await tx.rows<{ device_id: string; incident_id: string; score: number }>(sql`
    select x.device_id, x.incident_id, i.score
    from incident_device x join incident i on i.tenant_id = x.tenant_id and i.incident_id = x.incident_id
    where x.tenant_id = ${tenantId} and x.device_id = any(${ids}::uuid[])
      and i.status in ('open', 'investigating')`);
  const standings = new Map<string, DeviceStanding>(
    devices.map(({ device_id: deviceId, score }) => [deviceId, { deviceId, score, incidents: new Map() }]),
  );
  for (const { device_id: deviceId, incident_id: incidentId, score } of incidents) {
    standings.get(deviceId)?.incidents.set(incidentId, score);
  }
  return [...standings.values()];
}

export interface DeviceScore {
  deviceId: string;
  /** Microseconds. */
  at: number;
  score: number;
  reason: string;
}

const ENTRY: Column<DeviceScore & { entryNo: number }>[] = [
  { name: "device_id", type: "uuid", of: (entry) => entry.deviceId },
  { name: "entry_no", type: "integer", of: (entry) => entry.entryNo },
  { name: "at", type: "timestamptz", of: (entry) => entry.at },
  { name: "score", type: "double precision", of: (entry) => entry.score },
  { name: "reason", type: "text", of: (entry) => entry.reason },
];

/** Appends to the score histories, in the order given; the last entry of a device is its score from now on. */
export async function appendDeviceScores(
  tx: Tx,
  tenantId: string,
  entries: readonly DeviceScore[],
): Promise<void> {
  if (entries.length === 0) return;
  const latest = new Map(entries.map((entry) => [entry.deviceId, { ...entry, entryNo: 0 }]));
  const rows = await tx.rows<{ device_id: string; last: number }>(sql`
    select device_id, max(entry_no) as last from device_score
    where tenant_id = ${tenantId} and device_id = any(${plainArray([...latest.keys()])}::uuid[]) group by 1`);
  const last = new Map(rows.map((row) => [row.device_id, row.last]));
  const numbered = entries.map((entry) => {
    const entryNo = (last.get(entry.deviceId) ?? 0) + 1;
    last.set(entry.deviceId, entryNo);
    return { ...entry, entryNo };
  });
  await tx.run(sql`
    update device set score = u.score from ${relation(ENTRY, [...latest.values()])}
    where device.tenant_id = ${tenantId} and device.device_id = u.device_id`);
  await tx.run(insertRows("device_score", tenantId, ENTRY, numbered));
}

/** Sets each device's score to the highest of its open and investigated incidents. */
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
