import type { Database } from "../../../../src/store/engine/database.ts";
import { PgliteDatabase } from "../../../../src/store/engine/pglite/pglite.ts";
import { PostgresDatabase } from "../../../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../../../src/store/engine/sql.ts";
import { waitFor } from "../../transport/transport-programs.ts";
import { startUp, type UpOptions } from "../../up.ts";
import { readLedger } from "./reading.ts";

/** Opens the database of a stopped `ndr up` that used this state directory. */
export async function withStateOf<T>(
  { stateDir, databaseUrl }: UpOptions & { stateDir: string },
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = databaseUrl === undefined
    ? await PgliteDatabase.open({ directory: `${stateDir}/database` })
    : new PostgresDatabase({ url: databaseUrl });
  return await work(db).finally(() => db.close());
}

/**
 * Starts `ndr up` for the first time, waits until it is registered at the server that stores `ledger`, stops
 * it, and leaves it as after a package update: the next start sends a heartbeat at once and checks for a
 * release.
 */
export async function registeredBefore(
  options: UpOptions & { stateDir: string },
  ledger: string,
): Promise<void> {
  // `ndr up` does not create the configuration folder, which holds the identifier.
  await Deno.mkdir(`${options.stateDir}/etc`, { recursive: true });
  const up = await startUp(options);
  await waitFor(() => readLedger(ledger).registration.length === 1, up.output, 90);
  // The response must also be saved.
  await up.stop();
  await withStateOf(
    options,
    (db) =>
      db.shared((tx) => tx.run(sql`update telemetry_log set bundle_version = '0.0.1', outcome = 'sent'`)),
  );
}
