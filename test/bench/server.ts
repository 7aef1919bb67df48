import pg from "pg";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";

/** More than a gigabyte, twice the server's shared buffers. */
const WARM_UP_ROWS = 2_500_000;

/**
 * A warmed-up server with fsync; null if PostgreSQL is not installed. A new server faults in its memory page by page and
 * zero-fills each WAL file, once in its life (measured: a seventh of the cost of the first 300,000 records).
 */
export async function startBenchServer(): Promise<TestPostgres | null> {
  const server = await startPostgres({
    fsync: true,
    settings: { shared_buffers: "512MB", max_wal_size: "4GB", min_wal_size: "2GB" },
  });
  if (server !== null) await warmUp(server.url);
  return server;
}

async function warmUp(url: string): Promise<void> {
  console.error("Warming up the server");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("create table warm_up (n integer, filler text)");
  await client.query(
    `insert into warm_up select n, repeat('x', 500) from generate_series(1, ${WARM_UP_ROWS}) as n`,
  );
  await client.query("drop table warm_up");
  await client.query("checkpoint");
  await client.end();
}

/** URL of a new database for the appliance. */
export async function emptyDatabase(serverUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query("create database ndr_bench");
  await client.end();
  return serverUrl.replace("/postgres?", "/ndr_bench?");
}
