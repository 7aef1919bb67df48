// The core's components, put together by hand.

import type { ConfiguredConnector } from "../config/connectors.ts";
import type { Environment } from "../config/environment.ts";
import type { TenantInventory } from "../config/inventory.ts";
import type { TenantResponse } from "../config/response.ts";
import type { SiteConfig } from "../config/sites.ts";
import type { RegisteredSource } from "../config/sources.ts";
import { Connectors } from "../connectors/connectors.ts";
import { transportRefusal } from "../contract/request/transport-refusal.ts";
import { createCoreApp } from "../core/app.ts";
import { Executors } from "../core/executors.ts";
import { Cursors } from "../core/cursor.ts";
import { createHandlers } from "../core/handlers/create-handlers.ts";
import { HealthReporter } from "../core/health-reporter.ts";
import { rejectInexactRequest } from "../core/inexact-request.ts";
import { DeviceUpkeep } from "../core/jobs/device-upkeep.ts";
import { DiskGuard } from "../core/jobs/disk-guard.ts";
import { databaseDirectory, diskSpace } from "../core/jobs/database-directory.ts";
import { EventLogKeeper } from "../core/jobs/event-log-keeper.ts";
import { HealthWatch } from "../core/jobs/health-watch.ts";
import { IdentityJob } from "../core/jobs/identity-job.ts";
import { IntelBackfill } from "../core/jobs/intel-backfill.ts";
import { IntelWatch } from "../core/jobs/intel-watch.ts";
import { SensorWatcher } from "../core/jobs/sensor-watcher.ts";
import { StatisticsKeeper } from "../core/jobs/statistics-keeper.ts";
import { Upkeep } from "../core/jobs/upkeep.ts";
import { MetricsSource } from "../core/metrics-source.ts";
import { Ingest } from "../ingest/ingest.ts";
import { LISTENER_OPTIONS } from "../ingest/listener-options.ts";
import { systemClock } from "../kit/clock.ts";
import { listen } from "../kit/net/listen.ts";
import { Logging } from "../observe/log.ts";
import { currentRequest } from "../observe/request-scope.ts";
import { traced } from "../observe/tracing.ts";
import { announcePast } from "../pipeline/stages/past-intel.ts";
import { Pipeline, WRITTEN_AT_ONCE } from "../pipeline/run/runner.ts";
import { LimitedDatabase } from "../store/engine/limited.ts";
import { API_LIMITS, HEALTH_LIMITS, INGEST_LIMITS } from "../store/engine/limits.ts";
import { migrate } from "../store/engine/schema/migrate.ts";
import { ObservedDatabase } from "../store/engine/observed.ts";
import { openDatabase, openWriting } from "../store/engine/open.ts";
import { createPartitions } from "../store/engine/schema/partitions.ts";
import { registerTenants } from "../store/engine/tenants.ts";
import { WatchedDatabase } from "../store/engine/watched.ts";
import { TelemetryDesk } from "../telemetry/desk.ts";
import { Licensing } from "../telemetry/license.ts";
import type { LicenseKeys } from "../telemetry/license-keys.ts";
import { Telemetry } from "../telemetry/telemetry.ts";
import { RecordThreads } from "./record-threads.ts";
import { gatesOf, sitesByTenant, tenantViews, withGates } from "./tenants.ts";

const clock = systemClock;
/** Of the ten connections: slow requests of the API leave the others to ingest, the pipeline and the jobs. */
const API_TRANSACTIONS = 6;
/** Health reports of many tenants at once take turns. */
const HEALTH_TRANSACTIONS = 2;
/**
 * Reading bodies takes most of a processor at full load, understanding batches a quarter. On two processors a single thread
 * would do with a tenth less work and 150 MB, but take up a fifth fewer records in a burst.
 */
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
  /** Takes other executors, for reports from now on; the gates of automatic mode stay. */
  useExecutors(response: readonly TenantResponse[]): void;
  /** Takes other connector instances, receivers and keys; each goes on from its bookmark. */
  useConnectors(connectors: readonly ConfiguredConnector[]): Promise<void>;
  /** Reads the licence's file again. It never throws. */
  rereadLicense(): Promise<void>;
}

export interface CoreParts {
  environment: Environment;
  databaseUrl: string;
  serviceKey: Uint8Array;
  sources: readonly RegisteredSource[];
  sites: readonly SiteConfig[];
  inventory: readonly TenantInventory[];
  response: readonly TenantResponse[];
  connectors: readonly ConfiguredConnector[];
  /** Origin of the registration server; null where nothing is to be told to any. */
  registrationOrigin: string | null;
  /** Whose licences count. */
  licenseKeys: LicenseKeys;
  /** Of the product. */
  version: string;
  logging: Logging;
}

/** Opens the store, brings it up to date, and starts everything that works on it; resolves when requests are answered. */
export async function startCore(parts: CoreParts): Promise<RunningCore> {
  const { environment, serviceKey, sources, logging } = parts;
  const sites = sitesByTenant(parts);
  const database = await openDatabase(parts.databaseUrl);
  await migrate(database);
  const directory = await databaseDirectory(database, parts.databaseUrl, environment.stateDir);
  const disk = new DiskGuard({ directory, probe: diskSpace, clock, logger: logging.logger("disk") });
  const db = new WatchedDatabase(database, () => disk.writeFailed());
  const writer = new WatchedDatabase(
    openWriting(database, parts.databaseUrl, WRITTEN_AT_ONCE),
    () => disk.writeFailed(),
  );
  await registerTenants(db, [...sites.keys()]);
  await createPartitions(db, clock.now(), environment.retentionDays);

  const threads = new RecordThreads(RECORD_THREADS);
  const ingest: Ingest = new Ingest({
    db: new LimitedDatabase(db, INGEST_LIMITS),
    sources,
    clock,
    logger: logging.logger("ingest"),
    limit: environment.ingest,
    isOpen: () => disk.isOpen(),
    read: (body, source, understand) => threads.read(body, source, understand),
    wantsUnderstood: (tenantId) => pipeline.wants(tenantId),
    onCommitted: (tenantId, understood) => {
      disk.committed();
      pipeline.wake(tenantId, understood);
    },
  });
  const statistics = new StatisticsKeeper({ db, logger: logging.logger("upkeep") });
  const intel = new IntelWatch(environment, logging.logger("intel"));
  const pipeline = new Pipeline({ tenants: withGates(sites, parts.response) }, {
    db,
    writer,
    clock,
    logger: logging.logger("pipeline"),
    ingestBusy: () => ingest.busy(),
    understand: (batch) => threads.understand(batch),
    mayWrite: () => disk.isOpen(),
    spillDirectory: environment.stateDir,
    intel: () => intel.current(),
    onApplied: (tenantId) => {
      connectors.wake(tenantId);
      statistics.written();
    },
  });
  const intelPast = new IntelBackfill({ tenants: sites }, {
    db,
    clock,
    logger: logging.logger("intel"),
    intel: () => intel.current(),
    mayWrite: () => disk.isOpen(),
    announce: (tx, tenantId, found) =>
      announcePast(
        tx,
        tenantId,
        sites.get(tenantId)?.networks ?? [],
        found,
        clock.now(),
        gatesOf(parts.response, tenantId),
      ),
  });
  const tenants = tenantViews(sites, sources);
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
  const observed = (limited: LimitedDatabase) =>
    new ObservedDatabase(limited, {
      requestId: () => currentRequest()?.requestId ?? null,
      around: (tenantId, work) =>
        traced("ndr.store", "transaction", tenantId === null ? {} : { "ndr.tenant": tenantId }, work),
    });
  const requests = observed(new LimitedDatabase(db, API_LIMITS, API_TRANSACTIONS));
  const healthReads = observed(new LimitedDatabase(db, HEALTH_LIMITS, HEALTH_TRANSACTIONS));
  let registry = sources;
  const place = { directory: environment.configDir, owner: Deno.uid() };
  const license = new Licensing({
    places: environment,
    keys: parts.licenseKeys,
    place,
    renews: environment.telemetry && parts.registrationOrigin !== null,
  }, { db, clock, logger: logging.logger("license"), tenantIds: () => sites.keys() });
  const told = { enabled: environment.telemetry, origin: parts.registrationOrigin, place };
  const telling = {
    db,
    clock,
    logger: logging.logger("telemetry"),
    parts: () => ({
      productVersion: parts.version,
      bundleVersion: parts.version,
      tenantIds: sites.keys(),
      recordKinds: registry.flatMap(({ source }) => [...source.allowedKinds]),
    }),
    entitlement: license,
  };
  const telemetry = new Telemetry(told, telling);
  const desk = new TelemetryDesk({ ...told, stateDir: environment.stateDir }, telling);
  const services = () => ({ ...telemetry.facts(), license: license.facts() });
  const health = new HealthReporter({
    db: healthReads,
    tenants,
    room: () => ({ disk: disk.facts(), space: upkeep.space() }),
    intelligence: () => intel.facts(),
    services,
  });
  const sensorWatcher = new SensorWatcher({ tenants }, {
    db,
    clock,
    logger: logging.logger("sensors"),
    canReceive: () => disk.isOpen(),
  });
  const healthWatch = new HealthWatch({ tenants: sites.keys() }, {
    db,
    clock,
    logger: logging.logger("health"),
    reporter: health,
  });
  const eventLog = new EventLogKeeper({ db, clock, logger: logging.logger("upkeep") });
  const handlers = createHandlers({
    db: requests,
    clock,
    tenants,
    cursors: new Cursors(serviceKey),
    identities: environment.identityJob ? { logger: identityLogger } : undefined,
    health,
    geoip: intel.geoip,
  });
  const executors = new Executors(parts.response.flatMap((tenant) => tenant.executors));
  const app = createCoreApp({
    db: requests,
    handlers,
    serviceKey,
    clock,
    tenants: sites,
    executors,
    logger: logging.logger("core"),
    metrics: new MetricsSource({ db: healthReads, health, tenants: sites, services }),
  });
  const connectors = new Connectors({
    enabled: environment.connectorsEnabled,
    tenants: sites.keys(),
    connectors: parts.connectors,
  }, { db, clock, logger: logging.logger("connectors"), version: parts.version });
  // Before anything can happen that they should tell of.
  await connectors.start();
  await license.start();
  const listener = await listen(app.fetch, {
    hostname: environment.coreListen.host,
    port: environment.coreListen.port,
    before: (request, response) =>
      ingest.handle(request, response) || rejectInexactRequest(request, response),
    headersTimeoutMs: LISTENER_OPTIONS.headersTimeout,
    requestTimeoutMs: LISTENER_OPTIONS.requestTimeout,
    refusal: transportRefusal,
    keepAliveTimeoutMs: LISTENER_OPTIONS.keepAliveTimeout,
  });
  const jobs = [
    intel,
    pipeline,
    intelPast,
    upkeep,
    devices,
    identity,
    sensorWatcher,
    healthWatch,
    eventLog,
    statistics,
    telemetry,
    desk,
  ];
  for (const job of jobs) job.start();
  return {
    url: listener.url,
    useSources: (replaced) => {
      registry = replaced;
      ingest.useSources(replaced);
      for (const [tenantId, view] of tenantViews(sites, replaced)) tenants.set(tenantId, view);
    },
    useInventory: (replaced) => void devices.useInventory(replaced),
    useExecutors: (replaced) => executors.replace(replaced.flatMap((tenant) => tenant.executors)),
    useConnectors: (replaced) => connectors.use(replaced),
    rereadLicense: () => license.reload(),
    async stop() {
      await listener.close();
      for (const job of jobs.toReversed()) await job.stop();
      await license.stop();
      await connectors.stop();
      threads.close();
      await writer.close();
      await db.close();
    },
  };
}
