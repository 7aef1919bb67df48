// The core's components, wired by hand.

import type { TenantResponse } from "../config/response.ts";
import { Connectors } from "../connectors/connectors.ts";
import { Executors } from "../core/executors.ts";
import { SecondPerson } from "../core/second-person.ts";
import { IntelWatch } from "../core/jobs/intel/intel-watch.ts";
import { StatisticsKeeper } from "../core/jobs/statistics-keeper.ts";
import { tenantModels } from "../analyst/tenant-models.ts";
import { createAnalyst } from "./core/analyst.ts";
import { createHealth, createLiveGraphs, serveApi } from "./core/api.ts";
import { type CoreBase, openBase } from "./core/base.ts";
import type { CoreConfig, RunningCore } from "./core/config.ts";
import { createIngest } from "./core/ingest.ts";
import {
  createAddressPlaces,
  createDeviceUpkeep,
  createIntelPast,
  createUpkeep,
  createWatchers,
  type Job,
} from "./core/jobs.ts";
import { createPipeline } from "./core/pipeline.ts";
import { createTelemetry } from "./core/telemetry.ts";
import { RecordThreads } from "./record-threads.ts";
import { withGates } from "./tenants.ts";

/**
 * Reading bodies takes most of a processor at full load, parsing batches a quarter. On two processors a single thread
 * would save a tenth of the work and 150 MB, but accept a fifth fewer records in a burst.
 */
const RECORD_THREADS = Math.max(2, Math.min(6, navigator.hardwareConcurrency - 1));

/** Opens and migrates the store, then starts everything that works on it; resolves when requests are answered. */
export async function startCore(config: CoreConfig): Promise<RunningCore> {
  const base = await openBase(config);
  const records = createRecordPath(base);
  const { ingest, threads, connectors, intel, live } = records;
  const { license, telemetry, desk, facts: services } = createTelemetry(base);
  const upkeep = createUpkeep(base);
  const devices = await createDeviceUpkeep(base);
  const health = createHealth(base, { intel, upkeep, services });
  const executors = new Executors(executorsOf(config.response));
  const secondPerson = new SecondPerson(cautiousTenants(config.response));
  const analyst = createAnalyst(base);
  const jobs: Job[] = [
    base.time,
    intel,
    records.pipeline,
    createIntelPast(base, intel),
    upkeep,
    devices,
    ...createWatchers(base, health),
    records.statistics,
    records.places,
    telemetry,
    desk,
    analyst,
  ];

  // Before anything happens that they report.
  await connectors.start();
  await license.start();
  const listener = await serveApi(base, {
    ingest,
    intel,
    health,
    services,
    executors,
    secondPerson,
    analyst,
    live,
  });
  for (const job of jobs) job.start();
  return {
    url: listener.url,
    use(replaced) {
      base.use(replaced);
      records.pipeline.use(withGates(base.sites, replaced.response));
      ingest.useSources(replaced.sources);
      void devices.useInventory(replaced.inventory);
      executors.replace(executorsOf(replaced.response));
      secondPerson.replace(cautiousTenants(replaced.response));
      analyst.use(tenantModels(replaced.analyst));
      return connectors.use(replaced.connectors);
    },
    rejectReload: (places) => base.rejectReload(places),
    rereadLicense: () => license.reload(),
    async stop() {
      live.streams.stop();
      await listener.close();
      for (const job of jobs.toReversed()) await job.stop();
      await license.stop();
      await connectors.stop();
      threads.close();
      await base.store.close();
    },
  };
}

/** The path of a record: ingest, the pipeline with its lists, and the connectors that it wakes. */
function createRecordPath(base: CoreBase) {
  const { config: { environment, logging, placesDir = null }, store: { db } } = base;
  const threads = new RecordThreads(RECORD_THREADS);
  const intel = new IntelWatch({ ...environment, placesDir }, logging.logger("intel"));
  const statistics = new StatisticsKeeper({ db, logger: logging.logger("upkeep") });
  const places = createAddressPlaces(base, intel);
  const connectors = createConnectors(base);
  const live = createLiveGraphs(base, intel);
  const onApplied = (tenantId: string) => {
    live.streams.wake(tenantId);
    connectors.wake(tenantId);
    statistics.written();
    places.written();
  };
  const pipeline = createPipeline(base, { threads, intel, onApplied });
  const ingest = createIngest(base, { threads, pipeline });
  return { threads, intel, statistics, places, connectors, pipeline, ingest, live };
}

function createConnectors({ config, store: { db }, clock, sites }: CoreBase): Connectors {
  const { environment, connectors, logging, build } = config;
  const enabled = environment.connectorsEnabled;
  return new Connectors({ enabled, tenants: sites.keys(), connectors }, {
    db,
    clock,
    logger: logging.logger("connectors"),
    version: build.version,
  });
}

function executorsOf(response: readonly TenantResponse[]) {
  return response.flatMap((tenant) => tenant.executors);
}

/** Tenants in which proposers may not approve their own actions. */
function cautiousTenants(response: readonly TenantResponse[]): string[] {
  return response.filter((tenant) => tenant.requireSecondPerson).map((tenant) => tenant.tenantId);
}
