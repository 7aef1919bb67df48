import { statfsSync } from "node:fs";
import type { DiskSpace } from "../../domain/health/disk.ts";
import type { Database } from "../../store/engine/database.ts";
import { serverLocation } from "../../store/engine/server-location.ts";

/**
 * A folder of the filesystem that holds the database: the embedded one's own; the server's, where the server is on
 * this machine and lets us know (it tells superusers and members of `pg_read_all_settings`); else, for a server on this
 * machine, the state directory, which lies under /var/lib as the server's does. Null for a server elsewhere.
 */
export async function databasePlace(
  db: Database,
  databaseUrl: string,
  stateDir: string,
): Promise<string | null> {
  if (db.engine === "pglite") return databaseUrl.replace(/^embedded:/, "");
  const { local, directory } = await serverLocation(db);
  if (!local) return null;
  return directory !== null && diskSpace(directory) !== null ? directory : stateDir;
}

/** The room on the filesystem of a path; null where there is no such path. Takes some microseconds. */
export function diskSpace(path: string): DiskSpace | null {
  try {
    const { bsize, blocks, bfree, bavail } = statfsSync(path);
    // What is reserved for root is neither used nor free.
    return { size: (blocks - bfree + bavail) * bsize, free: bavail * bsize };
  } catch {
    return null;
  }
}
