import assert from "node:assert/strict";
import { HealthReport } from "../../contract/health/health.ts";
import type { DiskFacts } from "./disk.ts";
import { redactReport } from "./redact.ts";
import { facts, NOW, part } from "../../../test/support/domain/health-report-fixtures.ts";
import { healthReport, NO_NETWORKS, type RoomFacts, storeDownReport } from "./report.ts";

const GIB = 1024 ** 3;

function disk(change: Partial<DiskFacts>): RoomFacts {
  const space = { size: 100 * GIB, free: 90 * GIB };
  return { disk: { directory: "/var/lib/db", space, state: "ok", refused: false, ...change }, space: null };
}

Deno.test("an ample disk is ok; a nearly full one is degraded; a full one unavailable", () => {
  const seen = (room: RoomFacts) => {
    const report = healthReport(facts({ room }));
    const { kind, status, message } = part(report, "disk");
    assert.equal(
      part(redactReport(report), "disk").message,
      null,
      "the location of the database is for administrators",
    );
    return [kind, status, report.status, message];
  };
  assert.deepEqual(seen(disk({})), ["disk", "ok", "ok", null]);
  assert.deepEqual(seen(disk({ state: "low", space: { size: 100 * GIB, free: 4.5 * GIB } })), [
    "disk",
    "degraded",
    "degraded",
    "4.5 GiB of 100.0 GiB free at /var/lib/db: ingest stops below 1.0 GiB; " +
    "free some space, lower NDR_RETENTION_DAYS or set NDR_RETENTION_BYTES",
  ]);
  assert.deepEqual(seen(disk({ state: "full", space: { size: 100 * GIB, free: GIB / 2 } })), [
    "disk",
    "unavailable",
    "unavailable",
    "512.0 MiB of 100.0 GiB free at /var/lib/db: ingest is stopped until 1.3 GiB are free; " +
    "free some space, lower NDR_RETENTION_DAYS or set NDR_RETENTION_BYTES",
  ]);
});

Deno.test("a database that reports a full disk is believed, wherever it is", () => {
  const elsewhere = healthReport(facts({ room: disk({ directory: null, space: null, refused: true }) }));
  assert.deepEqual([part(elsewhere, "disk").status, part(elsewhere, "disk").message], [
    "unavailable",
    "the database reports a full disk: ingest is stopped",
  ]);
  const quiet = part(healthReport(facts({ room: disk({ directory: null, space: null }) })), "disk");
  assert.deepEqual([quiet.status, quiet.message], [
    "ok",
    "not monitored: the database is on another machine",
  ]);
  const here = healthReport(facts({ room: disk({ refused: true }) }));
  assert.match(part(here, "disk").message!, /ingest is stopped, though 90\.0 GiB of 100\.0 GiB free/);
});

Deno.test("a full disk is reported even while the store does not respond", () => {
  const report = storeDownReport(
    facts({ room: disk({ state: "full", space: { size: 100 * GIB, free: 0 } }) }),
    {
      sensorIds: [],
      instances: [],
      networks: NO_NETWORKS,
      since: NOW,
      writeFault: null,
    },
  );
  assert.deepEqual(HealthReport.parse(report), report);
  assert.equal(part(report, "disk").status, "unavailable");
});

Deno.test("a limit on bytes that cannot be met is degraded", () => {
  const space = { limit: 10 * GIB, bytes: 12 * GIB, kept: false };
  const report = healthReport(facts({ room: { disk: null, space } }));
  assert.deepEqual([part(report, "retention").status, report.status], ["degraded", "degraded"]);
  assert.match(
    part(report, "retention").message!,
    /^NDR_RETENTION_BYTES is 10\.0 GiB, but .* takes 12\.0 GiB/,
  );
  const kept = healthReport(facts({ room: { disk: null, space: { ...space, bytes: GIB, kept: true } } }));
  assert.deepEqual([part(kept, "retention").status, part(kept, "retention").message], ["ok", null]);
});
