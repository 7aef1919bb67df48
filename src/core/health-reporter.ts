import type { HealthReport } from "../contract/health/health.ts";
import { CAPTURE_CURRENT_SECONDS, JOINED_HOURS } from "../contract/health/conditions.ts";
import { defaultSite, type SiteConfig } from "../config/sites.ts";
import type { ClockReading } from "../domain/health/clock-reading.ts";
import type { ConfigurationFacts } from "../domain/health/configuration.ts";
import { captureLoss } from "../domain/health/capture.ts";
import type { IntelligenceFacts } from "../domain/health/intelligence.ts";
import { localNetworks, SEEN_NETWORKS } from "../domain/health/local-networks.ts";
import {
  healthReport,
  type LocalFacts,
  type NetworkFacts,
  NO_NETWORKS,
  type RoomFacts,
  storeDownReport,
} from "../domain/health/report.ts";
import type { SensorFacts } from "../domain/health/sensor.ts";
import type { WebReport } from "../contract/session/service-session.ts";
import type { WebFacts } from "../domain/health/web.ts";
import { NO_SERVICES, type ServiceFacts } from "../domain/health/services.ts";
import { patienceOf, silenceOf } from "../domain/health/patience.ts";
import type { SensorWatch } from "../domain/health/rhythm.ts";
import { configuredSensors } from "../store/health/configured-sensors.ts";
import { samplesSince, type StoredSample } from "../store/health/capture-samples.ts";
import { connectorStates } from "../store/connector/connectors.ts";
import { readStates, stateKeyHash } from "../store/detector/state.ts";
import { type Database, StoreUnavailable, type Tx } from "../store/engine/database.ts";
import { type IngestFacts, ingestFacts } from "../store/health/read.ts";
import { joinedSince } from "../store/incident/openings.ts";
import { recordedHealth } from "../store/health/state.ts";
import { sensorWatches } from "../store/health/sensor-watch.ts";

const SECOND = 1_000_000;
const FIVE_MINUTES = 300 * SECOND;
const HOUR = 3_600 * SECOND;
const NO_ROOM_FACTS: RoomFacts = { disk: null, space: null };
const NO_INTELLIGENCE: IntelligenceFacts = { lists: [], unreadable: [], failure: null, databases: [] };

interface HealthDeps {
  db: Database;
  /** The current configuration; a tenant missing here has no sensors. */
  tenants: { get(tenantId: string): { sensors: readonly { sensorId: string }[] } | undefined };
  /** The networks of each site; by default the private ones. */
  sites?: ReadonlyMap<string, Pick<SiteConfig, "networks" | "networksAssumed">>;
  /** Disk and retention state; without it the report has no such components. */
  room?: () => RoomFacts;
  /** State of the threat intelligence lists and GeoIP databases. */
  intelligence?: () => IntelligenceFacts;
  /** Licence, telemetry and updates; default: all off. */
  services?: () => ServiceFacts;
  /** The newest comparison of the clocks; without it the report has no such component. */
  clock?: () => ClockReading | null;
  /** State of the newest reload; without it the report has no such component. */
  configuration?: () => ConfigurationFacts | null;
  /** Why the database cannot commit; null if it can. Without it, only an unresponsive database is noticed. */
  writeFault?: () => Promise<string | null>;
}

/** Builds the health report that the API, the health watch and the metrics share. */
export class HealthReporter {
  /** Per tenant, what the last successful read says of components that are reported while the store is down. */
  readonly #known = new Map<string, { instances: readonly string[]; networks: NetworkFacts }>();
  /** First report per tenant that found the store down. */
  readonly #downSince = new Map<string, number>();
  /** In memory: a core that starts waits for the web layer's next report, within a minute. */
  #web: WebFacts | null = null;

  constructor(private readonly deps: HealthDeps) {}

  /**
   * Returns a tenant's full report at `now` (microseconds), including what only administrators may read. An
   * unavailable store is reported, not thrown; anything thrown is a defect.
   */
  async report(tenantId: string, now: number): Promise<HealthReport> {
    const local = this.#local(now);
    const sensorIds = (this.deps.tenants.get(tenantId)?.sensors ?? []).map(({ sensorId }) => sensorId);
    try {
      const stored = await this.#stored(tenantId, now);
      const { ingest, connectors, observed, joined, networks } = stored;
      this.#known.set(tenantId, { instances: connectors.map(({ instance }) => instance), networks });
      const writeFault = await this.deps.writeFault?.() ?? null;
      if (writeFault !== null) return this.#down(tenantId, { local, sensorIds, writeFault });
      this.#downSince.delete(tenantId);
      const sensors = sensorIds.map((sensorId) => sensorFacts(sensorId, stored, now));
      const capture = captureLoss(stored.samples, sensorIds, now);
      return healthReport({ ...local, sensors, ingest, capture, joined, networks, connectors, observed });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return this.#down(tenantId, { local, sensorIds, writeFault: null });
    }
  }

  /** Takes the web layer's report at `now` (microseconds). */
  webReported(report: WebReport, now: number): void {
    const { sign_in_failure: signInFailure, reload_failure: reloadFailure } = report;
    this.#web = { reportedAt: now, signInFailure, reloadFailure };
  }

  #down(
    tenantId: string,
    { local, ...rest }: { local: LocalFacts; sensorIds: string[]; writeFault: string | null },
  ): HealthReport {
    const since = this.#downSince.get(tenantId) ?? local.now;
    this.#downSince.set(tenantId, since);
    const known = this.#known.get(tenantId) ?? { instances: [], networks: NO_NETWORKS };
    return storeDownReport(local, { ...rest, ...known, since });
  }

  #local(now: number): LocalFacts {
    const { room, intelligence, services, clock, configuration } = this.deps;
    return {
      now,
      room: room?.() ?? NO_ROOM_FACTS,
      intelligence: intelligence?.() ?? NO_INTELLIGENCE,
      services: services?.() ?? NO_SERVICES,
      clock: clock?.() ?? null,
      configuration: configuration?.() ?? null,
      web: this.#web,
    };
  }

  async #networks(tx: Tx, tenantId: string): Promise<NetworkFacts> {
    const { networks, networksAssumed } = this.deps.sites?.get(tenantId) ?? defaultSite(tenantId);
    const key = { typeId: SEEN_NETWORKS.id, keyHash: stateKeyHash("") };
    const [stored] = await readStates(tx, tenantId, [key]);
    const seen = stored === undefined ? SEEN_NETWORKS.empty() : SEEN_NETWORKS.decode(stored.state);
    return { unconfigured: localNetworks(seen, networks), assumed: networksAssumed };
  }

  async #stored(tenantId: string, now: number) {
    return await this.deps.db.tenant(tenantId, async (tx) => ({
      ingest: await ingestFacts(tx, tenantId, now - FIVE_MINUTES),
      samples: await samplesSince(tx, tenantId, now - CAPTURE_CURRENT_SECONDS * SECOND),
      joined: await joinedSince(tx, tenantId, now - JOINED_HOURS * HOUR),
      configured: await configuredSensors(tx, tenantId),
      networks: await this.#networks(tx, tenantId),
      watches: await sensorWatches(tx, tenantId),
      connectors: await connectorStates(tx, tenantId),
      observed: await recordedHealth(tx, tenantId),
    }));
  }
}

interface Stored {
  ingest: IngestFacts;
  samples: readonly StoredSample[];
  watches: ReadonlyMap<string, SensorWatch>;
  configured: ReadonlyMap<string, number>;
}

function sensorFacts(
  sensorId: string,
  { ingest, samples, watches, configured }: Stored,
  now: number,
): SensorFacts {
  const lastEventAt = ingest.lastEventBySensor.get(sensorId) ?? null;
  const watch = watches.get(sensorId) ?? null;
  const silence = lastEventAt === null ? 0 : silenceOf(watch, lastEventAt, now);
  return {
    sensorId,
    lastEventAt,
    configuredSince: configured.get(sensorId) ?? null,
    silence: silence / SECOND,
    patience: patienceOf(watch, now - silence) / SECOND,
    events: ingest.eventsBySensor.get(sensorId) ?? 0,
    loss: captureLoss(samples, [sensorId], now).lossPercent,
  };
}
