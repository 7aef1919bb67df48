// /metrics of the running program while its PostgreSQL is stopped or hangs, and once it is back.

import assert from "node:assert/strict";
import { type MetricsText, parseMetrics, samplesOf, valueOf } from "../../support/health/metrics-text.ts";
import { installedPrograms, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { waitFor } from "../../support/transport/transport-programs.ts";
import { startUp } from "../../support/up.ts";

const TOKEN = "the-token-of-the-monitoring";
const STORE = { tenant: "main", component: "store", kind: "store" };

/** Numbers that only the store knows. */
const OF_THE_STORE = [
  "service_ingest_events_5m",
  "service_feed_events_5m",
  "service_feed_last_event_timestamp_seconds",
  "service_incidents",
];

/** Sends a signal to the server and all its child processes. */
async function signalServer(folder: string, signal: Deno.Signal): Promise<void> {
  const [first] = (await Deno.readTextFile(`${folder}/data/postmaster.pid`)).split("\n");
  const children = await Deno.readTextFile(`/proc/${first}/task/${first}/children`);
  for (const pid of [first!, ...children.split(" ").filter((text) => text.trim() !== "")]) {
    try {
      Deno.kill(Number(pid), signal);
    } catch (error) {
      // The process of a connection may have ended already.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

Deno.test(
  "GET /metrics while the database is stopped, while it hangs, and once it is back",
  { ignore: (await installedPrograms()).length === 0 },
  async () => {
    const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "ndr-pg-" });
    let postgres: TestPostgres | null = await startPostgres({ keep: folder });
    const up = await startUp({
      databaseUrl: postgres!.url,
      sample: false,
      env: { NDR_METRICS_TOKEN: TOKEN },
    });
    const scrape = async (): Promise<MetricsText> => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const response = await fetch(`${up.baseUrl}/metrics`, { headers });
      assert.equal(response.status, 200);
      return parseMetrics(await response.text());
    };
    /** The first body that reports this store status; a new body is rendered every ten seconds. */
    const until = async (status: string): Promise<MetricsText> => {
      let text = await scrape();
      await waitFor(
        async () => valueOf(text = await scrape(), "service_health_component", { ...STORE, status }) === 1,
        () => `the store is not ${status}`,
        90,
      );
      return text;
    };
    const expectNothingStale = (text: MetricsText) => {
      for (const tenant of ["main", "branch"]) {
        assert.equal(valueOf(text, "service_health_status", { tenant, status: "unavailable" }), 1);
      }
      for (const name of OF_THE_STORE) assert.deepEqual(samplesOf(text, name), [], name);
      // Values that do not need the store are reported.
      assert.equal(valueOf(text, "service_license_state", { state: "off" }), 1);
    };
    try {
      const before = await until("ok");
      assert.equal(valueOf(before, "service_feed_events_5m", { tenant: "main", sensor: "main-zeek" }), 0);
      assert.equal(samplesOf(before, "service_incidents", { tenant: "branch" }).length, 20);

      await postgres!.stop();
      postgres = null;
      expectNothingStale(await until("unavailable"));
      postgres = await startPostgres({ keep: folder });
      await until("ok");

      await signalServer(folder, "SIGSTOP");
      try {
        expectNothingStale(await until("unavailable"));
      } finally {
        await signalServer(folder, "SIGCONT");
      }
      const after = await until("ok");
      assert.equal(samplesOf(after, "service_incidents", { tenant: "main" }).length, 20);
    } finally {
      await up.stop();
      await postgres?.stop();
      await Deno.remove(folder, { recursive: true });
    }
  },
);
