/** One statement for a driver; named if its plan is kept. */
export interface Statement {
  text: string;
  values?: unknown[];
  name?: string;
}

export interface StatementResult {
  rows: unknown[];
  rowCount: number | null;
}

/**
 * A connection to PostgreSQL, reserved for one transaction. Statements are answered in the order in which
 * they are sent.
 */
export interface HeldConnection {
  query(statement: string | Statement): Promise<StatementResult>;
  /** Returns the connection to the pool; a broken one is closed. */
  release(broken?: Error): void;
  /** Cancels what it is doing on the server. The connection is closed when it is released, or soon if it is not. */
  cancel(): void;
}
