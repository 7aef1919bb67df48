// What is remembered of sensors' receipts, through the real ingest, the job that looks each minute, and the report.

import assert from "node:assert/strict";
import { HealthReporter } from "../../../src/core/health.ts";
import { SensorWatcher } from "../../../src/core/jobs/sensor-watcher.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sensorWatches } from "../../../src/store/health/sensor-watch.ts";
import { lastReceipts } from "../../../src/store/health/read.ts";
import { HandClock } from "../../contract/support.ts";
import { testDatabases } from "../../support/database.ts";
import { line, pushBatch, sensor } from "../../support/record/pipeline.ts";

const ZEEK = sensor("zeek-1");
const OTHER = sensor("zeek-2");
/** A Monday, 00:00 UTC. */
const MONDAY = Date.UTC(2026, 0, 5) * 1000;

class Site {
  readonly clock = new HandClock(MONDAY);
  receiving = true;
  sensors = [ZEEK, OTHER];
  readonly #watcher: SensorWatcher;
  readonly #reporter: HealthReporter;
  #records = 0;

  constructor(private readonly db: Database, private readonly skewSeconds = 0) {
    const sensors = () => this.sensors;
    const tenants = new Map([["main", {
      get sensors() {
        return sensors();
      },
    }]]);
    this.#watcher = new SensorWatcher({ tenants }, {
      db,
      clock: this.clock,
      logger: silentLogger,
      canReceive: () => this.receiving,
    });
    this.#reporter = new HealthReporter({ db, tenants });
  }

  /** One record from each of these, dated as the sensor's clock has it. */
  async send(...sensors: typeof ZEEK[]): Promise<void> {
    for (const source of sensors) {
      const at = new Date(this.clock.now() / 1000 + this.skewSeconds * 1000).toISOString();
      const payload = { ts: at, uid: `C${++this.#records}` };
      await pushBatch(this.db, source, [line("zeek.conn", at, payload)], this.clock.now());
    }
  }

  /** So many minutes, a look at each; `sent` gives who sends in it. */
  async minutes(count: number, sent: (minute: number) => typeof ZEEK[] = () => []): Promise<void> {
    for (let minute = 0; minute < count; minute++) {
      await this.send(...sent(minute));
      await this.#watcher.run();
      this.clock.advance(60);
    }
  }

  async look(): Promise<void> {
    await this.#watcher.run();
  }

  async of(source: typeof ZEEK) {
    const { components } = await this.#reporter.report("main", this.clock.now());
    const found = components.find(({ id }) => id === `sensor:${source.sensorId}`);
    assert.ok(found);
    return found;
  }
}

testDatabases(
  "sensor watch: a quiet link is not stale, and a dead one is, by what was learned of each",
  async (db) => {
    const site = new Site(db);
    // One speaks each minute, the other each half hour.
    await site.minutes(130, (minute) => minute % 30 === 0 ? [ZEEK, OTHER] : [ZEEK]);
    await site.minutes(25);
    const [busy, quiet] = [await site.of(ZEEK), await site.of(OTHER)];
    assert.deepEqual([busy.status, busy.expected_within_seconds], ["stale", 900]);
    assert.deepEqual([quiet.status, quiet.expected_within_seconds], ["ok", 3600]);
    assert.match(
      busy.message!,
      /^silent since 2026-01-05T02:09:00\.000Z, for 26 min .*; expected within 15 min$/,
    );
    assert.match(
      quiet.message!,
      /^silent since 2026-01-05T02:00:00\.000Z, usual at this hour; expected within 1 h$/,
    );
    await site.minutes(30);
    assert.equal((await site.of(OTHER)).status, "stale", "dead, it is told as well");
  },
);

testDatabases("sensor watch: what is remembered is kept, and of one size", async (db) => {
  const site = new Site(db);
  await site.minutes(70, () => [ZEEK]);
  const watch = (await db.tenant("main", (tx) => sensorWatches(tx, "main"))).get("zeek-1")!;
  assert.deepEqual([watch.pauses.length, watch.silences.length], [19, 672]);
  assert.ok(watch.pauses[0]! > 50, "a minute's pause, many times");
  assert.deepEqual([watch.whole, watch.heardAt, watch.watchedAt], [
    true,
    MONDAY + 69 * 60_000_000,
    MONDAY + 69 * 60_000_000,
  ]);
  const other = await db.tenant("branch", (tx) => sensorWatches(tx, "branch"));
  assert.equal(other.size, 0);
});

testDatabases(
  "sensor watch: an outage of the appliance makes no sensor stale at once, and a dead one is stale after it",
  async (db) => {
    const site = new Site(db);
    await site.minutes(40, () => [ZEEK, OTHER]);
    site.clock.advance(9 * 3600);
    assert.equal((await site.of(ZEEK)).status, "ok", "before the first look after the start");
    await site.look();
    assert.equal((await site.of(ZEEK)).status, "ok");
    assert.ok((await site.of(ZEEK)).lag_seconds > 9 * 3600, "the lag is what it is");
    await site.minutes(20, () => [ZEEK]);
    assert.deepEqual([(await site.of(ZEEK)).status, (await site.of(OTHER)).status], ["ok", "stale"]);
    assert.equal((await site.of(ZEEK)).expected_within_seconds, 900, "the outage taught nothing");
  },
);

testDatabases(
  "sensor watch: while nothing can be received, as on a full disk, silence says nothing",
  async (db) => {
    const site = new Site(db);
    await site.minutes(10, () => [ZEEK]);
    site.receiving = false;
    await site.minutes(120);
    assert.equal((await site.of(ZEEK)).status, "ok");
    site.receiving = true;
    await site.minutes(20);
    assert.equal((await site.of(ZEEK)).status, "stale");
  },
);

testDatabases(
  "sensor watch: a sensor just configured is stale until it speaks; one enabled again has its time",
  async (db) => {
    const site = new Site(db);
    await site.minutes(5, () => [OTHER]);
    assert.deepEqual([(await site.of(ZEEK)).status, (await site.of(ZEEK)).last_event_at], ["stale", null]);
    await site.minutes(1, () => [ZEEK, OTHER]);
    assert.equal((await site.of(ZEEK)).status, "ok");
    await site.minutes(10, () => [ZEEK, OTHER]);
    site.sensors = [OTHER];
    await site.minutes(60, () => [OTHER]);
    site.sensors = [ZEEK, OTHER];
    await site.minutes(10, () => [OTHER]);
    assert.equal((await site.of(ZEEK)).status, "ok");
    await site.minutes(10, () => [OTHER]);
    assert.equal((await site.of(ZEEK)).status, "stale");
  },
);

const YEAR = 365 * 86_400;
for (const [name, skew] of [["ahead", YEAR], ["behind", -YEAR]] as const) {
  testDatabases(
    `sensor watch: a sensor whose records are dated a year ${name} changes nothing`,
    async (db) => {
      const site = new Site(db, skew);
      await site.minutes(20, () => [ZEEK]);
      const seen = await site.of(ZEEK);
      assert.deepEqual([seen.status, seen.last_event_at, seen.expected_within_seconds], [
        "ok",
        "2026-01-05T00:19:00.000Z",
        900,
      ]);
      await site.minutes(16);
      assert.equal((await site.of(ZEEK)).status, "stale", "it cannot forge that it lives");
    },
  );
}

testDatabases(
  "sensor watch: after the server's clock was a day ahead and was set back, a dead sensor is noticed",
  async (db) => {
    const site = new Site(db);
    await site.minutes(5, () => [ZEEK, OTHER]);
    site.clock.advance(86_400);
    await site.minutes(5, () => [ZEEK, OTHER]);
    assert.deepEqual([(await site.of(ZEEK)).status, (await site.of(OTHER)).status], ["ok", "ok"]);
    site.clock.advance(-86_400);
    await site.minutes(5, () => [ZEEK, OTHER]);
    const receipts = await db.tenant("main", (tx) => lastReceipts(tx, "main"));
    assert.equal(receipts.get("zeek-1"), site.clock.now() - 60_000_000);
    await site.minutes(20, () => [ZEEK]);
    assert.deepEqual([(await site.of(ZEEK)).status, (await site.of(OTHER)).status], ["ok", "stale"]);
  },
);

testDatabases(
  "sensor watch: receipts that commit in another order than they came keep the newest",
  async (db) => {
    const site = new Site(db);
    const commit = (uid: string, at: number) =>
      pushBatch(db, ZEEK, [line("zeek.conn", "2026-01-05T00:00:00Z", { uid })], at);
    await commit("late", MONDAY + 5_000_000);
    await commit("early", MONDAY);
    assert.equal((await site.of(ZEEK)).last_event_at, "2026-01-05T00:00:05.000Z");
  },
);
