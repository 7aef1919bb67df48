import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { type Sql, sql } from "../../../src/store/engine/sql.ts";
import {
  type FailedFilter,
  failedPage,
  type FailedPosition,
  type FailedRow,
  failedTexts,
} from "../../../src/store/record/failed-records.ts";
import { commitBatch } from "../../../src/store/record/ingest.ts";
import { type IncomingRecord, packBatch } from "../../../src/store/record/packed-batch.ts";
import { formatMicros } from "../../../src/kit/time.ts";
import { testDatabases } from "../../support/database.ts";
import { DAY, NOON, record } from "./records.ts";

const WINDOW = { from: NOON - 40 * DAY, to: NOON + DAY };

interface Lines {
  records?: IncomingRecord[];
  rejected?: (string | Uint8Array)[];
}

async function take(
  db: Database,
  { records = [], rejected = [] }: Lines,
  { tenantId = "main", sensorId = "zeek-1", receivedAt = NOON } = {},
): Promise<void> {
  const lines = rejected.map((line) => typeof line === "string" ? new TextEncoder().encode(line) : line);
  await commitBatch(db, {
    tenantId,
    sensorId,
    trust: "packet",
    receivedAt,
    content: packBatch(
      records,
      lines.map((line) => ({
        lineHash: createHash("sha256").update(line).digest(),
        kind: null,
        reason: "not JSON",
        line,
      })),
    ),
  });
}

function unparsed(name: string, more: Partial<IncomingRecord> = {}): IncomingRecord {
  return { ...record(name), unparsed: "id.orig_h: expected an address", ...more };
}

function page(
  db: Database,
  filter: Partial<FailedFilter>,
  before: FailedPosition | null = null,
  limit = 100,
) {
  return db.tenant(
    "main",
    (tx) => failedPage(tx, "main", { status: "unparsed", window: WINDOW, ...filter }, before, limit),
  );
}

async function allOf(db: Database, filter: Partial<FailedFilter>, limit: number): Promise<FailedRow[]> {
  const rows: FailedRow[] = [];
  let before: FailedPosition | null = null;
  do {
    const { rows: more, next } = await page(db, filter, before, limit);
    rows.push(...more);
    before = next;
  } while (before !== null);
  return rows;
}

testDatabases(
  "failed records: newest receipt first, each once across pages and day partitions",
  async (db) => {
    await createPartitions(db, NOON, 30);
    // The times of the records are in the opposite order, in several partitions; one is outside of all.
    for (let n = 0; n < 8; n++) {
      await take(db, {
        records: [
          record(`good-${n}`),
          ...[0, 1, 2].map((i) =>
            unparsed(`${n}-${i}`, { observedAt: NOON - (n === 5 ? 400 : n) * DAY / 8 })
          ),
        ],
        rejected: [`line ${n} 1`, `line ${n} 2`],
      }, { receivedAt: NOON + n * 1000 });
    }
    await take(db, { rejected: ["line 3 1"] }, { sensorId: "zeek-2", receivedAt: NOON + 3000 });
    await take(db, { records: [unparsed("foreign")], rejected: ["foreign"] }, { tenantId: "branch" });

    for (const [status, count] of [["unparsed", 24], ["rejected", 17], [undefined, 41]] as const) {
      const what = status ?? "both";
      const rows = await allOf(db, { status }, 5);
      assert.equal(rows.length, count, what);
      assert.equal(new Set(rows.map(({ id, sensorId }) => `${id} ${sensorId}`)).size, count, what);
      const times = rows.map(({ receivedAt }) => receivedAt);
      assert.deepEqual(times, [...times].sort((a, b) => b - a), what);
      const half = { from: NOON + 2000, to: NOON + 4000 };
      const inside = rows.filter(({ receivedAt }) => receivedAt >= half.from && receivedAt < half.to);
      assert.deepEqual(await allOf(db, { status, window: half }, 2), inside, what);
    }
  },
);

testDatabases(
  "failed records: a rare sensor or kind is found behind many others, in bounded pages",
  async (db) => {
    await take(db, {
      records: [unparsed("rare", { kind: "zeek.dns" })],
      rejected: ["{rare"],
    }, { sensorId: "zeek-2", receivedAt: NOON - 1_000_000 });
    await db.tenant("main", fill);
    for (const status of ["unparsed", "rejected"] as const) {
      const filter = { status, sensorId: "zeek-2" };
      const first = await page(db, filter);
      assert.deepEqual(first.rows, []);
      assert.notEqual(first.next, null, "a short page continues");
      assert.deepEqual((await allOf(db, filter, 100)).map(({ sensorId }) => sensorId), ["zeek-2"]);
      assert.equal((await allOf(db, { status, sensorId: "zeek-1" }, 5000)).length, 45_000);
      assert.deepEqual(await allOf(db, { status, sensorId: "no-such" }, 100), []);
    }
    const rare = await allOf(db, { status: undefined, sensorId: "zeek-2" }, 100);
    assert.deepEqual(rare.map(({ status }) => status).sort(), ["rejected", "unparsed"]);
    const kinds = ["zeek.dns" as const, "zeek.ssl" as const];
    assert.deepEqual((await allOf(db, { kinds }, 100)).map(({ kind }) => kind), ["zeek.dns"]);
    assert.deepEqual(await allOf(db, { kinds: [] }, 100), []);
  },
);

testDatabases(
  "failed records: a cut text states its whole size, other bytes than UTF-8 are marked",
  async (db) => {
    const long = `{"t":"${"ä".repeat(600)}"}`;
    const invalid = Uint8Array.of(0x7b, 0xff, 0x41, 0x00);
    // Compression makes it longer, so it is stored as it was sent.
    const noise = crypto.getRandomValues(new Uint8Array(700)).map((byte) => byte | 0x80);
    await take(db, {
      records: [unparsed("short"), unparsed("long", { payload: long })],
      rejected: ["x".repeat(1001), "x".repeat(999), noise, invalid, "\ufeffbom"],
    });
    const texts = async (status: "unparsed" | "rejected", maxBytes: number) => {
      const { rows } = await page(db, { status });
      const found = await db.tenant("main", (tx) => failedTexts(tx, "main", rows, maxBytes));
      return found.map((one) => one && [one.bytes, one.text, one.truncated]).sort();
    };
    assert.deepEqual(await texts("unparsed", 1000), [
      [1208, `{"t":"${"ä".repeat(497)}`, true],
      [16, '{"name":"short"}', false],
    ]);
    assert.deepEqual(await texts("rejected", 1000), [
      [1001, "x".repeat(1000), true],
      [4, "{\ufffdA\0", false],
      [6, "\ufeffbom", false],
      [700, new TextDecoder().decode(noise), false],
      [999, "x".repeat(999), false],
    ]);
  },
);

testDatabases("failed records: a text that retention removed before its key is null", async (db) => {
  await take(db, { records: [unparsed("a")] });
  const { rows } = await page(db, {});
  await db.tenant("main", (tx) => tx.run(sql`delete from raw_block`));
  assert.deepEqual(await db.tenant("main", (tx) => failedTexts(tx, "main", rows, 1000)), [null]);
});

testDatabases("failed records: pages and texts use indexes under the plain role", async (db) => {
  await createPartitions(db, NOON, 30);
  await db.tenant("main", fill);
  await db.owner((tx) => tx.script("analyze raw_record; analyze rejected_line"));
  const before = { receivedAt: NOON + 60_000, id: "ff".repeat(32), sensorId: "zeek-1" };
  for (const status of ["unparsed", "rejected"] as const) {
    const { rows } = await page(db, { status }, before, 10);
    const plans: string[] = [];
    await db.tenant("main", async (tx) => {
      const filter = { status, window: WINDOW, sensorId: "zeek-2", kinds: ["zeek.dns" as const] };
      await failedPage(explaining(tx, plans), "main", filter, before, 10);
      await failedTexts(explaining(tx, plans), "main", rows, 1000);
    });
    const text = plans.join("\n");
    assert.doesNotMatch(text, /Seq Scan|Sort {2}\(cost/, text);
    const index = status === "unparsed"
      ? /Index .*tenant_id_received_at_event_id/
      : /Index .*rejected_line_received/;
    assert.match(text, index);
  }
});

/** 45,000 failed records of each status from one sensor, 500 at a time. */
async function fill(tx: Tx): Promise<void> {
  await tx.run(sql`
    insert into raw_record (tenant_id, observed_at, event_id, sensor_id, kind, received_at, parse_status, parse_reason,
        block_id, position)
      select 'main', at, sha256(i::text::bytea), 'zeek-1', 'zeek.conn', at, 'unparsed', 'x', 1, 0
      from (select i, ${formatMicros(NOON)}::timestamptz + i / 500 * interval '1 millisecond' as at
        from generate_series(0, 44999) i) made`);
  await tx.run(sql`
    insert into rejected_line (tenant_id, sensor_id, line_hash, kind, reason, received_at, line)
      select 'main', 'zeek-1', sha256(i::text::bytea), 'zeek.conn', 'x',
        ${formatMicros(NOON)}::timestamptz + i / 500 * interval '1 millisecond', 'x'
      from generate_series(0, 44999) i`);
}

/** Plans each read instead of running it. */
function explaining(tx: Tx, plans: string[]): Tx {
  return {
    run: tx.run.bind(tx),
    rows: async <R extends object>(statement: Sql): Promise<R[]> => {
      const rows = await tx.rows<Record<string, string>>(sql`explain ${statement}`);
      plans.push(rows.map((row) => Object.values(row)[0]).join("\n"));
      return [];
    },
  };
}
