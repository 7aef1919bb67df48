// What the core reports to the web layer for /metrics, over real stores.

import assert from "node:assert/strict";
import { METRICS_SNAPSHOT_PATH, MetricsSnapshot } from "../../../src/contract/health/metrics.ts";
import type { IncidentStatus } from "../../../src/contract/record/kinds.ts";
import { HealthReporter } from "../../../src/core/health-reporter.ts";
import { MetricsSource } from "../../../src/core/metrics-source.ts";
import { NO_SERVICES, type ServiceFacts } from "../../../src/domain/health/services.ts";
import { renderMetrics } from "../../../src/observe/metrics.ts";
import {
  claimConnector,
  configureConnectors,
  saveConnector,
} from "../../../src/store/connector/connectors.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { incidentCounts } from "../../../src/store/incident/counts.ts";
import { testDatabase } from "../../support/database.ts";
import { parseMetrics } from "../../support/health/metrics-text.ts";
import { type Plan, planned } from "../../support/record/planned.ts";
import { Api, BRANCH_ZEEK, MINUTE, NOW, SECOND, SURICATA, ZEEK } from "../api.ts";
import { coreOn, type Sent } from "../core.ts";
import { alert, conn, dns, rawLine } from "../records.ts";
import { unreachableDatabase } from "../support.ts";

const TENANTS = new Map([
  ["main", { sensors: [ZEEK, SURICATA] }],
  ["branch", { sensors: [BRANCH_ZEEK] }],
]);
const SERVICE = { tenantId: null, roles: [], subject: "ndr-web" } satisfies Partial<Sent>;

function sourceOn(db: Database, services: ServiceFacts = NO_SERVICES): MetricsSource {
  const space = { size: 1e12, free: 2e10 };
  const disk = { directory: "/srv/secret-directory", space, state: "low" as const, refused: false };
  const room = { disk, space: null };
  const health = new HealthReporter({ db, tenants: TENANTS, room: () => room, services: () => services });
  return new MetricsSource({ db, health, tenants: TENANTS, services: () => services });
}

const snapshotOn = (db: Database, services?: ServiceFacts) => sourceOn(db, services).snapshot(NOW);

async function alerts(api: Api, count: number, status?: IncidentStatus): Promise<void> {
  await api.take(
    SURICATA,
    Array.from({ length: count }, (_, i) => alert({ at: NOW - MINUTE, src: `10.0.0.${i + 1}` })),
  );
  if (status === undefined) return;
  const { data } = await api.read("listIncidents");
  const { id, revision } = data[0]!;
  const body = { status, comment: "seen" };
  const sent = { roles: ["analyst" as const], body, revision };
  assert.equal((await api.change("patchIncident", { incident_id: id }, sent)).status, 200);
}

testDatabase("core metrics: only the web layer's own signed request is answered", async (db) => {
  const core = coreOn(db, { metrics: sourceOn(db) });
  const ask = (sent: Partial<Sent>) => core.send({ target: METRICS_SNAPSHOT_PATH, ...SERVICE, ...sent });
  assert.equal((await ask({})).status, 200);
  assert.equal((await ask({ tenantId: "main" })).status, 401);
  assert.equal((await ask({ roles: ["admin"] })).status, 401);
  assert.equal((await ask({ tenantId: "main", roles: ["admin"] })).status, 401);
  assert.equal((await core.app.request(METRICS_SNAPSHOT_PATH)).status, 401);
  const bearer = { headers: { authorization: "Bearer a-token-of-a-scraper" } };
  assert.equal((await core.app.request(METRICS_SNAPSHOT_PATH, bearer)).status, 401);
  assert.equal((await ask({ method: "POST", body: {} })).status, 405);
});

testDatabase("core metrics: ingest, feeds and incidents of each tenant, none of another's", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [conn(), dns(), "{", rawLine("zeek.http", "2026-01-31T07:00:00Z", '{"host":"x"}')]);
  await alerts(api, 3, "investigating");
  api.clock.advance(-600);
  await api.take(BRANCH_ZEEK, [conn()]);
  const { tenants } = await snapshotOn(db);
  const [main, branch] = tenants;
  assert.deepEqual([main!.tenant_id, branch!.tenant_id], ["main", "branch"]);
  assert.deepEqual(main!.ingest, { events_last_5m: 6, unparsed_last_5m: 1, rejected_last_5m: 1 });
  assert.deepEqual(branch!.ingest, { events_last_5m: 0, unparsed_last_5m: 0, rejected_last_5m: 0 });
  // By arrival time, whatever the records say.
  assert.deepEqual(main!.feeds, [
    { sensor_id: "zeek-1", events_last_5m: 3, last_event_at: NOW / 1e6 },
    { sensor_id: "suricata-1", events_last_5m: 3, last_event_at: NOW / 1e6 },
  ]);
  assert.deepEqual(branch!.feeds, [
    { sensor_id: "branch-zeek", events_last_5m: 0, last_event_at: NOW / 1e6 - 600 },
  ]);
  const counts = main!.incidents!.map(({ status, severity, count }) => [status, severity, count]).sort();
  assert.deepEqual(counts, [["investigating", "medium", 1], ["open", "medium", 2]]);
  assert.deepEqual(branch!.incidents, []);
});

testDatabase("core metrics: a connector instance in the framework's terms", async (db) => {
  await db.tenant("main", async (tx) => {
    const instances = ["chat", "siem"].map((instance) => ({
      instance,
      connector: "webhook",
      active: instance === "siem",
    }));
    await configureConnectors(tx, "main", instances, NOW);
    const progress = await claimConnector(tx, "main", "siem", 1);
    await saveConnector(tx, "main", "siem", 1, {
      ...progress,
      state: "error",
      failureClass: "tls",
      message: "receiver.example.org: certificate",
      lastSuccessAt: NOW - 90 * SECOND,
      consecutiveFailures: 3,
      itemsLastHour: 12,
      delivered: 40,
      failed: 3,
      rejected: 1,
      dropped: 2,
      pending: 5,
    });
  });
  const { tenants: [main, branch] } = await snapshotOn(db);
  assert.deepEqual(main!.connectors, [{
    instance: "chat",
    connector: "webhook",
    state: "disabled",
    consecutive_failures: 0,
    items_last_hour: 0,
    last_success_at: null,
    counters: { delivered: 0, failed: 0, rejected: 0, dropped: 0, pending: 0 },
  }, {
    instance: "siem",
    connector: "webhook",
    state: "error",
    consecutive_failures: 3,
    items_last_hour: 12,
    last_success_at: NOW / 1e6 - 90,
    counters: { delivered: 40, failed: 3, rejected: 1, dropped: 2, pending: 5 },
  }]);
  assert.deepEqual(branch!.connectors, []);
});

testDatabase("core metrics: /metrics and the API's health are renderings of one report", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [conn(), "{"]);
  await api.take(ZEEK, [capture(7.5)]);
  const { data } = await api.read("getHealth", {}, { roles: ["admin"] });
  // The API of these tests has one more sensor and no disk.
  const shared = (id: string) => id !== "disk" && id !== "sensor:netflow-1" && id !== "appliance";
  const { tenants: [main] } = await snapshotOn(db);
  assert.deepEqual(
    main!.components.filter(({ id }) => shared(id)),
    data.components.filter(({ id }) => shared(id)).map(({ id, kind, status, lag_seconds }) => ({
      id,
      kind,
      status,
      lag_seconds,
    })),
  );
  const { oldest_buffered_at: _, ...ingest } = data.ingest;
  assert.deepEqual(main!.ingest, ingest);
  assert.equal(main!.capture_loss_percent, data.capture.loss_percent);
  assert.equal(main!.capture_loss_percent, 7.5);
});

function capture(percent: number): string {
  const payload = {
    ts: "2026-01-31T07:14:00Z",
    ts_delta: 900,
    peer: "zeek",
    gaps: 75,
    acks: 1000,
    percent_lost: percent,
  };
  return rawLine("zeek.capture_loss", "2026-01-31T07:14:00Z", JSON.stringify(payload));
}

testDatabase("core metrics: the licence and the updater", async (db) => {
  const off = await snapshotOn(db);
  assert.deepEqual(off.license, {
    enabled: false,
    state: "off",
    expires_at: null,
    grace_until: null,
    seats: null,
  });
  assert.deepEqual(off.update, {
    enabled: false,
    available: false,
    available_security: false,
    blocked: false,
    last_check_at: null,
    last_check_failed: false,
  });
  const { license, update } = await snapshotOn(db, {
    ...NO_SERVICES,
    license: {
      state: "grace",
      expiresAt: NOW,
      graceUntil: NOW + 72 * 3600 * SECOND,
      seats: 5,
      message: "renew",
    },
    update: {
      ...NO_SERVICES.update,
      enabled: true,
      available: true,
      availableSecurity: true,
      blocked: true,
      release: null,
      lastCheckAt: NOW - SECOND,
      failure: "registration.example.org does not answer",
    },
  });
  const at = NOW / 1e6;
  assert.deepEqual(license, {
    enabled: true,
    state: "grace",
    expires_at: at,
    grace_until: at + 259_200,
    seats: 5,
  });
  assert.deepEqual(update, {
    enabled: true,
    available: true,
    available_security: true,
    blocked: true,
    last_check_at: at - 1,
    last_check_failed: true,
  });
});

testDatabase(
  "core metrics: no metric carries a device, address, domain, incident id or diagnostic text",
  async (db) => {
    const api = new Api(db);
    await api.take(ZEEK, [
      dns({ src: "10.66.77.88", query: "marked-domain.example" }),
      conn({ dst: "203.0.113.66" }),
    ]);
    await alerts(api, 2);
    await db.tenant("main", async (tx) => {
      await configureConnectors(tx, "main", [{ instance: "siem", connector: "webhook", active: true }], NOW);
      const progress = await claimConnector(tx, "main", "siem", 1);
      const message = "marked-receiver.example:8443 refused";
      await saveConnector(tx, "main", "siem", 1, {
        ...progress,
        state: "error",
        failureClass: "unreachable",
        message,
      });
    });
    const report = await api.read("getHealth", {}, { roles: ["admin"] });
    const snapshot = await snapshotOn(db);
    // Only what the contract names leaves the core.
    assert.deepEqual(JSON.parse(JSON.stringify(snapshot)), MetricsSnapshot.parse(snapshot));
    const text = renderMetrics({ version: "1.2.3", generatedAt: NOW / 1e6, ...snapshot });
    parseMetrics(text);
    assert.doesNotMatch(text, /marked|secret-directory|\d+\.\d+\.\d+\.\d+|refused|unreachable[^"]/);
    const devices = (await api.read("listDevices")).data;
    const incidents = (await api.read("listIncidents")).data;
    assert.ok(devices.length > 1 && incidents.length === 2);
    for (const { device_id, display_name } of devices) {
      assert.ok(!text.includes(device_id) && !text.includes(display_name));
    }
    for (const { id, title } of incidents) assert.ok(!text.includes(id) && !text.includes(title));
    const messages = report.data.components.flatMap(({ message }) => message?.includes(" ") ? [message] : []);
    assert.ok(messages.length > 0);
    for (const message of messages) assert.ok(!text.includes(message), message);
  },
);

Deno.test("core metrics: an unavailable store is reported, and what only it knows is left out", async () => {
  const db = unreachableDatabase();
  try {
    const { tenants, license } = await snapshotOn(db);
    assert.equal(license.state, "off");
    for (
      const { status, components, ingest, feeds, incidents, connectors, capture_loss_percent } of tenants
    ) {
      assert.equal(status, "unavailable");
      assert.equal(components.find(({ id }) => id === "store")?.status, "unavailable");
      assert.deepEqual([ingest, incidents, connectors, capture_loss_percent], [null, null, [], null]);
      assert.ok(
        feeds.every(({ events_last_5m, last_event_at }) => events_last_5m === null && last_event_at === null),
      );
      // The disk may be the cause and is checked without the store.
      assert.equal(components.find(({ id }) => id === "disk")?.status, "degraded");
    }
  } finally {
    await db.close();
  }
});

testDatabase("core metrics: incidents are counted by an index", async (db) => {
  const api = new Api(db);
  await alerts(api, 3);
  const plans: Plan[] = [];
  const counts = await planned(db, plans, { forbidScans: true }).tenant(
    "main",
    (tx) => incidentCounts(tx, "main"),
  );
  assert.deepEqual(counts, [{ status: "open", severity: "medium", count: 3 }]);
  assert.equal(plans.length, 1);
  assert.deepEqual(plans[0]!.scanned, []);
});
