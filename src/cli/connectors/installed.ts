import { type ConfiguredConnector, CONNECTORS_FILE, readConnectors } from "../../config/connectors.ts";
import { type Environment, readEnvironment } from "../../config/environment.ts";
import { Faults } from "../../config/yaml/faults.ts";
import type { ConfigInput } from "../../config/yaml/input.ts";
import { tenantsOf } from "../../config/load.ts";
import { readSites } from "../../config/sites.ts";
import { readSources } from "../../config/sources.ts";
import { installedInput } from "../../config/installed-input.ts";

/** The request cannot be fulfilled; the message is for the user. */
export class ConnectorInputError extends Error {
  override readonly name = "ConnectorInputError";
}

interface InstalledConnectors {
  environment: Environment;
  /** The file that they come from. */
  file: string;
  connectors: ConfiguredConnector[];
}

/**
 * The instances in this machine's configuration.
 *
 * @throws ConfigError with all faults of the environment and of `connectors.yaml`
 */
export function installedConnectors(input: ConfigInput = installedInput()): InstalledConnectors {
  const faults = new Faults();
  const environment = readEnvironment(input, faults);
  const { configDir, publicUrl } = environment;
  const connectors = readConnectors(input, configDir, faults, {
    tenants: tenants(input, configDir),
    publicUrl,
  });
  faults.throwIfAny();
  return { environment, file: `${configDir}/${CONNECTORS_FILE}`, connectors: connectors ?? [] };
}

/** Tenants of sensors and sites; null if unknown, because `ndr up` has defaults. */
function tenants(input: ConfigInput, configDir: string): ReadonlySet<string> | null {
  const faults = new Faults();
  const sources = readSources(input, configDir, faults);
  const sites = readSites(input, configDir, faults);
  // The start of the core reports their faults.
  return sources === null || faults.list.length > 0 ? null : tenantsOf(sources, sites ?? []);
}

/**
 * The instance with this name.
 *
 * @throws ConnectorInputError if there is none
 */
export function instanceNamed({ connectors, file }: InstalledConnectors, name: string): ConfiguredConnector {
  const found = connectors.find(({ instance }) => instance === name);
  if (found !== undefined) return found;
  const names = connectors.map(({ instance }) => instance).join(", ");
  throw new ConnectorInputError(
    `there is no instance ${name} in ${file}; ${names === "" ? "it has none" : `there are: ${names}`}`,
  );
}
