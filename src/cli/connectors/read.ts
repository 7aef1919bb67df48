import { type ConnectorState, connectorStates } from "../../store/connector/connectors.ts";
import type { Database } from "../../store/engine/database.ts";
import { heldLeases } from "../../store/engine/leases.ts";
import { listTenants } from "../../store/engine/tenants.ts";

/** Recorded state of all instances, by tenant. */
export async function recordedStates(db: Database): Promise<Map<string, ConnectorState[]>> {
  const states = new Map<string, ConnectorState[]>();
  for (const tenantId of await listTenants(db)) {
    states.set(tenantId, await db.tenant(tenantId, (tx) => connectorStates(tx, tenantId)));
  }
  return states;
}

/** Leases that a core holds while it runs. Others outlive a killed core by about ten seconds. */
const HELD_BY_A_CORE = /^(pipeline|connector):/;

/** Whether a core works on this database; a killed one still counts for some seconds. */
export async function serviceRuns(db: Database): Promise<boolean> {
  // An embedded database has one user at a time.
  if (db.engine === "pglite") return false;
  const names = await db.shared((tx) => heldLeases(tx));
  return names.some((name) => HELD_BY_A_CORE.test(name));
}
