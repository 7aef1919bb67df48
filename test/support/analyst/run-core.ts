// The analyst runs of a core in a separate process, for tests that kill it: real configuration, queue, ledger and adapter.
// Arguments: the folder of analyst.yaml, the database URL, and optionally `until-done`: it ends when no run is open.

import { AnalystRunner } from "../../../src/analyst/runner.ts";
import { tenantModels } from "../../../src/analyst/tenant-models.ts";
import { NO_ANALYST, readAnalyst } from "../../../src/config/analyst.ts";
import { Faults } from "../../../src/config/yaml/faults.ts";
import { systemInput } from "../../../src/config/yaml/input.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { Logging } from "../../../src/observe/log.ts";
import { openDatabase } from "../../../src/store/engine/open.ts";
import { listRuns } from "../../../src/store/analyst/runs.ts";

/** Printed once the runner has started. */
export const STARTED = "the analyst runs have started";

if (import.meta.main) {
  const [folder, url, end] = Deno.args;
  if (folder === undefined || url === undefined) throw new Error("expected a folder and a database URL");
  const faults = new Faults();
  const tenants = new Set(["main", "branch"]);
  const analyst = readAnalyst(systemInput, folder, faults, { tenants }) ?? NO_ANALYST;
  faults.throwIfAny();
  const logging = new Logging({ level: "debug" });
  logging.start();
  const db = await openDatabase(url);
  const logger = logging.logger("analyst");
  const runner = new AnalystRunner({ tenants, models: tenantModels(analyst) }, {
    db,
    clock: systemClock,
    logger,
  });
  runner.start();
  console.error(STARTED);
  if (end === "until-done") {
    const isOpen = async (state: "queued" | "running") =>
      (await db.tenant("main", (tx) => listRuns(tx, "main", { state }, null, 1))).length > 0;
    while (await isOpen("queued") || await isOpen("running")) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } else await new Promise<void>((resolve) => Deno.addSignalListener("SIGTERM", resolve));
  await runner.stop();
  await db.close();
  Deno.exit(0);
}
