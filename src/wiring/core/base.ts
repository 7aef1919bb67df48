import type { SiteConfig } from "../../config/sites.ts";
import type { RegisteredSource } from "../../config/sources.ts";
import type { TenantView } from "../../core/handlers/deps.ts";
import { ClockKeeper } from "../../core/jobs/clock-keeper.ts";
import { type Clock, systemClock } from "../../kit/clock.ts";
import { sitesByTenant, tenantViews } from "../tenants.ts";
import type { CoreConfig } from "./config.ts";
import { type CoreStore, openStore } from "./store.ts";

/** What every part of the core builds on. */
export interface CoreBase {
  config: CoreConfig;
  clock: Clock;
  store: CoreStore;
  /** The time that deletions rely on. */
  time: ClockKeeper;
  sites: ReadonlyMap<string, SiteConfig>;
  /** Sites with their current sensors. */
  tenants: ReadonlyMap<string, TenantView>;
  /** The current source registry. */
  sources(): readonly RegisteredSource[];
  useSources(sources: readonly RegisteredSource[]): void;
}

export async function openBase(config: CoreConfig): Promise<CoreBase> {
  const sites = sitesByTenant(config);
  const tenants = tenantViews(sites, config.sources);
  let { sources } = config;
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
    useSources(replaced) {
      sources = replaced;
      for (const [tenantId, view] of tenantViews(sites, replaced)) tenants.set(tenantId, view);
    },
  };
}
