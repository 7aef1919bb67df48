import assert from "node:assert/strict";
import { HealthReport } from "../../contract/health/health.ts";
import type { DiskFacts } from "./disk.ts";
import { redactReport } from "./redact.ts";
import { facts, NOW, part } from "../../../test/support/domain/health-report-fixtures.ts";
import { healthReport, type RoomFacts, storeDownReport } from "./report.ts";

const GIB = 1024 ** 3;

function disk(change: Partial<DiskFacts>): RoomFacts {
  const space = { size: 100 * GIB, free: 90 * GIB };
  return { disk: { directory: "/var/lib/db", space, state: "ok", refused: false, ...change }, space: null };
}

Deno.test("a disk with room is well; one that is nearly full degrades; a full one makes unavailable", () => {
  const seen = (room: RoomFacts) => {
    const report = healthReport(facts({ room }));
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
  const elsewhere = healthReport(facts({ room: disk({ directory: null, space: null, refused: true }) }));
  assert.deepEqual([part(elsewhere, "disk").status, part(elsewhere, "disk").message], [
    "unavailable",
    "the database has no room on its disk: ingest is stopped",
  ]);
  const quiet = part(healthReport(facts({ room: disk({ directory: null, space: null }) })), "disk");
  assert.deepEqual([quiet.status, quiet.message], ["ok", "not watched: the database is on another machine"]);
  const here = healthReport(facts({ room: disk({ refused: true }) }));
  assert.match(part(here, "disk").message!, /ingest is stopped, though 90\.0 GiB of 100\.0 GiB are free/);
});

Deno.test("a full disk is told also while the store does not answer", () => {
  const report = storeDownReport(
    facts({ room: disk({ state: "full", space: { size: 100 * GIB, free: 0 } }) }),
    {
      sensorIds: [],
      instances: [],
      since: NOW,
    },
  );
  assert.deepEqual(HealthReport.parse(report), report);
  assert.equal(part(report, "disk").status, "unavailable");
});

Deno.test("a limit on bytes that cannot be kept degrades", () => {
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
