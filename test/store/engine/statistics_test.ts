import assert from "node:assert/strict";
import { StatisticsKeeper } from "../../../src/core/jobs/statistics-keeper.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { outgrownTables } from "../../../src/store/engine/schema/statistics.ts";
import { testDatabases } from "../../support/database.ts";
import { NOON } from "../record/records.ts";

const DAY_TABLE = `raw_block_${new Date(NOON / 1000).toISOString().slice(0, 10).replaceAll("-", "")}`;

/** `reltuples` of a table without statistics. */
const UNKNOWN = -1;

async function store(db: Database, blocks: { from: number; to: number }): Promise<void> {
  await db.tenant("main", (tx) =>
    tx.run(sql`
      insert into raw_block (tenant_id, received_at, block_id, sensor_id, record_count, body)
      select 'main', ${
      new Date(NOON / 1000).toISOString()
    }::timestamptz, n, 'zeek-1', 1, decode(repeat('ab', 1000), 'hex')
      from generate_series(${blocks.from}::bigint, ${blocks.to}::bigint) n`));
}

async function knownRows(db: Database): Promise<number> {
  const [row] = await db.owner((tx) =>
    tx.rows<{ rows: number }>(
      sql`select reltuples::integer as rows from pg_class where relname = ${DAY_TABLE}`,
    )
  );
  return row!.rows;
}

testDatabases("a table is analyzed once it has grown, and not before", async (db) => {
  const keeper = new StatisticsKeeper({ db, logger: silentLogger });
  await createPartitions(db, NOON, 3);
  await store(db, { from: 1, to: 100 });
  assert.deepEqual(await outgrownTables(db), []);

  await store(db, { from: 101, to: 3000 });
  assert.deepEqual(await outgrownTables(db), [DAY_TABLE]);
  await keeper.run();
  assert.equal(await knownRows(db), 3000);
  assert.deepEqual(await outgrownTables(db), []);

  await store(db, { from: 3001, to: 4000 });
  assert.deepEqual(await outgrownTables(db), []);
  await store(db, { from: 4001, to: 7000 });
  await keeper.run();
  assert.equal(await knownRows(db), 7000);
});

testDatabases(
  "a table without statistics is checked soon after writes, a grown one later",
  async (db) => {
    const keeper = new StatisticsKeeper({ db, logger: silentLogger });
    await createPartitions(db, NOON, 3);
    await store(db, { from: 1, to: 10 });
    await keeper.written();
    assert.equal(await knownRows(db), UNKNOWN);

    await store(db, { from: 11, to: 1000 });
    await keeper.written();
    assert.equal(await knownRows(db), UNKNOWN, "checked every few seconds, not in every round");
    const later = new StatisticsKeeper({ db, logger: silentLogger });
    await later.written();
    assert.equal(await knownRows(db), 1000);

    await store(db, { from: 1001, to: 9000 });
    await new StatisticsKeeper({ db, logger: silentLogger }).written();
    assert.equal(await knownRows(db), 1000);
  },
);
