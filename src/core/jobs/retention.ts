import type { Database } from "../../store/database.ts";
import { flowsByIds, readRaw } from "../../store/flow-read.ts";
import { dropPartitions } from "../../store/partitions.ts";
import {
  endangeredEvidence,
  expireDefaults,
  expireRows,
  keepEvidence,
  type KeptEvidence,
} from "../../store/retention.ts";
import { listTenants } from "../../store/tenants.ts";
import { evidenceView, rawView } from "../handlers/flow-view.ts";

const DAY = 86_400_000_000;
const COPY_ROUND = 500;

/**
 * Removes what is older than the retention. Evidence of open incidents is copied out first, item and record,
 * and committed before anything is dropped.
 */
export async function applyRetention(db: Database, now: number, retentionDays: number): Promise<void> {
  const tenants = await listTenants(db);
  for (const tenantId of tenants) await copyOut(db, tenantId, now - retentionDays * DAY);
  await dropPartitions(db, now, retentionDays);
  await expireDefaults(db, now, retentionDays);
  for (const tenantId of tenants) {
    await db.tenant(tenantId, (tx) => expireRows(tx, tenantId, now, retentionDays));
  }
}

async function copyOut(db: Database, tenantId: string, cutoff: number): Promise<void> {
  while (await copyRound(db, tenantId, cutoff));
}

/** True while there may be more to copy. */
function copyRound(db: Database, tenantId: string, cutoff: number): Promise<boolean> {
  return db.tenant(tenantId, async (tx) => {
    const rows = await endangeredEvidence(tx, tenantId, cutoff, COPY_ROUND);
    const flows = await flowsByIds(tx, tenantId, [...new Set(rows.map((row) => row.flow_id))]);
    const raws = await readRaw(tx, tenantId, rows);
    const kept = rows.flatMap((row, index): KeptEvidence[] => {
      const flow = flows.get(row.flow_id);
      const raw = raws[index];
      return flow && raw ? [{ item: evidenceView(row, flow), raw: rawView(raw) }] : [];
    });
    await keepEvidence(tx, tenantId, kept);
    // A row whose record is gone already cannot be kept, and must not keep the loop going.
    return rows.length === COPY_ROUND && kept.length > 0;
  });
}
