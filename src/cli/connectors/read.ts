import { type ConnectorState, connectorStates } from "../../store/connector/connectors.ts";
import type { Database } from "../../store/engine/database.ts";
import { heldLeases } from "../../store/engine/leases.ts";
import { listTenants } from "../../store/engine/tenants.ts";

/** What the service recorded of all instances, by tenant. */
export async function recordedStates(db: Database): Promise<Map<string, ConnectorState[]>> {
  const states = new Map<string, ConnectorState[]>();
  for (const tenantId of await listTenants(db)) {
    states.set(tenantId, await db.tenant(tenantId, (tx) => connectorStates(tx, tenantId)));
  }
  return states;
}

/** Leases that a core holds for as long as it runs. Others outlive a core that was killed by about ten seconds. */
const HELD_BY_A_CORE = /^(pipeline|connector):/;

/** Whether a core works on this database; one that was killed still counts for some seconds. */
export async function serviceRuns(db: Database): Promise<boolean> {
  // Whoever has an embedded database open is alone with it.
  if (db.engine === "pglite") return false;
  const names = await db.shared((tx) => heldLeases(tx));
  return names.some((name) => HELD_BY_A_CORE.test(name));
}
