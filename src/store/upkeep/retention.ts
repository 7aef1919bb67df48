import { expireLedger } from "../analyst/ledger.ts";
import { expireOpenings } from "../incident/openings.ts";
import { timeUuid } from "../../kit/id.ts";
import { expireSamples } from "../health/capture-samples.ts";
import type { Database, Tx } from "../engine/database.ts";
import { expireIdentities } from "../device/anchor.ts";
import { STATE_TYPES } from "../../domain/detect/registry.ts";
import { expireStates } from "../detector/state.ts";
import { expireDeviceFacts } from "../device/facts.ts";
import { expireLeases } from "../device/dhcp-leases.ts";
import { EVIDENCE_COLUMNS, type EvidenceRow, linkedEvidence, toEvidenceRow } from "../flow/read.ts";
import { trimEvidence } from "../incident/write.ts";
import { expireMatches } from "../intel/match.ts";
import { expireKept } from "../incident/kept-evidence.ts";
import { expireTraffic } from "../graph/traffic.ts";
import { expireDays } from "../graph/traffic-days.ts";
import { expireAddresses } from "../search/addresses.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { identifier, sql } from "../engine/sql.ts";
import { PARTITIONED_TABLES } from "../engine/tables.ts";

const DAY = 86_400_000_000;
/** A year of a budget's use and the month before it. Runs stay, like the incidents that they are about. */
const LEDGER_DAYS = 400;
/** More than the days that partitions are created ahead. */
const BATCH_EXTRA_DAYS = 5;

/** Incidents whose evidence is kept beyond the retention. */
export async function openIncidents(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx.rows<{ incident_id: string }>(sql`
    select incident_id from incident
    where tenant_id = ${tenantId} and status in ('open', 'investigating') order by incident_id`);
  return rows.map((row) => row.incident_id);
}

/**
 * Evidence of an incident that has not been copied out and that the next clean-up would delete, or whose flow
 * it would delete: at most `limit` rows with ids after `after`, in id order. `cutoff` in microseconds.
 */
export async function endangeredEvidence(
  tx: Tx,
  tenantId: string,
  incidentId: string,
  { cutoff, after, limit }: { cutoff: number; after: string | null; limit: number },
): Promise<EvidenceRow[]> {
  const before = timestampLiteral(cutoff);
  const firstFlowKept = timeUuid(cutoff, new Uint8Array(10));
  const rows = await tx.rows<Parameters<typeof toEvidenceRow>[0]>(sql`
    select ${EVIDENCE_COLUMNS} from incident_evidence x
    ${linkedEvidence(tenantId)}
    where x.tenant_id = ${tenantId} and x.incident_id = ${incidentId}::uuid
      ${after === null ? sql`` : sql`and x.evidence_id > ${after}::uuid`}
      and (e.observed_at < ${before}::timestamptz or e.received_at < ${before}::timestamptz
        or x.flow_id < ${firstFlowKept}::uuid)
      and not exists (select from kept_evidence k
        where k.tenant_id = ${tenantId} and k.evidence_id = x.evidence_id)
    order by x.evidence_id limit ${limit}`);
  return rows.map(toEvidenceRow);
}

/**
 * Deletes expired rows of the default partitions by receipt time, because their own times cannot be trusted.
 */
export async function expireDefaults(db: Database, now: number, retentionDays: number): Promise<number> {
  // In one transaction: a record without its key would count as new when it is resent.
  return await db.owner(async (tx) => {
    await tx.script("set local statement_timeout = 0");
    let deleted = 0;
    for (const table of PARTITIONED_TABLES) {
      const cutoff = timestampLiteral(now - (retentionDays + table.extraDays) * DAY);
      deleted += await tx.run(sql`
        delete from ${identifier(table.name + "_default")}
        where ${identifier(table.expiryColumn)} < ${cutoff}::timestamptz`);
    }
    return deleted;
  });
}

/** Deletes expired rows of the tables without day partitions. `zone`: of the site, UTC without it. */
export async function expireRows(
  tx: Tx,
  tenantId: string,
  now: number,
  retentionDays: number,
  zone?: string,
): Promise<void> {
  const cutoff = timestampLiteral(now - retentionDays * DAY);
  // Evidence whose time is ahead of its receipt still refers to its batch.
  const batchCutoff = timestampLiteral(now - (retentionDays + BATCH_EXTRA_DAYS) * DAY);
  await tx.run(sql`
    delete from raw_batch where tenant_id = ${tenantId} and received_at < ${batchCutoff}::timestamptz
      and batch_no <= coalesce((select batch_no from pipeline_cursor where tenant_id = ${tenantId}), 0)`);
  await tx.run(
    sql`delete from rejected_line where tenant_id = ${tenantId} and received_at < ${cutoff}::timestamptz`,
  );
  for (const { id, keepDays } of STATE_TYPES) await expireStates(tx, tenantId, id, now - keepDays * DAY);
  // The newest result of each detector and group of an incident stays.
  await tx.run(sql`
    delete from model_result r where r.tenant_id = ${tenantId} and r.created_at < ${cutoff}::timestamptz
      and (r.incident_id is null or exists (
        select from model_result later
        where later.tenant_id = ${tenantId} and later.incident_id = r.incident_id
          and later.model_id = r.model_id and later.group_key = r.group_key and later.result_no > r.result_no))`);
  await expireOpenings(tx, tenantId, now - retentionDays * DAY);
  await trimEvidence(tx, tenantId);
  await expireKept(tx, tenantId, now - retentionDays * DAY);
  await expireDeviceFacts(tx, tenantId, now - retentionDays * DAY);
  await expireLeases(tx, tenantId, now - retentionDays * DAY);
  await expireIdentities(tx, tenantId, now - retentionDays * DAY);
  await expireSamples(tx, tenantId, now - retentionDays * DAY);
  await expireMatches(tx, tenantId, now - retentionDays * DAY);
  await expireAddresses(tx, tenantId, now - (retentionDays + 1) * DAY);
  await expireTraffic(tx, tenantId, now, zone);
  await expireDays(tx, tenantId, now - (retentionDays + 1) * DAY);
  await expireLedger(tx, tenantId, LEDGER_DAYS);
}
