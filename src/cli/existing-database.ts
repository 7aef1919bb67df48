// The database of the installation, opened by a command that somebody runs beside the service, or while it is stopped.

import { messageOf } from "../kit/errors.ts";
import { type Database, StoreUnavailable } from "../store/engine/database.ts";
import { openDatabase } from "../store/engine/open.ts";
import { errorCode } from "../store/engine/retry.ts";

/** What was asked for cannot be done with this database; the message is for the person who asked. */
export class DatabaseInputError extends Error {
  override readonly name = "DatabaseInputError";
}

/**
 * Opens it as it is; never makes one where there is none.
 *
 * @throws DatabaseInputError where there is none, or the files are another user's; DatabaseInUse while the service has an
 * embedded one open
 */
export async function openExisting(url: string): Promise<Database> {
  const folder = /^embedded:(.+)$/.exec(url)?.[1];
  if (folder !== undefined) {
    const found = await Deno.stat(folder).catch(() => null);
    if (found?.isDirectory !== true) {
      throw new DatabaseInputError(`there is no embedded database in ${folder}`);
    }
    // Whoever opens it writes to it, and what root writes the service cannot read.
    if (found.uid !== null && found.uid !== Deno.uid()) {
      throw new DatabaseInputError(
        `the embedded database in ${folder} belongs to user ${found.uid}: run this as that user, such as with sudo -u ndr`,
      );
    }
  }
  return await openDatabase(url);
}

/** Why it could not be read, in an admin's words. */
export function explain(error: unknown): string {
  // A table is missing, or the role: where no core has ever started, that is the first thing to be missed.
  if (errorCode(error) === "42P01" || /role "ndr_app" does not exist/.test(messageOf(causeOf(error)))) {
    return "this database is older than the program: start ndr core of this version once, which brings it up to date";
  }
  return messageOf(causeOf(error));
}

function causeOf(error: unknown): unknown {
  return error instanceof StoreUnavailable ? error.cause : error;
}
