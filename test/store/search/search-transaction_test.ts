import assert from "node:assert/strict";
import { StoreUnavailable } from "../../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { SearchTooBroad, searchTransaction } from "../../../src/store/search/search-transaction.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";

Deno.test("a search that takes too long is refused as too broad, not as an unavailable store (postgres)", {
  ignore: POSTGRES_URL === "",
}, async () => {
  const { url, drop } = await freshPostgres();
  const db = new PostgresDatabase({ url });
  try {
    const search = (seconds: number) =>
      searchTransaction(
        db,
        "main",
        (tx) => tx.rows(sql`select pg_sleep(${seconds}::double precision)`),
        2_000,
      );
    await assert.rejects(
      search(600),
      (error) => error instanceof SearchTooBroad && !(error instanceof StoreUnavailable),
    );
    assert.equal((await search(0)).length, 1);
  } finally {
    await db.close();
    await drop();
  }
});
