// How long work on the database may take. What no limit is named for, the pipeline and the jobs, has the
// connection's own: 60 s a statement, 60 s idle inside of a transaction, 5 s for a connection. Migrations and the
// upkeep of partitions take as long as they take, but wait two seconds at most for a lock that ingest would queue behind.

/** All in milliseconds. */
export interface Limits {
  /** One statement; the server cancels it then. The embedded engine cannot: there the caller stops waiting for it. */
  statementMs: number;
  /** Waiting for one lock that somebody else holds. */
  lockMs: number;
  /** Waiting for a connection, or for the embedded engine's one. */
  waitMs: number;
  /** From the call to its result. What is not done then begins no further statement, and does not commit. */
  answerMs: number;
}

/** Requests of the API: somebody waits, and the web layer for no longer than 30 s. */
export const API_LIMITS: Limits = { statementMs: 8_000, lockMs: 3_000, waitMs: 15_000, answerMs: 25_000 };

/** The health report: whoever asks for it, a scraper above all, waits for ten seconds. */
export const HEALTH_LIMITS: Limits = { statementMs: 3_000, lockMs: 1_000, waitMs: 4_000, answerMs: 6_000 };

/** Batches of records: the sender keeps them and tries again. */
export const INGEST_LIMITS: Limits = {
  statementMs: 20_000,
  lockMs: 10_000,
  waitMs: 15_000,
  answerMs: 30_000,
};

/**
 * The settings of a transaction under limits, after its `begin`. No idle timeout: it would hang the embedded engine, and
 * `Deadline` ends what idles.
 */
export function limitStatements(limits: Limits | undefined): string {
  if (limits === undefined) return "";
  const { statementMs, lockMs } = limits;
  return `; set local statement_timeout = ${Math.ceil(statementMs)}; set local lock_timeout = ${
    Math.ceil(lockMs)
  }`;
}
