import { claimConnector, connectorLease, resetConnector } from "../../store/connector/connectors.ts";
import type { Database } from "../../store/engine/database.ts";
import { logEdges } from "../../store/connector/event-log.ts";
import { acquireLease, leaseHolder, releaseLease } from "../../store/engine/leases.ts";
import { ConnectorInputError } from "./installed.ts";
import { serviceRuns } from "./read.ts";

/** For longer than it takes; nobody else serves the instance meanwhile. Seconds. */
const LEASE_SECONDS = 30;

const RUNS =
  "the service runs: stop it first, and start it again afterwards. After a core was killed, wait a minute";

/**
 * Sets the bookmark of an instance before the oldest event that its tenant's log keeps; returns how many events that are.
 *
 * @throws ConnectorInputError while a core works on the database, and where none has ever started with the instance
 */
export async function resetCursor(db: Database, tenantId: string, instance: string): Promise<number> {
  if (await serviceRuns(db)) throw new ConnectorInputError(RUNS);
  const lease = await acquireLease(db, connectorLease(instance), leaseHolder(db), LEASE_SECONDS);
  // One was started at this moment.
  if (lease === null) throw new ConnectorInputError(RUNS);
  try {
    return await db.tenant(tenantId, async (tx) => {
      if (!(await resetConnector(tx, tenantId, instance))) {
        throw new ConnectorInputError(
          `the service has not been started with the instance ${instance} yet, so there is nothing to reset`,
        );
      }
      // A core that hangs and wakes up again may not put the old bookmark back.
      await claimConnector(tx, tenantId, instance, lease.epoch);
      const { first, last } = await logEdges(tx, tenantId);
      return last - first + 1;
    });
  } finally {
    await releaseLease(db, lease);
  }
}
