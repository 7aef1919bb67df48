import { planSpace } from "../../domain/health/space-plan.ts";
import type { Database } from "../../store/engine/database.ts";
import { dayOf, dropDays } from "../../store/engine/schema/partitions.ts";
import { oldestPending } from "../../store/record/pending.ts";
import {
  endOfHour,
  storedBytes,
  type StoredSpace,
  storedSpace,
  trimDefaults,
} from "../../store/engine/schema/space.ts";
import type { PartitionedTable } from "../../store/engine/tables.ts";
import { listTenants } from "../../store/engine/tenants.ts";
import { keepOpenEvidence, type Removed } from "./retention.ts";

const DAY = 86_400_000_000;

interface SpaceOutcome {
  removed: Removed;
  /** Stored bytes before and after. */
  before: number;
  after: number;
}

/**
 * Drops the oldest days, then the oldest rows of the default partitions, until at most `limit` bytes are
 * stored. Keeps today's partitions, batches the pipeline has not processed, and tables that are not
 * partitioned. Evidence of open incidents is copied first.
 *
 * @param room free bytes available for rewriting a default partition; null: unknown
 */
export async function applySpaceLimit(
  db: Database,
  now: number,
  limit: number,
  room: number | null,
): Promise<SpaceOutcome> {
  const stored = await storedSpace(db);
  const removed: Removed = { partitions: [], rows: 0 };
  const horizon = { today: dayOf(now), pending: await oldestPendingOf(db) };
  const { before } = planSpace({
    total: stored.total,
    fixed: stored.unpartitioned,
    droppable: [
      ...stored.days.map(({ table, day, bytes }) => ({ until: droppableFrom(table, day, horizon), bytes })),
      ...stored.hours.map(({ hour, bytes }) => ({ until: endOfHour(hour), bytes }))
        .filter(({ until }) => until <= horizon.pending),
    ].filter(({ until }) => until <= now),
  }, limit);
  if (before !== null) {
    await keepOpenEvidence(db, before);
    removed.partitions = await dropDays(db, (table, day) => droppableFrom(table, day, horizon) <= before);
    const received = Math.min(before, horizon.pending);
    if (mayTrim(stored, received, room)) removed.rows = await trimDefaults(db, received);
  }
  return { removed, before: stored.total, after: await storedBytes(db) };
}

interface Horizon {
  /** Start of the current day. */
  today: number;
  /** Receipt time of the oldest batch not yet processed by a pipeline. */
  pending: number;
}

/**
 * The time that ranks a day's partition for dropping: its end, plus the extra days of tables that outlive
 * their references, at most the start of today. Infinity if it must stay.
 */
function droppableFrom(table: PartitionedTable, day: number, { today, pending }: Horizon): number {
  const end = day + DAY;
  if (end > today) return Infinity;
  if (table.name === "raw_block" && end > pending) return Infinity;
  return Math.min(end + table.extraDays * DAY, today);
}

async function oldestPendingOf(db: Database): Promise<number> {
  let oldest = Infinity;
  for (const tenantId of await listTenants(db)) {
    oldest = Math.min(oldest, await db.tenant(tenantId, (tx) => oldestPending(tx, tenantId)) ?? Infinity);
  }
  return oldest;
}

/**
 * Whether trimming removes anything and the disk has space to rewrite the remaining rows: table and
 * write-ahead log.
 */
function mayTrim({ hours }: StoredSpace, before: number, room: number | null): boolean {
  const stays = hours.filter(({ hour }) => endOfHour(hour) > before);
  if (stays.length === hours.length) return false;
  return room === null || stays.reduce((sum, { bytes }) => sum + bytes, 0) * 2 < room;
}
