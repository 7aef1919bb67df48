/** One statement as a driver takes it; the one of a kept plan has a name. */
export interface Statement {
  text: string;
  values?: unknown[];
  name?: string;
}

export interface StatementResult {
  rows: unknown[];
  rowCount: number | null;
}

/** A connection to PostgreSQL that is one transaction's for now. Statements are answered in the order they are given. */
export interface HeldConnection {
  query(statement: string | Statement): Promise<StatementResult>;
  /** Gives it back; one that is broken is closed. */
  release(broken?: Error): void;
  /** Closes it at once, whatever it is at. */
  destroy(): void;
}
