// Writes the reference documents that the code knows best: `make docs`. With `--check` it writes nothing and fails if a
// document differs from what its generator makes.

import { messageOf } from "../../../src/kit/errors.ts";
import { type Generator, GENERATORS } from "./generators.ts";

const ROOT = import.meta.dirname!.replace(/\/test\/support\/docs$/, "");

/** The documents that differ from what their generators make, with the new content of each. */
export async function outdated(
  generators: readonly Generator[],
  root: string = ROOT,
): Promise<{ path: string; content: string }[]> {
  const found = [];
  for (const { path, generate } of generators) {
    const current = await read(`${root}/${path}`);
    const content = await generate(current);
    if (content !== current) found.push({ path, content });
  }
  return found;
}

async function read(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== "--check")) throw new Error("the only option is --check");
  const found = await outdated(GENERATORS);
  if (args.includes("--check")) {
    for (const { path } of found) console.error(`${path} is out of date: run make docs`);
    return found.length > 0 ? 1 : 0;
  }
  for (const { path, content } of found) {
    await Deno.writeTextFile(`${ROOT}/${path}`, content);
    console.log(`Wrote ${path}`);
  }
  return 0;
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    console.error(messageOf(error));
    Deno.exit(2);
  }
}
