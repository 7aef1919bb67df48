// Parses the command line, starts the requested service, and stops it on a signal.

import process from "node:process";
import project from "./deno.json" with { type: "json" };
import { createProgram } from "./src/cli/program.ts";
import { lineSender, readEnvelopes, readOtherLines, shipLine } from "./src/cli/replay/envelopes.ts";
import type { AccessPolicy } from "./src/config/access.ts";
import type { Environment } from "./src/config/environment.ts";
import { loadCoreConfig, loadWebConfig, secretTexts } from "./src/config/load.ts";
import { DEFAULT_REGISTRATION_ORIGIN } from "./src/contract/telemetry/registration.ts";
import { transportRefusal } from "./src/contract/request/transport-refusal.ts";
import { playSample } from "./src/dev/sample/player.ts";
import { reviewSample } from "./src/dev/sample/review.ts";
import { startDevSignIn } from "./src/dev/sign-in.ts";
import { loadUpConfig } from "./src/dev/up-config.ts";
import { UP_FILE, upFile } from "./src/dev/up-file.ts";
import { systemClock } from "./src/kit/clock.ts";
import { messageOf } from "./src/kit/errors.ts";
import { listen, type Listener } from "./src/kit/net/listen.ts";
import { Logging } from "./src/observe/log.ts";
import { createWebApp } from "./src/web/app.ts";
import { webLimits } from "./src/web/limits.ts";
import type { CoreConfig, Running, RunningCore } from "./src/wiring/core/config.ts";
import { startCore } from "./src/wiring/core.ts";
import { LICENSE_KEYS } from "./src/telemetry/license-keys.ts";
import { LiveAccess } from "./src/wiring/live-access.ts";
import { sitesByTenant } from "./src/wiring/tenants.ts";

const clock = systemClock;
const DASHBOARD = new URL("./dist/dashboard", import.meta.url).pathname;
const RECORDINGS = new URL("./test/data", import.meta.url).pathname;

interface WebParts {
  coreUrl: string;
  publicUrl: string;
  serviceKey: Uint8Array;
  oidc: { issuer: string; clientId: string; clientSecret: string };
  access: Pick<AccessPolicy, "grantsFor">;
  tenants: ReadonlyMap<string, string>;
  environment: Pick<Environment, "rates" | "metricsToken">;
  logging: Logging;
}

function makeWeb({ logging, environment, ...parts }: WebParts) {
  const limits = webLimits(environment.rates);
  const token = environment.metricsToken?.reveal();
  const metrics = token === undefined ? undefined : { token, version: project.version };
  return createWebApp({
    ...parts,
    limits,
    metrics,
    staticDir: DASHBOARD,
    clock,
    logger: logging.logger("web"),
  });
}

async function runCore(): Promise<void> {
  const config = loadCoreConfig();
  const { environment } = config;
  const logging = startLogging(config);
  const core = await startCore({
    ...config,
    databaseUrl: environment.databaseUrl.reveal(),
    serviceKey: environment.serviceKey,
    registrationOrigin: environment.telemetryUrl ?? DEFAULT_REGISTRATION_ORIGIN,
    licenseKeys: LICENSE_KEYS,
    version: project.version,
    logging,
  });
  const signalled = untilSignal();
  Deno.addSignalListener("SIGHUP", () => reload(core, logging));
  logging.logger("core").info("ready", { url: core.url });
  await signalled;
  await core.stop();
}

/**
 * Reloads sources, tokens, inventory, executors and connectors. A faulty configuration is logged and changes nothing.
 * The licence is reloaded in any case and logs its own faults.
 */
function reload(core: RunningCore, logging: Logging): void {
  const logger = logging.logger("core");
  void core.rereadLicense();
  try {
    const { environment, sources, inventory, response, connectors } = loadCoreConfig();
    logging.addSecrets(secretTexts(environment, sources, response, connectors));
    core.useSources(sources);
    core.useInventory(inventory);
    core.useResponse(response);
    core.useConnectors(connectors).catch((error: unknown) => {
      logger.error("connectors failed to restart", { message: messageOf(error) });
    });
    const known = inventory.reduce((sum, { devices }) => sum + devices.length, 0);
    logger.info("configuration reloaded", { sensors: sources.length, known_devices: known });
  } catch (error) {
    logger.error("configuration not reloaded", { message: messageOf(error) });
  }
}

async function runWeb(): Promise<void> {
  const config = loadWebConfig();
  const { environment } = config;
  const access = new LiveAccess(config);
  const { coreListen, webListen, publicUrl, serviceKey, oidc } = environment;
  const logging = startLogging({ environment, sources: [], response: [], connectors: [] });
  const app = makeWeb({
    coreUrl: `http://${coreListen.host}:${coreListen.port}`,
    publicUrl,
    serviceKey,
    oidc: { ...oidc, clientSecret: oidc.clientSecret.reveal() },
    access,
    tenants: access.tenants,
    environment,
    logging,
  });
  const listener = await listen(app.fetch, {
    hostname: webListen.host,
    port: webListen.port,
    refusal: transportRefusal,
  });
  const signalled = untilSignal();
  Deno.addSignalListener("SIGHUP", () => reloadAccess(access, logging));
  logging.logger("web").info("ready", { url: listener.url });
  await signalled;
  await listener.close();
}

/** Reloads the access rules. A faulty file is logged and changes nothing. */
function reloadAccess(access: LiveAccess, logging: Logging): void {
  const logger = logging.logger("web");
  try {
    access.replace(loadWebConfig());
    logger.info("access rules reloaded", { tenants: access.tenants.size });
  } catch (error) {
    logger.error("access rules not reloaded", { message: messageOf(error) });
  }
}

async function runUp(): Promise<void> {
  const config = await loadUpConfig();
  const { sources, files } = config;
  const logging = startLogging(config, "warn");
  // An evaluation registers with no server unless one is configured.
  const registrationOrigin = config.environment.telemetryUrl;
  const core = await startCore({
    ...config,
    placesDir: config.samplePlaces ? `${RECORDINGS}/sample` : null,
    registrationOrigin,
    licenseKeys: LICENSE_KEYS,
    version: project.version,
    logging,
  });
  const web = await startUpWeb(config, core.url, logging);
  // Install signal handlers before announcing readiness: the caller may stop us immediately.
  const signalled = untilSignal();
  await files.write(UP_FILE, upFile(web.url, core.url, sources, config.response));
  console.log(`NDR is ready: ${web.url}  (development sign-in, this machine only; Ctrl-C stops)`);
  const ending = new AbortController();
  const sample = config.sample ? startSample(config, core.url, logging, ending.signal) : Promise.resolve();
  await signalled;
  ending.abort();
  await Promise.race([sample, new Promise((resolve) => setTimeout(resolve, 2000))]);
  await web.stop();
  await core.stop();
}

type UpConfig = Awaited<ReturnType<typeof loadUpConfig>>;

/** Plays the sample in the background until the signal aborts. */
function startSample(
  config: UpConfig,
  coreUrl: string,
  logging: Logging,
  signal: AbortSignal,
): Promise<void> {
  const { files, serviceKey, sources } = config;
  return playSample({
    folder: RECORDINGS,
    sources,
    files,
    tools: {
      read: readEnvelopes,
      readOtherLines,
      shipLine,
      send: lineSender(coreUrl),
    },
    logger: logging.logger("sample"),
    print: (line) => console.log(line),
    onComplete: () => reviewSample({ coreUrl, serviceKey, files, signal }),
    signal,
  });
}

/** The listener comes first: the sign-in needs its address, and the web layer needs the sign-in. */
async function startUpWeb(config: UpConfig, coreUrl: string, logging: Logging): Promise<Running> {
  const { environment, serviceKey, access } = config;
  const { host: hostname, port } = environment.webListen;
  let app: ReturnType<typeof makeWeb> | null = null;
  const starting = () => new Response("starting", { status: 503 });
  const listener: Listener = await listen((request, peer) => app?.fetch(request, peer) ?? starting(), {
    hostname,
    port,
    refusal: transportRefusal,
  });
  const publicUrl = environment.publicUrl ?? listener.url;
  const signIn = await startDevSignIn({ redirectUris: [`${publicUrl}/auth/callback`] });
  const sites = sitesByTenant(config);
  const tenants = new Map([...sites].map(([tenantId, { site }]) => [tenantId, site.display_name]));
  app = makeWeb({
    coreUrl,
    publicUrl,
    serviceKey,
    oidc: signIn,
    access,
    tenants,
    environment,
    logging,
  });
  return {
    url: publicUrl,
    async stop() {
      await listener.close();
      await signIn.close();
    },
  };
}

function startLogging(
  { environment, sources, response, connectors }: Pick<
    CoreConfig,
    "environment" | "sources" | "response" | "connectors"
  >,
  level = environment.logLevel,
): Logging {
  const logging = new Logging({
    level: Deno.env.has("NDR_LOG_LEVEL") ? environment.logLevel : level,
    secrets: secretTexts(environment, sources, response, connectors),
  });
  logging.start();
  return logging;
}

/** Resolves on the first SIGINT or SIGTERM. A second SIGINT ends the process at once. */
function untilSignal(): Promise<void> {
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

// Trust the system's certificate authorities, such as an organisation's own. Deno reads it at the first TLS connection.
if (!Deno.env.get("DENO_TLS_CA_STORE")) Deno.env.set("DENO_TLS_CA_STORE", "system,mozilla");

const program = createProgram(project.version, { core: runCore, web: runWeb, up: runUp }, LICENSE_KEYS);
try {
  await program.parseAsync(process.argv);
  Deno.exit(Number(process.exitCode ?? 0));
} catch (error) {
  console.error(messageOf(error));
  Deno.exit(1);
}
