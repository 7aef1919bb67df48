// The core's components, put together by hand.

import type { Environment } from "../config/environment.ts";
import type { TenantInventory } from "../config/inventory.ts";
import { defaultSite, type SiteConfig } from "../config/sites.ts";
import type { RegisteredSource } from "../config/sources.ts";
import { createCoreApp } from "../core/app.ts";
import { Cursors } from "../core/cursor.ts";
import { createHandlers } from "../core/handlers/all.ts";
import { DeviceUpkeep } from "../core/jobs/device-upkeep.ts";
import { DiskGuard } from "../core/jobs/disk-guard.ts";
import { databasePlace, diskSpace } from "../core/jobs/disk-place.ts";
import { IdentityJob } from "../core/jobs/identity.ts";
import { IntelPast } from "../core/jobs/intel-past.ts";
import { IntelWatch } from "../core/jobs/intel-watch.ts";
import { Upkeep } from "../core/jobs/upkeep.ts";
import { Ingest } from "../ingest/ingest.ts";
import { LISTENER_OPTIONS } from "../ingest/listener.ts";
import { systemClock } from "../kit/clock.ts";
import { listen } from "../kit/listen.ts";
import { Logging } from "../observe/log.ts";
import { announcePast } from "../pipeline/past-intel.ts";
import { Pipeline } from "../pipeline/runner.ts";
import { migrate } from "../store/migrate.ts";
import { openDatabase } from "../store/open.ts";
import { createPartitions } from "../store/partitions.ts";
import { registerTenants } from "../store/tenants.ts";
import { WatchedDatabase } from "../store/watched.ts";
import { RecordThreads } from "./record-threads.ts";

const clock = systemClock;
/** Reading bodies takes most of a processor at full load; understanding batches half of one. */
const RECORD_THREADS = Math.max(2, Math.min(6, navigator.hardwareConcurrency - 1));

/** Something that runs until it is stopped. */
export interface Running {
  url: string;
  stop(): Promise<void>;
}

/** A core that takes requests. */
export interface RunningCore extends Running {
  /** Takes another source registry, for requests from now on. */
  useSources(sources: readonly RegisteredSource[]): void;
  /** Takes another inventory, for all devices. */
  useInventory(inventory: readonly TenantInventory[]): void;
}

export interface CoreParts {
  environment: Environment;
  databaseUrl: string;
  serviceKey: Uint8Array;
  sources: readonly RegisteredSource[];
  sites: readonly SiteConfig[];
  inventory: readonly TenantInventory[];
  logging: Logging;
}

/** Every tenant that a site or a sensor names, with its site configuration. */
export function sitesByTenant(
  { sources, sites }: Pick<CoreParts, "sources" | "sites">,
): Map<string, SiteConfig> {
  const known = new Map(sites.map((site) => [site.tenantId, site]));
  for (const { source: { tenantId } } of sources) {
    if (!known.has(tenantId)) known.set(tenantId, defaultSite(tenantId));
  }
  return known;
}

/** Opens the store, brings it up to date, and starts everything that works on it; resolves when requests are answered. */
export async function startCore(parts: CoreParts): Promise<RunningCore> {
  const { environment, serviceKey, sources, logging } = parts;
  const sites = sitesByTenant(parts);
  const database = await openDatabase(parts.databaseUrl);
  await migrate(database);
  const directory = await databasePlace(database, parts.databaseUrl, environment.stateDir);
  const disk = new DiskGuard({ directory, probe: diskSpace, clock, logger: logging.logger("disk") });
  const db = new WatchedDatabase(database, () => disk.refused());
  await registerTenants(db, [...sites.keys()]);
  await createPartitions(db, clock.now(), environment.retentionDays);

  const threads = new RecordThreads(RECORD_THREADS);
  const ingest: Ingest = new Ingest({
    db,
    sources,
    clock,
    logger: logging.logger("ingest"),
    limit: environment.ingest,
    isOpen: () => disk.isOpen(),
    read: (body, source) => threads.read(body, source),
    onCommitted: (tenantId) => {
      disk.committed();
      pipeline.wake(tenantId);
    },
  });
  const intel = new IntelWatch(environment, logging.logger("intel"));
  const pipeline = new Pipeline({ tenants: sites }, {
    db,
    clock,
    logger: logging.logger("pipeline"),
    ingestBusy: () => ingest.busy(),
    understand: (batch) => threads.understand(batch),
    mayWrite: () => disk.isOpen(),
    intel: () => intel.current(),
  });
  const intelPast = new IntelPast({ tenants: sites }, {
    db,
    clock,
    logger: logging.logger("intel"),
    intel: () => intel.current(),
    mayWrite: () => disk.isOpen(),
    announce: (tx, tenantId, found) =>
      announcePast(tx, tenantId, sites.get(tenantId)?.networks ?? [], found, clock.now()),
  });
  const tenants = new Map([...sites].map(([tenantId, { site }]) => [tenantId, {
    site,
    sensors: sources.filter(({ source }) => source.tenantId === tenantId).map(({ source }) => source),
  }]));
  const upkeep = new Upkeep(environment, {
    db,
    clock,
    logger: logging.logger("upkeep"),
    room: () => disk.facts().space?.free ?? null,
  });
  const devices = new DeviceUpkeep({ tenants: sites, inventory: parts.inventory }, {
    db,
    clock,
    logger: logging.logger("devices"),
  });
  await devices.prepare();
  const identityLogger = logging.logger("identity");
  const identity = new IdentityJob({ enabled: environment.identityJob }, {
    db,
    clock,
    logger: identityLogger,
  });
  const handlers = createHandlers({
    db,
    clock,
    tenants,
    cursors: new Cursors(serviceKey),
    identities: environment.identityJob ? { logger: identityLogger } : undefined,
    room: () => ({ disk: disk.facts(), space: upkeep.space() }),
    intelligence: () => intel.facts(),
    geoip: intel.geoip,
  });
  const app = createCoreApp({
    db,
    handlers,
    serviceKey,
    clock,
    tenants: sites,
    logger: logging.logger("core"),
  });
  const listener = await listen(app.fetch, {
    hostname: environment.coreListen.host,
    port: environment.coreListen.port,
    before: (request, response) => ingest.handle(request, response),
    headersTimeoutMs: LISTENER_OPTIONS.headersTimeout,
    requestTimeoutMs: LISTENER_OPTIONS.requestTimeout,
    keepAliveTimeoutMs: LISTENER_OPTIONS.keepAliveTimeout,
  });
  intel.start();
  pipeline.start();
  intelPast.start();
  upkeep.start();
  devices.start();
  identity.start();
  return {
    url: listener.url,
    useSources: (replaced) => ingest.useSources(replaced),
    useInventory: (replaced) => void devices.useInventory(replaced),
    async stop() {
      await listener.close();
      await identity.stop();
      await devices.stop();
      await upkeep.stop();
      await intelPast.stop();
      await pipeline.stop();
      await intel.stop();
      threads.close();
      await db.close();
    },
  };
}
