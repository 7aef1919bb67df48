import { walkFiles } from "../files.ts";

/**
 * Fetches an npm package into `.tools/`, without touching the lock file or node_modules, and returns the folder it was
 * unpacked into. For packages that only some machines need. Throws if the package cannot be fetched.
 */
export async function fetchNpmPackage(name: string, version: string): Promise<string> {
  const cache = `${import.meta.dirname}/../../../.tools/packages`;
  const command = new Deno.Command(Deno.execPath(), {
    args: ["cache", "--quiet", "--no-config", "--no-lock", `npm:${name}@${version}`],
    cwd: "/",
    env: { DENO_DIR: cache, NO_COLOR: "1" },
    stdin: "null",
    signal: AbortSignal.timeout(300_000),
  });
  const { success, stderr } = await command.output();
  if (!success) throw new Error(reason(stderr) || `npm:${name}@${version} cannot be fetched`);
  for await (const path of walkFiles(`${cache}/npm`)) {
    if (path.endsWith(`/${name}/${version}/package.json`)) return path.slice(0, -"/package.json".length);
  }
  throw new Error(`npm:${name}@${version} was fetched but is not in ${cache}`);
}

function reason(output: Uint8Array): string {
  const lines = new TextDecoder().decode(output).split("\n");
  return lines.find((line) => line.startsWith("error: "))?.slice("error: ".length) ?? "";
}
