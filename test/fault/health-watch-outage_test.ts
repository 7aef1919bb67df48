// Health changes while the database is down are reported when it is back, with their own times, by any remaining core.

import assert from "node:assert/strict";
import type { Database } from "../../src/store/engine/database.ts";
import { migrate } from "../../src/store/engine/schema/migrate.ts";
import { acquireLease } from "../../src/store/engine/leases.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { recordObservations } from "../../src/core/jobs/record-health.ts";
import { testDatabase } from "../support/database.ts";
import { expireLeases, healthEvents, lines, recorded, Watched } from "../support/health/health-watching.ts";
import { installedPrograms, startPostgres, type TestPostgres } from "../support/postgres.ts";

/** A server that a test stops and starts, and its clients. */
interface Server {
  stop(): Promise<void>;
  start(): Promise<void>;
  pool(): Database;
}

/** Only a server started by the test can be stopped. */
const ignore = (await installedPrograms()).length === 0;

function testOutage(name: string, body: (server: Server) => Promise<void>): void {
  Deno.test(name, { ignore }, async () => {
    const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "ndr-outage-" });
    let running = await startPostgres({ keep: folder });
    const { url } = running!;
    const pools: PostgresDatabase[] = [];
    const pool = () => {
      const db = new PostgresDatabase({ url, poolSize: 4 });
      pools.push(db);
      return db;
    };
    try {
      await migrate(pool());
      await body({
        pool,
        stop: () => stopped(running),
        start: async () => void (running = await startPostgres({ keep: folder })),
      });
    } finally {
      await Promise.all(pools.map((db) => db.close()));
      await stopped(running);
      await Deno.remove(folder, { recursive: true });
    }
  });
}

async function stopped(server: TestPostgres | null): Promise<void> {
  await server?.stop();
}

testOutage(
  "outage: transitions that could not be recorded are reported once the store is back, with their own times",
  async (server) => {
    const db = server.pool();
    const watched = new Watched(db, { sensors: ["zeek-1"], tenants: ["main", "branch"] });
    await watched.pass("ok");
    await server.stop();
    for (let n = 0; n < 5; n++) await watched.pass();
    await server.start();
    await watched.pass();
    await watched.pass();
    const expected = [
      "60 store: ok > unavailable",
      "60 sensor:zeek-1: stale > unavailable",
      "60 pipeline: ok > unavailable",
      "60 appliance: stale > unavailable",
      "210 store: unavailable > ok",
      "210 sensor:zeek-1: unavailable > stale",
      "210 pipeline: unavailable > ok",
      "210 appliance: unavailable > stale",
    ];
    assert.deepEqual(await lines(db), expected);
    assert.deepEqual(await lines(db, "branch"), expected);
    assert.equal((await healthEvents(db))[0]!.message, "the database does not respond");
  },
);

testOutage(
  "outage: transient states during the outage are not lost, and a lasting one is reported once",
  async (server) => {
    const db = server.pool();
    const watched = new Watched(db);
    await watched.pass("ok");
    await server.stop();
    for (const disk of ["ok", "low", "low", "full", "ok", "ok"] as const) await watched.pass(disk);
    await server.start();
    await watched.pass("ok");
    assert.deepEqual((await lines(db)).filter((line) => / (disk|appliance):/.test(line)), [
      "60 appliance: ok > unavailable",
      "90 disk: ok > degraded",
      "150 disk: degraded > unavailable",
      "180 disk: unavailable > ok",
      "240 appliance: unavailable > ok",
    ]);
  },
);

testOutage("outage: a core started during the outage reports what it observed itself", async (server) => {
  const [first, second] = [server.pool(), server.pool()];
  await new Watched(first).pass("ok");
  // The core is killed together with the database.
  await server.stop();
  const heir = new Watched(second);
  heir.clock.advance(600);
  await heir.pass("low");
  await heir.pass("low");
  await server.start();
  await expireLeases(second);
  await heir.pass("ok");
  assert.deepEqual((await lines(second)).filter((line) => / (disk|store):/.test(line)), [
    "630 store: ok > unavailable",
    "630 disk: ok > degraded",
    "690 store: unavailable > ok",
    "690 disk: degraded > ok",
  ]);
});

testOutage(
  "outage: of two observing cores one reports, and the other reports nothing after taking over",
  async (server) => {
    const [one, other] = [new Watched(server.pool()), new Watched(server.pool())];
    const db = server.pool();
    await one.pass("ok");
    await server.stop();
    await Promise.all([one.pass("ok"), other.pass("ok")]);
    await Promise.all([one.pass("ok"), other.pass("ok")]);
    await server.start();
    await one.pass("ok");
    // The other core cannot know that it is reported already.
    await one.watch.stop();
    other.clock.advance(60);
    await other.pass("ok");
    assert.deepEqual((await lines(db)).filter((line) => line.includes("store")), [
      "60 store: ok > unavailable",
      "120 store: unavailable > ok",
    ]);
  },
);

testOutage("outage: setting the clock back during the outage loses nothing", async (server) => {
  const db = server.pool();
  const watched = new Watched(db);
  await watched.pass("ok");
  await server.stop();
  watched.clock.advance(-86_400);
  await watched.pass("ok");
  await server.start();
  await watched.pass("ok");
  assert.deepEqual((await lines(db)).filter((line) => line.includes("store")), [
    "-86340 store: ok > unavailable",
    "-86310 store: unavailable > ok",
  ]);
});

testOutage(
  "outage: memory stays bounded however long the state flaps, and each change follows its predecessor",
  async (server) => {
    const db = server.pool();
    const watched = new Watched(db);
    await watched.pass("ok");
    await server.stop();
    for (let n = 0; n < 300; n++) await watched.pass(n % 2 === 0 ? "low" : "ok");
    await server.start();
    await watched.pass("full");
    const changes = (await healthEvents(db)).filter(({ component_id }) => component_id === "disk");
    assert.ok(changes.length > 150 && changes.length <= 201, `${changes.length}`);
    assert.equal(changes[0]!.at, 60, "the first entry");
    let status: string = "ok";
    for (const { from, to } of changes) {
      assert.equal(from, status);
      status = to;
    }
    assert.equal(status, "unavailable");
    assert.equal((await recorded(db)).disk, "unavailable");
  },
);

testDatabase(
  "outage: a transition recorded by a COMMIT whose response was lost is not reported again",
  async (db) => {
    const lease = (await acquireLease(db, "health", "a", 60))!;
    const at = (pass: number, status: "ok" | "unavailable") => ({
      pass,
      at: pass * 30_000_000,
      components: [{ id: "store", kind: "store", status, message: null }],
    });
    const seen = [at(1, "ok"), at(2, "unavailable"), at(3, "ok")];
    const record = () =>
      db.tenant("main", (tx) => recordObservations(tx, "main", "this core", lease, [...seen, at(4, "ok")]));
    assert.equal((await record())!.length, 2);
    assert.deepEqual(await record(), []);
    assert.equal((await healthEvents(db)).length, 2);
  },
);
