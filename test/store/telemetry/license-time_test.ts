import assert from "node:assert/strict";
import type { KnownTime } from "../../../src/domain/telemetry/license/time.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { readKnownTime, saveKnownTime } from "../../../src/store/telemetry/license-time.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";
import { DAY, HOUR, LicenseBench, START } from "../../support/telemetry/licensing.ts";
import { testTwoCores } from "../engine/one-database.ts";

const KNOWN: KnownTime = { issuedAt: START, knownAt: START + 125, leap: null };

const save = (db: Database, known: KnownTime) => db.shared((tx) => saveKnownTime(tx, known));
const read = (db: Database) => db.shared(readKnownTime);

testDatabases(
  "the known time is exact to the microsecond and never decreases",
  async (db) => {
    assert.equal(await read(db), null);
    await save(db, KNOWN);
    assert.deepEqual(await read(db), KNOWN);
    const leap = { ...KNOWN, leap: { at: START + 5000 * DAY, lived: 7 * HOUR } };
    await save(db, leap);
    assert.deepEqual(await read(db), leap);
    const later = { ...KNOWN, knownAt: START + HOUR };
    await save(db, later);
    for (const less of [KNOWN, { ...later, issuedAt: START - DAY, knownAt: START + 900 * DAY }]) {
      await save(db, less);
      assert.deepEqual(await read(db), later);
    }
    const newer = { issuedAt: START + 60_000_000, knownAt: START + 60_000_000, leap: null };
    await save(db, newer);
    assert.deepEqual(await read(db), newer, "a newer licence wins");
    const rows = await db.shared((tx) => tx.rows(sql`select from license_time`));
    assert.equal(rows.length, 1);
  },
);

testTwoCores(
  "cores on one database share the known time",
  async (one, other) => {
    await LicenseBench.with(one, async (bench) => {
      await bench.install();
      const first = await bench.started();
      // Another machine with the same licence and a stopped clock.
      await LicenseBench.with(other, async (second) => {
        await Deno.copyFile(bench.licensePath, second.licensePath);
        const keys = bench.signer.keys;
        const running = await second.started({ keys });
        await bench.run(first, 104 * DAY);
        assert.equal(running.facts().state, "valid");
        await running.remember();
        assert.equal(running.facts().state, "expired");
        await running.stop();
        const started = await second.started({ keys });
        assert.equal(started.facts().state, "expired");
        await started.stop();
      });
      await first.stop();
    });
  },
);
