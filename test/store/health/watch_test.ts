// Health is observed every 30 s and compared with the last recorded state; changes go to the event log.

import assert from "node:assert/strict";
import { HALF_MINUTE } from "../../../src/core/jobs/health-watch.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { appendEvents, eventsAfter } from "../../../src/store/connector/event-log.ts";
import { recordedHealth } from "../../../src/store/health/state.ts";
import { testDatabases } from "../../support/database.ts";
import { settle } from "../../support/record/pipeline.ts";
import {
  expireLeases,
  healthEvents,
  lines,
  recorded,
  Watched,
} from "../../support/health/health-watching.ts";
import { testDatabase } from "../engine/one-database.ts";
import { commit, NOON, record } from "../record/records.ts";

testDatabases(
  "health watch: the first observation of a tenant is a baseline and emits nothing",
  async (db) => {
    const watched = new Watched(db);
    await watched.pass("low");
    assert.deepEqual(await lines(db), []);
    const { disk, appliance, store } = await recorded(db);
    assert.deepEqual({ disk, appliance, store }, { disk: "degraded", appliance: "degraded", store: "ok" });
  },
);

testDatabases(
  "health watch: a change emits health.transition, also for the overall status (appliance)",
  async (db) => {
    const watched = new Watched(db);
    for (const disk of ["ok", "ok", "full", "full", "low", "ok"] as const) await watched.pass(disk);
    assert.deepEqual(await lines(db), [
      "90 disk: ok > unavailable",
      "90 appliance: ok > unavailable",
      "150 disk: unavailable > degraded",
      "150 appliance: unavailable > degraded",
      "180 disk: degraded > ok",
      "180 appliance: degraded > ok",
    ]);
    const events = await healthEvents(db);
    const [first] = events;
    assert.match(first!.event_id, /^evt_[0-9a-f]{32}$/);
    assert.equal(new Set(events.map(({ event_id }) => event_id)).size, events.length);
    assert.equal(first!.kind, "disk");
    assert.equal(events[1]!.kind, "appliance");
    assert.match(first!.message!, /free at \/var\/lib\/ndr/, "admins see the reason");
    assert.ok(!("message" in events.at(-2)!), "ok needs no reason");
    const state = await db.tenant("main", (tx) => recordedHealth(tx, "main"));
    assert.equal(state.get("disk")!.since, NOON + 180e6, "the start of the state is recorded");
    assert.equal(state.get("store")!.since, NOON + 30e6);
  },
);

testDatabase("health watch: every observed change is reported, even when flapping", async (db) => {
  const watched = new Watched(db);
  for (let n = 0; n < 9; n++) await watched.pass(n % 2 === 0 ? "ok" : "low");
  assert.equal((await lines(db)).filter((line) => line.includes("disk")).length, 8);
});

testDatabase(
  "health watch: a transition during a restart is reported once the service is back",
  async (db) => {
    await new Watched(db).pass("ok");
    const next = new Watched(db);
    await expireLeases(db);
    next.clock.advance(600);
    await next.pass("full");
    assert.deepEqual(await lines(db), ["630 disk: ok > unavailable", "630 appliance: ok > unavailable"]);
  },
);

testDatabase("health watch: states and events are written in one transaction", async (db) => {
  const watched = new Watched(db);
  await watched.pass("ok");
  await db.owner((tx) =>
    tx.script("alter table event_log add constraint no_more check (type <> 'health.transition')")
  );
  await watched.pass("full");
  assert.equal((await recorded(db)).disk, "ok");
  await db.owner((tx) => tx.script("alter table event_log drop constraint no_more"));
  await watched.pass("full");
  assert.equal((await recorded(db)).disk, "unavailable");
  assert.deepEqual(await lines(db), ["90 disk: ok > unavailable", "90 appliance: ok > unavailable"]);
});

testDatabase(
  "health watch: a new silent sensor and its removal are reported as transitions",
  async (db) => {
    const watched = new Watched(db, { sensors: ["zeek-1"] });
    await commit(db, [record("a")], NOON);
    await settle(db);
    await watched.pass();
    watched.sensors = ["zeek-1", "zeek-2"];
    await watched.pass();
    const { "sensor:zeek-2": added, appliance } = await recorded(db);
    assert.deepEqual([added, appliance], ["stale", "stale"], "it never sent anything");
    const appeared = ["60 sensor:zeek-2: ok > stale", "60 appliance: ok > stale"];
    assert.deepEqual(await lines(db), appeared);

    watched.sensors = ["zeek-1"];
    for (let n = 0; n < 21; n++) await watched.pass();
    assert.ok(!("sensor:zeek-2" in await recorded(db)));
    assert.deepEqual(await lines(db), [
      ...appeared,
      "90 appliance: stale > ok",
      "690 sensor:zeek-2: stale > ok",
    ]);
  },
);

testDatabase("health watch: tenants are observed independently", async (db) => {
  const watched = new Watched(db, { tenants: ["main", "branch", "lab", "hq"] });
  await watched.pass("ok");
  await watched.pass("low");
  for (const tenantId of ["main", "branch", "lab", "hq"]) {
    assert.deepEqual(await lines(db, tenantId), ["60 disk: ok > degraded", "60 appliance: ok > degraded"]);
  }
  const ids = (await Promise.all(["main", "branch"].map((tenantId) => healthEvents(db, tenantId)))).flat();
  assert.equal(new Set(ids.map(({ event_id }) => event_id)).size, 4, "ids are per tenant");
});

testDatabase("health watch: a failed report does not block other tenants", async (db) => {
  const errors: unknown[] = [];
  const watched = new Watched(db, {
    tenants: ["main", "branch"],
    logger: { ...silentLogger, error: (message, fields) => void errors.push([message, fields]) },
    around: (reporter) => ({
      report: (tenantId, now) =>
        tenantId === "main" ? Promise.reject(new Error("a defect")) : reporter.report(tenantId, now),
    }),
  });
  await watched.pass("ok");
  await watched.pass("low");
  assert.deepEqual(await recorded(db), {});
  assert.equal((await lines(db, "branch")).length, 2);
  assert.deepEqual(errors[0], [
    "cannot observe health, will retry",
    { tenant: "main", message: "a defect" },
  ]);
});

testDatabase(
  "health watch: a clock that jumps a day back and forth neither causes nor loses transitions",
  async (db) => {
    const watched = new Watched(db);
    await watched.pass("ok");
    watched.clock.advance(86_400);
    await watched.pass("ok");
    assert.deepEqual(await lines(db), []);
    await watched.pass("low");
    watched.clock.advance(-86_400);
    await watched.pass("low");
    await watched.pass("ok");
    assert.deepEqual(await lines(db), [
      "86490 disk: ok > degraded",
      "86490 appliance: ok > degraded",
      "150 disk: degraded > ok",
      "150 appliance: degraded > ok",
    ]);
  },
);

testDatabase("health watch: a long message is truncated, and any text can be stored", async (db) => {
  const watched = new Watched(db, {
    around: (reporter) => ({
      async report(tenantId, now) {
        const report = await reporter.report(tenantId, now);
        const long = `\0half \ud800 ${"🦊".repeat(600)}`;
        return {
          ...report,
          components: report.components.map((part) => part.id === "disk" ? { ...part, message: long } : part),
        };
      },
    }),
  });
  await watched.pass("ok");
  await watched.pass("low");
  const { message = "" } = (await healthEvents(db))[0]!;
  assert.equal(Array.from(message).length, 500);
  assert.match(message, /^\ufffdhalf \ufffd 🦊+…$/u);
});

testDatabase(
  "health watch: it takes its event number last, so that other events are not blocked",
  async (db) => {
    const watched = new Watched(db);
    await watched.pass("ok");
    const other = { eventId: `evt_${"0".repeat(32)}`, type: "incident.created", occurredAt: NOON, body: {} };
    await Promise.all([watched.pass("low"), db.tenant("main", (tx) => appendEvents(tx, "main", [other]))]);
    const events = await db.tenant("main", (tx) => eventsAfter(tx, "main", 0, 10));
    assert.deepEqual(events.map(({ eventNo }) => eventNo), [1, 2, 3]);
  },
);

testDatabases(
  "health watch: health is observed every 30 s, but only once in the first minute",
  async (db) => {
    const reported: number[] = [];
    const watched = new Watched(db, {
      around: (reporter) => ({
        report: (tenantId, now) => {
          reported.push(now);
          return reporter.report(tenantId, now);
        },
      }),
    });
    // `run` waits for the current pass and adds its own.
    watched.watch.minute();
    await watched.watch.run();
    assert.equal(reported.length, 1, "right after a start, reports are incomplete");
    const [first] = watched.pauses;
    assert.equal(first!.milliseconds, HALF_MINUTE);
    first!.over();
    await watched.watch.run();
    assert.equal(reported.length, 3, "half a minute later");

    watched.watch.minute();
    await watched.watch.run();
    assert.equal(reported.length, 5, "and each minute from then on");
    watched.pauses[1]!.over();
    await watched.watch.run();
    assert.equal(reported.length, 7);

    await watched.watch.stop();
    assert.equal(watched.pauses[1]!.cancelled, true);
    watched.watch.minute();
    await watched.watch.run();
    assert.equal(reported.length, 7, "nothing starts after the stop");
  },
);

testDatabase(
  "health watch: during a long observation others are skipped, not queued",
  async (db) => {
    let begun = 0;
    const held = Promise.withResolvers<void>();
    const watched = new Watched(db, {
      around: (reporter) => ({
        async report(tenantId, now) {
          begun++;
          await held.promise;
          return await reporter.report(tenantId, now);
        },
      }),
    });
    watched.watch.minute();
    watched.pauses[0]!.over();
    await settled(() => begun === 1);
    watched.watch.minute();
    watched.pauses[1]!.over();
    held.resolve();
    await settled(async () => "disk" in await recorded(db));
    assert.equal(begun, 1);
    // Its writes are visible before it ends.
    await settled(() => {
      watched.watch.minute();
      return begun === 2;
    });
    await watched.watch.stop();
  },
);

async function settled(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !await condition(); tries++) {
    assert.ok(tries < 2000, "it never happened");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
