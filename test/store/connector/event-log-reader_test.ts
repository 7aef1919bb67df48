// The event log as connectors read it: by number, while others write and prune.

import assert from "node:assert/strict";
import fc from "fast-check";
import { EventLogKeeper } from "../../../src/core/jobs/event-log-keeper.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import {
  appendEvents,
  eventsAfter,
  KEPT_EVENTS,
  logEdges,
  type LoggedEvent,
  type NumberedEvent,
  pruneEvents,
} from "../../../src/store/connector/event-log.ts";
import { acquireLease } from "../../../src/store/engine/leases.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { testDatabases } from "../../support/database.ts";
import { testDatabase, testTwoCores } from "../engine/one-database.ts";
import { DAY, NOON } from "../record/records.ts";

function event(type: string, occurredAt = NOON): LoggedEvent {
  return { eventId: `evt_${crypto.randomUUID().replaceAll("-", "")}`, type, occurredAt, body: { type } };
}

function append(db: Database, events: LoggedEvent[], tenantId = "main"): Promise<void> {
  return db.tenant(tenantId, (tx) => appendEvents(tx, tenantId, events));
}

function read(db: Database, after: number, limit = 100, tenantId = "main"): Promise<NumberedEvent[]> {
  return db.tenant(tenantId, (tx) => eventsAfter(tx, tenantId, after, limit));
}

const edges = (db: Database, tenantId = "main") => db.tenant(tenantId, (tx) => logEdges(tx, tenantId));
const prune = (db: Database, now: number) => db.tenant("main", (tx) => pruneEvents(tx, "main", now));
const numbersOf = (events: NumberedEvent[]) => events.map(({ eventNo }) => eventNo);

testDatabases("event log: a reader gets its own tenant's events in order", async (db) => {
  assert.deepEqual(await edges(db), { first: 1, last: 0 }, "always empty");
  const written = [event("a", NOON + 1), event("b", NOON - DAY), event("c")];
  await append(db, written);
  await append(db, [event("x")], "branch");
  assert.deepEqual(await read(db, 0), written.map((one, index) => ({ ...one, eventNo: index + 1 })));
  assert.deepEqual(numbersOf(await read(db, 1, 1)), [2]);
  assert.deepEqual(await read(db, 3), []);
  assert.deepEqual(await edges(db), { first: 1, last: 3 }, "a new instance starts at the head: 3");
  assert.deepEqual(await edges(db, "branch"), { first: 1, last: 1 });
});

testDatabases(
  "event log: keeps at most seven days and 10,000 events, and continues numbering",
  async (db) => {
    await append(db, Array.from({ length: KEPT_EVENTS + 5 }, (_, i) => event("bulk", NOON + i)));
    assert.equal(await prune(db, NOON + DAY), 5);
    assert.deepEqual(await edges(db), { first: 6, last: 10_005 });
    assert.equal(await prune(db, NOON + 7 * DAY + KEPT_EVENTS), 9_995);
    assert.deepEqual(await edges(db), { first: 10_001, last: 10_005 });
    assert.equal(await prune(db, NOON + 7 * DAY + KEPT_EVENTS), 0);
    assert.equal(await prune(db, NOON + 8 * DAY), 5);
    assert.deepEqual(await edges(db), { first: 10_006, last: 10_005 }, "empty, with a known head");
    await append(db, [event("next")]);
    assert.deepEqual(numbersOf(await read(db, 0)), [10_006]);
  },
);

testDatabases(
  "event log: lower severities never displace a higher one, and leave gaps to count",
  async (db) => {
    const of = (severity: string) => ({ ...event("incident.created"), body: { incident: { severity } } });
    const many = (count: number, severity: string) => Array.from({ length: count }, () => of(severity));
    await append(db, [...many(3, "critical"), event("health"), ...many(KEPT_EVENTS + 2, "low")]);
    assert.equal(await prune(db, NOON), 6, "the oldest low events");
    assert.deepEqual(numbersOf(await read(db, 0, 6)), [1, 2, 3, 4, 11, 12]);
    await append(db, [...many(KEPT_EVENTS, "high"), ...many(3, "low")]);
    await prune(db, NOON);
    assert.deepEqual(numbersOf(await read(db, 0, 4)), [1, 2, 3, 10_010], "the oldest high events make room");
    assert.deepEqual(numbersOf(await read(db, 20_004)), [20_005, 20_006, 20_009], "the newest event stays");
  },
);

testDatabase("event log: an event of exactly seven days is kept", async (db) => {
  await append(db, [event("old", NOON), event("a moment younger", NOON + 1)]);
  assert.equal(await prune(db, NOON + 7 * DAY), 0);
  assert.equal(await prune(db, NOON + 7 * DAY + 1), 1);
});

testDatabase("event log: a wrong clock leaves no gap in the numbers", async (db) => {
  // The clock is a year behind, right, a day ahead, right, a year behind.
  const times = [NOON - 365 * DAY, NOON, NOON + DAY, NOON, NOON - 365 * DAY];
  await append(db, times.map((at, index) => event(`${index}`, at)));
  await prune(db, NOON + DAY);
  assert.deepEqual(numbersOf(await read(db, 0)), [2, 3, 4, 5], "new events are not pruned with old ones");
  await prune(db, NOON + 7.5 * DAY);
  assert.deepEqual(numbersOf(await read(db, 0)), [3, 4, 5], "it stays until earlier events are pruned");
  await prune(db, NOON + 9 * DAY);
  assert.deepEqual(await edges(db), { first: 6, last: 5 });
});

testDatabase("event log: a reader that was away for longer can count its missed events", async (db) => {
  const anyAct = fc.oneof(
    { weight: 3, arbitrary: fc.record({ append: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 1, arbitrary: fc.record({ prune: fc.integer({ min: 0, max: 9 }) }) },
    { weight: 2, arbitrary: fc.record({ read: fc.integer({ min: 1, max: 3 }) }) },
  );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { maxLength: 15 }), async (acts) => {
      const tenantId = `t${++run}`;
      let [written, delivered, dropped, bookmark, now] = [0, 0, 0, 0, NOON];
      for (const act of acts) {
        now += DAY;
        if ("append" in act) {
          await append(db, Array.from({ length: act.append }, () => event("e", now)), tenantId);
          written += act.append;
        } else if ("prune" in act) {
          await db.tenant(tenantId, (tx) => pruneEvents(tx, tenantId, now + act.prune * DAY));
        } else {
          const events = await read(db, bookmark, act.read, tenantId);
          const next = events[0]?.eventNo ?? (await edges(db, tenantId)).first;
          dropped += Math.max(0, next - 1 - bookmark);
          delivered += events.length;
          bookmark = events.at(-1)?.eventNo ?? Math.max(bookmark, next - 1);
        }
      }
      const rest = await read(db, bookmark, 1000, tenantId);
      const next = rest[0]?.eventNo ?? (await edges(db, tenantId)).first;
      dropped += Math.max(0, next - 1 - bookmark);
      assert.equal(delivered + rest.length + dropped, written);
      assert.deepEqual(numbersOf(rest), rest.map((_, index) => next + index));
    }),
    { numRuns: 25 },
  );
});

testTwoCores(
  "event log: a reader that follows the numbers never misses a late commit",
  async (one, other) => {
    const writers = 40;
    let expected = 0;
    const write = async (index: number) => {
      const db = index % 2 === 0 ? one : other;
      const fails = index % 5 === 0;
      const count = 1 + index % 3;
      if (!fails) expected += count;
      await db.tenant("main", async (tx) => {
        await appendEvents(tx, "main", Array.from({ length: count }, () => event(`${index}`)));
        // Some commit late, some roll back.
        await tx.rows(sql`select pg_sleep(${index % 4 * 0.005}::float8)`);
        if (fails) throw new Error("rolled back");
      }).catch((error) => assert.equal(error.message, "rolled back"));
    };
    let running = true;
    const followed: NumberedEvent[] = [];
    const follow = async () => {
      for (let last = false; !last;) {
        last = !running;
        const next = await read(other, followed.at(-1)?.eventNo ?? 0, 3);
        followed.push(...next);
        if (next.length > 0) last = false;
      }
    };
    const following = follow();
    await Promise.all(Array.from({ length: writers }, (_, index) => write(index))).finally(() =>
      running = false
    );
    await following;
    assert.equal(followed.length, expected);
    assert.deepEqual(numbersOf(followed), Array.from({ length: expected }, (_, index) => index + 1));
  },
);

testTwoCores(
  "event log: pruning beside writers and a reader loses no event uncounted",
  async (one, other) => {
    const days = (n: number) => NOON + n * DAY;
    let running = true;
    let [bookmark, seen, dropped] = [0, 0, 0];
    const follow = async () => {
      for (let last = false; !last;) {
        last = !running;
        const next = await read(other, bookmark, 2);
        if (next.length === 0) continue;
        last = false;
        dropped += next[0]!.eventNo - 1 - bookmark;
        seen += next.length;
        bookmark = next.at(-1)!.eventNo;
      }
    };
    const following = follow();
    for (let day = 0; day < 40; day++) {
      await Promise.all([
        append(one, [event("a", days(day)), event("b", days(day))]),
        append(one, [event("c", days(day))]),
        prune(other, days(day + 8)),
      ]);
    }
    running = false;
    await following;
    dropped += Math.max(0, (await edges(one)).first - 1 - bookmark);
    assert.equal(seen + dropped, 120);
  },
);

testDatabase("event log: the job prunes all tenants, on one core at a time", async (db) => {
  await registerTenants(db, ["main", "branch"]);
  const old = () => [event("old", NOON - 8 * DAY), event("new", NOON)];
  await append(db, old());
  await append(db, old(), "branch");
  const keeper = new EventLogKeeper({ db, clock: { now: () => NOON }, logger: silentLogger });
  await acquireLease(db, "event log", "another core", 60);
  await keeper.run();
  assert.deepEqual((await edges(db)).first, 1);
  await db.shared((tx) => tx.run(sql`delete from lease`));
  await keeper.run();
  assert.deepEqual(await edges(db), { first: 2, last: 2 });
  assert.deepEqual(await edges(db, "branch"), { first: 2, last: 2 });
  await append(db, [event("never", NOON - 30 * DAY)]);
  await keeper.stop();
  await keeper.run();
  assert.deepEqual(await edges(db), { first: 2, last: 3 }, "no pruning after the stop");
});
