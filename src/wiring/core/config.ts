import type { Build } from "../../config/build.ts";
import type { ConfiguredConnector } from "../../config/connectors.ts";
import type { Environment } from "../../config/environment.ts";
import type { TenantInventory } from "../../config/inventory.ts";
import type { TenantResponse } from "../../config/response.ts";
import type { SiteConfig } from "../../config/sites.ts";
import type { RegisteredSource } from "../../config/sources.ts";
import type { Logging } from "../../observe/log.ts";
import type { LicenseKeys } from "../../telemetry/license-keys.ts";

export interface CoreConfig {
  environment: Environment;
  databaseUrl: string;
  serviceKey: Uint8Array;
  sources: readonly RegisteredSource[];
  sites: readonly SiteConfig[];
  inventory: readonly TenantInventory[];
  response: readonly TenantResponse[];
  connectors: readonly ConfiguredConnector[];
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
  /** Replaces the source registry for subsequent requests. */
  useSources(sources: readonly RegisteredSource[]): void;
  /** Replaces the inventory for all devices. */
  useInventory(inventory: readonly TenantInventory[]): void;
  /**
   * Replaces the executors for subsequent reports, and who must decide; the gates of automatic mode stay.
   */
  useResponse(response: readonly TenantResponse[]): void;
  /** Replaces connector instances, receivers and keys; each instance continues from its bookmark. */
  useConnectors(connectors: readonly ConfiguredConnector[]): Promise<void>;
  /** Reads the licence file again. Never throws. */
  rereadLicense(): Promise<void>;
}
