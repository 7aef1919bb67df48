import { AccessPolicy, readAccess } from "../config/access.ts";
import { type AnalystConfig, NO_ANALYST, readAnalyst } from "../config/analyst.ts";
import { type ConfiguredConnector, readConnectors } from "../config/connectors.ts";
import { type Environment, readEnvironment } from "../config/environment.ts";
import { Faults } from "../config/yaml/faults.ts";
import { type ConfigInput, systemInput } from "../config/yaml/input.ts";
import { readInventory, type TenantInventory } from "../config/inventory.ts";
import { takenTokens, tenantsOf } from "../config/load.ts";
import { readResponse, type TenantResponse } from "../config/response.ts";
import { readSites, type SiteConfig } from "../config/sites.ts";
import { readSources, type RegisteredSource } from "../config/sources.ts";
import { defaultResponse, defaultSites, defaultSources } from "./defaults.ts";
import { sampleInventory, sampleSites } from "./sample/site.ts";
import { developmentAccessRules } from "./sign-in-accounts.ts";
import { StateFiles } from "./state-files.ts";
import { upAnalyst } from "./up-analyst.ts";

interface UpConfig {
  environment: Environment;
  files: StateFiles;
  serviceKey: Uint8Array;
  databaseUrl: string;
  sources: RegisteredSource[];
  sites: SiteConfig[];
  inventory: TenantInventory[];
  response: TenantResponse[];
  connectors: ConfiguredConnector[];
  analyst: AnalystConfig;
  access: AccessPolicy;
  /** Whether to play the sample records. */
  sample: boolean;
  /** Whether the places of addresses come from the sample, because the configuration has no `geoip`. */
  samplePlaces: boolean;
}

/** Default state folder: evaluation needs no root. */
const STATE_DIR = ".state";

/**
 * The settings of `ndr up`: the environment, the files that NDR_CONFIG_DIR has, and defaults.
 *
 * @throws ConfigError with all faults.
 */
export async function loadUpConfig(input: ConfigInput = systemInput): Promise<UpConfig> {
  const stateDir = input.env("NDR_STATE_DIR") || `${Deno.cwd()}/${STATE_DIR}`;
  const files = new StateFiles(stateDir);
  await files.prepare();
  const own: ConfigInput = {
    env: (name) => name === "NDR_STATE_DIR" ? stateDir : input.env(name),
    readFile: (path) => input.readFile(path),
  };
  const tokenOf = await files.tokens();
  const faults = new Faults();
  const environment = readEnvironment(own, faults);
  const ownSources = readSources(own, environment.configDir, faults);
  const sources = ownSources ?? defaultSources(tokenOf);
  // The sample has its own sensors, so that it never mixes with records of a real network.
  const sample = ownSources === null && input.env("NDR_UP_SAMPLE") !== "off";
  const sites = readSites(own, environment.configDir, faults) ??
    (sample ? sampleSites() : defaultSites());
  const tenants = faults.list.length === 0 ? tenantsOf(sources, sites) : null;
  const inventory = readInventory(own, environment.configDir, faults, tenants) ??
    (sample ? sampleInventory() : []);
  const taken = takenTokens(environment, sources);
  const response = readResponse(own, environment.configDir, faults, { tenants, taken }) ??
    defaultResponse(tokenOf);
  const connectors = readConnectors(own, environment.configDir, faults, {
    tenants,
    publicUrl: environment.publicUrl,
  }) ?? [];
  const analyst = readAnalyst(own, environment.configDir, faults, { tenants }) ??
    upAnalyst(own, [...tenantsOf(sources, sites)], faults) ?? NO_ANALYST;
  const access = readAccess(own, environment.configDir, faults) ?? new AccessPolicy(developmentAccessRules());
  faults.throwIfAny();
  return {
    environment,
    files,
    serviceKey: environment.serviceKey ?? await files.serviceKey(),
    databaseUrl: environment.databaseUrl?.reveal() ?? `embedded:${stateDir}/database`,
    sources,
    sites,
    inventory,
    response,
    connectors,
    analyst,
    access,
    sample,
    samplePlaces: sample && !await isFolder(`${environment.configDir}/geoip`),
  };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}
