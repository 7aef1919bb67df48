import { transportRefusal } from "../../contract/request/transport-refusal.ts";
import type { AnalystDesk } from "../../core/handlers/analyst/analyst-desk.ts";
import { createCoreApp } from "../../core/app.ts";
import { Cursors } from "../../core/cursor.ts";
import { Executors } from "../../core/executors.ts";
import { Graphs } from "../../core/graph/graphs.ts";
import { GraphStreams } from "../../core/graph/graph-streams.ts";
import { createHandlers } from "../../core/handlers/create-handlers.ts";
import type { LiveGraphs } from "../../core/handlers/graph/graph.ts";
import { HealthReporter } from "../../core/health-reporter.ts";
import { rejectInexactRequest } from "../../core/inexact-request.ts";
import { isDeviceAddress } from "../../domain/device/presence.ts";
import type { IntelWatch } from "../../core/jobs/intel/intel-watch.ts";
import type { Upkeep } from "../../core/jobs/upkeep.ts";
import { SecondPerson } from "../../core/second-person.ts";
import { MetricsSource } from "../../core/metrics-source.ts";
import type { ServiceFacts } from "../../domain/health/services.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import { LISTENER_OPTIONS } from "../../ingest/listener-options.ts";
import { listen, type Listener } from "../../kit/net/listen.ts";
import type { CoreBase } from "./base.ts";

interface HealthParts {
  intel: IntelWatch;
  upkeep: Upkeep;
  services: () => ServiceFacts;
}

export function createHealth(
  { store: { healthReads, disk, shortage, probe }, time, tenants, sites, configuration }: CoreBase,
  { intel, upkeep, services }: HealthParts,
): HealthReporter {
  return new HealthReporter({
    db: healthReads,
    tenants,
    sites,
    room: () => ({ disk: disk.facts(), space: upkeep.space(), connections: shortage.facts() }),
    intelligence: () => intel.facts(),
    services,
    clock: () => time.facts(),
    configuration,
    // A single small row may still fit on a disk that refuses records.
    writeFault: async () => disk.facts().refused ? "its disk is full" : await probe.fault(),
  });
}

interface ApiParts {
  ingest: Ingest;
  intel: IntelWatch;
  health: HealthReporter;
  services: () => ServiceFacts;
  executors: Executors;
  secondPerson: SecondPerson;
  analyst: AnalystDesk;
  live: LiveGraphs;
}

/** The graphs of all tenants, and the streams that follow them. */
export function createLiveGraphs(
  base: CoreBase,
  intel: IntelWatch,
): { graphs: Graphs; streams: GraphStreams } {
  const { config: { logging, serviceKey }, store: { reads: db }, clock, sites, tenants } = base;
  const deps = {
    db,
    clock,
    tenants,
    geoip: intel.geoip,
    intel: {
      current: () => intel.current(),
      isInternal: (tenantId: string, ip: string) => isDeviceAddress(ip, sites.get(tenantId)?.networks ?? []),
    },
    cursors: new Cursors(serviceKey),
  };
  const graphs = new Graphs(deps);
  return { graphs, streams: new GraphStreams({ ...deps, graphs, logger: logging.logger("graph") }) };
}

/** Starts to serve ingest and the REST API; resolves when requests are answered. */
export function serveApi(base: CoreBase, parts: ApiParts): Promise<Listener> {
  const { environment: { coreListen } } = base.config;
  const { ingest } = parts;
  return listen(createApp(base, parts).fetch, {
    hostname: coreListen.host,
    port: coreListen.port,
    before: (request, response) =>
      ingest.handle(request, response) || rejectInexactRequest(request, response),
    headersTimeoutMs: LISTENER_OPTIONS.headersTimeout,
    requestTimeoutMs: LISTENER_OPTIONS.requestTimeout,
    refusal: transportRefusal,
    keepAliveTimeoutMs: LISTENER_OPTIONS.keepAliveTimeout,
  });
}

function createApp(base: CoreBase, parts: ApiParts) {
  const { intel, health, services, executors, secondPerson, analyst, live } = parts;
  const { config: { environment, logging, serviceKey }, store, clock, sites, tenants } = base;
  const { requests: db, reads, healthReads } = store;
  const handlers = createHandlers({
    db,
    reads,
    clock,
    tenants,
    cursors: new Cursors(serviceKey),
    identities: environment.identityJob ? { logger: logging.logger("identity") } : undefined,
    health,
    secondPerson,
    analyst,
    publicUrl: environment.publicUrl,
    geoip: intel.geoip,
  }, live);
  return createCoreApp({
    db,
    handlers,
    serviceKey,
    clock,
    tenants: sites,
    executors,
    logger: logging.logger("core"),
    webReported: (report, now) => health.webReported(report, now),
    metrics: new MetricsSource({ db: healthReads, health, tenants: sites, services, analyst }),
  });
}
