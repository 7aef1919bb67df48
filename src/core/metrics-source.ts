import type { Hono } from "hono";
import { JOINED_HOURS } from "../contract/health/conditions.ts";
import { CONNECTOR_COUNTERS } from "../contract/connector/connector.ts";
import { dataEnvelope, errorResponse, jsonResponse } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import type { HealthReport } from "../contract/health/health.ts";
import {
  type ConnectorMetrics,
  type LicenseMetrics,
  METRICS_SNAPSHOT_PATH,
  type MetricsSnapshot,
  type TenantMetrics,
  type UpdateMetrics,
} from "../contract/health/metrics.ts";
import type { AnalystPlan } from "../domain/analyst/plan.ts";
import type { LicenseFacts, ServiceFacts, UpdateFacts } from "../domain/health/services.ts";
import { parseTimestamp } from "../kit/time.ts";
import type { Logger } from "../observe/log.ts";
import { currentRequestId } from "../observe/request-scope.ts";
import { type ConnectorState, connectorStates } from "../store/connector/connectors.ts";
import { ledgerDay, type LedgerRow, ledgerRows } from "../store/analyst/ledger.ts";
import { type Database, StoreUnavailable, type Tx } from "../store/engine/database.ts";
import { type IncidentCount, incidentCounts } from "../store/incident/counts.ts";
import { joinedSince } from "../store/incident/openings.ts";
import type { AnalystDesk } from "./handlers/analyst/analyst-desk.ts";
import { type ClaimsOptions, verifySigned } from "./verify-request.ts";
import { toApiError } from "./api-error.ts";

const SENSOR = "sensor:";
/** Microseconds. */
const HOUR = 3_600_000_000;

interface MetricsDeps {
  /** With statement time limits: a scraper waits ten seconds. */
  db: Database;
  /** The report that also feeds the API and the event log. */
  health: { report(tenantId: string, now: number): Promise<HealthReport> };
  /** Ids of the tenants of this installation. */
  tenants: { keys(): Iterable<string> };
  /** The budgets of the tenants that have a language model; without it none has. */
  analyst?: Pick<AnalystDesk, "plan">;
  /** The licence and the updater. */
  services: () => Pick<ServiceFacts, "license" | "update">;
}

/** Collects the `/metrics` values of the whole installation. */
export class MetricsSource {
  constructor(private readonly deps: MetricsDeps) {}

  /** All tenants at `now` (microseconds). If the store does not answer, its values are absent. */
  async snapshot(now: number): Promise<MetricsSnapshot> {
    const tenants = [...this.deps.tenants.keys()].map((tenantId) => this.#tenant(tenantId, now));
    const { license, update } = this.deps.services();
    return { tenants: await Promise.all(tenants), license: licenseOf(license), update: updateOf(update) };
  }

  async #tenant(tenantId: string, now: number): Promise<TenantMetrics> {
    const [report, stored] = await Promise.all([
      this.deps.health.report(tenantId, now),
      this.#stored(tenantId, now),
    ]);
    return {
      tenant_id: tenantId,
      status: report.status,
      components: report.components.map(({ id, kind, status, lag_seconds }) => ({
        id,
        kind,
        status,
        lag_seconds,
      })),
      ingest: hasStore(report) ? ingestOf(report) : null,
      feeds: feedsOf(report),
      capture_loss_percent: report.capture.loss_percent,
      incidents: stored?.incidents ?? null,
      results_joined: stored?.joined ?? null,
      connectors: stored?.connectors.map(connectorOf) ?? [],
      analyst_budgets: budgetsOf(stored?.ledger ?? null, this.deps.analyst?.plan(tenantId) ?? null),
    };
  }

  async #stored(tenantId: string, now: number): Promise<Stored | null> {
    try {
      return await this.deps.db.tenant(tenantId, async (tx) => ({
        incidents: await incidentCounts(tx, tenantId),
        joined: await joinedSince(tx, tenantId, now - JOINED_HOURS * HOUR),
        connectors: await connectorStates(tx, tenantId),
        ledger: await ledgerOfToday(tx, tenantId),
      }));
    } catch (error) {
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
  }
}

interface Stored {
  incidents: IncidentCount[];
  joined: number;
  connectors: ConnectorState[];
  ledger: LedgerRow[];
}

async function ledgerOfToday(tx: Tx, tenantId: string): Promise<LedgerRow[]> {
  const day = await ledgerDay(tx);
  return await ledgerRows(tx, tenantId, { from: day, to: day });
}

/** Of the current provider, and of former ones that were used today; the limit is that of the tenant. */
function budgetsOf(ledger: LedgerRow[] | null, plan: AnalystPlan | null): TenantMetrics["analyst_budgets"] {
  if (ledger === null || plan === null) return [];
  const { provider: current, dailyBudgetMicrousd: limit } = plan;
  const unused = { provider: current, reserved: 0, spent: 0 };
  const rows = ledger.some(({ provider }) => provider === current) ? ledger : [...ledger, unused];
  return rows.map(({ provider, reserved, spent }) => ({ provider, limit, reserved, spent }));
}

function hasStore({ components }: HealthReport): boolean {
  return components.every(({ kind, status }) => kind !== "store" || status !== "unavailable");
}

function ingestOf({ ingest }: HealthReport): TenantMetrics["ingest"] {
  const { events_last_5m, unparsed_last_5m, rejected_last_5m } = ingest;
  return { events_last_5m, unparsed_last_5m, rejected_last_5m };
}

function feedsOf({ components }: HealthReport): TenantMetrics["feeds"] {
  return components.filter(({ kind }) => kind === "sensor").map(({ id, events_last_5m, last_event_at }) => ({
    sensor_id: id.startsWith(SENSOR) ? id.slice(SENSOR.length) : id,
    events_last_5m,
    last_event_at: unixSeconds(parseTimestamp(last_event_at ?? "")?.micros ?? null),
  }));
}

function connectorOf(state: ConnectorState): ConnectorMetrics {
  return {
    instance: state.instance,
    connector: state.connector,
    state: state.state,
    consecutive_failures: state.consecutiveFailures,
    items_last_hour: state.itemsLastHour,
    last_success_at: unixSeconds(state.lastSuccessAt),
    counters: Object.fromEntries(CONNECTOR_COUNTERS.map((counter) => [counter, state[counter]])),
  };
}

function licenseOf({ state, expiresAt, graceUntil, seats }: LicenseFacts): LicenseMetrics {
  return {
    enabled: state !== "off",
    state,
    expires_at: unixSeconds(expiresAt),
    grace_until: unixSeconds(graceUntil),
    seats,
  };
}

function updateOf(facts: UpdateFacts): UpdateMetrics {
  return {
    enabled: facts.enabled,
    available: facts.available,
    available_security: facts.availableSecurity,
    blocked: facts.blocked,
    last_check_at: unixSeconds(facts.lastCheckAt),
    last_check_failed: facts.failure !== null,
  };
}

function unixSeconds(micros: number | null): number | null {
  return micros === null ? null : Math.round(micros / 1000) / 1000;
}

/** Adds `GET /internal/v1/metrics`, which accepts only service requests: signed, without tenant and role. */
export function addMetricsRoute(
  app: Hono,
  options: ClaimsOptions & { log: Logger; metrics: Pick<MetricsSource, "snapshot"> },
): void {
  app.get(METRICS_SNAPSHOT_PATH, async (c) => {
    const requestId = currentRequestId();
    try {
      const { claims, now } = await verifySigned(c.req.raw, false, options);
      if (claims.tenantId !== null || claims.roles.length > 0) throw new ApiError("unauthenticated");
      return jsonResponse(dataEnvelope(await options.metrics.snapshot(now), requestId, now), 200);
    } catch (error) {
      return errorResponse(toApiError(error, requestId, options.log), requestId);
    }
  });
}
