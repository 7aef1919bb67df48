import assert from "node:assert/strict";
import type { BulkDatabase, CopiedTable } from "../../../src/store/engine/bulk.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { type Engine, ENGINES, freshPglite, freshPostgres } from "../../support/database.ts";

const TABLE: CopiedTable = { name: "copied", columns: ["no", "text", "bytes"] };
const ROWS = 20_000;

function testBulk(name: string, body: (db: BulkDatabase) => Promise<void>): void {
  for (const engine of ENGINES) Deno.test(`${name} (${engine})`, () => withBulk(engine, body));
}

async function withBulk(engine: Engine, body: (db: BulkDatabase) => Promise<void>): Promise<void> {
  if (engine === "pglite") {
    const db = await freshPglite();
    return await body(db).finally(() => db.close());
  }
  const { url, drop } = await freshPostgres();
  const db = new PostgresDatabase({ url });
  await body(db).finally(() => db.close()).finally(drop);
}

async function fill(db: BulkDatabase): Promise<void> {
  await db.owner((tx) =>
    tx.script(`
      create table copied (no bigint, text text, bytes bytea);
      insert into copied
      select no, case when no % 3 = 0 then null else repeat(E'tab\\tline\\n\\\\.\\n', (no % 7)::integer) end,
        decode(repeat(md5(no::text), (no % 50)::integer), 'hex')
      from generate_series(1, ${ROWS}) as no`)
  );
}

async function collected(db: BulkDatabase): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  await db.bulk((tx) =>
    tx.copyOut(TABLE, (piece) => {
      pieces.push(piece);
      return Promise.resolve();
    })
  );
  return pieces;
}

async function digest(db: BulkDatabase): Promise<unknown> {
  const [row] = await db.owner((tx) =>
    tx.rows(sql`
      select count(*)::integer as rows, md5(string_agg(no || coalesce(text, 'null') || bytes::text, ',' order by no)) as hash
      from copied`)
  );
  return row;
}

testBulk("a table is copied out in pieces and in again, wherever they are cut", async (db) => {
  await fill(db);
  const before = await digest(db);
  const pieces = await collected(db);
  assert.ok(pieces.length > 3, `${pieces.length} pieces`);
  const text = new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  await db.owner((tx) => tx.script("truncate copied"));
  await db.bulk((tx) => tx.copyIn(TABLE, cut(text, 12_345)));
  assert.deepEqual(await digest(db), before);
});

async function* cut(text: Uint8Array, every: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += every) yield await Promise.resolve(text.subarray(at, at + every));
}

testBulk(
  "a receiver or a source that fails ends the copy with its error, and nothing is kept",
  async (db) => {
    await fill(db);
    const full = new Error("the receiver is full");
    await assert.rejects(db.bulk((tx) => tx.copyOut(TABLE, () => Promise.reject(full))), full);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(new TextEncoder().encode("1\ta\t\\\\x00\n"));
      throw new Error("the source broke");
    }
    await assert.rejects(db.bulk((tx) => tx.copyIn(TABLE, broken())), /the source broke/);
    const wrong = new TextEncoder().encode("not a number\ta\t\\\\x00\n");
    await assert.rejects(db.bulk((tx) => tx.copyIn(TABLE, cut(wrong, 1000))), /invalid input syntax/);
    const [row] = await db.owner((tx) =>
      tx.rows<{ rows: number }>(sql`select count(*)::integer as rows from copied`)
    );
    assert.equal(row!.rows, ROWS);
  },
);
