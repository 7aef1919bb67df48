// GET /metrics of the web layer while the core or its database is away: current values, or none.

import assert from "node:assert/strict";
import { METRICS_SNAPSHOT_PATH } from "../../src/contract/health/metrics.ts";
import { unreachableDatabase } from "../contract/support.ts";
import { parseMetrics, samplesOf, valueOf } from "../support/health/metrics-text.ts";
import { RIGHT, testScene, TOKEN } from "./health/metrics-scene.ts";
import { testStack } from "./session/web-stack.ts";

testScene(
  "while the core is stopped it responds: unavailable, and no old values reported as current",
  async (scene) => {
    const { stack, elapsed, text } = scene;
    const before = parseMetrics(await text());
    assert.equal(
      valueOf(before, "service_health_component", { tenant: "main", component: "store", status: "ok" }),
      1,
    );
    await stack.stopCore();
    // The cached body states when it was made.
    assert.deepEqual(parseMetrics(await text()).samples, before.samples);
    elapsed.ms += 10_000;
    stack.clock.advance(10);
    const parsed = parseMetrics(await text());
    for (const tenant of ["main", "branch"]) {
      assert.equal(valueOf(parsed, "service_health_status", { tenant, status: "unavailable" }), 1);
      assert.equal(valueOf(parsed, "service_health_status", { tenant, status: "ok" }), 0);
      assert.equal(
        valueOf(parsed, "service_health_component", {
          tenant,
          component: "appliance",
          status: "unavailable",
        }),
        1,
      );
    }
    assert.deepEqual([...new Set(parsed.samples.map(({ name }) => name))], [
      "service_build_info",
      "service_health_status",
      "service_health_component",
      "service_health_component_lag_seconds",
      "service_metrics_generated_timestamp_seconds",
    ]);
    assert.deepEqual([...parsed.types.keys()], [...before.types.keys()]);
    assert.equal(valueOf(parsed, "service_metrics_generated_timestamp_seconds"), stack.clock.now() / 1e6);
  },
);

testScene("a core that was never up: the configured tenants are unavailable", async (scene) => {
  await scene.stack.stopCore();
  const parsed = parseMetrics(await scene.text());
  const rows = samplesOf(parsed, "service_health_status", { status: "unavailable" });
  assert.deepEqual(rows.map(({ labels, value }) => [labels.tenant, value]), [["main", 1], ["branch", 1]]);
});

testScene(
  "while the database is away it responds: the store is unavailable, and its numbers have no rows",
  async (scene) => {
    const { stack, elapsed, text, use } = scene;
    assert.equal(valueOf(parseMetrics(await text()), "service_ingest_events_5m", { tenant: "main" }), 0);
    const lost = unreachableDatabase();
    use(lost);
    try {
      elapsed.ms += 10_000;
      const parsed = parseMetrics(await text());
      assert.equal(valueOf(parsed, "service_health_status", { tenant: "main", status: "unavailable" }), 1);
      const store = { tenant: "main", component: "store", kind: "store" };
      assert.equal(valueOf(parsed, "service_health_component", { ...store, status: "unavailable" }), 1);
      assert.equal(valueOf(parsed, "service_health_component", { ...store, status: "ok" }), 0);
      for (
        const name of ["ingest_events_5m", "feed_events_5m", "incidents", "feed_last_event_timestamp_seconds"]
      ) {
        assert.deepEqual(samplesOf(parsed, `service_${name}`), [], name);
      }
      // Values that do not need the store are reported.
      assert.equal(valueOf(parsed, "service_license_enabled"), 0);
      use(stack.db);
      elapsed.ms += 10_000;
      const after = parseMetrics(await text());
      assert.equal(valueOf(after, "service_health_component", { ...store, status: "ok" }), 1);
      assert.equal(
        valueOf(after, "service_incidents", { tenant: "main", status: "open", severity: "high" }),
        0,
      );
    } finally {
      await lost.close();
    }
  },
);

testScene("a hanging core counts as unavailable before the scraper times out", async (scene) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  scene.coreRequests.hold = promise;
  const parsed = parseMetrics(await scene.text());
  resolve();
  assert.equal(valueOf(parsed, "service_health_status", { tenant: "main", status: "unavailable" }), 1);
  assert.deepEqual(samplesOf(parsed, "service_license_enabled"), []);
}, { metrics: { token: TOKEN, version: "9.8.7", coreAnswerMs: 300 } });

testStack(
  "GET /metrics: a core response that is not a snapshot is reported as the core's failure",
  async (stack) => {
    const parsed = parseMetrics(await (await fetch(`${stack.baseUrl}/metrics`, { headers: RIGHT })).text());
    assert.equal(valueOf(parsed, "service_health_status", { tenant: "main", status: "unavailable" }), 1);
  },
  {
    metrics: { token: TOKEN, version: "9.8.7" },
    core: (request) =>
      new URL(request.url).pathname === METRICS_SNAPSHOT_PATH
        ? Response.json({ data: { tenants: 7 } })
        : null,
  },
);
