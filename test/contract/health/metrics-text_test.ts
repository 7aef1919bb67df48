import assert from "node:assert/strict";
import fc from "fast-check";
import { CONNECTOR_STATES } from "../../../src/contract/connector/connector.ts";
import { HEALTH_STATUSES, INCIDENT_STATUSES, SEVERITIES } from "../../../src/contract/record/kinds.ts";
import { LICENSE_STATES } from "../../../src/contract/health/metrics.ts";
import { renderMetrics } from "../../../src/observe/metrics.ts";
import { parseMetrics, samplesOf, valueOf } from "../../support/health/metrics-text.ts";
import { fullView } from "../../support/health/metrics-view.ts";

/** The interface document's table, in its order. */
const TABLE: [name: string, labels: string[]][] = [
  ["build_info", ["version"]],
  ["health_status", ["tenant", "status"]],
  ["health_component", ["tenant", "component", "kind", "status"]],
  ["health_component_lag_seconds", ["tenant", "component", "kind"]],
  ["ingest_events_5m", ["tenant"]],
  ["ingest_unparsed_5m", ["tenant"]],
  ["ingest_rejected_5m", ["tenant"]],
  ["feed_events_5m", ["tenant", "sensor"]],
  ["feed_last_event_timestamp_seconds", ["tenant", "sensor"]],
  ["capture_loss_percent", ["tenant"]],
  ["incidents", ["tenant", "status", "severity"]],
  ["results_joined_24h", ["tenant"]],
  ["connector_state", ["tenant", "instance", "connector", "state"]],
  ["connector_consecutive_failures", ["tenant", "instance", "connector"]],
  ["connector_items_last_hour", ["tenant", "instance", "connector"]],
  ["connector_last_success_timestamp_seconds", ["tenant", "instance", "connector"]],
  ["connector_count", ["tenant", "instance", "connector", "counter"]],
  ["analyst_budget_microusd", ["tenant", "provider", "kind"]],
  ["license_enabled", []],
  ["license_state", ["state"]],
  ["license_expires_timestamp_seconds", []],
  ["license_grace_until_timestamp_seconds", []],
  ["license_seats", []],
  ["update_enabled", []],
  ["update_available", []],
  ["update_available_security", []],
  ["update_blocked", []],
  ["update_last_check_timestamp_seconds", []],
  ["update_last_check_failed", []],
  ["metrics_generated_timestamp_seconds", []],
];
const NAMES = TABLE.map(([name]) => `service_${name}`);

const text = (view = fullView()) => parseMetrics(renderMetrics(view));

Deno.test("metrics: exactly the rows of the table, with their names and labels", () => {
  const { samples, types } = text();
  assert.deepEqual([...types.keys()], NAMES);
  for (const [name, labels] of TABLE) {
    const found = samples.filter((sample) => sample.name === `service_${name}`);
    assert.ok(found.length > 0, name);
    for (const sample of found) assert.deepEqual(Object.keys(sample.labels), labels, name);
  }
});

Deno.test("metrics: every metric is a gauge with prefix service_; there are no histograms and no per-request timings", () => {
  const { types, help } = text();
  assert.deepEqual([...new Set(types.values())], ["gauge"]);
  assert.deepEqual([...help.keys()], NAMES);
  for (const sentence of help.values()) assert.match(sentence, /^[A-Z].*\.$/);
  for (const name of types.keys()) assert.doesNotMatch(name, /_bucket$|_sum$|duration|latency|request/);
});

Deno.test("metrics: state sets give one row per possible value, 1 for the current one", () => {
  const parsed = text();
  const sets: [name: string, label: string, values: readonly string[], current: string][] = [
    ["service_health_status", "status", HEALTH_STATUSES, "degraded"],
    ["service_connector_state", "state", CONNECTOR_STATES, "error"],
    ["service_license_state", "state", LICENSE_STATES, "grace"],
  ];
  for (const [name, label, values, current] of sets) {
    const rows = samplesOf(parsed, name);
    assert.deepEqual(rows.map(({ labels }) => labels[label]), [...values], name);
    for (const { labels, value } of rows) assert.equal(value, labels[label] === current ? 1 : 0, name);
  }
  for (const [component, current] of [["store", "ok"], ["sensor:zeek-1", "stale"]]) {
    const rows = samplesOf(parsed, "service_health_component", { component: component! });
    assert.deepEqual(rows.map(({ labels }) => labels.status), [...HEALTH_STATUSES]);
    assert.deepEqual(rows.filter(({ value }) => value === 1).map(({ labels }) => labels.status), [current]);
  }
});

Deno.test("metrics: values mean what the table says", () => {
  const parsed = text();
  const value = (name: string, labels?: Record<string, string>) => valueOf(parsed, `service_${name}`, labels);
  assert.equal(value("build_info", { version: "1.2.3" }), 1);
  assert.equal(value("health_component_lag_seconds", { component: "sensor:zeek-1", kind: "sensor" }), 1800);
  assert.deepEqual(
    ["ingest_events_5m", "ingest_unparsed_5m", "ingest_rejected_5m"].map((name) =>
      value(name, { tenant: "main" })
    ),
    [9000, 12, 0],
  );
  assert.equal(value("feed_events_5m", { tenant: "main", sensor: "zeek-1" }), 9000);
  assert.equal(value("feed_events_5m", { sensor: "suricata-1" }), 0);
  assert.equal(value("feed_last_event_timestamp_seconds", { sensor: "zeek-1" }), 1_769_843_699.5);
  assert.equal(value("capture_loss_percent", { tenant: "main" }), 0.25);
  const siem = { tenant: "main", instance: "siem", connector: "webhook" };
  assert.equal(value("connector_consecutive_failures", siem), 4);
  assert.equal(value("connector_items_last_hour", siem), 17);
  assert.equal(value("connector_last_success_timestamp_seconds", siem), 1_769_843_640);
  assert.deepEqual(
    ["delivered", "failed", "rejected", "dropped", "pending"].map((counter) =>
      value("connector_count", { ...siem, counter })
    ),
    [20, 4, 1, 0, 6],
  );
  assert.deepEqual(
    ["limit", "reserved", "spent"].map((kind) =>
      value("analyst_budget_microusd", { tenant: "main", provider: "ollama", kind })
    ),
    [5_000_000, 20_000, 1_250_000],
  );
  assert.equal(value("license_enabled"), 1);
  assert.equal(value("license_expires_timestamp_seconds"), 1_769_800_000);
  assert.equal(value("license_grace_until_timestamp_seconds"), 1_770_059_200);
  assert.equal(value("license_seats"), 3);
  assert.deepEqual(
    ["enabled", "available", "available_security", "blocked", "last_check_failed"].map((name) =>
      value(`update_${name}`)
    ),
    [1, 1, 0, 0, 0],
  );
  assert.equal(value("update_last_check_timestamp_seconds"), 1_769_800_100);
  assert.equal(value("metrics_generated_timestamp_seconds"), 1_769_843_700.125);
});

Deno.test("metrics: incidents, all combinations of status and severity, 0 if there are none", () => {
  const parsed = text();
  const rows = samplesOf(parsed, "service_incidents", { tenant: "main" });
  assert.equal(rows.length, INCIDENT_STATUSES.length * SEVERITIES.length);
  for (const { labels, value } of rows) {
    assert.equal(value, labels.status === "open" && labels.severity === "high" ? 2 : 0);
  }
});

Deno.test("metrics: every tenant-bound series carries a tenant label, and never another tenant's", () => {
  const one = fullView().tenants[0]!;
  const branch = { ...one, tenant_id: "branch", status: "ok" as const };
  const { samples } = text(fullView({ tenants: [one, branch] }));
  const appliance = /^service_(build_info|license_|update_|metrics_generated_)/;
  for (const { name, labels } of samples) {
    assert.equal("tenant" in labels, !appliance.test(name), name);
  }
  const perTenant = (tenant: string) => samples.filter(({ labels }) => labels.tenant === tenant).length;
  assert.equal(perTenant("main"), perTenant("branch"));
  assert.ok(perTenant("main") > 40);
});

Deno.test("metrics: unknown or missing values have no row, and keep HELP and TYPE", () => {
  const parsed = text(fullView({ license: null, update: null }, {
    ingest: null,
    feeds: [],
    capture_loss_percent: null,
    incidents: null,
    results_joined: null,
    connectors: [],
    analyst_budgets: [],
  }));
  assert.deepEqual([...parsed.types.keys()], NAMES);
  assert.deepEqual(
    [...new Set(parsed.samples.map(({ name }) => name))].map((name) => name.slice("service_".length)),
    [
      "build_info",
      "health_status",
      "health_component",
      "health_component_lag_seconds",
      "metrics_generated_timestamp_seconds",
    ],
  );
  const never = { ...fullView().tenants[0]!.connectors[0]!, last_success_at: null };
  const silent = text(fullView({}, { connectors: [never] }));
  assert.deepEqual(samplesOf(silent, "service_connector_last_success_timestamp_seconds"), []);
  assert.deepEqual(
    samplesOf(silent, "service_feed_last_event_timestamp_seconds").map(({ labels }) => labels.sensor),
    ["zeek-1"],
  );
});

const HOSTILE = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\\", '"', "\n", "\r", "\0", "{", "}", ",", "=", " ", "#", "\ud800", "é", "\u2028"),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
  maxLength: 40,
});

Deno.test("metrics: hostile names of tenants, sensors, instances, components and versions stay in their labels", () => {
  fc.assert(
    fc.property(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, (version, tenant, sensor, instance, id) => {
      const one = fullView().tenants[0]!;
      const parsed = text(fullView({ version }, {
        tenant_id: tenant,
        components: [{ id, kind: "sensor", status: "ok", lag_seconds: 1 }],
        feeds: [{ sensor_id: sensor, events_last_5m: 5, last_event_at: 7 }],
        connectors: [{ ...one.connectors[0]!, instance }],
      }));
      // Only the table's names, whatever the labels contain.
      assert.deepEqual([...parsed.types.keys()], NAMES);
      const shown = (value: string) => value.toWellFormed().replace(/[^\P{Cc}\n]/gu, "\ufffd");
      assert.equal(parsed.samples[0]!.labels.version, shown(version));
      const feed = samplesOf(parsed, "service_feed_events_5m");
      assert.deepEqual(feed.map(({ labels }) => labels), [{ tenant: shown(tenant), sensor: shown(sensor) }]);
      const component = samplesOf(parsed, "service_health_component_lag_seconds");
      assert.deepEqual(component.map(({ labels }) => labels.component), [shown(id)]);
      const state = samplesOf(parsed, "service_connector_state", { state: "error" });
      assert.deepEqual(state.map(({ labels }) => labels.instance), [shown(instance)]);
    }),
  );
});

Deno.test("metrics: label values escape the backslash, the quote and the line feed, as the format says", () => {
  const body = renderMetrics(fullView({ version: 'a\\b"c\nd\re' }));
  assert.ok(body.includes('service_build_info{version="a\\\\b\\"c\\nd\ufffde"} 1\n'), body.slice(0, 300));
});

Deno.test("metrics: numbers follow the format, however large or small", () => {
  for (const value of [0, 1e21, 1.5e-7, 2 ** 53, 1_769_843_700.125, Infinity, -Infinity, NaN]) {
    const parsed = text(fullView({}, { capture_loss_percent: value }));
    assert.equal(valueOf(parsed, "service_capture_loss_percent"), value);
  }
});
