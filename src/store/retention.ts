import type { EvidenceItem, RawRecord } from "../contract/flow.ts";
import { stringifyJson } from "../kit/json.ts";
import type { Database, Tx } from "./database.ts";
import type { EvidenceRow } from "./flow-read.ts";
import { timestampLiteral } from "./literals.ts";
import { type Column, insertRows } from "./rows.ts";
import { identifier, sql } from "./sql.ts";
import { PARTITIONED_TABLES } from "./tables.ts";

const DAY = 86_400_000_000;
const MAX_EVENTS = 10_000;
const EVENT_DAYS = 7;

/** Evidence of open incidents that the next clean-up would take, not copied out yet; at most `limit` rows. */
export async function endangeredEvidence(
  tx: Tx,
  tenantId: string,
  cutoff: number,
  limit: number,
): Promise<EvidenceRow[]> {
  const before = timestampLiteral(cutoff);
  return await tx.rows<EvidenceRow>(sql`
    select distinct e.* from incident i
    join incident_evidence x on x.tenant_id = i.tenant_id and x.incident_id = i.incident_id
    join evidence e on e.tenant_id = x.tenant_id and e.evidence_id = x.evidence_id
      and e.observed_at >= x.observed_at and e.observed_at < x.observed_at + interval '1 millisecond'
    where i.tenant_id = ${tenantId} and i.status in ('open', 'investigating')
      and (e.observed_at < ${before}::timestamptz or e.received_at < ${before}::timestamptz)
      and not exists (select from kept_evidence k
        where k.tenant_id = ${tenantId} and k.evidence_id = e.evidence_id)
    limit ${limit}`);
}

export interface KeptEvidence {
  item: EvidenceItem;
  raw: RawRecord;
}

const KEPT: Column<KeptEvidence>[] = [
  { name: "evidence_id", type: "uuid", of: (kept) => kept.item.evidence_id },
  { name: "item", type: "text", cast: "jsonb", of: (kept) => stringifyJson(kept.item) },
  { name: "raw", type: "text", cast: "jsonb", of: (kept) => stringifyJson(kept.raw) },
];

export async function keepEvidence(tx: Tx, tenantId: string, kept: readonly KeptEvidence[]): Promise<void> {
  if (kept.length > 0) {
    await tx.run(sql`${insertRows("kept_evidence", tenantId, KEPT, kept)} on conflict do nothing`);
  }
}

/** Rows of the default partitions go by receipt time, since their own times cannot be trusted. */
export async function expireDefaults(db: Database, now: number, retentionDays: number): Promise<number> {
  let deleted = 0;
  for (const table of PARTITIONED_TABLES) {
    const cutoff = timestampLiteral(now - (retentionDays + table.extraDays) * DAY);
    deleted += await db.owner((tx) =>
      tx.run(sql`
        delete from ${identifier(table.name + "_default")}
        where ${identifier(table.expiryColumn)} < ${cutoff}::timestamptz`)
    );
  }
  return deleted;
}

/** What lies outside of the day partitions: batches, rejected lines, detector state, events. */
export async function expireRows(
  tx: Tx,
  tenantId: string,
  now: number,
  retentionDays: number,
): Promise<void> {
  const cutoff = timestampLiteral(now - retentionDays * DAY);
  await tx.run(sql`
    delete from raw_batch where tenant_id = ${tenantId} and received_at < ${cutoff}::timestamptz
      and batch_no <= coalesce((select batch_no from pipeline_cursor where tenant_id = ${tenantId}), 0)`);
  await tx.run(
    sql`delete from rejected_line where tenant_id = ${tenantId} and received_at < ${cutoff}::timestamptz`,
  );
  await tx.run(
    sql`delete from channel where tenant_id = ${tenantId} and updated_at < ${cutoff}::timestamptz`,
  );
  await tx.run(
    sql`delete from alert_group where tenant_id = ${tenantId} and updated_at < ${cutoff}::timestamptz`,
  );
  await tx.run(sql`
    delete from event_log where tenant_id = ${tenantId}
      and (occurred_at < ${timestampLiteral(now - EVENT_DAYS * DAY)}::timestamptz
        or event_no <= (select max(event_no) from event_log where tenant_id = ${tenantId}) - ${MAX_EVENTS})`);
}
