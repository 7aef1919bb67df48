import { DiskGuard } from "../../core/jobs/disk-guard.ts";
import { databaseDirectory, diskSpace } from "../../core/jobs/database-directory.ts";
import { StoreProbe } from "../../core/jobs/store-probe.ts";
import type { Clock } from "../../kit/clock.ts";
import { currentRequest } from "../../observe/request-scope.ts";
import { traced } from "../../observe/tracing.ts";
import type { Database } from "../../store/engine/database.ts";
import { LimitedDatabase } from "../../store/engine/limited.ts";
import { API_LIMITS, HEALTH_LIMITS, INGEST_LIMITS, type Limits } from "../../store/engine/limits.ts";
import { ObservedDatabase } from "../../store/engine/observed.ts";
import { openDatabase } from "../../store/engine/open.ts";
import { migrate } from "../../store/engine/schema/migrate.ts";
import { createPartitions } from "../../store/engine/schema/partitions.ts";
import { registerTenants } from "../../store/engine/tenants.ts";
import { WatchedDatabase } from "../../store/engine/watched.ts";
import type { CoreConfig } from "./config.ts";

/** Of the pool's ten connections: slow API requests leave the others to ingest, the pipeline and the jobs. */
const API_TRANSACTIONS = 6;
/** Concurrent health reports of many tenants. */
const HEALTH_TRANSACTIONS = 2;

/** The database, migrated, as its users see it. */
export interface CoreStore {
  db: Database;
  ingest: Database;
  requests: Database;
  healthReads: Database;
  disk: DiskGuard;
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
  const db = new WatchedDatabase(database, () => disk.writeFailed());
  await registerTenants(db, tenantIds);
  await createPartitions(db, clock.now(), environment.retentionDays);
  return {
    db,
    ingest: new LimitedDatabase(db, INGEST_LIMITS),
    requests: observed(db, API_LIMITS, API_TRANSACTIONS),
    healthReads: observed(db, HEALTH_LIMITS, HEALTH_TRANSACTIONS),
    disk,
    probe: new StoreProbe({ db, logger: logging.logger("store") }),
    close: () => db.close(),
  };
}

/** The database as requests use it: bounded, traced, and with the request's id in every statement. */
function observed(db: Database, limits: Limits, transactions: number): Database {
  return new ObservedDatabase(new LimitedDatabase(db, limits, transactions), {
    requestId: () => currentRequest()?.requestId ?? null,
    around: (tenantId, work) =>
      traced("ndr.store", "transaction", tenantId === null ? {} : { "ndr.tenant": tenantId }, work),
  });
}
