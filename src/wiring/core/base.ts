import type { TenantResponse } from "../../config/response.ts";
import { defaultSite, type SiteConfig } from "../../config/sites.ts";
import type { RegisteredSource } from "../../config/sources.ts";
import type { TenantView } from "../../core/handlers/deps.ts";
import type { ConfigurationFacts } from "../../domain/health/configuration.ts";
import { ClockKeeper } from "../../core/jobs/clock-keeper.ts";
import { type Clock, systemClock } from "../../kit/clock.ts";
import { sitesByTenant, tenantViews } from "../tenants.ts";
import type { CoreConfig, LiveConfig } from "./config.ts";
import { type CoreStore, openStore } from "./store.ts";

/** What every part of the core builds on. */
export interface CoreBase {
  config: CoreConfig;
  clock: Clock;
  store: CoreStore;
  /** The time that deletions rely on. */
  time: ClockKeeper;
  /** The current sites; a reload adds and removes none. */
  sites: ReadonlyMap<string, SiteConfig>;
  /** Sites with their current sensors. */
  tenants: ReadonlyMap<string, TenantView>;
  /** The current source registry. */
  sources(): readonly RegisteredSource[];
  /** The current response configuration. */
  response(): readonly TenantResponse[];
  /** State of the newest reload. */
  configuration(): ConfigurationFacts;
  /** Replaces sources, sites and response. Tenants that are new or gone are so from the next start. */
  use(config: LiveConfig): void;
  /** Records that a reload was rejected, and where its faults are. */
  rejectReload(places: readonly string[]): void;
}

export async function openBase(config: CoreConfig): Promise<CoreBase> {
  const sites = sitesByTenant(config);
  const tenants = tenantViews(sites, config.sources);
  let { sources, response } = config;
  let configuration: ConfigurationFacts = { rejected: null, newTenants: 0 };
  const store = await openStore(config, systemClock, [...sites.keys()]);
  const time = new ClockKeeper({ db: store.db, clock: systemClock, logger: config.logging.logger("clock") });
  await time.prepare();
  return {
    config,
    clock: systemClock,
    store,
    time,
    sites,
    tenants,
    sources: () => sources,
    response: () => response,
    configuration: () => configuration,
    use(replaced) {
      ({ sources, response } = replaced);
      const current = sitesByTenant(replaced);
      for (const id of sites.keys()) sites.set(id, current.get(id) ?? defaultSite(id));
      for (const [id, view] of tenantViews(sites, sources)) tenants.set(id, view);
      const newTenants = [...current.keys()].filter((id) => !sites.has(id));
      configuration = { rejected: null, newTenants: newTenants.length };
      if (newTenants.length > 0) {
        config.logging.logger("core").warn("restart to serve the new tenants", { tenants: newTenants });
      }
    },
    rejectReload(places) {
      configuration = { ...configuration, rejected: { at: systemClock.now(), places } };
    },
  };
}
