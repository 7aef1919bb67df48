import type { ServiceFacts } from "../../domain/health/services.ts";
import { TelemetryDesk } from "../../telemetry/desk.ts";
import { Licensing } from "../../telemetry/license.ts";
import { Telemetry } from "../../telemetry/telemetry.ts";
import type { CoreBase } from "./base.ts";

interface CoreTelemetry {
  license: Licensing;
  telemetry: Telemetry;
  desk: TelemetryDesk;
  /** Facts for health and metrics. */
  facts(): ServiceFacts;
}

/** The licence, the heartbeat to the registration server, and its local command interface. */
export function createTelemetry({ config, store: { db }, clock, sites, sources }: CoreBase): CoreTelemetry {
  const { environment, logging, registrationOrigin: origin, build } = config;
  const place = { directory: environment.configDir, owner: Deno.uid() };
  const license = new Licensing({
    places: environment,
    keys: config.licenseKeys,
    place,
    renews: environment.telemetry && origin !== null,
  }, { db, clock, logger: logging.logger("license"), tenantIds: () => sites.keys() });
  const settings = { enabled: environment.telemetry, origin, place };
  const deps = {
    db,
    clock,
    logger: logging.logger("telemetry"),
    parts: () => ({
      productVersion: build.version,
      bundleVersion: build.bundleVersion,
      tenantIds: sites.keys(),
      recordKinds: sources().flatMap(({ source }) => [...source.allowedKinds]),
    }),
    entitlement: license,
  };
  const telemetry = new Telemetry(settings, deps);
  return {
    license,
    telemetry,
    desk: new TelemetryDesk({ ...settings, stateDir: environment.stateDir }, deps),
    facts: () => ({ ...telemetry.facts(), license: license.facts() }),
  };
}
