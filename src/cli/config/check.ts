// The whole configuration of an installation, read as the services read it at their start.

import { GeoIp } from "../../config/geoip/geoip.ts";
import { parseEnvFile } from "../../config/env-file.ts";
import { installedInput } from "../../config/installed-input.ts";
import { readIntelFiles } from "../../config/intel.ts";
import { type CoreConfig, loadCoreConfig, loadWebConfig, type WebConfig } from "../../config/load.ts";
import { ACCESS_FILE, type AccessPolicy, readAccess } from "../../config/access.ts";
import { DEFAULT_CONFIG_DIR } from "../../config/environment.ts";
import { listSources, SOURCES_FILE } from "../../config/sources.ts";
import { ConfigError, type Fault, Faults } from "../../config/yaml/faults.ts";
import { type ConfigInput, readText, systemInput } from "../../config/yaml/input.ts";
import { DEFAULT_REGISTRATION_ORIGIN } from "../../contract/telemetry/registration.ts";
import type { LicenseState } from "../../contract/health/metrics.ts";
import { listVerdict } from "../../domain/health/intelligence.ts";
import { compileIntel } from "../../domain/intel/compile.ts";
import { plural } from "../../kit/text.ts";
import { installedLicense } from "../../telemetry/installed-license.ts";
import { LICENSE_FILE } from "../../contract/telemetry/license.ts";
import type { LicenseKeys } from "../../telemetry/license-keys.ts";

interface Note {
  message: string;
  /** The file to edit; null if ndr setup mends it. */
  file: string | null;
}

export interface CheckedConfig {
  configDir: string;
  faults: Fault[];
  /** What is worth knowing and no fault. */
  notes: Note[];
  /** Null if it has a fault. */
  core: CoreConfig | null;
  /** Null if it has a fault or is not set up. */
  web: WebConfig | null;
  /** Also if the rest of web is not set up. */
  access: AccessPolicy | null;
  lists: { files: number; indicators: number };
  /** Usable GeoIP databases. */
  databases: number;
  license: LicenseState | null;
}

/**
 * The environment of the services: this process's, then the assignments in `envFile`, by default ndr.env of the
 * configuration's folder.
 *
 * @throws if `envFile` cannot be read
 */
export function serviceInput(envFile: string | null, input: ConfigInput = systemInput): ConfigInput {
  if (envFile === null) return installedInput(input);
  const content = input.readFile(envFile);
  const variables = parseEnvFile(new TextDecoder().decode(content));
  const env = (name: string) => input.env(name) || variables.get(name);
  const standard = `${env("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR}/ndr.env`;
  // The lines of faults are those of this file.
  return { env, readFile: (path) => path === standard ? content : input.readFile(path) };
}

/** Reads everything that the services read at their start; opens no connection and writes nothing. */
export async function checkConfig(
  { input, envFile, keys }: { input: ConfigInput; envFile: string | null; keys: LicenseKeys },
): Promise<CheckedConfig> {
  const configDir = input.env("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR;
  const faults = new Faults();
  const asked = new Set<string>();
  const asking: ConfigInput = {
    ...input,
    env: (name) => {
      asked.add(name);
      return input.env(name);
    },
  };
  const core = loaded(() => loadCoreConfig(asking), faults);
  const { web, access } = readWeb(asking, configDir, faults);
  const { lists, files } = readLists(configDir, faults);
  const databases = await readDatabases(configDir, faults);
  const license = core === null ? null : await readLicense(core, keys, faults);
  return {
    configDir,
    faults: distinct(faults.list, configDir, envFile),
    notes: [
      ...web === null && isWebUnset(input) ? [{ message: WEB_UNSET, file: null }] : [],
      ...core === null ? [] : unusedVariables(input, envFile ?? `${configDir}/ndr.env`, asked),
      ...lists.notes,
    ],
    core,
    web,
    access,
    lists: { files, indicators: lists.indicators },
    databases,
    license,
  };
}

const WEB_UNSET = "NDR_PUBLIC_URL and NDR_OIDC_ISSUER are not set: ndr-web does not start until they are";

/** ndr-web waits for these settings instead of failing. */
function isWebUnset(input: ConfigInput): boolean {
  return !input.env("NDR_PUBLIC_URL") && !input.env("NDR_OIDC_ISSUER");
}

/** Variables of the file that nothing asked for: a name that is spelled wrong is no fault at a start. */
function unusedVariables(input: ConfigInput, envFile: string, asked: ReadonlySet<string>): Note[] {
  const text = readText(input, envFile, new Faults()) ?? "";
  const path = `${input.env("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR}/${SOURCES_FILE}`;
  const sources = listSources(readText(input, path, new Faults()) ?? "", path, new Faults());
  const tokens = sources.flatMap(({ tokenEnv }) => [tokenEnv, `${tokenEnv}_FILE`]);
  return [...parseEnvFile(text).keys()]
    .filter((name) => name.startsWith("NDR_") && !asked.has(name) && !tokens.includes(name))
    .map((name) => ({ message: `${name} in ${envFile}: no setting has this name`, file: envFile }));
}

function readWeb(
  input: ConfigInput,
  configDir: string,
  faults: Faults,
): Pick<CheckedConfig, "web" | "access"> {
  if (!isWebUnset(input)) {
    const web = loaded(() => loadWebConfig(input), faults);
    return { web, access: web?.access ?? null };
  }
  const access = readAccess(input, configDir, faults);
  const path = `${configDir}/${ACCESS_FILE}`;
  if (access === null && !faults.list.some(({ file }) => file === path)) {
    faults.add(
      { file: path, line: null, column: null },
      "expected a file with `rules:` and a list of access rules, but it does not exist",
    );
  }
  return { web: null, access };
}

/** What `load` returns; null after a ConfigError, whose faults are added to `faults`. */
function loaded<T>(load: () => T, faults: Faults): T | null {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const { message, ...place } of error.faults) faults.add(place, message);
    return null;
  }
}

function readLists(configDir: string, faults: Faults) {
  const { lists } = compileIntel(readIntelFiles(configDir, faults));
  const notes: Note[] = [];
  for (const list of lists) {
    const { status, message } = listVerdict(list);
    if (message === null) continue;
    const file = `${configDir}/intel/${list.name}`;
    if (status === "ok") notes.push({ message: `${list.name}: ${message}`, file });
    else faults.add({ file, line: null, column: null }, message);
  }
  const indicators = lists.reduce((sum, list) => sum + list.indicators, 0);
  return { lists: { indicators, notes }, files: lists.length };
}

async function readDatabases(configDir: string, faults: Faults): Promise<number> {
  const geoip = new GeoIp(configDir);
  await geoip.reload();
  for (const { message, ...place } of geoip.faults) faults.add(place, message);
  return geoip.size;
}

async function readLicense({ environment }: CoreConfig, keys: LicenseKeys, faults: Faults) {
  const { configDir, stateDir, telemetry, telemetryUrl } = environment;
  const renews = telemetry && (telemetryUrl ?? DEFAULT_REGISTRATION_ORIGIN) !== null;
  const places = { configDir, stateDir };
  const { state, facts } = await installedLicense({ places, keys, renews }, Date.now() * 1000);
  if (state === "invalid" || state === "expired") {
    faults.add(
      { file: `${configDir}/${LICENSE_FILE}`, line: null, column: null },
      `expected a licence that is valid here: ${facts.message ?? state}`,
    );
  }
  return state;
}

/** Core and web report what both read. */
function distinct(faults: readonly Fault[], configDir: string, envFile: string | null): Fault[] {
  const found = new Map<string, Fault>();
  for (const fault of faults) {
    const file = envFile !== null && fault.file === `${configDir}/ndr.env` ? envFile : fault.file;
    found.set(JSON.stringify([file, fault.line, fault.column, fault.message]), { ...fault, file });
  }
  return [...found.values()];
}

/** Counts of everything that is configured; null if the core would not start. */
export function configSummary({ core, access, lists, databases, license }: CheckedConfig) {
  if (core === null) return null;
  const sensors: Record<string, number> = {};
  for (const { source: { tenantId } } of core.sources) sensors[tenantId] = (sensors[tenantId] ?? 0) + 1;
  return {
    sensors,
    sites: core.sites.length,
    access_rules: access?.rules.length ?? 0,
    known_devices: core.inventory.reduce((sum, { devices }) => sum + devices.length, 0),
    executors: core.response.reduce((sum, { executors }) => sum + executors.length, 0),
    connectors: core.connectors.length,
    connectors_enabled: core.environment.connectorsEnabled,
    intel_lists: lists.files,
    indicators: lists.indicators,
    geoip_databases: databases,
    license,
    public_url: core.environment.publicUrl,
  };
}

export function summaryLine(
  configDir: string,
  summary: NonNullable<ReturnType<typeof configSummary>>,
): string {
  const { sensors, connectors } = summary;
  const counts = Object.entries(sensors);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const tenants = counts.map(([tenantId, count]) => `${tenantId} ${count}`).join(", ");
  const parts = [
    `${plural(total, "sensor")}${tenants && ` (${tenants})`}`,
    plural(summary.sites, "site"),
    plural(summary.access_rules, "access rule"),
    plural(summary.known_devices, "known device"),
    plural(summary.executors, "executor"),
    `${plural(connectors, "connector")}${connectors > 0 && !summary.connectors_enabled ? " (off)" : ""}`,
    `${plural(summary.intel_lists, "list")} of ${plural(summary.indicators, "indicator")}`,
    plural(summary.geoip_databases, "GeoIP database"),
    `licence ${summary.license}`,
  ];
  return `${configDir} is valid: ${parts.join(", ")}`;
}
