import type { RecordKind } from "../contract/record/kinds.ts";
import { type PreparedHeartbeat, prepareHeartbeat } from "../domain/telemetry/heartbeat/build.ts";
import type { PlanFacts } from "../domain/telemetry/heartbeat/facts.ts";
import type { Database } from "../store/engine/database.ts";
import { heartbeatFacts } from "../store/telemetry/heartbeat-facts.ts";
import { machineFacts } from "./machine.ts";

/** What configuration and build contribute to the heartbeat. */
export interface HeartbeatParts {
  productVersion: string;
  /** Version of the package that installed the program; in a checkout the program's own. */
  bundleVersion: string;
  /** The configured tenants. */
  tenantIds: Iterable<string>;
  /** Kinds that the enabled sensors may send. */
  recordKinds: Iterable<RecordKind>;
  license: PlanFacts;
}

/**
 * The heartbeat that would be sent now. Opens no connection but the database's, and writes nothing.
 *
 * @param now microseconds
 * @throws StoreUnavailable
 */
export async function heartbeatNow(
  db: Database,
  parts: HeartbeatParts,
  installId: string,
  now: number,
): Promise<PreparedHeartbeat> {
  const tenants = await heartbeatFacts(db, parts.tenantIds, now);
  return prepareHeartbeat({ ...parts, installId, machine: await machineFacts(), tenants, now });
}
