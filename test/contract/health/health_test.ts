import assert from "node:assert/strict";
import type { HealthReport } from "../../../src/contract/health/health.ts";
import { testDatabase } from "../../support/database.ts";
import { pushBatch, settle } from "../../support/record/pipeline.ts";
import { Api, BRANCH_ZEEK, checked, NETFLOW, NOW, SECOND, SURICATA, ZEEK } from "../api.ts";
import { conn, rawLine } from "../records.ts";

const ADMIN = { roles: ["admin" as const] };

function part(report: HealthReport, id: string): HealthReport["components"][number] {
  const found = report.components.find((one) => one.id === id);
  assert.ok(found, `${id} is among ${report.components.map((one) => one.id)}`);
  return found;
}

testDatabase("health: before any record", async (db) => {
  const api = new Api(db);
  const response = await api.send("getHealth", {}, ADMIN);
  assert.equal(response.status, 200);
  const { data } = await checked("getHealth", response);
  assert.equal(data.status, "stale");
  assert.equal(data.watermark, null);
  assert.deepEqual(data.ingest, {
    events_last_5m: 0,
    unparsed_last_5m: 0,
    rejected_last_5m: 0,
    oldest_buffered_at: null,
  });
  assert.deepEqual(data.capture, { loss_percent: null, sampled_at: null });
  assert.deepEqual(data.components.map(({ id, kind, status }) => [id, kind, status]), [
    ["appliance", "appliance", "stale"],
    ["store", "store", "ok"],
    ["sensor:zeek-1", "sensor", "stale"],
    ["sensor:suricata-1", "sensor", "stale"],
    ["sensor:netflow-1", "sensor", "stale"],
    ["pipeline", "pipeline", "ok"],
    ["license", "license", "ok"],
    ["telemetry", "telemetry", "unavailable"],
    ["update", "update", "unavailable"],
  ]);
  const zeek = part(data, "sensor:zeek-1");
  assert.deepEqual([zeek.last_event_at, zeek.lag_seconds], [null, 0]);
  assert.equal(zeek.message, "no record has arrived from this sensor yet");
  const { last_payload, ...telemetry } = data.telemetry;
  assert.equal(last_payload, null);
  assert.deepEqual(telemetry, part(data, "telemetry"));
});

testDatabase(
  "health: freshness and watermark use the server's receipt timestamps, so a skewed source clock cannot forge health",
  async (db) => {
    const api = new Api(db);
    // A sensor whose clock is years ahead, and one that replays old records.
    const ahead = conn({ at: NOW + 900 * 86_400 * SECOND });
    const old = conn({ at: NOW - 900 * 86_400 * SECOND });
    const http = rawLine("zeek.http", "2026-01-31T07:00:00Z", '{"host":"x"}');
    await api.take(ZEEK, [ahead, old, ahead, http, "{", '{"kind":7}']);
    const { data } = await api.read("getHealth", {}, ADMIN);
    assert.deepEqual(data.ingest, {
      events_last_5m: 3,
      unparsed_last_5m: 1,
      rejected_last_5m: 2,
      oldest_buffered_at: null,
    });
    assert.equal(data.watermark, "2026-01-31T07:15:00.000Z");
    const zeek = part(data, "sensor:zeek-1");
    assert.deepEqual(zeek, {
      id: "sensor:zeek-1",
      kind: "sensor",
      status: "ok",
      last_event_at: "2026-01-31T07:15:00.000Z",
      lag_seconds: 0,
      message: null,
      since: null,
      expected_within_seconds: 900,
      events_last_5m: 3,
      connector: null,
    });

    api.clock.advance(5 * 60);
    await api.take(SURICATA, [conn({ srcPort: 50001 })]);
    const later = (await api.read("getHealth", {}, ADMIN)).data;
    assert.equal(later.ingest.events_last_5m, 4);
    assert.equal(later.watermark, "2026-01-31T07:20:00.000Z");
    assert.equal(part(later, "sensor:zeek-1").lag_seconds, 300);
    assert.equal(part(later, "appliance").last_event_at, later.watermark);
    api.clock.advance(1);
    assert.equal((await api.read("getHealth")).data.ingest.events_last_5m, 1);
  },
);

testDatabase("health: 200 when stale: a sensor that falls silent is, and so is the whole", async (db) => {
  const api = new Api(db);
  for (const source of [ZEEK, SURICATA]) await api.take(source, [conn()]);
  api.clock.advance(15 * 60);
  const before = (await api.read("getHealth")).data;
  assert.equal(part(before, "sensor:zeek-1").status, "ok");
  api.clock.advance(60);
  await api.take(SURICATA, [conn({ srcPort: 50001 })]);
  const response = await api.send("getHealth", {}, ADMIN);
  assert.equal(response.status, 200);
  const { data } = await checked("getHealth", response);
  assert.equal(data.status, "stale");
  assert.equal(part(data, "appliance").status, "stale");
  assert.equal(part(data, "sensor:zeek-1").status, "stale");
  assert.equal(
    part(data, "sensor:zeek-1").message,
    "silent since 2026-01-31T07:15:00.000Z, for 16 min during which records could be received; expected within 15 min",
  );
  assert.equal(part(data, "sensor:suricata-1").status, "ok");
});

testDatabase("health: records that wait for the pipeline", async (db) => {
  const api = new Api(db);
  await pushBatch(db, ZEEK, [conn()], NOW);
  await pushBatch(db, ZEEK, [conn({ srcPort: 50001 })], NOW + SECOND);
  api.clock.advance(60);
  const waiting = (await api.read("getHealth")).data;
  assert.equal(waiting.ingest.oldest_buffered_at, "2026-01-31T07:15:00.000Z");
  assert.equal(part(waiting, "pipeline").status, "ok");
  api.clock.advance(1);
  const behind = (await api.read("getHealth", {}, ADMIN)).data;
  assert.deepEqual([part(behind, "pipeline").status, part(behind, "pipeline").lag_seconds], ["degraded", 61]);
  assert.equal(behind.status, "degraded");
  assert.equal((await api.send("getHealth")).status, 200);
  await settle(db);
  const caughtUp = (await api.read("getHealth")).data;
  assert.equal(caughtUp.ingest.oldest_buffered_at, null);
  assert.equal(part(caughtUp, "pipeline").status, "ok");
});

testDatabase("health: a non-admin receives the same shape with host-local detail redacted", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [conn()]);
  api.clock.advance(20 * 60);
  const full = (await api.read("getHealth", {}, { roles: ["admin", "analyst"] })).data;
  assert.ok(full.components.some(({ message }) => message !== null));
  for (const role of ["reader", "analyst", "responder"] as const) {
    const { data } = await api.read("getHealth", {}, { roles: [role] });
    const shown = data.components.filter(({ message }) => message !== null).map(({ id }) => id);
    assert.deepEqual(shown, ["license", "telemetry", "update"], "that they are off is no secret");
    const hide = (report: HealthReport) => ({
      ...report,
      components: report.components.map((one) => ({ ...one, message: null })),
    });
    assert.deepEqual(hide(data), hide(full));
  }
});

testDatabase(
  "health: 503 when unavailable, as without its store, and the report all the same",
  async (db) => {
    const api = new Api(db);
    await api.take(ZEEK, [conn()]);
    await db.close();
    await (await api.send("getHealth")).body?.cancel();
    api.clock.advance(60);
    for (
      const [roles, message] of [[["admin"], "the database does not respond"], [["reader"], null]] as const
    ) {
      const response = await api.send("getHealth", {}, { roles: [...roles] });
      assert.equal(response.status, 503);
      const { data } = await checked("getHealth", response);
      assert.equal(data.status, "unavailable");
      assert.deepEqual([part(data, "store").status, part(data, "store").message], ["unavailable", message]);
      assert.equal(part(data, "appliance").status, "unavailable");
      assert.equal(part(data, "store").since, "2026-01-31T07:15:00.000Z", "when it was noticed");
      assert.equal(data.watermark, null);
    }
    // Whatever else is asked for now has to be asked for again.
    const flows = await api.send("listFlows");
    assert.equal(flows.status, 503);
    assert.ok(Number(flows.headers.get("retry-after")) > 0);
    assert.equal((await flows.json()).error.code, "source_unavailable");
    assert.equal((await api.send("getSite")).status, 200);
  },
);

testDatabase(
  "health: what the worst process of the sensors loses of its capture, by receipt",
  async (db) => {
    const api = new Api(db);
    const stats = (peer: string, dropped: number) =>
      rawLine(
        "zeek.stats",
        "2026-01-31T07:00:00Z",
        JSON.stringify({ peer, pkts_proc: 900, pkts_dropped: dropped }),
      );
    const loss = (peer: string, percent: number, ts = "2099-01-01T00:00:00Z") =>
      rawLine(
        "zeek.capture_loss",
        ts,
        JSON.stringify({ ts, ts_delta: 900, peer, gaps: 1, acks: 10, percent_lost: percent }),
      );
    const captureOf = async () => (await api.read("getHealth")).data.capture;
    await api.take(ZEEK, [stats("worker-1", 100), loss("worker-1", 2.5), stats("worker-2", 0)]);
    // A skewed clock of the sensor changes nothing: the time is that of the receipt.
    const now = { loss_percent: 2.5, sampled_at: "2026-01-31T07:15:00.000Z" };
    assert.deepEqual(await captureOf(), now);
    api.clock.advance(60);
    await api.take(ZEEK, [stats("worker-2", 300), loss("worker-1", 0)]);
    assert.deepEqual(await captureOf(), { loss_percent: 25, sampled_at: "2026-01-31T07:16:00.000Z" });
    await api.take({ ...ZEEK, sensorId: "gone" }, [loss("worker-1", 90)]);
    assert.equal((await captureOf()).loss_percent, 25, "a sensor that is no longer configured");
    api.clock.advance(46 * 60);
    assert.deepEqual(
      await captureOf(),
      { loss_percent: null, sampled_at: null },
      "and nothing is known any more",
    );
  },
);

testDatabase(
  "health: capture: what Suricata dropped since its last word; much of it degrades the sensor",
  async (db) => {
    const api = new Api(db);
    const stats = (uptime: number, packets: number, drops: number) =>
      rawLine(
        "suricata.anomaly",
        "2026-01-31T07:00:00Z",
        JSON.stringify({
          event_type: "stats",
          stats: { uptime, capture: { kernel_packets: packets, kernel_drops: drops } },
        }),
      );
    await api.take(SURICATA, [stats(86_400, 1_000_000_000, 1000)]);
    await api.take(ZEEK, [conn()]);
    await api.take(NETFLOW, [conn({ srcPort: 50001 })]);
    const well = await api.read("getHealth", {}, ADMIN);
    assert.equal(well.data.status, "ok");
    assert.equal(well.data.capture.loss_percent, 0.0001);
    await api.take(SURICATA, [stats(86_408, 1_000_000_500, 1000), stats(86_416, 1_000_001_500, 1100)]);
    const response = await api.send("getHealth", {}, ADMIN);
    assert.equal(response.status, 200, "degraded");
    const { data } = await checked("getHealth", response);
    assert.deepEqual([data.status, data.capture.loss_percent], ["degraded", 10]);
    assert.deepEqual(
      [part(data, "sensor:suricata-1").status, part(data, "sensor:suricata-1").message],
      ["degraded", "misses 10 % of the traffic (limit: 5 %)"],
    );
    await api.take(SURICATA, [stats(86_424, 1_000_002_500, 1100)]);
    assert.equal((await api.read("getHealth")).data.status, "ok", "and no longer");
  },
);

testDatabase("health: the report has the sensors that are configured now, of one tenant", async (db) => {
  const api = new Api(db);
  await api.take(BRANCH_ZEEK, [conn()]);
  const { data } = await api.read("getHealth", {}, ADMIN);
  assert.ok(!data.components.some(({ id }) => id === "sensor:branch-zeek"));
  assert.deepEqual([data.watermark, data.ingest.events_last_5m], [null, 0]);
  const branch = (await api.read("getHealth", {}, { ...ADMIN, tenantId: "branch" })).data;
  assert.equal(part(branch, "sensor:branch-zeek").status, "ok");
});
