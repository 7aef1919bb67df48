// A real Prometheus with the example configuration, scraping `ndr core` and `ndr web` in separate processes.

import assert from "node:assert/strict";
import { systemClock } from "../../../src/kit/clock.ts";
import { listen } from "../../../src/kit/net/listen.ts";
import { worldLines } from "../../contract/openapi/drive/world.ts";
import { programArgs } from "../../support/program.ts";
import { writeConnectors } from "../../support/connector/connectors-file.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { parseMetrics, samplesOf } from "../../support/health/metrics-text.ts";
import { type Processes, type ProcessesOptions, startProcesses } from "../../support/processes.ts";
import { type Series, startPrometheus, tryPromtool } from "../../support/health/prometheus.ts";
import { transportTest as programTest, waitFor } from "../../support/transport/transport-programs.ts";

const TOKEN = "the-token-that-prometheus-has";

/** With a webhook instance, and with the token in a file if `tokenFile` is set. */
async function withProcesses(
  options: ProcessesOptions,
  body: (processes: Processes, tokenFile: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-token-" });
  const tokenFile = `${folder}/token`;
  await Deno.writeTextFile(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
  const database = POSTGRES_URL === "" ? null : await freshPostgres();
  try {
    const webEnv = { NDR_METRICS_TOKEN_FILE: tokenFile };
    const processes = await startProcesses({ databaseUrl: database?.url, webEnv, ...options });
    try {
      await body(processes, tokenFile);
    } finally {
      await processes.stop();
    }
  } finally {
    await database?.drop();
    await Deno.remove(folder, { recursive: true });
  }
}

async function send({ coreUrl, sources }: Processes): Promise<void> {
  const lines = worldLines(systemClock.now());
  for (const name of ["zeek", "suricata", "netflow"] as const) {
    const { token } = sources.find(({ sensor_id }) => sensor_id === `main-${name}`)!;
    const response = await fetch(`${coreUrl}/internal/v1/ingest/events`, {
      method: "POST",
      headers: { "authorization": `Bearer ${token}`, "content-type": "application/x-ndjson" },
      body: lines[name].join("\n"),
    });
    assert.equal(response.status, 200, await response.text());
  }
}

async function scrape({ baseUrl }: Processes, token = TOKEN): Promise<{ status: number; text: string }> {
  const response = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, text: await response.text() };
}

function numbers(series: Series[]): number[] {
  return series.map(({ value }) => Number(value[1]));
}

await programTest(
  "a real Prometheus scrapes /metrics with the example configuration, and sees everything until the core stops",
  { programs: ["prometheus", "promtool"] },
  async () => {
    const receiver = await listen(() => new Response(null, { status: 204 }), {
      hostname: "127.0.0.1",
      port: 0,
    });
    const configure = (folder: string) => writeConnectors(folder, [{ instance: "siem", url: receiver.url }]);
    try {
      await withProcesses({ configure, coreEnv: { NDR_CONNECTORS_ENABLED: "true" } }, async (processes) => {
        await send(processes);
        await using prometheus = await startPrometheus(processes.baseUrl, TOKEN);
        const { query, get } = prometheus;
        const one = async (expression: string) => numbers(await query(expression))[0];
        await waitFor(
          async () => (await one('service_connector_count{counter="delivered"}') ?? 0) > 0,
          () => "no event was delivered",
          60,
        );

        assert.equal(await one('up{job="ndr"}'), 1);
        assert.equal(await one("service_build_info"), 1);
        const feeds = await query('service_feed_events_5m{tenant="main"}');
        const events = new Map(feeds.map(({ metric, value }) => [metric.sensor, Number(value[1])]));
        assert.deepEqual(events, new Map([["main-netflow", 1], ["main-suricata", 3], ["main-zeek", 5]]));
        assert.deepEqual(numbers(await query("service_ingest_events_5m")), [9]);
        assert.ok(await one('sum(service_incidents{tenant="main",status="open"})') ?? 0 > 0);
        assert.equal(await one('service_health_component{component="store",status="ok"}'), 1);
        // Prometheus' own name for the label; the rules and the dashboard use it.
        assert.equal(
          await one('service_connector_state{exported_instance="siem",connector="webhook",state="ok"}'),
          1,
        );
        const age = await one("time() - service_metrics_generated_timestamp_seconds") ?? NaN;
        assert.ok(age > -5 && age < 60, `made ${age} s ago`);

        // Each line of the body became a series, and each metric a gauge.
        const { text } = await scrape(processes);
        const parsed = parseMetrics(text);
        assert.ok(samplesOf(parsed, "service_health_component").length > 20);
        await waitFor(
          async () => await one('scrape_samples_post_metric_relabeling{job="ndr"}') === parsed.samples.length,
          () => `expected ${parsed.samples.length} samples`,
        );
        const metadata = await get("metadata") as Record<string, { type: string; help: string }[]>;
        const shown = Object.keys(metadata).filter((name) => name.startsWith("service_"));
        assert.ok(shown.length >= 20);
        for (const name of shown) {
          assert.deepEqual(metadata[name]!.map(({ type, help }) => [type, help]), [[
            "gauge",
            parsed.help.get(name),
          ]]);
        }
        const remarks = (await tryPromtool(["check", "metrics"], text)).text.trim().split("\n");
        assert.equal(remarks.length, 1);
        assert.match(remarks[0]!, /^service_connector_count .*"_count" suffix$/);

        const { groups } = await get("rules") as { groups: { rules: { name: string; health: string }[] }[] };
        const rules = groups.flatMap((group) => group.rules);
        assert.ok(rules.length >= 20);
        assert.deepEqual(rules.filter(({ health }) => health === "err"), []);

        await processes.stopCore();
        const down = 'service_health_status{tenant="main",status="unavailable"} == 1';
        await waitFor(
          async () => (await query(down)).length === 1,
          () => "Prometheus has not noticed the stopped core",
          60,
        );
        assert.equal(await one('up{job="ndr"}'), 1);
        // Old values are no longer reported.
        assert.deepEqual(
          await query("service_feed_events_5m or service_ingest_events_5m or service_incidents"),
          [],
        );
        await waitFor(
          async () => (await query('ALERTS{alertname="NdrCoreDown",tenant="main"}')).length === 1,
          () => "no alert is pending",
        );
      });
    } finally {
      await receiver.close();
    }
  },
);

Deno.test("the metrics token is effective after restart, not at SIGHUP", async () => {
  await withProcesses({}, async (processes, tokenFile) => {
    assert.equal((await scrape(processes)).status, 200);
    const other = "another-token-for-later";
    await Deno.writeTextFile(tokenFile, other);
    await processes.reloadWeb();
    assert.equal((await scrape(processes, other)).status, 401);
    assert.equal((await scrape(processes)).status, 200);
  });
});

Deno.test("`ndr web` does not start: a token under 16 characters, a listener that is not on loopback", async () => {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...await programArgs(), "web"],
    cwd: new URL("../../..", import.meta.url).pathname,
    env: {
      NO_COLOR: "1",
      NDR_CONFIG_DIR: "/nonexistent",
      NDR_METRICS_TOKEN: "only-15-letters",
      NDR_WEB_LISTEN: "0.0.0.0:8080",
    },
  }).output();
  const stderrText = new TextDecoder().decode(stderr);
  assert.equal(success, false);
  assert.match(stderrText, /NDR_METRICS_TOKEN: expected at least 16 characters, got 15/);
  assert.match(stderrText, /NDR_WEB_LISTEN: expected .*loopback/);
  assert.ok(!stderrText.includes("only-15-letters"));
});
