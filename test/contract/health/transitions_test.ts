// The history of health: what the health job records, and who may read its messages.

import assert from "node:assert/strict";
import { recordObservations } from "../../../src/core/jobs/record-health.ts";
import type { HealthStatus } from "../../../src/contract/record/kinds.ts";
import { acquireLease } from "../../../src/store/engine/leases.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { expireTransitions } from "../../../src/store/health/transitions.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, DAY, MINUTE, NOW } from "../api.ts";

const ADMIN = { roles: ["admin" as const] };

testDatabase("health transitions: recorded once, newest first, paged", async (db) => {
  const api = new Api(db);
  const lease = (await acquireLease(db, "health", "test", 60))!;
  let pass = 0;
  const observe = async (at: number, status: HealthStatus, message: string | null) => {
    const components = [
      { id: "sensor:zeek-1", kind: "sensor", status, message },
      { id: "appliance", kind: "appliance", status, message },
    ];
    await db.tenant(
      "main",
      (tx) => recordObservations(tx, "main", "me", lease, [{ at, pass: ++pass, components }]),
    );
  };
  await observe(NOW - 10 * MINUTE, "ok", null);
  await observe(NOW - 9 * MINUTE, "stale", "no record for 300 s");
  await observe(NOW - 8 * MINUTE, "stale", "no record for 360 s");
  await observe(NOW - 7 * MINUTE, "ok", null);

  const { data } = await api.read("listHealthTransitions", {}, ADMIN);
  assert.deepEqual(
    data.map(({ at, component_id, from, to, message }) => [at, component_id, from, to, message]).sort(),
    [
      // Nothing is known before.
      ["2026-01-31T07:05:00.000Z", "observation", "unavailable", "ok", null],
      ["2026-01-31T07:06:00.000Z", "appliance", "ok", "stale", "no record for 300 s"],
      ["2026-01-31T07:06:00.000Z", "sensor:zeek-1", "ok", "stale", "no record for 300 s"],
      ["2026-01-31T07:08:00.000Z", "appliance", "stale", "ok", null],
      ["2026-01-31T07:08:00.000Z", "sensor:zeek-1", "stale", "ok", null],
    ],
  );
  assert.deepEqual(data.map(({ at }) => at), data.map(({ at }) => at).sort().reverse(), "newest first");

  const asReader = (await api.read("listHealthTransitions")).data;
  assert.deepEqual(asReader, data.map((one) => ({ ...one, message: null })));
  const one = await api.read("listHealthTransitions", { component_id: "appliance" }, ADMIN);
  assert.deepEqual(one.data, data.filter(({ component_id }) => component_id === "appliance"));
  assert.deepEqual((await api.walk("listHealthTransitions", { limit: 1 })).flat(), asReader);
  const window = { from: "2026-01-31T07:05:30Z", to: "2026-01-31T07:08:00Z" };
  assert.equal((await api.read("listHealthTransitions", window)).data.length, 2);
  assert.deepEqual((await api.read("listHealthTransitions", {}, { tenantId: "branch" })).data, []);

  await db.tenant("main", (tx) => expireTransitions(tx, "main", NOW - 8 * MINUTE));
  const long = { from: "2026-01-01T00:00:00Z" };
  assert.equal((await api.read("listHealthTransitions", long)).data.length, 2);
  await db.tenant("main", (tx) => expireTransitions(tx, "main", NOW + DAY));
  assert.deepEqual((await api.read("listHealthTransitions", long)).data, []);
});

testDatabase(
  "health transitions: a restart that missed an observation is a gap, another is none",
  async (db) => {
    const api = new Api(db);
    const lease = (await acquireLease(db, "health", "test", 60))!;
    const components = [{ id: "appliance", kind: "appliance", status: "ok" as const, message: null }];
    const observe = (observer: string, pass: number, at: number) =>
      db.tenant("main", (tx) => recordObservations(tx, "main", observer, lease, [{ at, pass, components }]));
    await observe("one", 1, NOW - 10 * MINUTE);
    // Its clock was corrected: it never stopped.
    await observe("one", 2, NOW - 8 * MINUTE);
    await observe("two", 1, NOW - 7 * MINUTE);
    await observe("three", 1, NOW - 4 * MINUTE);
    const { data } = await api.read("listHealthTransitions", {}, ADMIN);
    assert.deepEqual(
      data.map(({ at, component_id, from, to }) => [at, component_id, from, to]).reverse(),
      [
        ["2026-01-31T07:05:00.000Z", "observation", "unavailable", "ok"],
        ["2026-01-31T07:08:00.000Z", "observation", "ok", "unavailable"],
        ["2026-01-31T07:11:00.000Z", "observation", "unavailable", "ok"],
      ],
    );
    const events = await db.tenant("main", (tx) => tx.rows(sql`select event_no from event_log`));
    assert.equal(events.length, 0, "it is no event");
  },
);
