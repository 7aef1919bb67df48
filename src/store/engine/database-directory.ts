import { statfsSync } from "node:fs";
import type { DiskSpace } from "../../domain/health/disk.ts";
import type { Database } from "./database.ts";
import { serverLocation } from "./server-location.ts";

/**
 * Returns a folder on the database's filesystem: the embedded database's own; for a server on this machine
 * its data directory if readable (visible to superusers and members of `pg_read_all_settings`), else the
 * state directory, which lies under /var/lib as the server's does. Null for a remote server.
 */
export async function databaseDirectory(
  db: Database,
  databaseUrl: string,
  stateDir: string,
): Promise<string | null> {
  if (db.engine === "pglite") return databaseUrl.replace(/^embedded:/, "");
  const { local, directory } = await serverLocation(db);
  if (!local) return null;
  return directory !== null && diskSpace(directory) !== null ? directory : stateDir;
}

/** Measures the filesystem of a path, in bytes; null if the path does not exist. Takes some microseconds. */
export function diskSpace(path: string): DiskSpace | null {
  try {
    const { bsize, blocks, bfree, bavail } = statfsSync(path);
    // Blocks reserved for root count as neither used nor free.
    return { size: (blocks - bfree + bavail) * bsize, free: bavail * bsize };
  } catch {
    return null;
  }
}
