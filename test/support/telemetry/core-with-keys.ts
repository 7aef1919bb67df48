// The core of `ndr up` with other licence keys than the product's: core-with-keys.ts '{"kid": "x of the
// public key"}'

import project from "../../../deno.json" with { type: "json" };
import { loadUpConfig } from "../../../src/dev/up-config.ts";
import { Logging } from "../../../src/observe/log.ts";
import { startCore } from "../../../src/wiring/core.ts";

const config = await loadUpConfig();
const logging = new Logging({ level: "info", secrets: [] });
logging.start();
const core = await startCore({
  ...config,
  registrationOrigin: config.environment.telemetryUrl,
  licenseKeys: JSON.parse(Deno.args[0]!),
  build: { version: project.version, bundleVersion: project.version, commit: null },
  logging,
});
console.log(`ready: ${core.url}`);
await new Promise<void>((resolve) => Deno.addSignalListener("SIGTERM", () => resolve()));
await core.stop();
Deno.exit(0);
