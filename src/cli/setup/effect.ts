// Whether changed files of the configuration take effect by a reload of the services, or only by a start.

import { parseEnvFile } from "../../config/env-file.ts";
import { tenantsOf } from "../../config/load.ts";
import { readSites } from "../../config/sites.ts";
import { listSources, readSources, SOURCES_FILE } from "../../config/sources.ts";
import { Faults } from "../../config/yaml/faults.ts";
import type { FileChange, SetupFiles } from "./files.ts";
import { serviceInput } from "./settings.ts";

/** A reload reads all files, and of ndr.env what it has got since the start; it serves no new tenant. */
export function needsStart(files: SetupFiles, configDir: string, changes: readonly FileChange[]): boolean {
  return changesVariables(files, configDir, changes) ||
    !tenants(files, configDir, changes).isSubsetOf(tenants(files, configDir, []));
}

/** Whether ndr.env changes in more than added tokens of sensors. */
function changesVariables(files: SetupFiles, configDir: string, changes: readonly FileChange[]): boolean {
  const path = `${configDir}/ndr.env`;
  const change = changes.find((one) => one.path === path);
  if (change === undefined) return false;
  const before = parseEnvFile(files.read(path) ?? "");
  const after = parseEnvFile(change.text);
  const sources = textOf(files, `${configDir}/${SOURCES_FILE}`, changes);
  const tokens = new Set(
    listSources(sources, SOURCES_FILE, new Faults()).flatMap((
      { tokenEnv },
    ) => [tokenEnv, `${tokenEnv}_FILE`]),
  );
  const names = [...before.keys(), ...after.keys()];
  return names.some((name) =>
    before.get(name) !== after.get(name) && (before.has(name) || !tokens.has(name))
  );
}

function tenants(files: SetupFiles, configDir: string, changes: readonly FileChange[]): ReadonlySet<string> {
  const input = serviceInput(files, configDir, changes);
  const faults = new Faults();
  return tenantsOf(readSources(input, configDir, faults) ?? [], readSites(input, configDir, faults) ?? []);
}

function textOf(files: SetupFiles, path: string, changes: readonly FileChange[]): string {
  return changes.find((one) => one.path === path)?.text ?? files.read(path) ?? "";
}
