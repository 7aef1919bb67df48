// The rhythm of sensors' receipts, through the real ingest, the job that runs each minute, and the report.

import assert from "node:assert/strict";
import { HealthReporter } from "../../../src/core/health-reporter.ts";
import { SensorWatcher } from "../../../src/core/jobs/sensor-watcher.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { recordHealth } from "../../../src/store/health/state.ts";
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

  /** Ingests one record from each sensor, dated by the sensor's clock. */
  async send(...sensors: typeof ZEEK[]): Promise<void> {
    for (const source of sensors) {
      const at = new Date(this.clock.now() / 1000 + this.skewSeconds * 1000).toISOString();
      const payload = { ts: at, uid: `C${++this.#records}` };
      await pushBatch(this.db, source, [line("zeek.conn", at, payload)], this.clock.now());
    }
  }

  /** Lets minutes pass, with a run of the job in each; `sent` returns the sensors that send in a minute. */
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
  "sensor watch: a quiet link is not stale and a dead one is, by their learned rhythms",
  async (db) => {
    const site = new Site(db);
    // One sensor sends every minute, the other every half hour.
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
      /^silent since 2026-01-05T02:00:00\.000Z, usual .*; expected within 1 h$/,
    );
    await site.minutes(30);
    assert.equal((await site.of(OTHER)).status, "stale", "a dead one is reported, too");
  },
);

testDatabases("sensor watch: the rhythm is stored with a fixed size", async (db) => {
  const site = new Site(db);
  await site.minutes(70, () => [ZEEK]);
  const watch = (await db.tenant("main", (tx) => sensorWatches(tx, "main"))).get("zeek-1")!;
  assert.deepEqual([watch.pauses.length, watch.silences.length], [19, 672]);
  assert.ok(watch.pauses[0]! > 50, "many pauses of a minute");
  assert.deepEqual([watch.whole, watch.heardAt, watch.watchedAt], [
    true,
    MONDAY + 69 * 60_000_000,
    MONDAY + 69 * 60_000_000,
  ]);
  const other = await db.tenant("branch", (tx) => sensorWatches(tx, "branch"));
  assert.equal(other.size, 0);
});

testDatabases(
  "sensor watch: after an outage of the appliance, only dead sensors become stale",
  async (db) => {
    const site = new Site(db);
    await site.minutes(40, () => [ZEEK, OTHER]);
    site.clock.advance(9 * 3600);
    assert.equal((await site.of(ZEEK)).status, "ok", "before the first run after the start");
    await site.look();
    assert.equal((await site.of(ZEEK)).status, "ok");
    assert.ok((await site.of(ZEEK)).lag_seconds > 9 * 3600, "the lag is real");
    await site.minutes(20, () => [ZEEK]);
    assert.deepEqual([(await site.of(ZEEK)).status, (await site.of(OTHER)).status], ["ok", "stale"]);
    assert.equal((await site.of(ZEEK)).expected_within_seconds, 900, "nothing was learned from the outage");
  },
);

testDatabases(
  "sensor watch: silence does not count while nothing can be received, as on a full disk",
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
  "sensor watch: a new sensor is stale until it sends; a re-enabled one gets its usual time",
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
      assert.equal((await site.of(ZEEK)).status, "stale", "it cannot fake being alive");
    },
  );
}

testDatabases(
  "sensor watch: a dead sensor is noticed after the server's clock was a day ahead and set back",
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
  "sensor watch: receipts that commit out of order keep the newest",
  async (db) => {
    const site = new Site(db);
    const commit = (uid: string, at: number) =>
      pushBatch(db, ZEEK, [line("zeek.conn", "2026-01-05T00:00:00Z", { uid })], at);
    await commit("late", MONDAY + 5_000_000);
    await commit("early", MONDAY);
    assert.equal((await site.of(ZEEK)).last_event_at, "2026-01-05T00:00:05.000Z");
  },
);

testDatabases(
  "sensor watch: the lag of a sensor never heard from counts since it was configured",
  async (db) => {
    const site = new Site(db);
    const lag = async (source: typeof ZEEK) => (await site.of(source)).lag_seconds;
    site.sensors = [ZEEK];
    // Nothing can be received yet: the sensor is configured all the same.
    site.receiving = false;
    await site.minutes(60);
    site.receiving = true;
    assert.equal(await lag(ZEEK), 3600);
    site.sensors = [ZEEK, OTHER];
    await site.minutes(30);
    assert.deepEqual([await lag(ZEEK), await lag(OTHER)], [5400, 1800]);

    // A restart, and an outage that is recorded as another status of the sensor.
    const later = new Site(db);
    later.clock.advance(10 * 3600);
    const at = later.clock.now();
    const down = { componentId: "sensor:zeek-1", kind: "sensor", status: "unavailable" as const, since: at };
    const mark = { observer: "another core", pass: 1, observedAt: at };
    const changes = { changed: [{ ...down, missingSince: null }], forgotten: [] };
    await db.tenant("main", (tx) => recordHealth(tx, "main", mark, changes));
    await later.look();
    assert.equal((await later.of(ZEEK)).lag_seconds, 36_000);

    // Removed from the configuration and added again: the lag starts from zero.
    later.sensors = [OTHER];
    await later.minutes(2);
    later.sensors = [ZEEK, OTHER];
    await later.minutes(5);
    assert.equal((await later.of(ZEEK)).lag_seconds, 300);
    await later.send(ZEEK);
    later.clock.advance(7);
    assert.equal((await later.of(ZEEK)).lag_seconds, 7, "of a sensor with records, since the last one");
  },
);
