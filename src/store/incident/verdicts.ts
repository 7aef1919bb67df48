// Verdicts: what an incident was about that a person closed as false positive.

import type { Destination } from "../../domain/detect/kernel/result.ts";
import { subjectsOf, type Verdict } from "../../domain/incident/verdict.ts";
import type { Tx } from "../engine/database.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/**
 * Groups of an incident that a verdict covers, those with the newest results; each may name several
 * destinations.
 */
const MAX_GROUPS = 200;

type Entry = Omit<Verdict, "incidentId"> & { entryNo: number };

const ENTRY: Column<Entry & { incidentId: string }>[] = [
  { name: "incident_id", type: "uuid", of: (row) => row.incidentId },
  { name: "entry_no", type: "integer", of: (row) => row.entryNo },
  { name: "model_id", type: "text", of: (row) => row.modelId },
  { name: "device_id", type: "uuid", of: (row) => row.deviceId },
  { name: "subject", type: "text", of: (row) => row.subject },
  { name: "score", type: "double precision", of: (row) => row.score },
];

/** Saves every detector, device and destination of the incident's results, with the highest score of each. */
export async function saveVerdict(tx: Tx, tenantId: string, incidentId: string): Promise<void> {
  await deleteVerdict(tx, tenantId, incidentId);
  const rows = await tx.rows<
    {
      model_id: string;
      group_key: string;
      score: number;
      device_id: string | null;
      destinations: Destination[] | null;
    }
  >(sql`
    select model_id, group_key, max(score) as score,
      (array_agg(body ->> 'device_id' order by result_no desc))[1] as device_id,
      (array_agg(body -> 'destinations' order by result_no desc))[1] as destinations
    from model_result where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid
    group by model_id, group_key order by max(result_no) desc limit ${MAX_GROUPS}`);
  const entries = new Map<string, Entry>();
  for (const { model_id: modelId, group_key: groupKey, score, device_id: deviceId, destinations } of rows) {
    const about = { modelId, groupKey, deviceId };
    // The group, too: the same activity may later have more destinations than a result lists.
    const subjects = [
      ...subjectsOf({ ...about, destinations: destinations ?? [] }),
      ...subjectsOf({ ...about, destinations: [] }),
    ];
    for (const subject of subjects) {
      const key = JSON.stringify([modelId, deviceId, subject]);
      const known = entries.get(key);
      if (known !== undefined) known.score = Math.max(known.score, score);
      else entries.set(key, { entryNo: entries.size + 1, modelId, deviceId, subject, score });
    }
  }
  if (entries.size === 0) return;
  const rowsOfVerdict = [...entries.values()].map((entry) => ({ ...entry, incidentId }));
  await tx.run(insertRows("verdict", tenantId, ENTRY, rowsOfVerdict));
}

/** Deletes an incident's verdict, when the incident gets another status. */
export async function deleteVerdict(tx: Tx, tenantId: string, incidentId: string): Promise<void> {
  await tx.run(sql`
    delete from verdict where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid`);
}

/**
 * How many results an incident's verdict has held back, and the evidence time of the last one, microseconds.
 */
export async function heldBack(
  tx: Tx,
  tenantId: string,
  incidentId: string,
): Promise<{ count: number; last_at: number | null }> {
  const [row] = await tx.rows<{ count: number; last_at: number | null }>(sql`
    select count(*)::integer as count, max(at) as last_at from model_result
    where tenant_id = ${tenantId} and held_by = ${incidentId}::uuid`);
  return row!;
}
