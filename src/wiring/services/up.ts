import type { Build } from "../../config/build.ts";
import { transportRefusal } from "../../contract/request/transport-refusal.ts";
import { playSample } from "../../dev/sample/player.ts";
import { reviewSample } from "../../dev/sample/review.ts";
import { startDevSignIn } from "../../dev/sign-in.ts";
import { loadUpConfig } from "../../dev/up-config.ts";
import { UP_FILE, upFile } from "../../dev/up-file.ts";
import { listen, type Listener } from "../../kit/net/listen.ts";
import type { Logging } from "../../observe/log.ts";
import { LICENSE_KEYS } from "../../telemetry/license-keys.ts";
import type { Running } from "../core/config.ts";
import { startCore } from "../core.ts";
import { sitesByTenant } from "../tenants.ts";
import { startLogging, untilSignal } from "./process.ts";
import { makeWeb } from "./web-app.ts";

type SampleTools = Parameters<typeof playSample>[0]["tools"];

interface UpProgram {
  build: Build;
  /** Folder of the built dashboard. */
  dashboard: string;
  /** Folder of the sample's recordings. */
  recordings: string;
  /** What sends the sample. */
  tools: Omit<SampleTools, "send"> & { lineSender(coreUrl: string): SampleTools["send"] };
}

/** `ndr up`. */
export async function runUp(program: UpProgram): Promise<void> {
  const config = await loadUpConfig();
  const { sources, files } = config;
  const logging = startLogging(config, "warn");
  // An evaluation registers with no server unless one is configured.
  const registrationOrigin = config.environment.telemetryUrl;
  const core = await startCore({
    ...config,
    placesDir: config.samplePlaces ? `${program.recordings}/sample` : null,
    registrationOrigin,
    licenseKeys: LICENSE_KEYS,
    build: program.build,
    logging,
  });
  const web = await startUpWeb(program, config, core.url, logging);
  // Install signal handlers before announcing readiness: the caller may stop us immediately.
  const signalled = untilSignal();
  await files.write(UP_FILE, upFile(web.url, core.url, sources, config.response));
  console.log(`NDR is ready: ${web.url}  (development sign-in, this machine only; Ctrl-C stops)`);
  const ending = new AbortController();
  const sample = config.sample
    ? startSample(program, config, core.url, logging, ending.signal)
    : Promise.resolve();
  await signalled;
  ending.abort();
  await Promise.race([sample, new Promise((resolve) => setTimeout(resolve, 2000))]);
  await web.stop();
  await core.stop();
}

type UpConfig = Awaited<ReturnType<typeof loadUpConfig>>;

/** Plays the sample in the background until the signal aborts. */
function startSample(
  { recordings, tools: { lineSender, ...tools } }: UpProgram,
  config: UpConfig,
  coreUrl: string,
  logging: Logging,
  signal: AbortSignal,
): Promise<void> {
  const { files, serviceKey, sources } = config;
  return playSample({
    folder: recordings,
    sources,
    files,
    tools: { ...tools, send: lineSender(coreUrl) },
    logger: logging.logger("sample"),
    print: (line) => console.log(line),
    onComplete: () => reviewSample({ coreUrl, serviceKey, files, signal }),
    signal,
  });
}

/** The listener comes first: the sign-in needs its address, and the web layer needs the sign-in. */
async function startUpWeb(
  { build: { version }, dashboard }: UpProgram,
  config: UpConfig,
  coreUrl: string,
  logging: Logging,
): Promise<Running> {
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
    dashboard,
    version,
  });
  return {
    url: publicUrl,
    async stop() {
      await listener.close();
      await signIn.close();
    },
  };
}
