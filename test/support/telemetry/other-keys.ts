// The real program with a replacement for the module that holds the product's licence keys. This requires
// other Deno arguments, which an installed program does not have: its environment and configuration cannot do
// the same.

import { pathToFileURL } from "node:url";
import type { LicenseKeys } from "../../../src/telemetry/license-keys.ts";

const ROOT = new URL("../../../", import.meta.url);

/** `deno run` flags that make main.ts use these keys. `folder`: where the referenced files are written. */
export async function keyFlags(folder: string, keys: LicenseKeys): Promise<string[]> {
  const module = `${folder}/license-keys.ts`;
  await Deno.writeTextFile(module, `export const LICENSE_KEYS = ${JSON.stringify(keys)};\n`);
  const { imports }: { imports: Record<string, string> } = JSON.parse(
    await Deno.readTextFile(new URL("deno.json", ROOT)),
  );
  // What Deno adds implicitly for its own configuration file.
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
