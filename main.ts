// Parses the command line and starts what it asks for. Each service is loaded only by its command: the modules of all of
// them take a second.

import process from "node:process";
import project from "./deno.json" with { type: "json" };
import { createProgram } from "./src/cli/program.ts";
import { readBuild } from "./src/config/build.ts";
import { messageOf } from "./src/kit/errors.ts";
import { LICENSE_KEYS } from "./src/telemetry/license-keys.ts";

const build = readBuild(new URL("./build.json", import.meta.url), project.version);
const dashboard = new URL("./dist/dashboard", import.meta.url).pathname;
const recordings = new URL("./test/data", import.meta.url).pathname;

const services = {
  core: async () => await (await import("./src/wiring/services/core.ts")).runCore(build),
  web: async () => await (await import("./src/wiring/services/web.ts")).runWeb(build, dashboard),
  async up(): Promise<void> {
    const { readEnvelopes: read, ...tools } = await import("./src/cli/replay/envelopes.ts");
    const { runUp } = await import("./src/wiring/services/up.ts");
    await runUp({ build, dashboard, recordings, tools: { read, ...tools } });
  },
};

// Trust the system's certificate authorities, such as an organisation's own. Deno reads it at the first TLS connection.
if (!Deno.env.get("DENO_TLS_CA_STORE")) Deno.env.set("DENO_TLS_CA_STORE", "system,mozilla");

try {
  const program = await createProgram(Deno.args, { ...build, licenseKeys: LICENSE_KEYS }, services);
  await program.parseAsync(process.argv);
  Deno.exit(Number(process.exitCode ?? 0));
} catch (error) {
  console.error(messageOf(error));
  Deno.exit(1);
}
