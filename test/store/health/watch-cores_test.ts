// One observer among several cores, and its successor.

import assert from "node:assert/strict";
import { acquireLease, keepLease } from "../../../src/store/engine/leases.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { expireLeases, lines, recorded, Watched } from "../../support/health/health-watching.ts";
import { testTwoCores } from "../engine/one-database.ts";

testTwoCores("health watch: exactly one of several cores observes", async (one, other) => {
  const [first, second] = [new Watched(one), new Watched(other)];
  await first.pass("ok");
  // Each core has its own disk; only the observer's is reported.
  await Promise.all([first.pass("ok"), second.pass("full"), first.pass("low"), second.pass("ok")]);
  assert.deepEqual(await lines(one), ["90 disk: ok > degraded", "90 appliance: ok > degraded"]);

  await first.watch.stop();
  await second.pass("low");
  await second.pass("ok");
  assert.deepEqual((await lines(one)).slice(2).map((line) => line.replace(/^\d+ /, "")), [
    "disk: degraded > ok",
    "appliance: degraded > ok",
  ], "a stopping core yields immediately");
});

testTwoCores("health watch: one of many concurrent candidates observes", async (one, other) => {
  const cores = Array.from({ length: 6 }, (_, n) => new Watched(n % 2 === 0 ? one : other));
  for (const disk of ["ok", "low", "full"] as const) await Promise.all(cores.map((core) => core.pass(disk)));
  assert.deepEqual(await lines(one), [
    "60 disk: ok > degraded",
    "60 appliance: ok > degraded",
    "90 disk: degraded > unavailable",
    "90 appliance: degraded > unavailable",
  ]);
});

testTwoCores("health watch: another core takes over when the observer dies", async (one, other) => {
  const [dead, heir] = [new Watched(one), new Watched(other)];
  await dead.pass("ok");
  await heir.pass("full");
  assert.deepEqual(await lines(other), [], "its lease has not expired");
  await expireLeases(other);
  await heir.pass("full");
  assert.deepEqual(await lines(other), ["60 disk: ok > unavailable", "60 appliance: ok > unavailable"]);
});

testTwoCores("health watch: a late former observer writes nothing", async (one, other) => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let late = false;
  const former = new Watched(one, {
    around: (reporter) => ({
      async report(tenantId, now) {
        const report = await reporter.report(tenantId, now);
        if (!late) return report;
        asked.resolve();
        await held.promise;
        return report;
      },
    }),
  });
  await former.pass("ok");
  late = true;
  const under = former.pass("full");
  await asked.promise;
  await expireLeases(other);
  const heir = new Watched(other);
  await heir.pass("low");
  held.resolve();
  await under;
  assert.deepEqual(await lines(other), ["30 disk: ok > degraded", "30 appliance: ok > degraded"]);
  assert.equal((await recorded(other)).disk, "degraded");
});

testTwoCores(
  "health watch: no other core takes over between an observer's lease check and its commit",
  async (one, other) => {
    const lease = (await acquireLease(one, "health", "a", 60))!;
    await expireLeases(one);
    const looked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const writing = one.tenant("main", async (tx) => {
      assert.equal(await keepLease(tx, lease), true, "expired, but not taken over");
      looked.resolve();
      await goOn.promise;
    });
    await looked.promise;
    let taken = false;
    const taking = acquireLease(other, "health", "b", 60).then((got) => {
      taken = true;
      return got;
    });
    await other.shared((tx) => tx.rows(sql`select pg_sleep(0.05)`));
    assert.equal(taken, false);
    goOn.resolve();
    await writing;
    assert.equal((await taking)!.epoch, 2);
    assert.equal(await one.tenant("main", (tx) => keepLease(tx, lease)), false);
  },
);
