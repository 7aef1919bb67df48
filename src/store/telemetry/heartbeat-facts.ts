import { LEARNING, type LearningPhase, learningPhase } from "../../domain/detect/kernel/learning.ts";
import { COUNT_LIMIT } from "../../domain/telemetry/heartbeat/buckets.ts";
import type { TenantFacts } from "../../domain/telemetry/heartbeat/facts.ts";
import type { Database, Tx } from "../engine/database.ts";
import { readStates, stateKeyHash } from "../detector/state.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

const DAY = 86_400_000_000;

/**
 * The numbers that the heartbeat reports about each tenant. Reads neither records nor flows, and stops
 * counting at the last bucket.
 *
 * @param now microseconds; ingest errors are those of the 24 hours before
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

/** Number of devices as listed: merged devices count once. */
async function countDevices(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    select count(*)::int as count from (
      select from device where tenant_id = ${tenantId} and merged_into is null limit ${COUNT_LIMIT}) as d`);
  return row!.count;
}

/** Number of configured connectors by type, disabled ones included, without names of instances. */
async function countConnectors(tx: Tx, tenantId: string): Promise<Map<string, number>> {
  const rows = await tx.rows<{ connector: string; count: number }>(sql`
    select connector, count(*)::int as count from connector_state
    where tenant_id = ${tenantId} and configured group by connector`);
  return new Map(rows.map(({ connector, count }) => [connector, count]));
}

async function learningOf(tx: Tx, tenantId: string): Promise<LearningPhase> {
  const key = { typeId: LEARNING.id, keyHash: stateKeyHash("") };
  const [stored] = await readStates(tx, tenantId, [key]);
  return learningPhase(stored === undefined ? LEARNING.empty() : LEARNING.decode(stored.state)).phase;
}

/** Each batch with errors has at least one, so reading COUNTED batches suffices. */
async function countErrors(tx: Tx, tenantId: string, since: number): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    select coalesce(sum(errors), 0)::int as count from (
      select rejected + unparsed as errors from raw_batch
      where tenant_id = ${tenantId} and received_at >= ${timestampLiteral(since)}::timestamptz
        and rejected + unparsed > 0
      limit ${COUNT_LIMIT}) as b`);
  return row!.count;
}
