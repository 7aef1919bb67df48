import { LEARNING, type LearningPhase, learningPhase } from "../../domain/detect/kernel/learning.ts";
import { COUNT_LIMIT } from "../../domain/telemetry/heartbeat/buckets.ts";
import type { TenantFacts } from "../../domain/telemetry/heartbeat/facts.ts";
import type { Database, Tx } from "../engine/database.ts";
import { memoryKeyHash, readMemories } from "../detector/memory.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

const DAY = 86_400_000_000;

/**
 * What the heartbeat tells of each of these tenants, as numbers only. Asks neither records nor flows, and stops counting
 * where the last bucket begins.
 *
 * @param now microseconds; errors are those of the 24 hours before
 */
export async function heartbeatFacts(
  db: Database,
  tenantIds: Iterable<string>,
  now: number,
): Promise<TenantFacts[]> {
  const facts: TenantFacts[] = [];
  for (const tenantId of tenantIds) {
    facts.push(
      await db.tenant(tenantId, async (tx) => ({
        devices: await countDevices(tx, tenantId),
        connectors: await countConnectors(tx, tenantId),
        learning: await learningOf(tx, tenantId),
        ingestErrors: await countErrors(tx, tenantId, now - DAY),
      })),
    );
  }
  return facts;
}

/** Devices as they are listed: those that are one machine count once. */
async function countDevices(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    select count(*)::int as count from (
      select from device where tenant_id = ${tenantId} and merged_into is null limit ${COUNT_LIMIT}) as d`);
  return row!.count;
}

/** By type. Names of instances stay where they are. */
async function countConnectors(tx: Tx, tenantId: string): Promise<Map<string, number>> {
  const rows = await tx.rows<{ connector: string; count: number }>(sql`
    select connector, count(*)::int as count from connector_state
    where tenant_id = ${tenantId} and configured and state <> 'disabled' group by connector`);
  return new Map(rows.map(({ connector, count }) => [connector, count]));
}

async function learningOf(tx: Tx, tenantId: string): Promise<LearningPhase> {
  const key = { memory: LEARNING.id, keyHash: memoryKeyHash("") };
  const [stored] = await readMemories(tx, tenantId, [key]);
  return learningPhase(stored === undefined ? LEARNING.empty() : LEARNING.decode(stored.state)).phase;
}

/** A batch with errors has at least one: so many batches are more than enough. */
async function countErrors(tx: Tx, tenantId: string, since: number): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    select coalesce(sum(errors), 0)::int as count from (
      select rejected + unparsed as errors from raw_batch
      where tenant_id = ${tenantId} and received_at >= ${timestampLiteral(since)}::timestamptz
        and rejected + unparsed > 0
      limit ${COUNT_LIMIT}) as b`);
  return row!.count;
}
