import { ConnectionShortage } from "../../core/jobs/connection-shortage.ts";
import { DiskGuard } from "../../core/jobs/disk-guard.ts";
import { databaseDirectory, diskSpace } from "../../store/engine/database-directory.ts";
import { StoreProbe } from "../../core/jobs/store-probe.ts";
import type { Clock } from "../../kit/clock.ts";
import { currentRequest, currentWork } from "../../observe/request-scope.ts";
import { traced } from "../../observe/tracing.ts";
import type { Database } from "../../store/engine/database.ts";
import { LimitedDatabase } from "../../store/engine/limited.ts";
import { API_LIMITS, HEALTH_LIMITS, INGEST_LIMITS, type Limits } from "../../store/engine/limits.ts";
import { ObservedDatabase } from "../../store/engine/observed.ts";
import { openDatabase } from "../../store/engine/open.ts";
import { POOL_SIZE } from "../../store/engine/postgres/pool.ts";
import { migrate } from "../../store/engine/schema/migrate.ts";
import { createPartitions } from "../../store/engine/schema/partitions.ts";
import { registerTenants } from "../../store/engine/tenants.ts";
import { WatchedDatabase } from "../../store/engine/watched.ts";
import type { CoreConfig } from "./config.ts";

/**
 * Transactions at a time, of the pool's ten connections: the others are left to ingest, the pipeline and the jobs. What
 * may take seconds has places of its own, so that it never delays sign-in, sessions, the summary or a write. The embedded
 * engine runs one transaction at a time, so that one read at a time keeps its queue short.
 */
const PLACES = {
  postgres: { requests: 3, reads: 3, health: 2 },
  pglite: { requests: 3, reads: 1, health: 2 },
};

/** The database, migrated, as its users see it. */
export interface CoreStore {
  db: Database;
  ingest: Database;
  /** Sessions, the summary, decisions and what else takes milliseconds. */
  requests: Database;
  /** Lists, searches, graphs, exports. */
  reads: Database;
  healthReads: Database;
  disk: DiskGuard;
  shortage: ConnectionShortage;
  probe: StoreProbe;
  close(): Promise<void>;
}

export async function openStore(
  { databaseUrl, environment, logging }: CoreConfig,
  clock: Clock,
  tenantIds: readonly string[],
): Promise<CoreStore> {
  const database = await openDatabase(databaseUrl);
  await migrate(database);
  const directory = await databaseDirectory(database, databaseUrl, environment.stateDir);
  const disk = new DiskGuard({ directory, probe: diskSpace, clock, logger: logging.logger("disk") });
  const shortage = new ConnectionShortage(clock, POOL_SIZE);
  const db = new WatchedDatabase(database, {
    onDiskFull: () => disk.writeFailed(),
    onNoConnection: (reason) => shortage.refused(reason),
  });
  await registerTenants(db, tenantIds);
  await createPartitions(db, clock.now(), environment.retentionDays);
  const places = PLACES[db.engine];
  return {
    db,
    ingest: new LimitedDatabase(db, INGEST_LIMITS),
    requests: observed(db, API_LIMITS, places.requests),
    reads: observed(db, API_LIMITS, places.reads),
    healthReads: observed(db, HEALTH_LIMITS, places.health),
    disk,
    shortage,
    probe: new StoreProbe({ db, logger: logging.logger("store") }),
    close: () => db.close(),
  };
}

/** The database as requests use it: bounded, traced, and with the request's id in every statement. */
function observed(db: Database, limits: Limits, places: number): Database {
  return new ObservedDatabase(new LimitedDatabase(db, limits, { places, current: currentWork }), {
    requestId: () => currentRequest()?.requestId ?? null,
    around: (tenantId, work) =>
      traced("ndr.store", "transaction", tenantId === null ? {} : { "ndr.tenant": tenantId }, work),
  });
}
