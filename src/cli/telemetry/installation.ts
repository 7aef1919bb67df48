import { z } from "@hono/zod-openapi";
import { type Environment, readEnvironment } from "../../config/environment.ts";
import { Faults } from "../../config/yaml/faults.ts";
import { type ConfigInput, readText } from "../../config/yaml/input.ts";
import { tenantsOf } from "../../config/load.ts";
import { readSites } from "../../config/sites.ts";
import { readSources } from "../../config/sources.ts";
import { RECORD_KINDS, type RecordKind } from "../../contract/record/kinds.ts";
import { installedInput } from "../../config/installed-input.ts";
import { databaseUrl } from "../installed.ts";

/** Written by `ndr up` beside its database. */
const UP_FILE = "up.json";
/** Its sensors: the defaults without sources.yaml. */
const UpSensors = z.object({
  sources: z.array(z.object({ tenant_id: z.string(), allowed_kinds: z.array(z.enum(RECORD_KINDS)) })),
});

/** What this machine's configuration contributes to a heartbeat. */
export interface TelemetryInstallation {
  environment: Environment;
  databaseUrl: string;
  tenantIds: ReadonlySet<string>;
  /** Kinds that the enabled sensors may send. */
  recordKinds: RecordKind[];
}

/**
 * Reads it like the core, without what only the core needs.
 *
 * @throws ConfigError with all faults
 */
export function telemetryInstallation(input: ConfigInput = installedInput()): TelemetryInstallation {
  const faults = new Faults();
  const environment = readEnvironment(input, faults);
  const { configDir, stateDir } = environment;
  const sources = readSources(input, configDir, faults);
  const sites = readSites(input, configDir, faults) ?? [];
  const up = readUpSensors(input, stateDir, faults);
  faults.throwIfAny();
  const url = environment.databaseUrl?.reveal() ??
    (up === null ? databaseUrl(input) : `embedded:${stateDir}/database`);
  if (sources === null && up !== null) {
    const named = tenantsOf([], sites);
    const tenantIds = new Set([...named, ...up.map((sensor) => sensor.tenant_id)]);
    return {
      environment,
      databaseUrl: url,
      tenantIds,
      recordKinds: up.flatMap((sensor) => sensor.allowed_kinds),
    };
  }
  return {
    environment,
    databaseUrl: url,
    tenantIds: tenantsOf(sources ?? [], sites),
    recordKinds: (sources ?? []).flatMap(({ source }) => [...source.allowedKinds]),
  };
}

/** Null if `ndr up` was never ready with this state. */
function readUpSensors(input: ConfigInput, stateDir: string, faults: Faults) {
  const path = `${stateDir}/${UP_FILE}`;
  const text = readText(input, path, faults);
  if (text === null) return null;
  try {
    return UpSensors.parse(JSON.parse(text)).sources;
  } catch {
    faults.add({ file: path, line: null, column: null }, "expected the file that ndr up wrote");
    return null;
  }
}
