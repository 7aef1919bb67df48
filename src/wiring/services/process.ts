// What every long-running process has: its logging, and its end on a signal.

import { secretTexts } from "../../config/load.ts";
import { Logging } from "../../observe/log.ts";
import type { CoreConfig } from "../core/config.ts";

export function startLogging(
  { environment, sources, response, connectors, analyst }: Pick<
    CoreConfig,
    "environment" | "sources" | "response" | "connectors" | "analyst"
  >,
  level = environment.logLevel,
): Logging {
  const logging = new Logging({
    level: Deno.env.has("NDR_LOG_LEVEL") ? environment.logLevel : level,
    secrets: secretTexts(environment, sources, response, connectors, analyst),
  });
  logging.start();
  return logging;
}

/** Resolves on the first SIGINT or SIGTERM. A second SIGINT ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signalled = false;
    Deno.addSignalListener("SIGTERM", () => resolve());
    Deno.addSignalListener("SIGINT", () => {
      if (signalled) Deno.exit(130);
      signalled = true;
      resolve();
    });
  });
}
