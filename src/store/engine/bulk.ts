import type { Database, OwnerTx } from "./database.ts";
import { identifier } from "./sql.ts";

/** A table, or one partition, with the columns to copy in their order. */
export interface CopiedTable {
  name: string;
  columns: readonly string[];
}

/** A transaction of the owner that also copies whole tables, as streams in the text format of COPY. */
export interface BulkTx extends OwnerTx {
  /** Hands all rows on, in pieces that may end within a row; waits for each piece to be taken. */
  copyOut(table: CopiedTable, take: (piece: Uint8Array) => Promise<void>): Promise<void>;
  /** Appends the rows of the pieces. */
  copyIn(table: CopiedTable, pieces: AsyncIterable<Uint8Array>): Promise<void>;
}

/** A database that can be copied as a whole. */
export interface BulkDatabase extends Database {
  /** One transaction of the owner without time limits; never retried. */
  bulk<T>(work: (tx: BulkTx) => Promise<T>): Promise<T>;
}

/** Adds the copies to an owner's transaction. */
export function bulkTx(tx: OwnerTx, copies: Pick<BulkTx, "copyOut" | "copyIn">): BulkTx {
  return {
    rows: (statement) => tx.rows(statement),
    run: (statement) => tx.run(statement),
    script: (text) => tx.script(text),
    ...copies,
  };
}

/** `"name"` */
export function quoted(name: string): string {
  return identifier(name).strings[0]!;
}

/** `"a", "b"` */
export function quotedColumns({ columns }: CopiedTable): string {
  return columns.map(quoted).join(", ");
}
