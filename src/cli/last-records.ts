// When each sensor's newest record arrived: from the database, or from the core that has it open.

import { formatMillis } from "../kit/time.ts";
import type { Database } from "../store/engine/database.ts";
import { DatabaseInUse } from "../store/engine/pglite/pglite.ts";
import { listTenants } from "../store/engine/tenants.ts";
import { lastReceipts } from "../store/health/read.ts";
import type { ConfigInput } from "../config/yaml/input.ts";
import { explain, openExisting } from "./existing-database.ts";
import { databaseUrl } from "./installed.ts";
import { coreApi } from "./search/core-api.ts";
import { searchInstallation } from "./search/installation.ts";

export interface LastRecords {
  /** Times (RFC 3339) by tenant and sensor; null if they could not be read. */
  times: ReadonlyMap<string, ReadonlyMap<string, string>> | null;
  /** Why not. */
  fault: string | null;
}

export async function lastRecords(input: ConfigInput, tenantIds: Iterable<string>): Promise<LastRecords> {
  try {
    return { times: await stored(input, [...tenantIds]), fault: null };
  } catch (error) {
    return { times: null, fault: explain(error) };
  }
}

async function stored(input: ConfigInput, tenantIds: string[]) {
  let db: Database | null = null;
  try {
    db = await openExisting(databaseUrl(input));
    const times = new Map<string, Map<string, string>>();
    for (const tenantId of await listTenants(db)) {
      const receipts = await db.tenant(tenantId, (tx) => lastReceipts(tx, tenantId));
      times.set(tenantId, new Map([...receipts].map(([sensor, at]) => [sensor, formatMillis(at)])));
    }
    return times;
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    return await reportedRecords(input, tenantIds);
  } finally {
    await db?.close();
  }
}

/** The same from the running core. @throws CoreUnreachable, Refused */
export async function reportedRecords(
  input: ConfigInput,
  tenantIds: string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const installation = searchInstallation(input);
  const times = new Map<string, Map<string, string>>();
  for (const tenantId of tenantIds) {
    const call = coreApi(installation, tenantId, { subject: "ndr", role: "reader" });
    const { data: { components } } = await call("getHealth", {});
    times.set(
      tenantId,
      new Map(
        components.flatMap(({ id, kind, last_event_at }) =>
          kind === "sensor" && last_event_at !== null
            ? [[id.slice("sensor:".length), last_event_at] as const]
            : []
        ),
      ),
    );
  }
  return times;
}
