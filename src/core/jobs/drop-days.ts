import { type DropPlan, planDrops } from "../../domain/health/drop-plan.ts";
import { retentionAllowance, spendRetentionAllowance } from "../../store/engine/clock-state.ts";
import type { Database } from "../../store/engine/database.ts";
import { dayOfPartition, partitionsOf } from "../../store/engine/schema/partitions.ts";
import { PARTITIONED_TABLES } from "../../store/engine/tables.ts";

const DAY = 86_400_000_000;

/** Plans which days the retention drops at `at` (microseconds), and uses up their allowance first. */
export async function payForDays(db: Database, at: number, retentionDays: number): Promise<DropPlan> {
  const days = await storedDays(db);
  return await db.shared(async (tx) => {
    const plan = planDrops({ at, days, retentionDays, allowance: await retentionAllowance(tx) });
    if (plan.days.length > 0) await spendRetentionAllowance(tx, plan.days.length * DAY);
    return plan;
  });
}

/** Gives back the allowance of days that could not be dropped because their tables were locked. */
export async function refundDays(db: Database, { days }: DropPlan): Promise<void> {
  if (days.length === 0) return;
  const stored = new Set(await storedDays(db));
  const left = days.filter((day) => stored.has(day)).length;
  if (left > 0) await db.shared((tx) => spendRetentionAllowance(tx, -left * DAY));
}

/** The days of all partitions, shifted by how much longer than the retention their table is kept. */
async function storedDays(db: Database): Promise<number[]> {
  const days: number[] = [];
  for (const table of PARTITIONED_TABLES) {
    for (const name of await partitionsOf(db, table)) {
      days.push(dayOfPartition(name) + table.extraDays * DAY);
    }
  }
  return days;
}
