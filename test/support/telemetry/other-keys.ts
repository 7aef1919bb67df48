// The real program, whole, with another file in the place of the one that has the product's licence keys. That takes other
// arguments to Deno, which an installed program does not have: nothing in its environment or configuration does the same.

import { pathToFileURL } from "node:url";
import type { LicenseKeys } from "../../../src/telemetry/license-keys.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Flags of `deno run` under which main.ts knows these keys. `folder`: where to put what they name. */
export async function keyFlags(folder: string, keys: LicenseKeys): Promise<string[]> {
  const module = `${folder}/license-keys.ts`;
  await Deno.writeTextFile(module, `export const LICENSE_KEYS = ${JSON.stringify(keys)};\n`);
  const { imports }: { imports: Record<string, string> } = JSON.parse(
    await Deno.readTextFile(new URL("deno.json", ROOT)),
  );
  // What Deno adds by itself for its own configuration file.
  const parts = Object.entries(imports).map((
    [name, npm],
  ) => [`${name}/`, `${npm.replace("npm:", "npm:/")}/`]);
  const map = {
    imports: {
      ...imports,
      ...Object.fromEntries(parts),
      [new URL("src/telemetry/license-keys.ts", ROOT).href]: pathToFileURL(module).href,
    },
  };
  await Deno.writeTextFile(`${folder}/import-map.json`, JSON.stringify(map));
  return [`--import-map=${folder}/import-map.json`];
}
