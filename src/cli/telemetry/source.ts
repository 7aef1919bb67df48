import type { Build } from "../../config/build.ts";
import { slotAt } from "../../domain/telemetry/heartbeat/schedule.ts";
import type { TenantFacts } from "../../domain/telemetry/heartbeat/facts.ts";
import { formatMillis } from "../../kit/time.ts";
import { heartbeatFacts } from "../../store/telemetry/heartbeat-facts.ts";
import { DatabaseInUse } from "../../store/engine/pglite/pglite.ts";
import { recordDryRun } from "../../store/telemetry/telemetry-log.ts";
import { handOver, readCounts } from "../../telemetry/desk.ts";
import { openExisting } from "../existing-database.ts";
import { dryRunOf, type NextHeartbeat } from "./heartbeat.ts";
import type { TelemetryInstallation } from "./installation.ts";

/** The service polls once a second. */
const PATIENCE_MS = 20_000;

/** The source of a heartbeat's counts, and the destination of a dry run. */
export interface HeartbeatSource {
  tenants: TenantFacts[];
  /** A note about the counts; null for none. */
  note: string | null;
  /** Records a dry run. False if it was not accepted. */
  record(next: NextHeartbeat, build: Build): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * The database; for an embedded one of a running service, what the service leaves beside it.
 *
 * @param now microseconds
 * @throws DatabaseInputError, StoreUnavailable; DatabaseInUse if the service leaves nothing
 */
export async function openSource(installation: TelemetryInstallation, now: number): Promise<HeartbeatSource> {
  try {
    return await ofDatabase(installation, now);
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    const beside = await besideService(installation);
    if (beside === null) throw error;
    return beside;
  }
}

async function ofDatabase(
  { databaseUrl, tenantIds }: TelemetryInstallation,
  now: number,
): Promise<HeartbeatSource> {
  const db = await openExisting(databaseUrl);
  try {
    return {
      tenants: await heartbeatFacts(db, tenantIds, now),
      note: null,
      async record(next, { version, bundleVersion }) {
        const { text: payload, failure } = dryRunOf(next);
        const { plan, keyIdHash } = next.license;
        // `unrecorded` was checked before.
        const [installId, origin] = [next.installId!, next.origin!];
        const sender = { installId, origin, licenseKeyIdHash: plan === "pro" ? keyIdHash : null };
        const versions = { product: version, bundle: bundleVersion };
        const start = { at: now, slot: slotAt(now, installId), versions, payload, failure };
        await db.shared((tx) => recordDryRun(tx, sender, start));
        return true;
      },
      close: () => db.close(),
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function besideService(
  { environment: { stateDir } }: TelemetryInstallation,
): Promise<HeartbeatSource | null> {
  const counts = await readCounts(stateDir);
  if (counts === null) return null;
  return {
    tenants: counts.tenants,
    note: `the service runs and has its embedded database open; its counts are those of ${
      formatMillis(counts.at)
    }`,
    record: (next) => handOver(stateDir, dryRunOf(next), PATIENCE_MS),
    close: () => Promise.resolve(),
  };
}
