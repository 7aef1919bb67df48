// The connectors of a core in a separate process, for tests that kill it: real configuration, framework, sink
// and database on a clock that skips waits. Arguments: the folder of connectors.yaml, the database URL, and
// the current time in microseconds.

import { readConnectors } from "../../../src/config/connectors.ts";
import { Faults } from "../../../src/config/yaml/faults.ts";
import { systemInput } from "../../../src/config/yaml/input.ts";
import { Connectors } from "../../../src/connectors/connectors.ts";
import { Logging } from "../../../src/observe/log.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { SkippingTime } from "../virtual-time.ts";

/** Printed once the connectors have started. */
export const STARTED = "the connectors have started";

if (import.meta.main) {
  const [folder, url, from] = Deno.args;
  if (folder === undefined || url === undefined) {
    throw new Error("expected a folder, a database URL and a time");
  }
  const faults = new Faults();
  const tenants = new Set(["main"]);
  const connectors = readConnectors(systemInput, folder, faults, { tenants, publicUrl: null }) ?? [];
  faults.throwIfAny();
  // No secrets are registered for redaction: the code must keep them out of the log on its own.
  const logging = new Logging({ level: "debug" });
  logging.start();
  const time = new SkippingTime(Number(from));
  const db = new PostgresDatabase({ url });
  const served = new Connectors({ enabled: true, tenants, connectors }, {
    db,
    clock: time,
    sleep: time.sleep,
    logger: logging.logger("connectors"),
    version: "0.0.0",
  });
  await served.start();
  console.error(STARTED);
  await new Promise<void>((resolve) => Deno.addSignalListener("SIGTERM", resolve));
  await served.stop();
  await db.close();
  // The signal listener would keep the process alive.
  Deno.exit(0);
}
