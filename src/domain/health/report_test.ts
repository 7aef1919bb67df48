import assert from "node:assert/strict";
import { HealthReport } from "../../contract/health.ts";
import type { DiskFacts } from "./disk.ts";
import {
  type HealthInput,
  healthReport,
  PIPELINE_LAG_SECONDS,
  redactReport,
  type RoomFacts,
  STALE_AFTER_SECONDS,
  storeDownReport,
} from "./report.ts";

const NOW = Date.UTC(2026, 0, 31, 12) * 1000;
const ago = (seconds: number) => NOW - seconds * 1_000_000;

function input(more: Partial<HealthInput> = {}): HealthInput {
  return {
    now: NOW,
    sensors: [{ sensorId: "zeek-1", lastEventAt: ago(1) }, { sensorId: "eve-1", lastEventAt: ago(30) }],
    ingest: { events: 10, unparsed: 2, rejected: 1, oldestBuffered: null },
    ...more,
  };
}

function waiting(seconds: number): HealthInput["ingest"] {
  return { ...input().ingest, oldestBuffered: ago(seconds) };
}

function part(report: HealthReport, id: string) {
  return report.components.find((component) => component.id === id)!;
}

Deno.test("every report is one of the contract's", () => {
  for (const report of [healthReport(input()), healthReport(input({ sensors: [] })), storeDownReport()]) {
    assert.deepEqual(HealthReport.parse(report), report);
    assert.deepEqual(HealthReport.parse(redactReport(report)), redactReport(report));
  }
});

Deno.test("all is well: ok, the watermark is the newest receipt, counters are passed on", () => {
  const report = healthReport(input());
  assert.equal(report.status, "ok");
  assert.equal(part(report, "appliance").status, "ok");
  assert.equal(report.watermark, "2026-01-31T11:59:59.000Z");
  assert.deepEqual(report.ingest, {
    events_last_5m: 10,
    unparsed_last_5m: 2,
    rejected_last_5m: 1,
    oldest_buffered_at: null,
  });
});

Deno.test("a silent sensor is stale, and so is the appliance", () => {
  const silent = (seconds: number) =>
    healthReport(input({ sensors: [{ sensorId: "zeek-1", lastEventAt: ago(seconds) }] }));
  assert.equal(part(silent(STALE_AFTER_SECONDS), "sensor:zeek-1").status, "ok");
  const report = silent(STALE_AFTER_SECONDS + 1);
  assert.equal(part(report, "sensor:zeek-1").status, "stale");
  assert.equal(part(report, "sensor:zeek-1").lag_seconds, STALE_AFTER_SECONDS + 1);
  assert.equal(report.status, "stale");
});

Deno.test("a sensor that never sent is stale, and there is no watermark without a record", () => {
  const report = healthReport(input({ sensors: [{ sensorId: "new", lastEventAt: null }] }));
  assert.equal(part(report, "sensor:new").status, "stale");
  assert.equal(part(report, "sensor:new").last_event_at, null);
  assert.equal(report.watermark, null);
});

Deno.test("records that wait make the pipeline degraded, which is worse than stale", () => {
  assert.equal(part(healthReport(input({ ingest: waiting(PIPELINE_LAG_SECONDS) })), "pipeline").status, "ok");
  const sensors = [{ sensorId: "new", lastEventAt: null }];
  const report = healthReport(input({ sensors, ingest: waiting(PIPELINE_LAG_SECONDS + 1) }));
  assert.equal(part(report, "pipeline").status, "degraded");
  assert.equal(report.status, "degraded");
  assert.equal(report.ingest.oldest_buffered_at, "2026-01-31T11:58:59.000Z");
});

Deno.test("a receipt after now, as after a clock was set back, is no negative lag", () => {
  const report = healthReport(
    input({ sensors: [{ sensorId: "zeek-1", lastEventAt: ago(-5) }], ingest: waiting(-5) }),
  );
  assert.deepEqual([part(report, "sensor:zeek-1").lag_seconds, part(report, "pipeline").lag_seconds], [0, 0]);
});

Deno.test("telemetry that is off does not make the appliance unwell", () => {
  const report = healthReport(input());
  assert.deepEqual([part(report, "telemetry").status, part(report, "telemetry").message], [
    "unavailable",
    "disabled",
  ]);
  const { last_payload: _, ...component } = report.telemetry;
  assert.deepEqual(component, part(report, "telemetry"));
});

Deno.test("without the store nothing is known, and nothing is claimed", () => {
  const report = storeDownReport();
  assert.deepEqual([report.status, part(report, "store").status, report.watermark], [
    "unavailable",
    "unavailable",
    null,
  ]);
});

Deno.test("who is no administrator gets the same shape without host-local detail", () => {
  const full = storeDownReport();
  full.telemetry.message = "connect ECONNREFUSED 10.1.2.3:443";
  const redacted = redactReport(full);
  assert.equal(part(redacted, "store").message, null);
  assert.equal(part(redacted, "telemetry").message, "disabled", "that it is switched off is no secret");
  assert.equal(redacted.telemetry.message, null);
  assert.deepEqual(Object.keys(redacted), Object.keys(full));
  assert.deepEqual(
    redacted.components.map(({ id, status }) => [id, status]),
    full.components.map(({ id, status }) => [id, status]),
  );
  assert.notEqual(part(full, "store").message, null, "the full report is left as it was");
});

const GIB = 1024 ** 3;

function disk(change: Partial<DiskFacts>): RoomFacts {
  const space = { size: 100 * GIB, free: 90 * GIB };
  return { disk: { directory: "/var/lib/db", space, state: "ok", refused: false, ...change }, space: null };
}

Deno.test("a disk with room is well; one that is nearly full degrades; a full one makes unavailable", () => {
  const seen = (room: RoomFacts) => {
    const report = healthReport(input({ room }));
    const { kind, status, message } = part(report, "disk");
    assert.equal(
      part(redactReport(report), "disk").message,
      null,
      "where the database lies is for administrators",
    );
    return [kind, status, report.status, message];
  };
  assert.deepEqual(seen(disk({})), ["disk", "ok", "ok", null]);
  assert.deepEqual(seen(disk({ state: "low", space: { size: 100 * GIB, free: 4.5 * GIB } })), [
    "disk",
    "degraded",
    "degraded",
    "4.5 GiB of 100.0 GiB are free at /var/lib/db: ingest stops below 1.0 GiB; " +
    "make room, lower NDR_RETENTION_DAYS or set NDR_RETENTION_BYTES",
  ]);
  assert.deepEqual(seen(disk({ state: "full", space: { size: 100 * GIB, free: GIB / 2 } })), [
    "disk",
    "unavailable",
    "unavailable",
    "512.0 MiB of 100.0 GiB are free at /var/lib/db: ingest is stopped until 1.3 GiB are free; " +
    "make room, lower NDR_RETENTION_DAYS or set NDR_RETENTION_BYTES",
  ]);
});

Deno.test("a database that says that it has no room is believed, wherever it is", () => {
  const elsewhere = healthReport(input({ room: disk({ directory: null, space: null, refused: true }) }));
  assert.deepEqual([part(elsewhere, "disk").status, part(elsewhere, "disk").message], [
    "unavailable",
    "the database has no room on its disk: ingest is stopped",
  ]);
  const quiet = part(healthReport(input({ room: disk({ directory: null, space: null }) })), "disk");
  assert.deepEqual([quiet.status, quiet.message], ["ok", "not watched: the database is on another machine"]);
  const here = healthReport(input({ room: disk({ refused: true }) }));
  assert.match(part(here, "disk").message!, /ingest is stopped, though 90\.0 GiB of 100\.0 GiB are free/);
});

Deno.test("a full disk is told also while the store does not answer", () => {
  const report = storeDownReport(disk({ state: "full", space: { size: 100 * GIB, free: 0 } }));
  assert.deepEqual(HealthReport.parse(report), report);
  assert.equal(part(report, "disk").status, "unavailable");
});

Deno.test("a limit on bytes that cannot be kept degrades", () => {
  const space = { limit: 10 * GIB, bytes: 12 * GIB, kept: false };
  const report = healthReport(input({ room: { disk: null, space } }));
  assert.deepEqual([part(report, "retention").status, report.status], ["degraded", "degraded"]);
  assert.match(
    part(report, "retention").message!,
    /^NDR_RETENTION_BYTES is 10\.0 GiB, but .* takes 12\.0 GiB/,
  );
  const kept = healthReport(input({ room: { disk: null, space: { ...space, bytes: GIB, kept: true } } }));
  assert.deepEqual([part(kept, "retention").status, part(kept, "retention").message], ["ok", null]);
});
