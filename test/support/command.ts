// Runs subcommands to completion in this process.

import process from "node:process";
import project from "../../deno.json" with { type: "json" };
import { createProgram } from "../../src/cli/program.ts";
import { messageOf } from "../../src/kit/errors.ts";
import { LICENSE_KEYS, type LicenseKeys } from "../../src/telemetry/license-keys.ts";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

let running: Promise<unknown> = Promise.resolve();

/**
 * Runs `ndr` with these arguments in this process, one call after the other, because environment, output and exit status are
 * those of the process; `runNdr` of program.ts starts one of its own. The environment holds no NDR settings except those in
 * `env`. `licenseKeys`: accepted issuers of licences.
 */
export function callNdr(
  args: readonly string[],
  env: Record<string, string>,
  licenseKeys: LicenseKeys = LICENSE_KEYS,
): Promise<Ran> {
  const call = running.then(() => callAlone(args, env, licenseKeys));
  running = call.catch(() => {});
  return call;
}

/** What `process.exit` throws here. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

async function callAlone(
  args: readonly string[],
  env: Record<string, string>,
  licenseKeys: LicenseKeys,
): Promise<Ran> {
  const text = { stdout: "", stderr: "" };
  const undo = [
    replaceEnvironment(env),
    replace(process, "exit", (code?: number | string | null) => {
      throw new Exit(Number(code ?? process.exitCode ?? 0));
    }),
    replace(Deno.stdout, "writeSync", (bytes: Uint8Array) => {
      text.stdout += new TextDecoder().decode(bytes);
      return bytes.length;
    }),
    ...(["stdout", "stderr"] as const).flatMap((name) => [
      replace(process[name], "isTTY", false),
      replace(process[name], "write", (part: string | Uint8Array) => {
        text[name] += typeof part === "string" ? part : new TextDecoder().decode(part);
        return true;
      }),
    ]),
  ];
  process.exitCode = 0;
  try {
    const unused = () => Promise.reject(new Error("only commands that end by themselves"));
    const services = { core: unused, web: unused, up: unused };
    const build = { version: project.version, bundleVersion: project.version, commit: null, licenseKeys };
    const program = await createProgram(args, build, services);
    await program.parseAsync([...args], { from: "user" });
    return { code: Number(process.exitCode), ...text };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...text };
    return { code: 1, stdout: text.stdout, stderr: `${text.stderr}${messageOf(error)}\n` };
  } finally {
    process.exitCode = 0;
    for (const back of undo.reverse()) back();
  }
}

/** Replaces a property of an object; returns what undoes it. */
function replace(object: object, name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  return () => {
    if (own !== undefined) Object.defineProperty(object, name, own);
    else Reflect.deleteProperty(object, name);
  };
}

/** Settings of NDR are only those given, and `NO_COLOR`. */
function replaceEnvironment(env: Record<string, string>): () => void {
  const before = Deno.env.toObject();
  for (const name of Object.keys(before)) {
    if (name.startsWith("NDR_")) Deno.env.delete(name);
  }
  for (const [name, value] of Object.entries({ NO_COLOR: "1", ...env })) Deno.env.set(name, value);
  return () => {
    for (const name of Object.keys(Deno.env.toObject())) {
      if (!(name in before)) Deno.env.delete(name);
    }
    for (const [name, value] of Object.entries(before)) Deno.env.set(name, value);
  };
}
