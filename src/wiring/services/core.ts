import { loadCoreConfig, secretTexts } from "../../config/load.ts";
import type { Build } from "../../config/build.ts";
import { faultPlaces } from "../../config/yaml/faults.ts";
import { installedInput } from "../../config/installed-input.ts";
import { DEFAULT_REGISTRATION_ORIGIN } from "../../contract/telemetry/registration.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Logging } from "../../observe/log.ts";
import { LICENSE_KEYS } from "../../telemetry/license-keys.ts";
import type { RunningCore } from "../core/config.ts";
import { startCore } from "../core.ts";
import { startLogging, untilSignal } from "./process.ts";
import { ServiceManager } from "./service-manager.ts";

/** `ndr core`. */
export async function runCore(build: Build): Promise<void> {
  const config = loadCoreConfig();
  const { environment } = config;
  const logging = startLogging(config);
  const core = await startCore({
    ...config,
    databaseUrl: environment.databaseUrl.reveal(),
    serviceKey: environment.serviceKey,
    registrationOrigin: environment.telemetryUrl ?? DEFAULT_REGISTRATION_ORIGIN,
    licenseKeys: LICENSE_KEYS,
    build,
    logging,
  });
  const signalled = untilSignal();
  Deno.addSignalListener("SIGHUP", () => reload(core, logging));
  logging.logger("core").info("ready", { url: core.url });
  const manager = new ServiceManager();
  await manager.ready();
  await signalled;
  await manager.stopping();
  await core.stop();
}

/**
 * Reloads sources, tokens, sites, inventory, response, connectors and analyst. A faulty configuration is logged and changes nothing.
 * The licence is reloaded in any case and logs its own faults. A variable that ndr.env has got since the start, such as
 * that of a new sensor's token, counts too.
 */
function reload(core: RunningCore, logging: Logging): void {
  const logger = logging.logger("core");
  void core.rereadLicense();
  try {
    const config = loadCoreConfig(installedInput());
    const { environment, sources, inventory, response, connectors, analyst } = config;
    logging.addSecrets(secretTexts(environment, sources, response, connectors, analyst));
    core.use(config).catch((error: unknown) => {
      logger.error("connectors failed to restart", { message: messageOf(error) });
    });
    const known = inventory.reduce((sum, { devices }) => sum + devices.length, 0);
    logger.info("configuration reloaded", { sensors: sources.length, known_devices: known });
  } catch (error) {
    core.rejectReload(faultPlaces(error));
    logger.error("configuration not reloaded", { message: messageOf(error) });
  }
}
