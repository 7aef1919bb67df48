import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

interface ServerLocation {
  /** Whether it is reached through a Unix socket or the loopback interface. */
  local: boolean;
  /** Its data directory; null if our role may not read it. */
  directory: string | null;
}

/** Where the PostgreSQL server runs and keeps its data. */
export async function serverLocation(db: Database): Promise<ServerLocation> {
  const [row] = await db.owner((tx) =>
    tx.rows<ServerLocation>(sql`
      select coalesce(host(inet_server_addr()) in ('127.0.0.1', '::1'), true) as local,
        (select setting from pg_settings where name = 'data_directory') as directory`)
  );
  return row!;
}
