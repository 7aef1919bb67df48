// The rows of the detectors' journal, and how they are flushed to the table.

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  flushJournal,
  packStates,
  unpackStates,
  writeStateChanges,
} from "../../../src/store/detector/journal.ts";
import { readStates, type StoredState } from "../../../src/store/detector/state.ts";
import { advanceCursor } from "../../../src/store/record/pending.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { freshPostgres, POSTGRES_URL, testDatabases } from "../../support/database.ts";
import type { Database } from "../../../src/store/engine/database.ts";

const CURSOR = { longestFlow: 0, historySince: null, latestEnd: null };

function state(keyHash: bigint, ...bytes: number[]): StoredState {
  return { typeId: 3, keyHash, state: Uint8Array.from(bytes) };
}

/** Writes a round as the pipeline does; `meanwhile` runs before its commit. */
async function round(
  db: Database,
  tenantId: string,
  from: number,
  changed: StoredState[],
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const batchNo = from + 1;
  await db.tenant(tenantId, async (tx) => {
    await advanceCursor(tx, tenantId, { batchNo: from, ...CURSOR }, { batchNo, ...CURSOR });
    await writeStateChanges(tx, tenantId, {
      batchNo,
      journal: packStates(changed),
      flushed: [],
      trimmed: null,
    });
    await meanwhile();
  });
}

async function stored(db: Database, tenantId: string, ...hashes: bigint[]): Promise<(number[] | null)[]> {
  const keys = hashes.map((keyHash) => ({ typeId: 3, keyHash }));
  const rows = await db.tenant(tenantId, (tx) => readStates(tx, tenantId, keys));
  const found = new Map(rows.map((row) => [row.keyHash, [...row.state]]));
  return hashes.map((hash) => found.get(hash) ?? null);
}

Deno.test("packed states survive unpacking; truncated bytes are refused", () => {
  const states = fc.array(fc.record({
    typeId: fc.integer({ min: 0, max: 32_767 }),
    keyHash: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    state: fc.uint8Array({ maxLength: 300 }),
  }, { noNullPrototype: true }));
  fc.assert(fc.property(states, fc.nat(), (rows, cut) => {
    const body = packStates(rows);
    assert.deepEqual(unpackStates(body), rows);
    const short = body.subarray(0, cut % body.length);
    const readable = rows.some((_, count) => packStates(rows.slice(0, count)).length === short.length);
    if (!readable) assert.throws(() => unpackStates(short), RangeError);
  }));
  assert.throws(() => unpackStates(Uint8Array.of(2)), RangeError);
});

testDatabases("the newest row of a key wins, and each tenant has its own journal", async (db) => {
  await registerTenants(db, ["main", "branch"]);
  await round(db, "main", 0, [state(1n, 1), state(-2n, 1)]);
  await round(db, "main", 1, [state(1n, 2), state(3n)]);
  await round(db, "branch", 0, [state(1n, 9)]);
  assert.deepEqual(await stored(db, "main", 1n), [null]);

  await db.tenant("main", (tx) => flushJournal(tx, "main"));
  assert.deepEqual(await stored(db, "main", 1n, -2n, 3n, 4n), [[2], [1], [], null]);
  assert.deepEqual(await stored(db, "branch", 1n), [null]);
  const left = await db.tenant("branch", (tx) => tx.rows(sql`select tenant_id from detector_journal`));
  assert.deepEqual(left, [{ tenant_id: "branch" }]);
  assert.deepEqual(await db.tenant("main", (tx) => tx.rows(sql`select 1 from detector_journal`)), []);

  await round(db, "main", 2, [state(1n, 3)]);
  await db.tenant("main", (tx) => flushJournal(tx, "main"));
  assert.deepEqual(await stored(db, "main", 1n, -2n), [[3], [1]]);
});

Deno.test({
  name: "flushing the journal waits for a round that is being written, and includes it",
  ignore: POSTGRES_URL === "",
  async fn() {
    const { url, drop } = await freshPostgres();
    const [db, other] = [new PostgresDatabase({ url }), new PostgresDatabase({ url })];
    try {
      await registerTenants(db, ["main"]);
      await round(db, "main", 0, [state(1n, 1)]);
      let flushing = Promise.resolve();
      await round(db, "main", 1, [state(1n, 2)], async () => {
        flushing = other.tenant("main", (tx) => flushJournal(tx, "main"));
        flushing.catch(() => {});
        while (!(await waits(other))) await new Promise((done) => setTimeout(done, 10));
      });
      await flushing;
      assert.deepEqual(await stored(db, "main", 1n), [[2]]);
    } finally {
      await db.close();
      await other.close();
      await drop();
    }
  },
});

async function waits(db: Database): Promise<boolean> {
  const rows = await db.owner((tx) =>
    tx.rows(sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  );
  return rows.length > 0;
}
