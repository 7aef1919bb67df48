// Reads a whole database as it is at one moment, while a core writes.

import { type BulkDatabase, type BulkTx, quoted } from "../../engine/bulk.ts";
import { errorCode } from "../../engine/retry.ts";
import { sql } from "../../engine/sql.ts";
import {
  type AppliedMigration,
  appliedMigrations,
  isRestricted,
  sequences,
  type SequenceState,
  type StoredTable,
  storedTables,
} from "./catalogue.ts";

/** What a snapshot is of. */
export interface SnapshotHead {
  /** Microseconds. */
  takenAt: number;
  /** Version of PostgreSQL: `15.8`. */
  server: string;
  migrations: AppliedMigration[];
  tables: StoredTable[];
}

export interface SnapshotReceiver {
  begin(head: SnapshotHead): Promise<void>;
  /** Some rows of a table in the text format of COPY; a piece may end within a row. */
  rows(table: StoredTable, piece: Uint8Array): Promise<void>;
  /** All rows of the table were handed over. */
  end(table: StoredTable): Promise<void>;
}

/** A partition was dropped between the list of tables and their lock. */
const UNDEFINED_TABLE = "42P01";
const ATTEMPTS = 5;

/** Returns the state of the sequences, which is at least that of the rows. */
export async function readSnapshot(db: BulkDatabase, receiver: SnapshotReceiver): Promise<SequenceState[]> {
  for (let attempt = 1;; attempt++) {
    let began = false;
    try {
      return await db.bulk(async (tx) => {
        const head = await takeSnapshot(tx);
        began = true;
        await receiver.begin(head);
        const tenants = await tenantIds(tx);
        for (const table of head.tables) {
          await readTable(tx, table, tenants, (piece) => receiver.rows(table, piece));
          await receiver.end(table);
        }
        return await sequences(tx);
      });
    } catch (error) {
      if (began || errorCode(error) !== UNDEFINED_TABLE || attempt === ATTEMPTS) throw error;
    }
  }
}

async function takeSnapshot(tx: BulkTx): Promise<SnapshotHead> {
  await tx.script("set transaction isolation level repeatable read, read only");
  const [now] = await tx.rows<{ at: number; server: string }>(
    sql`select clock_timestamp() as at, current_setting('server_version') as server`,
  );
  const tables = await storedTables(tx);
  // Retention cannot drop a partition before it is read.
  if (tables.length > 0) {
    await tx.script(`lock table ${tables.map(({ name }) => quoted(name)).join(", ")} in access share mode`);
  }
  const migrations = await appliedMigrations(tx);
  return { takenAt: now!.at, server: now!.server.split(" ")[0]!, migrations, tables };
}

async function tenantIds(tx: BulkTx): Promise<string[]> {
  return (await tx.rows<{ id: string }>(sql`select tenant_id as id from tenant order by 1`)).map(({ id }) =>
    id
  );
}

/**
 * The policies of tenants hold for the owner, too, unless it is a superuser. Partitions, which are nearly all of a database,
 * have none of their own; the other tables are read tenant by tenant.
 */
async function readTable(
  tx: BulkTx,
  table: StoredTable,
  tenants: readonly string[],
  take: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  if (!(await isRestricted(tx, table))) return await tx.copyOut(table, take);
  for (const tenantId of tenants) {
    await tx.run(sql`select set_config('ndr.tenant', ${tenantId}, true)`);
    await tx.copyOut(table, take);
  }
}
