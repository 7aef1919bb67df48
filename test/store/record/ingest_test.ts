import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Database } from "../../../src/store/engine/database.ts";
import { decodeBlock, originalLine } from "../../../src/store/record/block.ts";
import { commitBatch } from "../../../src/store/record/ingest.ts";
import { type IncomingRecord, packBatch } from "../../../src/store/record/packed-batch.ts";
import { type Sql, sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";

const NOON = Date.UTC(2026, 0, 31, 12) * 1000;

function record(name: string, overrides: Partial<IncomingRecord> = {}): IncomingRecord {
  return {
    eventId: createHash("sha256").update(name).digest(),
    kind: "zeek.conn",
    observedAt: NOON,
    observedAtText: "2026-01-31T12:00:00Z",
    payload: `{"name":"${name}"}`,
    unparsed: null,
    ...overrides,
  };
}

function commit(
  db: Database,
  records: IncomingRecord[],
  rejected: string[] = [],
  tenantId = "main",
  expectKnown = true,
) {
  return commitBatch(db, {
    tenantId,
    sensorId: "zeek-1",
    trust: "packet",
    receivedAt: NOON + 1_000_000,
    content: packBatch(
      records,
      rejected.map((line) => ({
        lineHash: createHash("sha256").update(line).digest(),
        kind: null,
        reason: "not JSON",
        line: new TextEncoder().encode(line),
      })),
    ),
  }, expectKnown);
}

testDatabases("unexpected duplicates are still found", async (db) => {
  const unexpected = (names: string[]) => commit(db, names.map((name) => record(name)), ["{"], "main", false);
  const first = await unexpected(["a", "b"]);
  assert.deepEqual([first.accepted, first.duplicates], [2, 0]);
  const second = await unexpected(["c", "a"]);
  assert.deepEqual([second.accepted, second.duplicates, second.rejected], [1, 1, 1]);
  const both = await Promise.all([unexpected(["d", "e"]), unexpected(["e", "d"])]);
  assert.deepEqual(both.map(({ accepted }) => accepted).sort(), [0, 2]);
});

testDatabases("a retried rejection is in each response and counted once", async (db) => {
  const answers = [
    await commit(db, [record("a")], ["{"]),
    await commit(db, [record("b")], ["{"]),
    await commit(db, [], ["{"]),
    await commit(db, [], ["{", "["]),
  ];
  assert.deepEqual(answers.map(({ rejected }) => rejected), [1, 1, 1, 2]);
  const counted = await db.tenant(
    "main",
    (tx) => tx.rows<{ rejected: number }>(sql`select rejected from raw_batch order by batch_no`),
  );
  assert.deepEqual(counted.map(({ rejected }) => rejected), [1, 0, 1]);
});

testDatabases("a batch is stored once, whatever is resent", async (db) => {
  const first = await commit(db, [record("a"), record("b"), record("a")], ["{"]);
  assert.deepEqual([first.accepted, first.duplicates, first.rejected], [2, 1, 1]);
  const again = await commit(db, [record("b"), record("c"), record("a")], ["{"]);
  assert.deepEqual([again.accepted, again.duplicates, again.rejected], [1, 2, 1]);
  const nothing = await commit(db, [record("c")]);
  assert.deepEqual([nothing.accepted, nothing.duplicates], [0, 1]);

  await db.tenant("main", async (tx) => {
    assert.equal((await tx.rows(sql`select from raw_record`)).length, 3);
    assert.equal((await tx.rows(sql`select from rejected_line`)).length, 1);
    const batches = await tx.rows<{ batch_no: number; positions: number[] | null }>(
      sql`select batch_no, positions from raw_batch order by batch_no`,
    );
    assert.deepEqual(batches, [{ batch_no: 1, positions: null }, { batch_no: 2, positions: [1] }]);
  });
});

testDatabases("a block returns the exact payload of each record", async (db) => {
  const payload = '{"n":12345678901234567890, "t":"täb\\t\\u0000", "e": 1.50}';
  await commit(db, [record("a", { payload }), record("b", { unparsed: 'why\0not "quoted"' })]);
  await db.tenant("main", async (tx) => {
    const [row] = await tx.rows<{ body: Uint8Array }>(sql`select body from raw_block`);
    const records = decodeBlock(row!.body);
    assert.equal(records[0]!.payload, payload);
    assert.deepEqual([...records[1]!.eventId], [...record("b").eventId]);
    const reasons = await tx.rows(sql`select parse_status, parse_reason from raw_record order by position`);
    assert.deepEqual(reasons, [
      { parse_status: "parsed", parse_reason: null },
      { parse_status: "unparsed", parse_reason: 'why\ufffdnot "quoted"' },
    ]);
  });
});

testDatabases("concurrent batches are numbered without gaps", async (db) => {
  await Promise.all(
    Array.from(
      { length: 20 },
      (_, i) => commit(db, [record(`r${i}`), record("shared"), record(`s${i % 5}`)]),
    ),
  );
  await db.tenant("main", async (tx) => {
    const rows = await tx.rows<{ batch_no: number; accepted: number }>(
      sql`select batch_no, accepted from raw_batch order by batch_no`,
    );
    assert.deepEqual(rows.map((row) => row.batch_no), Array.from({ length: 20 }, (_, i) => i + 1));
    assert.equal(rows.reduce((sum, row) => sum + row.accepted, 0), 26);
  });
});

testDatabases("times keep their microseconds", async (db) => {
  const observedAt = NOON + 123_456;
  await commit(db, [record("a", { observedAt })]);
  await db.tenant("main", async (tx) => {
    const [row] = await tx.rows<{ observed_at: number }>(sql`select observed_at from raw_record`);
    assert.equal(row!.observed_at, observedAt);
  });
});

/** Statements of transactions and bytes of their parameters. */
function counting(db: Database): { db: Database; counted: { statements: number; bytes: number } } {
  const counted = { statements: 0, bytes: 0 };
  const count = (statement: Sql) => {
    counted.statements++;
    for (const value of statement.values) {
      if (value instanceof Uint8Array) counted.bytes += value.length;
      else if (typeof value === "string") counted.bytes += Buffer.byteLength(value);
    }
    return statement;
  };
  const counter: Pick<Database, "tenant"> = {
    tenant: (tenantId, work) =>
      db.tenant(
        tenantId,
        (tx) =>
          work({
            rows: (statement) => tx.rows(count(statement)),
            run: (statement) => tx.run(count(statement)),
          }),
      ),
  };
  return { db: counter as Database, counted };
}

testDatabases("rejected lines cost one statement and their compressed bytes", async (db) => {
  const bodies = {
    "19 lines of 250 kB": Array.from({ length: 19 }, (_, i) => `{"a":${i}${"7".repeat(250_000)}}`),
    "900 lines of 2 kB": Array.from({ length: 900 }, (_, i) => `{"a":1e-${i}${"3".repeat(2_000)}}`),
  };
  const few = counting(db);
  await commit(few.db, [], ["{"]);
  for (const [name, lines] of Object.entries(bodies)) {
    const { db: counter, counted } = counting(db);
    const { rejected } = await commit(counter, [], lines);
    assert.equal(rejected, lines.length, name);
    assert.equal(counted.statements, few.counted.statements, name);
    // Besides its bytes, each line costs its hash and its reason.
    assert.ok(counted.bytes < lines.length * 200, `${name}: ${counted.bytes} bytes`);
    await db.tenant("main", async (tx) => {
      const rows = await tx.rows<{ line: Uint8Array; line_bytes: number | null }>(sql`
        select line, line_bytes from rejected_line where reason = 'not JSON'`);
      const stored = rows.map((row) => new TextDecoder().decode(originalLine(row.line, row.line_bytes)));
      assert.deepEqual(stored.filter((line) => line !== "{").sort(), [...lines].sort(), name);
      await tx.run(sql`delete from rejected_line`);
    });
  }
});
