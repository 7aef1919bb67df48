import { planSpace } from "../../domain/health/space-plan.ts";
import type { Database } from "../../store/engine/database.ts";
import { dayOf, dropDays } from "../../store/engine/schema/partitions.ts";
import { oldestPending } from "../../store/engine/schema/retention.ts";
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
  /** Bytes stored before and after. */
  before: number;
  after: number;
}

/**
 * Drops the oldest days, and then the oldest rows of the default partitions, until no more than `limit` bytes are
 * stored. Never goes: today's day, what the pipeline has not taken up, and the tables that are not partitioned. The
 * evidence of open incidents is copied out first.
 *
 * @param room bytes that may be used for a while to write what stays of a default partition anew; null: unknown
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
      ...stored.days.map(({ table, day, bytes }) => ({ until: goneFrom(table, day, horizon), bytes })),
      ...stored.hours.map(({ hour, bytes }) => ({ until: endOfHour(hour), bytes }))
        .filter(({ until }) => until <= horizon.pending),
    ].filter(({ until }) => until <= now),
  }, limit);
  if (before !== null) {
    await keepOpenEvidence(db, before);
    removed.partitions = await dropDays(db, (table, day) => goneFrom(table, day, horizon) <= before);
    const received = Math.min(before, horizon.pending);
    if (mayTrim(stored, received, room)) removed.rows = await trimDefaults(db, received);
  }
  return { removed, before: stored.total, after: await storedBytes(db) };
}

interface Horizon {
  /** Start of the day. */
  today: number;
  /** Receipt of the oldest batch that some pipeline has not taken up. */
  pending: number;
}

/**
 * The instant that a day's partition goes with, in the order of age: its own end, but for records kept longer than what
 * points to them, as far as it is not today or later. Infinity for what has to stay.
 */
function goneFrom(table: PartitionedTable, day: number, { today, pending }: Horizon): number {
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

/** There is something to take out of the default partitions, and room for what stays: once itself, once in the log. */
function mayTrim({ hours }: StoredSpace, before: number, room: number | null): boolean {
  const stays = hours.filter(({ hour }) => endOfHour(hour) > before);
  if (stays.length === hours.length) return false;
  return room === null || stays.reduce((sum, { bytes }) => sum + bytes, 0) * 2 < room;
}
