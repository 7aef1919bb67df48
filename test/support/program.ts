// The program that tests start: the modules of the checkout as `make build` bundles them, which load in a third of the time.

import { dirname } from "node:path";
import type { Ran } from "./command.ts";
import { exists, walkFiles } from "./files.ts";
import { sha256Hex } from "../../src/kit/hash.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
/** The folder of a bundle, which the test runner makes for the files of a run. */
export const PROGRAM_VARIABLE = "NDR_TEST_PROGRAM";
const BUNDLES = `${ROOT}dist/test-program`;
/** What a bundle is made of. */
const SOURCES = ["main.ts", "deno.json", "deno.lock", "src"];
/** Files that the program reads beside its modules; `ASSETS` of the Makefile. */
const ASSETS = ["dist/dashboard", "test/data/sample", "test/data/captures", "test/data/recordings"];
/** A bundle of other sources that nothing has made for so long is removed. */
const AGE_MS = 86_400_000;

/** Arguments of `deno` that start the program; its own come after them. `flags`: further ones of `deno run`. */
export async function programArgs(flags: readonly string[] = ["-A"]): Promise<string[]> {
  const config = ["--quiet", "--no-config", "--no-lock", "--no-check", ...await unstable()];
  return ["run", ...flags, ...config, `${await provideProgram()}/main.js`];
}

/**
 * As {@link programArgs}, with the modules of the checkout: for flags that replace some of them. A start takes a second more
 * of a processor.
 */
export function checkoutArgs(flags: readonly string[] = ["-A"]): string[] {
  return ["run", ...flags, "--quiet", "--no-check", `${ROOT}main.ts`];
}

/**
 * Runs `ndr` with these arguments as a process of its own: one such run for each command is enough. The environment holds
 * no NDR settings except those in `env`. `flags`: extra flags for `deno run`, which then runs the checkout.
 */
export async function runNdr(
  args: readonly string[],
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<Ran> {
  const inherited = Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("NDR_"));
  const command = new Deno.Command(Deno.execPath(), {
    args: [...flags.length > 0 ? checkoutArgs(["-A", ...flags]) : await programArgs(), ...args],
    cwd: ROOT,
    clearEnv: true,
    env: { ...Object.fromEntries(inherited), NO_COLOR: "1", ...env },
    stdin: "null",
  });
  const { code, stdout, stderr } = await command.output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

let provided: Promise<string> | null = null;

/** The folder of the bundle of the present sources; the first call of a run makes it. */
export function provideProgram(): Promise<string> {
  return provided ??= (async () => Deno.env.get(PROGRAM_VARIABLE) ?? await bundle())();
}

async function bundle(): Promise<string> {
  const folder = `${BUNDLES}/${await version()}`;
  if (await exists(folder)) return folder;
  await removeOld();
  const draft = `${folder}.${crypto.randomUUID()}`;
  const { success, stderr } = await new Deno.Command("make", {
    args: ["--old-file=node_modules/.installed", "modules", `LIB=${draft}`, `DENO=${Deno.execPath()}`],
    cwd: ROOT,
    env: { NO_COLOR: "1", MAKEFLAGS: "", MAKELEVEL: "" },
    stdin: "null",
  }).output();
  if (!success) throw new Error(`cannot bundle the program: ${new TextDecoder().decode(stderr)}`);
  for (const asset of ASSETS) {
    await Deno.mkdir(dirname(`${draft}/${asset}`), { recursive: true });
    await Deno.symlink(`${ROOT}${asset}`, `${draft}/${asset}`);
  }
  try {
    await Deno.rename(draft, folder);
  } catch (error) {
    // Another process was faster.
    if (!(await exists(folder))) throw error;
    await Deno.remove(draft, { recursive: true });
  }
  return folder;
}

/** Differs when a source has changed. */
async function version(): Promise<string> {
  const facts: string[] = [];
  for (const source of SOURCES) {
    const paths = /\./.test(source)
      ? [`${ROOT}${source}`]
      : await Array.fromAsync(walkFiles(`${ROOT}${source}`));
    for (const path of paths) {
      const { size, mtime } = await Deno.stat(path);
      facts.push(`${path} ${size} ${mtime?.getTime()}`);
    }
  }
  return sha256Hex(facts.sort().join("\n")).slice(0, 12);
}

async function removeOld(): Promise<void> {
  await Deno.mkdir(BUNDLES, { recursive: true });
  for await (const { name } of Deno.readDir(BUNDLES)) {
    const { mtime } = await Deno.stat(`${BUNDLES}/${name}`);
    if (Date.now() - mtime!.getTime() < AGE_MS) continue;
    await Deno.remove(`${BUNDLES}/${name}`, { recursive: true }).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
}

/** The unstable features that deno.json names. */
async function unstable(): Promise<string[]> {
  const { unstable = [] }: { unstable?: string[] } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  return unstable.map((name) => `--unstable-${name}`);
}
