import type { Database, Tx } from "../../store/engine/database.ts";
import { flushJournal } from "../../store/detector/journal.ts";
import { flowsByIds } from "../../store/flow/read.ts";
import { keepEvidence } from "../../store/incident/kept-evidence.ts";
import { dropPartitions } from "../../store/engine/schema/partitions.ts";
import { readRaw } from "../../store/record/raw-read.ts";
import { shownFlow } from "../../store/flow/shown-flows.ts";
import {
  endangeredEvidence,
  expireDefaults,
  expireRows,
  openIncidents,
} from "../../store/upkeep/retention.ts";
import { listTenants } from "../../store/engine/tenants.ts";
import { observationView } from "../handlers/flow/view.ts";

const DAY = 86_400_000_000;
const COPY_ROUND = 200;
/** Records in memory at once while they are copied: 4 MB, because a normalised record has at most 256 KiB. */
const COPY_RECORDS = 16;

/** What a clean-up removed. */
export interface Removed {
  partitions: string[];
  /** Rows of the default partitions. */
  rows: number;
}

/**
 * Removes what exceeds the retention. Evidence of open incidents is first copied, items and raw records, and
 * committed before anything is dropped. `zoneOf`: the time zone of a tenant's site, UTC without one.
 */
export async function applyRetention(
  db: Database,
  now: number,
  retentionDays: number,
  zoneOf: (tenantId: string) => string | undefined = () => undefined,
): Promise<Removed> {
  await keepOpenEvidence(db, now - retentionDays * DAY);
  const partitions = await dropPartitions(db, now, retentionDays);
  const rows = await expireDefaults(db, now, retentionDays);
  for (const tenantId of await listTenants(db)) {
    // Separate transactions: the pipeline waits for the journal.
    await db.tenant(tenantId, (tx) => flushJournal(tx, tenantId));
    await db.tenant(tenantId, (tx) => expireRows(tx, tenantId, now, retentionDays, zoneOf(tenantId)));
  }
  return { partitions, rows };
}

/** Copies the evidence of open incidents that was observed or received before `cutoff` (microseconds). */
export async function keepOpenEvidence(db: Database, cutoff: number): Promise<void> {
  for (const tenantId of await listTenants(db)) await copyEvidence(db, tenantId, cutoff);
}

/** Copies in bounded rounds; skips rows whose flow no longer exists. */
async function copyEvidence(db: Database, tenantId: string, cutoff: number): Promise<void> {
  for (const incidentId of await db.tenant(tenantId, (tx) => openIncidents(tx, tenantId))) {
    let rows: { evidence_id: string }[] = [];
    do {
      const after = rows.at(-1)?.evidence_id ?? null;
      rows = await db.tenant(tenantId, (tx) => copyRound(tx, tenantId, incidentId, cutoff, after));
    } while (rows.length === COPY_ROUND);
  }
}

async function copyRound(
  tx: Tx,
  tenantId: string,
  incidentId: string,
  cutoff: number,
  after: string | null,
): Promise<{ evidence_id: string }[]> {
  const rows = await endangeredEvidence(tx, tenantId, incidentId, { cutoff, after, limit: COPY_ROUND });
  const flows = await flowsByIds(tx, tenantId, [...new Set(rows.map((row) => row.flow_id))]);
  for (let from = 0; from < rows.length; from += COPY_RECORDS) {
    const part = rows.slice(from, from + COPY_RECORDS);
    const raws = await readRaw(tx, tenantId, part);
    const kept = part.flatMap((row, index) => {
      const flow = flows.get(row.flow_id);
      return flow ? [observationView(row, shownFlow(flow), raws[index] ?? null, () => null)] : [];
    });
    await keepEvidence(tx, tenantId, kept);
  }
  return rows;
}
