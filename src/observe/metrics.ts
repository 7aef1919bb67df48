import { CONNECTOR_STATES } from "../contract/connector/connector.ts";
import { HEALTH_STATUSES, INCIDENT_STATUSES, SEVERITIES } from "../contract/record/kinds.ts";
import {
  type ConnectorMetrics,
  LICENSE_STATES,
  type LicenseMetrics,
  type TenantMetrics,
  type UpdateMetrics,
} from "../contract/health/metrics.ts";
import { Exposition, type Labels, type Series } from "./exposition.ts";

/** The values of one `/metrics` response. Times are Unix seconds. */
export interface MetricsView {
  version: string;
  /** Time of generation. */
  generatedAt: number;
  tenants: readonly TenantMetrics[];
  /** Null if currently unknown. */
  license: LicenseMetrics | null;
  update: UpdateMetrics | null;
}

/**
 * Renders `/metrics`: every metric of the interface document with HELP and TYPE, in its order. Unknown or
 * missing values have no series; they are never shown as zero or with a stale value.
 */
export function renderMetrics(view: MetricsView): string {
  const text = new Exposition();
  const gauge = (name: string, help: string) => text.gauge(`service_${name}`, help);
  gauge("build_info", "Version of this service; always 1.")({ version: view.version }, 1);
  renderHealth(gauge, view.tenants);
  renderIngest(gauge, view.tenants);
  renderIncidents(gauge, view.tenants);
  renderConnectors(gauge, view.tenants);
  renderBudgets(gauge, view.tenants);
  renderLicense(gauge, view.license);
  renderUpdate(gauge, view.update);
  gauge(
    "metrics_generated_timestamp_seconds",
    "Time when this response was generated; it is cached for 10 s.",
  )(
    {},
    view.generatedAt,
  );
  return text.toString();
}

type Gauge = (name: string, help: string) => Series;

function renderHealth(gauge: Gauge, tenants: readonly TenantMetrics[]): void {
  const status = gauge(
    "health_status",
    "Overall status of the appliance for a tenant: 1 for the current one.",
  );
  for (const { tenant_id: tenant, status: current } of tenants) {
    stateSet(status, { tenant }, "status", HEALTH_STATUSES, current);
  }
  const component = gauge(
    "health_component",
    "Status of a health report component: 1 for the current one.",
  );
  for (const { labels, status: current } of tenants.flatMap(componentsOf)) {
    stateSet(component, labels, "status", HEALTH_STATUSES, current);
  }
  const lag = gauge(
    "health_component_lag_seconds",
    "Seconds since a component's last event, or since its state was collected if it has no events.",
  );
  for (const { labels, lag_seconds } of tenants.flatMap(componentsOf)) lag(labels, lag_seconds);
}

function componentsOf({ tenant_id: tenant, components }: TenantMetrics) {
  return components.map(({ id, kind, status, lag_seconds }) => ({
    labels: { tenant, component: id, kind },
    status,
    lag_seconds,
  }));
}

function renderIngest(gauge: Gauge, tenants: readonly TenantMetrics[]): void {
  const events = gauge("ingest_events_5m", "Records accepted in the last five minutes.");
  each(tenants, events, ({ ingest }) => ingest?.events_last_5m);
  const unparsed = gauge(
    "ingest_unparsed_5m",
    "Records accepted in the last five minutes that could not be normalised; they are kept unparsed.",
  );
  each(tenants, unparsed, ({ ingest }) => ingest?.unparsed_last_5m);
  const rejected = gauge(
    "ingest_rejected_5m",
    "Lines rejected in the last five minutes because they are not records.",
  );
  each(tenants, rejected, ({ ingest }) => ingest?.rejected_last_5m);

  const feeds = tenants.flatMap(({ tenant_id: tenant, feeds }) =>
    feeds.map(({ sensor_id: sensor, ...feed }) => ({ labels: { tenant, sensor }, ...feed }))
  );
  const feedEvents = gauge("feed_events_5m", "Records of a sensor accepted in the last five minutes.");
  for (const { labels, events_last_5m } of feeds) add(feedEvents, labels, events_last_5m);
  const arrival = gauge(
    "feed_last_event_timestamp_seconds",
    "Arrival time of a sensor's latest record, by the server's clock.",
  );
  for (const { labels, last_event_at } of feeds) add(arrival, labels, last_event_at);

  const loss = gauge(
    "capture_loss_percent",
    "Highest of the last capture losses reported by the sensors.",
  );
  each(tenants, loss, ({ capture_loss_percent }) => capture_loss_percent);
}

/** Emits all combinations, so that alert rules need no special case for missing series. */
function renderIncidents(gauge: Gauge, tenants: readonly TenantMetrics[]): void {
  const incidents = gauge("incidents", "Incidents by status and severity.");
  for (const { tenant_id: tenant, incidents: counts } of tenants) {
    if (counts === null) continue;
    for (const status of INCIDENT_STATUSES) {
      for (const severity of SEVERITIES) {
        const found = counts.find((one) => one.status === status && one.severity === severity);
        incidents({ tenant, status, severity }, found?.count ?? 0);
      }
    }
  }
  const joined = gauge(
    "results_joined_24h",
    "Results of the last 24 hours of source time that joined a campaign incident instead of opening one.",
  );
  for (const { tenant_id: tenant, results_joined } of tenants) add(joined, { tenant }, results_joined);
}

function renderConnectors(gauge: Gauge, tenants: readonly TenantMetrics[]): void {
  const connectors = tenants.flatMap(({ tenant_id: tenant, connectors }) =>
    connectors.map((one) => ({ labels: { tenant, instance: one.instance, connector: one.connector }, one }))
  );
  const of = (name: string, help: string, value: (one: ConnectorMetrics) => number | null) => {
    const series = gauge(name, help);
    for (const { labels, one } of connectors) add(series, labels, value(one));
  };
  const state = gauge("connector_state", "State of a connector instance: 1 for the current one.");
  for (const { labels, one } of connectors) stateSet(state, labels, "state", CONNECTOR_STATES, one.state);
  of(
    "connector_consecutive_failures",
    "Failed rounds of a connector instance since its last success.",
    (one) => one.consecutive_failures,
  );
  of(
    "connector_items_last_hour",
    "Items that a connector instance handled in the last hour.",
    (one) => one.items_last_hour,
  );
  of(
    "connector_last_success_timestamp_seconds",
    "Time of a connector instance's last success.",
    (one) => one.last_success_at,
  );
  const count = gauge(
    "connector_count",
    "Counters of a connector instance since the service started; for webhooks: delivered, failed, rejected, dropped, pending.",
  );
  for (const { labels, one } of connectors) {
    for (const [counter, value] of Object.entries(one.counters)) count({ ...labels, counter }, value);
  }
}

function renderBudgets(gauge: Gauge, tenants: readonly TenantMetrics[]): void {
  const budget = gauge(
    "analyst_budget_microusd",
    "Today's budget of an analyst provider in millionths of a US dollar: limit, reserved and spent.",
  );
  for (const { tenant_id: tenant, analyst_budgets } of tenants) {
    for (const { provider, limit, reserved, spent } of analyst_budgets) {
      budget({ tenant, provider, kind: "limit" }, limit);
      budget({ tenant, provider, kind: "reserved" }, reserved);
      budget({ tenant, provider, kind: "spent" }, spent);
    }
  }
}

function renderLicense(gauge: Gauge, license: LicenseMetrics | null): void {
  const enabled = gauge("license_enabled", "Whether licensing is enabled.");
  add(enabled, {}, license && Number(license.enabled));
  const state = gauge("license_state", "State of the licence: 1 for the current one.");
  if (license !== null) stateSet(state, {}, "state", LICENSE_STATES, license.state);
  add(gauge("license_expires_timestamp_seconds", "Expiry time of the licence."), {}, license?.expires_at);
  add(
    gauge("license_grace_until_timestamp_seconds", "End of the grace period after the licence expires."),
    {},
    license?.grace_until,
  );
  add(gauge("license_seats", "Number of seats of the licence."), {}, license?.seats);
}

function renderUpdate(gauge: Gauge, update: UpdateMetrics | null): void {
  const flag = (name: string, help: string, value: boolean | undefined) =>
    add(gauge(name, help), {}, value === undefined ? null : Number(value));
  flag("update_enabled", "Whether update checks are enabled.", update?.enabled);
  flag("update_available", "Whether a newer release is available.", update?.available);
  flag(
    "update_available_security",
    "Whether a newer release with a security fix is available.",
    update?.available_security,
  );
  flag(
    "update_blocked",
    "Whether a newer release is available that this installation cannot install.",
    update?.blocked,
  );
  const at = gauge("update_last_check_timestamp_seconds", "Time of the last update check.");
  add(at, {}, update?.last_check_at);
  flag("update_last_check_failed", "Whether the last update check failed.", update?.last_check_failed);
}

/** One series for each possible value, 1 for the current one. */
function stateSet(
  series: Series,
  labels: Labels,
  label: string,
  values: readonly string[],
  current: string,
): void {
  for (const value of values) series({ ...labels, [label]: value }, value === current ? 1 : 0);
}

function each(
  tenants: readonly TenantMetrics[],
  series: Series,
  value: (tenant: TenantMetrics) => number | null | undefined,
): void {
  for (const one of tenants) add(series, { tenant: one.tenant_id }, value(one));
}

function add(series: Series, labels: Labels, value: number | null | undefined): void {
  if (value !== null && value !== undefined) series(labels, value);
}
