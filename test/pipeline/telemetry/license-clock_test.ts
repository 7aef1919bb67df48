// A clock that is set back or was wrong, and the time used to evaluate a licence: real files and a real
// store.

import assert from "node:assert/strict";
import { sql } from "../../../src/store/engine/sql.ts";
import { TIME_FILE } from "../../../src/telemetry/license-files.ts";
import { testDatabase } from "../../support/database.ts";
import { DAY, HOUR, INSTALL_ID, LicenseBench, START } from "../../support/telemetry/licensing.ts";

const onBench = LicenseBench.with;

testDatabase("clock rollback does not extend it: neither at run time nor after a restart", async (db) => {
  await onBench(db, async (bench) => {
    await bench.install();
    let licensing = await bench.started();
    await bench.run(licensing, 104 * DAY);
    bench.clock = START + DAY;
    assert.equal(licensing.facts().state, "expired");
    licensing = await bench.restart(licensing);
    assert.equal(licensing.facts().state, "expired");
    assert.match(
      licensing.facts().message!,
      /the clock reads 2026-02-01 12:00 UTC, but it is at least 2026-05-15 12:00 UTC/,
    );
    await licensing.stop();
  });
});

testDatabase(
  "clock rollback before the expiry: the time that passes afterwards counts, across restarts",
  async (db) => {
    await onBench(db, async (bench) => {
      await bench.install();
      let licensing = await bench.started();
      await bench.run(licensing, 99 * DAY);
      for (let day = 0; day < 6; day++) {
        bench.clock = START;
        licensing = await bench.restart(licensing);
        await bench.run(licensing, 20 * HOUR);
      }
      assert.equal(licensing.facts().state, "expired", "99 days and 5 more");
      await licensing.stop();
    });
  },
);

testDatabase(
  "clock rollback with a deleted state file (database still knows), or a database that was set up again",
  async (db) => {
    await onBench(db, async (bench) => {
      await bench.install();
      let licensing = await bench.started();
      await bench.run(licensing, 104 * DAY);
      bench.clock = START;
      licensing = await bench.restart(licensing, () => Deno.remove(`${bench.stateDir}/${TIME_FILE}`));
      assert.equal(licensing.facts().state, "expired");
      licensing = await bench.restart(
        licensing,
        () => db.shared((tx) => tx.run(sql`delete from license_time`)),
      );
      assert.equal(licensing.facts().state, "expired");
      for (
        const text of [
          "",
          "null",
          "{}",
          '{"known_at":1}',
          "x".repeat(99),
          '{"issued_at":1,"known_at":1e300,"leap":null}',
        ]
      ) {
        licensing = await bench.restart(
          licensing,
          () => Deno.writeTextFile(`${bench.stateDir}/${TIME_FILE}`, text),
        );
        assert.equal(licensing.facts().state, "expired", text);
      }
      await licensing.stop();
    });
  },
);

testDatabase(
  "clock rollback with nothing saved: receipt times and the last heartbeat still know",
  async (db) => {
    await onBench(db, async (bench) => {
      await bench.install();
      const forget = async () => {
        await Deno.remove(`${bench.stateDir}/${TIME_FILE}`).catch(() => {});
        await db.shared((tx) => tx.run(sql`delete from license_time`));
      };
      const receive = (day: number, batch: number) =>
        db.tenant("main", (tx) =>
          tx.run(sql`
          insert into raw_batch (tenant_id, batch_no, received_at, sensor_id, trust, accepted, unparsed, rejected)
          values ('main', ${batch}, ${
            new Date((START + day * DAY) / 1000).toISOString()
          }::timestamptz, 's', 'packet', 1, 0, 0)`));
      const evaluated = async () => {
        await forget();
        const licensing = await bench.started();
        const { evaluatedAt } = licensing.standing();
        await licensing.stop();
        return (evaluatedAt - START) / DAY;
      };
      assert.equal(await evaluated(), 0);
      // A clock that was wrong for a day proves nothing.
      await receive(5000, 1);
      await receive(5001, 2);
      assert.equal(await evaluated(), 0);
      await receive(50, 3);
      await receive(54, 4);
      assert.equal(await evaluated(), 54);
      const recordSent = (origin: string, day: number) =>
        db.shared((tx) =>
          tx.run(sql`
          insert into telemetry_log (at, kind, outcome, answered_at, install_id, origin, slot, product_version, bundle_version)
          select t, 'heartbeat', 'sent', t, ${INSTALL_ID}, ${origin}, t, '0.1.0', '0.1.0'
          from (select ${new Date((START + day * DAY) / 1000).toISOString()}::timestamptz as t) as times`)
        );
      await recordSent("http://127.0.0.1:1", 80);
      assert.equal(await evaluated(), 54, "without TLS the server's time is not evidence");
      await recordSent("https://registration.example", 70);
      assert.equal(await evaluated(), 70);
    });
  },
);

testDatabase("a clock that was once wrong into the future does not end the licence for good", async (db) => {
  await onBench(db, async (bench) => {
    await bench.install();
    let licensing = await bench.started();
    await bench.run(licensing, 10 * DAY);
    bench.clock += 5000 * DAY;
    assert.equal(licensing.facts().state, "expired", "while the clock is in the future");
    licensing = await bench.restart(licensing);
    assert.equal(await bench.run(licensing, 2 * DAY), "expired");
    bench.clock = START + 12 * DAY;
    assert.equal(licensing.facts().state, "valid");
    licensing = await bench.restart(licensing);
    assert.equal(await bench.run(licensing, DAY), "valid");
    assert.equal(licensing.facts().message, null);
    await licensing.stop();
  });
});

testDatabase(
  "a wrong clock left uncorrected for 72 hours counts, until a licence issued later arrives",
  async (db) => {
    await onBench(db, async (bench) => {
      await bench.install();
      let licensing = await bench.started();
      bench.clock += 5000 * DAY;
      await bench.run(licensing, 40 * HOUR);
      licensing = await bench.restart(licensing);
      await bench.run(licensing, 34 * HOUR);
      bench.clock = START + 4 * DAY;
      licensing = await bench.restart(licensing);
      assert.equal(licensing.facts().state, "expired");
      // The same expiry, issued later.
      await bench.install({ issuedAt: START + 3 * DAY });
      await licensing.reload();
      assert.equal(licensing.facts().state, "valid");
      licensing = await bench.restart(licensing);
      assert.equal(licensing.facts().state, "valid");
      assert.equal(await bench.run(licensing, 96 * DAY), "grace");
      // The earlier licence restores nothing.
      await bench.install();
      bench.clock = START;
      licensing = await bench.restart(licensing);
      assert.equal(licensing.facts().state, "grace");
      await licensing.stop();
    });
  },
);
