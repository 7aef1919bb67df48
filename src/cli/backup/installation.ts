import process from "node:process";
import { readEnvironment } from "../../config/environment.ts";
import { Faults } from "../../config/yaml/faults.ts";
import { installedInput } from "../../config/installed-input.ts";
import type { Folders } from "./files.ts";

/** @throws ConfigError with the faults of the environment */
export function installedFolders(): Folders {
  const faults = new Faults();
  const { configDir, stateDir } = readEnvironment(installedInput(), faults);
  faults.throwIfAny();
  return { configuration: configDir, state: stateDir };
}

/** Where this user may make a folder for a while: in the state folder, else in the system's one for such files. */
export async function scratchFolder({ state }: Folders): Promise<string> {
  const trial = await Deno.makeTempDir({ dir: state, prefix: "ndr-verify-" }).catch(() => null);
  if (trial === null) return Deno.env.get("TMPDIR") || "/tmp";
  await Deno.remove(trial);
  return state;
}

/** Runs a command that cleans up when it is interrupted; returns its exit status. */
export async function interruptible(
  name: string,
  work: (signal: AbortSignal) => Promise<void>,
  explain: (error: unknown) => string,
): Promise<number> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new Error("interrupted"));
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const one of signals) Deno.addSignalListener(one, interrupt);
  try {
    await work(controller.signal);
    return 0;
  } catch (error) {
    for (const line of explain(error).split("\n")) process.stderr.write(`${name}: ${line}\n`);
    return 1;
  } finally {
    for (const one of signals) Deno.removeSignalListener(one, interrupt);
  }
}
