import type { Database } from "../../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { freshPglite, freshPostgres, POSTGRES_URL } from "../../support/database.ts";

/** Runs a test body on PostgreSQL, or on PGlite without one: for what cannot differ between the engines. */
export function testDatabase(name: string, body: (db: Database) => Promise<void>): void {
  Deno.test(name, async () => {
    if (POSTGRES_URL === "") {
      const db = await freshPglite();
      return await body(db).finally(() => db.close());
    }
    await withPostgres(async (url) => {
      const db = new PostgresDatabase({ url });
      await body(db).finally(() => db.close());
    });
  });
}

/** Runs a test body with two pools on one database, like two cores; skipped without PostgreSQL. */
export function testTwoCores(name: string, body: (one: Database, other: Database) => Promise<void>): void {
  Deno.test(
    name,
    { ignore: POSTGRES_URL === "" },
    () => withPostgres((url) => withPools([url, url], ([one, other]) => body(one!, other!))),
  );
}

async function withPostgres(body: (url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await freshPostgres();
  try {
    await body(url);
  } finally {
    await drop();
  }
}

/** Runs `body` with a pool for each URL. */
export async function withPools<T>(
  urls: readonly string[],
  body: (pools: PostgresDatabase[]) => Promise<T>,
): Promise<T> {
  const pools = urls.map((url) => new PostgresDatabase({ url, poolSize: 4 }));
  try {
    return await body(pools);
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
}
