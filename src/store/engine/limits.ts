// How long work on the database may take. Work without limits (pipeline, jobs) has those of its connection:
// 60 s per statement, 20 s idle in a transaction, 5 s for a connection. Migrations and partition upkeep may
// run for any time, but wait at most two seconds for a lock that ingest would queue behind.

/** All in milliseconds. */
export interface Limits {
  /** One statement: the server cancels it. The embedded engine cannot, so there the caller stops waiting. */
  statementMs: number;
  /** Waiting for one lock. */
  lockMs: number;
  /** Waiting for a connection, or for the embedded engine's only one. */
  waitMs: number;
  /**
   * From the call to its result. After this the transaction runs no further statement and does not commit.
   */
  answerMs: number;
  /** Aborts when the result has no receiver any more: the work then ends, on the server too. */
  signal?: AbortSignal | null;
}

/** API requests: the web layer waits for at most 30 s. */
export const API_LIMITS: Limits = { statementMs: 8_000, lockMs: 3_000, waitMs: 15_000, answerMs: 25_000 };

/** The health report: scrapers wait for at most 10 s. */
export const HEALTH_LIMITS: Limits = { statementMs: 3_000, lockMs: 1_000, waitMs: 4_000, answerMs: 6_000 };

/** Batches of records: the sender keeps them and retries. */
export const INGEST_LIMITS: Limits = {
  statementMs: 20_000,
  lockMs: 10_000,
  waitMs: 15_000,
  answerMs: 30_000,
};

/** The stricter of two limits each, and the signal of the first that has one. */
export function stricter(one: Limits, other: Limits): Limits {
  return {
    statementMs: Math.min(one.statementMs, other.statementMs),
    lockMs: Math.min(one.lockMs, other.lockMs),
    waitMs: Math.min(one.waitMs, other.waitMs),
    answerMs: Math.min(one.answerMs, other.answerMs),
    signal: one.signal ?? other.signal,
  };
}

/**
 * The settings of a transaction under limits, to follow its `begin`. No idle timeout: it would hang the
 * embedded engine, and `Deadline` ends idle transactions anyway.
 */
export function limitStatements(limits: Limits | undefined): string {
  if (limits === undefined) return "";
  const { statementMs, lockMs } = limits;
  return `; set local statement_timeout = ${Math.ceil(statementMs)}; set local lock_timeout = ${
    Math.ceil(lockMs)
  }`;
}
