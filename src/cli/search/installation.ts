import { z } from "@hono/zod-openapi";
import { readEnvironment } from "../../config/environment.ts";
import { tenantsOf } from "../../config/load.ts";
import { readSites } from "../../config/sites.ts";
import { readSources } from "../../config/sources.ts";
import { Faults } from "../../config/yaml/faults.ts";
import { type ConfigInput, readText } from "../../config/yaml/input.ts";
import { installedInput } from "../../config/installed-input.ts";

/** Written by `ndr up` when it is ready. */
const UP_FILE = "up.json";
/** State folder of `ndr up`, if the environment names none. */
const UP_STATE_DIR = ".state";
const UpFile = z.object({ core_url: z.url(), sources: z.array(z.object({ tenant_id: z.string() })) });

/** Where this machine's core listens and what a request to it needs. */
export interface SearchInstallation {
  coreUrl: string;
  serviceKey: Uint8Array;
  tenantIds: string[];
}

/**
 * The installed core, or the running `ndr up` of this state folder.
 *
 * @throws ConfigError with all faults
 */
export function searchInstallation(input: ConfigInput = installedInput()): SearchInstallation {
  const faults = new Faults();
  const environment = readEnvironment(input, faults);
  const { coreListen, configDir, serviceKey } = environment;
  const stateDir = input.env("NDR_STATE_DIR") || (serviceKey === null ? UP_STATE_DIR : null);
  const up = stateDir === null ? null : readUp(input, stateDir, faults);
  const key = serviceKey ?? (up === null ? null : readKey(input, `${stateDir}/service.key`, faults));
  const sources = readSources(input, configDir, faults) ?? [];
  const sites = readSites(input, configDir, faults) ?? [];
  if (key === null && faults.list.length === 0) {
    faults.add(
      { file: `${configDir}/ndr.env`, line: null, column: null },
      "NDR_SERVICE_KEY_FILE: expected to be set there or in the environment; run this as the service's user, for example " +
        "with sudo -u ndr. For ndr up, set NDR_STATE_DIR to its folder",
    );
  }
  faults.throwIfAny();
  const tenants = new Set([
    ...tenantsOf(sources, sites),
    ...up?.sources.map(({ tenant_id }) => tenant_id) ?? [],
  ]);
  return {
    coreUrl: up?.core_url ??
      `http://${coreListen.host.includes(":") ? `[${coreListen.host}]` : coreListen.host}:${coreListen.port}`,
    serviceKey: key!,
    tenantIds: [...tenants].sort(),
  };
}

/** The `ndr up` whose state folder this is, running or not; null if there is none, or the service is installed. */
export function upInstallation(input: ConfigInput = installedInput()): SearchInstallation | null {
  const stateDir = input.env("NDR_STATE_DIR") || UP_STATE_DIR;
  const exists = readText(input, `${stateDir}/${UP_FILE}`, new Faults()) !== null;
  return exists ? searchInstallation(input) : null;
}

/** Null if `ndr up` was never ready with this state. */
function readUp(input: ConfigInput, stateDir: string, faults: Faults): z.infer<typeof UpFile> | null {
  const path = `${stateDir}/${UP_FILE}`;
  const text = readText(input, path, faults);
  if (text === null) return null;
  try {
    return UpFile.parse(JSON.parse(text));
  } catch {
    faults.add({ file: path, line: null, column: null }, "expected the file that ndr up wrote");
    return null;
  }
}

function readKey(input: ConfigInput, path: string, faults: Faults): Uint8Array | null {
  const text = readText(input, path, faults);
  return text === null ? null : new TextEncoder().encode(text);
}
