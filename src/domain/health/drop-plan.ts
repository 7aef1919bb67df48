const DAY = 86_400_000_000;

export interface DropPlan {
  /** The time to apply the retention at, in microseconds. */
  at: number;
  /** Days of records that it drops. */
  days: number[];
}

/**
 * Limits the retention to the days that running time pays for: `days` are the days of records that exist,
 * shifted to the retention that they fall under; of those expired at `at`, the oldest are dropped, one for
 * each day of `allowance`. Rows without partitions expire at the same time, so that nothing refers to them.
 */
export function planDrops(
  { at, days, retentionDays, allowance }: {
    at: number;
    days: readonly number[];
    retentionDays: number;
    allowance: number;
  },
): DropPlan {
  const cutoff = Math.floor(at / DAY) * DAY - retentionDays * DAY;
  const due = [...new Set(days)].filter((day) => day < cutoff).sort((a, b) => a - b);
  const paid = Math.floor(allowance / DAY);
  const first = due[paid];
  if (first === undefined) return { at, days: due };
  // The last moment at which this day has not expired.
  return { at: first + (retentionDays + 1) * DAY - 1, days: due.slice(0, paid) };
}
