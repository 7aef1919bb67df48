import assert from "node:assert/strict";
import { type Database, StoreUnavailable } from "../../../src/store/engine/database.ts";
import { acquireLease, keepLease, leaseHolder, releaseLease } from "../../../src/store/engine/leases.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { freshPostgres, POSTGRES_URL, testDatabases } from "../../support/database.ts";
import { testDatabase, testTwoCores, withPools } from "./one-database.ts";

/** Expires all leases, as if their holders had been paused. */
function expireAll(db: Database): Promise<number> {
  return db.shared((tx) => tx.run(sql`update lease set expires_at = now() - interval '1 millisecond'`));
}

testDatabases("a lease has one holder, which may renew it", async (db) => {
  const first = await acquireLease(db, "job", "a", 60);
  assert.deepEqual(first, { name: "job", holder: "a", epoch: 1 });
  assert.equal(await acquireLease(db, "job", "b", 60), null);
  assert.deepEqual(await acquireLease(db, "job", "a", 60), first, "the epoch stays while the holder does");
  assert.deepEqual(await acquireLease(db, "other job", "b", 60), {
    name: "other job",
    holder: "b",
    epoch: 1,
  });
});

testDatabase("the epoch grows with every change of holder", async (db) => {
  const late = (await acquireLease(db, "job", "a", 60))!;
  await expireAll(db);
  const second = (await acquireLease(db, "job", "b", 60))!;
  assert.equal(second.epoch, 2);
  assert.equal(await acquireLease(db, "job", "a", 60), null, "the paused holder has lost it");
  await releaseLease(db, late);
  assert.equal(await acquireLease(db, "job", "a", 60), null, "and cannot release it for the new holder");

  await releaseLease(db, second);
  assert.equal((await acquireLease(db, "job", "a", 60))!.epoch, 3, "a released lease is free immediately");
});

testTwoCores("one of many concurrent requests gets the lease", async (one, other) => {
  for (let round = 1; round <= 5; round++) {
    const leases = await Promise.all(
      Array.from({ length: 8 }, (_, i) => acquireLease(i % 2 ? one : other, "job", `core ${round} ${i}`, 60)),
    );
    const [lease, ...more] = leases.filter((got) => got !== null);
    assert.equal(lease!.epoch, round);
    assert.deepEqual(more, []);
    await expireAll(one);
  }
});

Deno.test("holders are unique, except on an embedded database, which one process has open", () => {
  assert.notEqual(leaseHolder({ engine: "postgres" }), leaseHolder({ engine: "postgres" }));
  assert.equal(leaseHolder({ engine: "pglite" }), leaseHolder({ engine: "pglite" }));
});

Deno.test(
  "a core that hangs inside a transaction is succeeded within 30 seconds, whatever it holds",
  { ignore: POSTGRES_URL === "" },
  async () => {
    const { url, drop } = await freshPostgres();
    await withPools([url, url], async ([one, other]) => {
      const lease = (await acquireLease(one!, "job", "a", 5))!;
      const thawed = Promise.withResolvers<void>();
      const hung = one!.shared(async (tx) => {
        assert.ok(await keepLease(tx, lease));
        await thawed.promise;
      });
      // It fails when it goes on.
      hung.catch(() => {});
      const began = performance.now();
      let next = null;
      while (next === null) next = await acquireLease(other!, "job", "b", 5);
      assert.ok(performance.now() - began < 30_000);
      thawed.resolve();
      await assert.rejects(hung, StoreUnavailable);
    });
    await drop();
  },
);
