import type { AnalystConfig } from "../../config/analyst.ts";
import type { Build } from "../../config/build.ts";
import type { ConfiguredConnector } from "../../config/connectors.ts";
import type { Environment } from "../../config/environment.ts";
import type { TenantInventory } from "../../config/inventory.ts";
import type { TenantResponse } from "../../config/response.ts";
import type { SiteConfig } from "../../config/sites.ts";
import type { RegisteredSource } from "../../config/sources.ts";
import type { Logging } from "../../observe/log.ts";
import type { LicenseKeys } from "../../telemetry/license-keys.ts";

/** What can be replaced while the core runs. */
export interface LiveConfig {
  sources: readonly RegisteredSource[];
  sites: readonly SiteConfig[];
  inventory: readonly TenantInventory[];
  response: readonly TenantResponse[];
  connectors: readonly ConfiguredConnector[];
  analyst: AnalystConfig;
}

export interface CoreConfig extends LiveConfig {
  environment: Environment;
  databaseUrl: string;
  serviceKey: Uint8Array;
  /** Folder whose `geoip` has the places of addresses, instead of the configuration's. */
  placesDir?: string | null;
  /** Origin of the registration server; null to report to none. */
  registrationOrigin: string | null;
  /** Keys that may sign licences. */
  licenseKeys: LicenseKeys;
  build: Build;
  logging: Logging;
}

/** A running server. */
export interface Running {
  url: string;
  stop(): Promise<void>;
}

export interface RunningCore extends Running {
  /**
   * Replaces the configuration for subsequent requests and records; each connector instance continues from its
   * bookmark. Rejects if connectors fail to restart.
   */
  use(config: LiveConfig): Promise<void>;
  /** Makes health report a reload that was rejected, and where its faults are (`file:line:column`). */
  rejectReload(places: readonly string[]): void;
  /** Reads the licence file again. Never throws. */
  rereadLicense(): Promise<void>;
}
