import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

interface ServerPlace {
  /** Whether we reach it by a socket file or by the loopback interface. */
  local: boolean;
  /** Its data directory; null where our role may not know. */
  directory: string | null;
}

/** Where the PostgreSQL server runs and keeps its data. */
export async function serverPlace(db: Database): Promise<ServerPlace> {
  const [row] = await db.owner((tx) =>
    tx.rows<ServerPlace>(sql`
      select coalesce(host(inet_server_addr()) in ('127.0.0.1', '::1'), true) as local,
        (select setting from pg_settings where name = 'data_directory') as directory`)
  );
  return row!;
}
