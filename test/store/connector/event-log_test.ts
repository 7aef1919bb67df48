import assert from "node:assert/strict";
import type { Database } from "../../../src/store/engine/database.ts";
import { appendEvents, type LoggedEvent } from "../../../src/store/connector/event-log.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";
import { testDatabase, testTwoCores } from "../engine/one-database.ts";
import { commit, NOON, record } from "../record/records.ts";

function event(type: string, occurredAt = NOON): LoggedEvent {
  return { eventId: `evt_${crypto.randomUUID().replaceAll("-", "")}`, type, occurredAt, body: { type } };
}

function append(db: Database, events: LoggedEvent[], tenantId = "main"): Promise<void> {
  return db.tenant(tenantId, (tx) => appendEvents(tx, tenantId, events));
}

async function numbers(db: Database, tenantId = "main"): Promise<number[]> {
  const rows = await db.tenant(
    tenantId,
    (tx) => tx.rows<{ event_no: number }>(sql`select event_no from event_log order by 1`),
  );
  return rows.map((row) => row.event_no);
}

testDatabases("events are numbered per tenant, in the given order", async (db) => {
  await append(db, []);
  await append(db, [event("a"), event("b")]);
  await append(db, [event("x")], "branch");
  await append(db, [event("c")]);
  assert.deepEqual(await numbers(db), [1, 2, 3]);
  assert.deepEqual(await numbers(db, "branch"), [1]);
  const rows = await db.tenant(
    "main",
    (tx) => tx.rows(sql`select type, body from event_log order by event_no`),
  );
  assert.deepEqual(rows.map((row) => row.body), ["a", "b", "c"].map((type) => ({ type })));
});

testDatabase("a failed transaction takes no number", async (db) => {
  await append(db, [event("a")]);
  await assert.rejects(
    db.tenant("main", async (tx) => {
      await appendEvents(tx, "main", [event("lost"), event("lost")]);
      throw new Error("no");
    }),
    /no/,
  );
  await append(db, [event("b")]);
  assert.deepEqual(await numbers(db), [1, 2]);
});

testDatabase("events with any text can be stored", async (db) => {
  await append(db, [{ ...event("a"), body: { title: 'nul \0, half \ud800, "\\u0000"' } }]);
  const [row] = await db.tenant("main", (tx) => tx.rows<{ body: unknown }>(sql`select body from event_log`));
  assert.deepEqual(row!.body, { title: 'nul \ufffd, half \ufffd, "\\u0000"' });
});

testTwoCores(
  "many writers leave no gap, and a reader never sees a number before a smaller one",
  async (one, other) => {
    let running = true;
    const watch = async () => {
      let last = 0;
      while (running) {
        const seen = await numbers(one);
        assert.deepEqual(seen, seen.map((_, index) => index + 1));
        assert.ok(seen.length >= last);
        last = seen.length;
      }
    };
    const writers = Array.from(
      { length: 40 },
      (_, i) => append(i % 2 ? one : other, Array.from({ length: 1 + i % 3 }, () => event(`${i}`))),
    );
    const watching = watch();
    await Promise.all(writers).finally(() => running = false);
    await watching;
    assert.equal((await numbers(one)).length, 79);
  },
);

testTwoCores("a reader does not skip a transaction that commits late", async (one, other) => {
  const taken = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const slow = one.tenant("main", async (tx) => {
    await appendEvents(tx, "main", [event("slow")]);
    taken.resolve();
    await release.promise;
  });
  await taken.promise;
  const quick = append(other, [event("quick")]);
  const elsewhere = append(other, [event("other tenant")], "branch");
  await elsewhere;
  assert.deepEqual(await numbers(other), [], "nothing is visible beyond the open transaction");
  release.resolve();
  await Promise.all([slow, quick]);
  const rows = await one.tenant(
    "main",
    (tx) => tx.rows(sql`select event_no, type from event_log order by 1`),
  );
  assert.deepEqual(rows, [{ event_no: 1, type: "slow" }, { event_no: 2, type: "quick" }]);
});

testTwoCores("batch numbers become visible in order under concurrent commits", async (one, other) => {
  let running = true;
  const watching = (async () => {
    while (running) {
      const rows = await one.tenant(
        "main",
        (tx) => tx.rows<{ n: number }>(sql`select batch_no as n from raw_batch order by 1`),
      );
      assert.deepEqual(rows.map((row) => row.n), rows.map((_, index) => index + 1));
    }
  })();
  const batches = Array.from({ length: 40 }, (_, i) => commit(i % 2 ? one : other, [record(`r${i}`)]));
  await Promise.all(batches).finally(() => running = false);
  await watching;
});
