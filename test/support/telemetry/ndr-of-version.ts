// The command line of a build with another version: deno run -A ndr-of-version.ts 10.66.77.1 telemetry show

import process from "node:process";
import { createProgram } from "../../../src/cli/program.ts";

const [version, ...args] = Deno.args;
const services = { core: unused, web: unused, up: unused };
const build = { version: version!, bundleVersion: version!, commit: null, licenseKeys: {} };
const program = await createProgram(args, build, services);
await program.parseAsync(args, { from: "user" });
Deno.exit(Number(process.exitCode ?? 0));

function unused(): Promise<void> {
  return Promise.reject(new Error("only commands that terminate"));
}
