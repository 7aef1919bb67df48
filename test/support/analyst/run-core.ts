// The analyst runs of a core in a separate process, for tests that kill it: real configuration, queue, ledger and adapter.
// Arguments: the folder of analyst.yaml and the database URL.

import { AnalystRunner } from "../../../src/analyst/runner.ts";
import { tenantModels } from "../../../src/analyst/tenant-models.ts";
import { NO_ANALYST, readAnalyst } from "../../../src/config/analyst.ts";
import { Faults } from "../../../src/config/yaml/faults.ts";
import { systemInput } from "../../../src/config/yaml/input.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { Logging } from "../../../src/observe/log.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";

/** Printed once the runner has started. */
export const STARTED = "the analyst runs have started";

if (import.meta.main) {
  const [folder, url] = Deno.args;
  if (folder === undefined || url === undefined) throw new Error("expected a folder and a database URL");
  const faults = new Faults();
  const tenants = new Set(["main", "branch"]);
  const analyst = readAnalyst(systemInput, folder, faults, { tenants }) ?? NO_ANALYST;
  faults.throwIfAny();
  const logging = new Logging({ level: "debug" });
  logging.start();
  const db = new PostgresDatabase({ url });
  const logger = logging.logger("analyst");
  const runner = new AnalystRunner({ tenants, models: tenantModels(analyst) }, {
    db,
    clock: systemClock,
    logger,
  });
  runner.start();
  console.error(STARTED);
  await new Promise<void>((resolve) => Deno.addSignalListener("SIGTERM", resolve));
  await runner.stop();
  await db.close();
  Deno.exit(0);
}
