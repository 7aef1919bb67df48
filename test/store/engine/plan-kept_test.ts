import assert from "node:assert/strict";
import { ObservedDatabase } from "../../../src/store/engine/observed.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { prepared, sql } from "../../../src/store/engine/sql.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";

const requests = {
  requestId: () => crypto.randomUUID(),
  around: <T>(_tenantId: string | null, work: () => Promise<T>) => work(),
};

Deno.test({
  name: "a prepared statement's plan is kept for all values and requests (postgres)",
  ignore: POSTGRES_URL === "",
  async fn() {
    const { url, drop } = await freshPostgres();
    const inner = new PostgresDatabase({ url, poolSize: 1 });
    const db = new ObservedDatabase(inner, requests);
    try {
      const above = (n: number) =>
        db.shared((tx) =>
          tx.rows<{ n: number }>(
            prepared("above", sql`select n from generate_series(1, 3) n where n > ${n}::integer`),
          )
        );
      assert.deepEqual((await above(1)).map(({ n }) => n), [2, 3]);
      assert.deepEqual((await above(2)).map(({ n }) => n), [3]);
      const kept = await db.shared(async (tx) => ({
        statements: await tx.rows<{ name: string; generic_plans: number; custom_plans: number }>(
          sql`select name, generic_plans::int, custom_plans::int from pg_prepared_statements`,
        ),
        mode: await tx.rows(sql`show plan_cache_mode`),
      }));
      assert.deepEqual(kept, {
        statements: [{ name: "above", generic_plans: 2, custom_plans: 0 }],
        mode: [{ plan_cache_mode: "auto" }],
      });
    } finally {
      await db.close();
      await drop();
    }
  },
});

Deno.test({
  name: "a plan that a migration made stale is replaced (postgres)",
  ignore: POSTGRES_URL === "",
  async fn() {
    const { url, drop } = await freshPostgres();
    const db = new PostgresDatabase({ url, poolSize: 1 });
    try {
      await db.owner((tx) => tx.script("create table thing (a int); insert into thing values (1)"));
      const read = () => db.owner((tx) => tx.rows(prepared("things", sql`select * from thing`)));
      assert.deepEqual(await read(), [{ a: 1 }]);
      await db.owner((tx) => tx.script("alter table thing add column b int"));
      assert.deepEqual(await read(), [{ a: 1, b: null }]);
    } finally {
      await db.close();
      await drop();
    }
  },
});
