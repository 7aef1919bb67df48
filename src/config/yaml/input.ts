import { messageOf } from "../../kit/errors.ts";
import type { Faults } from "./faults.ts";

/** The source of configuration; tests pass their own. */
export interface ConfigInput {
  env(name: string): string | undefined;
  /** Throws `Deno.errors.NotFound` if there is no such file, another error if it cannot be read. */
  readFile(path: string): Uint8Array;
}

export const systemInput: ConfigInput = {
  env: (name) => Deno.env.get(name),
  readFile: (path) => Deno.readFileSync(path),
};

/** The text of a configuration file; `null` if it does not exist, and with a fault if it cannot be read. */
export function readText(input: ConfigInput, path: string, faults: Faults): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(input.readFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    const why = error instanceof TypeError ? "it is not UTF-8 text" : messageOf(error);
    faults.add({ file: path, line: null, column: null }, `expected a readable file, but ${why}`);
    return null;
  }
}
