import { NO_ANALYST } from "../../config/analyst.ts";
import type { Build } from "../../config/build.ts";
import { loadWebConfig } from "../../config/load.ts";
import { transportRefusal } from "../../contract/request/transport-refusal.ts";
import { faultPlaces } from "../../config/yaml/faults.ts";
import { messageOf } from "../../kit/errors.ts";
import { placesText } from "../../domain/health/configuration.ts";
import { listen } from "../../kit/net/listen.ts";
import type { Logging } from "../../observe/log.ts";
import { LiveAccess } from "../live-access.ts";
import { startLogging, untilSignal } from "./process.ts";
import { ServiceManager } from "./service-manager.ts";
import { makeWeb, startWebReports } from "./web-app.ts";

/** `ndr web`. `dashboard`: folder of the built dashboard. */
export async function runWeb({ version }: Build, dashboard: string): Promise<void> {
  const config = loadWebConfig();
  const { environment } = config;
  const access = new LiveAccess(config);
  const { coreListen, webListen, publicUrl, serviceKey, oidc } = environment;
  const logging = startLogging({
    environment,
    sources: [],
    response: [],
    connectors: [],
    analyst: NO_ANALYST,
  });
  const parts = {
    coreUrl: `http://${coreListen.host}:${coreListen.port}`,
    publicUrl,
    serviceKey,
    oidc: { ...oidc, clientSecret: oidc.clientSecret.reveal() },
    access,
    tenants: access.tenants,
    environment,
    logging,
    dashboard,
    version,
  };
  const app = makeWeb(parts);
  const listener = await listen(app.fetch, {
    hostname: webListen.host,
    port: webListen.port,
    refusal: transportRefusal,
  });
  const signalled = untilSignal();
  let reloadFailure: string | null = null;
  const stop = new AbortController();
  const report = startWebReports(parts, () => reloadFailure, stop.signal);
  Deno.addSignalListener("SIGHUP", () => {
    reloadFailure = reloadAccess(access, logging);
    void report();
  });
  logging.logger("web").info("ready", { url: listener.url });
  const manager = new ServiceManager();
  await manager.ready();
  await signalled;
  stop.abort();
  await manager.stopping();
  await listener.close();
}

/** Reloads the access rules. A faulty file is logged and changes nothing; returns where its faults are. */
function reloadAccess(access: LiveAccess, logging: Logging): string | null {
  const logger = logging.logger("web");
  try {
    access.replace(loadWebConfig());
    logger.info("access rules reloaded", { tenants: access.tenants.size });
    return null;
  } catch (error) {
    logger.error("access rules not reloaded", { message: messageOf(error) });
    return placesText(faultPlaces(error));
  }
}
