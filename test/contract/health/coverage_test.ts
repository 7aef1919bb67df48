import assert from "node:assert/strict";
import { saveConfiguredSensors } from "../../../src/store/health/configured-sensors.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, BRANCH_ZEEK, MINUTE, NOW, SURICATA, ZEEK } from "../api.ts";
import { alert, conn } from "../records.ts";

const BRANCH = { tenantId: "branch" };
const HOUR = 60 * MINUTE;
const at = (micros: number) => new Date(micros / 1000).toISOString();

testDatabase("coverage: the hours in which each sensor delivered records, by receipt", async (db) => {
  const api = new Api(db);
  // Configured at 04:15; now it is 07:15.
  await db.tenant(
    "main",
    (tx) => saveConfiguredSensors(tx, "main", ["zeek-1", "suricata-1"], NOW - 3 * HOUR),
  );
  api.clock.advance(-3 * 3600);
  // The record's own time is another day: only its receipt counts.
  await api.take(ZEEK, [conn({ at: NOW - 50 * HOUR })]);
  // A refused line is nothing that the sensor saw.
  await api.take(SURICATA, ["{"]);
  api.clock.advance(3600);
  await api.take(SURICATA, [alert()]);
  await api.take(BRANCH_ZEEK, [conn()]);
  api.clock.advance(2 * 3600);

  const window = { from: at(NOW - 4 * HOUR), to: at(NOW) };
  const { data } = await api.read("getCoverage", window);
  assert.deepEqual(data.hours, ["03", "04", "05", "06", "07"].map((hour) => `2026-01-31T${hour}:00:00.000Z`));
  assert.deepEqual(Object.fromEntries(data.sensors.map(({ sensor_id, received }) => [sensor_id, received])), {
    // Not known to be configured, so silence means nothing.
    "netflow-1": [null, null, null, null, null],
    // 04:00 began before the sensor was configured; 07:00 is not over.
    "suricata-1": [null, null, true, false, null],
    "zeek-1": [null, true, false, false, null],
  });
  const branch = await api.read("getCoverage", window, BRANCH);
  assert.deepEqual(branch.data.sensors, [{
    sensor_id: "branch-zeek",
    received: [null, null, true, null, null],
  }]);
});

testDatabase("coverage: a window of more than 31 days is refused", async (db) => {
  const response = await new Api(db).send("getCoverage", {
    from: at(NOW - 32 * 24 * HOUR),
    to: at(NOW),
  });
  assert.equal(response.status, 400);
});
