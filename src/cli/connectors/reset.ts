import { claimConnector, connectorLease, resetConnector } from "../../store/connector/connectors.ts";
import type { Database } from "../../store/engine/database.ts";
import { logEdges } from "../../store/connector/event-log.ts";
import { acquireLease, leaseHolder, releaseLease } from "../../store/engine/leases.ts";
import { ConnectorInputError } from "./installed.ts";
import { serviceRuns } from "./read.ts";

/** Longer than the reset takes; no core serves the instance meanwhile. Seconds. */
const LEASE_SECONDS = 30;

const RUNS =
  "the service runs: stop it first and start it again afterwards. After a core was killed, wait a minute";

/**
 * Sets the bookmark of an instance before the oldest event of its tenant's log; returns the number of events.
 *
 * @throws ConnectorInputError while a core works on the database, and if none has ever started with the
 * instance
 */
export async function resetCursor(db: Database, tenantId: string, instance: string): Promise<number> {
  if (await serviceRuns(db)) throw new ConnectorInputError(RUNS);
  const lease = await acquireLease(db, connectorLease(instance), leaseHolder(db), LEASE_SECONDS);
  // A core was started at this moment.
  if (lease === null) throw new ConnectorInputError(RUNS);
  try {
    return await db.tenant(tenantId, async (tx) => {
      if (!(await resetConnector(tx, tenantId, instance))) {
        throw new ConnectorInputError(
          `the service has never been started with the instance ${instance}: there is nothing to reset`,
        );
      }
      // Fences a core that hung and resumes: it cannot restore the old bookmark.
      await claimConnector(tx, tenantId, instance, lease.epoch);
      const { first, last } = await logEdges(tx, tenantId);
      return last - first + 1;
    });
  } finally {
    await releaseLease(db, lease);
  }
}
