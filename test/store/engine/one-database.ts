import type { Database } from "../../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";

export { testDatabase } from "../../support/database.ts";

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
