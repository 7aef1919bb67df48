// The running program on a PostgreSQL that is really stopped and restarted.

import assert from "node:assert/strict";
import { HealthReport } from "../../../src/contract/health/health.ts";
import { INGEST_PATH } from "../../../src/contract/record/ingest.ts";
import { installedPrograms, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { signIn, startUp, type Up } from "../../support/up.ts";
import { Browser } from "../../web/session/web-browser.ts";

async function send(up: Up, sensorId: string, observedAt: string): Promise<number> {
  const { token } = up.sources.find(({ sensor_id }) => sensor_id === sensorId)!;
  const payload = {
    ts: observedAt,
    uid: `C${observedAt}`,
    "id.orig_h": "10.1.2.3",
    "id.orig_p": 40000,
    "id.resp_h": "10.1.2.4",
    "id.resp_p": 443,
    proto: "tcp",
  };
  const response = await fetch(`${up.coreUrl}${INGEST_PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: JSON.stringify({ kind: "zeek.conn", observed_at: observedAt, payload }),
  });
  await response.body?.cancel();
  return response.status;
}

/** The first response with this status. */
async function healthOf(browser: Browser, status: number): Promise<HealthReport> {
  for (let tries = 0; tries < 120; tries++) {
    const answer = await browser.json("/api/v1/health");
    if (answer.status === status && answer.body.data !== undefined) {
      return HealthReport.parse(answer.body.data);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`no health report with status ${status} came`);
}

function statusOf({ components }: HealthReport, id: string): string | undefined {
  return components.find((one) => one.id === id)?.status;
}

const withoutMessages = (report: HealthReport) => ({
  ...report,
  components: report.components.map((one) => ({ ...one, message: null })),
  telemetry: { ...report.telemetry, message: null },
});

Deno.test(
  "health while the database is down: 503 with the report, for anyone seen in the last five minutes",
  {
    ignore: (await installedPrograms()).length === 0,
  },
  async () => {
    const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "ndr-pg-" });
    let postgres: TestPostgres | null = await startPostgres({ keep: folder });
    const up = await startUp({ databaseUrl: postgres!.url, sample: false });
    try {
      const admin = (await signIn(up.baseUrl, "admin")).browser;
      const reader = (await signIn(up.baseUrl, "reader")).browser;
      assert.equal(await send(up, "main-zeek", "2001-01-01T00:00:00Z"), 200);
      assert.equal(await send(up, "main-suricata", "2001-01-01T00:00:00Z"), 403, "not a kind of its own");
      const before = await healthOf(admin, 200);
      await healthOf(reader, 200);
      assert.equal(
        statusOf(before, "sensor:main-zeek"),
        "ok",
        "by receipt time, although the record is years old",
      );

      await postgres!.stop();
      postgres = null;
      const full = await healthOf(admin, 503);
      assert.equal(full.status, "unavailable");
      for (const id of ["appliance", "store", "sensor:main-zeek", "pipeline"]) {
        assert.equal(statusOf(full, id), "unavailable", id);
      }
      assert.deepEqual(full.components.map(({ id }) => id), before.components.map(({ id }) => id));
      assert.equal(full.watermark, null);
      assert.match(full.components.find(({ id }) => id === "store")!.message!, /database does not respond/);
      const redacted = await healthOf(reader, 503);
      assert.deepEqual(withoutMessages(redacted), withoutMessages(full));
      assert.ok(
        redacted.components.every(({ message }) => message === null || /^(disabled|off)$/.test(message)),
      );

      const site = await admin.json("/api/v1/devices");
      assert.deepEqual([site.status, site.body.error.code], [503, "source_unavailable"]);
      const stranger = await new Browser(up.baseUrl).json("/api/v1/health");
      assert.equal(stranger.status, 401);
      assert.equal(await send(up, "main-zeek", "2026-01-01T00:00:00Z"), 503);

      postgres = await startPostgres({ keep: folder });
      const after = await healthOf(admin, 200);
      assert.equal(statusOf(after, "store"), "ok");
      assert.equal(statusOf(after, "sensor:main-zeek"), "ok");
      assert.equal(await send(up, "main-zeek", "2099-01-01T00:00:00Z"), 200);
      const skewed = await healthOf(admin, 200);
      assert.ok(skewed.watermark! < "2099", "the watermark is the receipt time");
    } finally {
      await up.stop();
      await postgres?.stop();
      await Deno.remove(folder, { recursive: true });
    }
  },
);
