import pg from "pg";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";

/** A gigabyte and more: of its memory for pages there is half as much. */
const WORN_ROWS = 2_500_000;

/**
 * A server that commits to the disk, and has been at work before. A new one takes its memory page by page from the system, and
 * fills each file of its log with zeros before it writes there; both are done once in a server's life (measured: a seventh of what
 * the pipeline's first 300,000 records cost it). Null where there is no PostgreSQL.
 */
export async function startBenchServer(): Promise<TestPostgres | null> {
  const server = await startPostgres({
    fsync: true,
    settings: { shared_buffers: "512MB", max_wal_size: "4GB", min_wal_size: "2GB" },
  });
  if (server !== null) await wear(server.url);
  return server;
}

async function wear(url: string): Promise<void> {
  console.error("Letting the server work for a while");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("create table worn (n integer, filler text)");
  await client.query(
    `insert into worn select n, repeat('x', 500) from generate_series(1, ${WORN_ROWS}) as n`,
  );
  await client.query("drop table worn");
  await client.query("checkpoint");
  await client.end();
}

/** The address of a new database for the appliance. */
export async function emptyDatabase(serverUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query("create database ndr_bench");
  await client.end();
  return serverUrl.replace("/postgres?", "/ndr_bench?");
}
