// Opens the installation's database for a command that runs beside the service or while it is stopped.

import { messageOf } from "../kit/errors.ts";
import type { BulkDatabase } from "../store/engine/bulk.ts";
import { StoreUnavailable } from "../store/engine/database.ts";
import { openDatabase } from "../store/engine/open.ts";
import { errorCode } from "../store/engine/retry.ts";

/** This database does not allow the request; the message is for the user. */
export class DatabaseInputError extends Error {
  override readonly name = "DatabaseInputError";
}

/**
 * Opens an existing database; never creates one.
 *
 * @throws DatabaseInputError if there is none, or the files belong to another user; DatabaseInUse while the
 * service has an embedded one open
 */
export async function openExisting(url: string): Promise<BulkDatabase> {
  const folder = /^embedded:(.+)$/.exec(url)?.[1];
  if (folder !== undefined) {
    const found = await Deno.stat(folder).catch(() => null);
    if (found?.isDirectory !== true) {
      throw new DatabaseInputError(`there is no embedded database in ${folder}`);
    }
    // Opening writes to it, and the service cannot read what root wrote.
    if (found.uid !== null && found.uid !== Deno.uid()) {
      throw new DatabaseInputError(
        `the embedded database in ${folder} belongs to user ${found.uid}: run this as that user, for example with sudo -u ndr`,
      );
    }
  }
  return await openDatabase(url);
}

/** Why it could not be read, for an administrator. */
export function explain(error: unknown): string {
  // A table or the role is missing: no core of this version has ever started here.
  if (errorCode(error) === "42P01" || /role "ndr_app" does not exist/.test(messageOf(causeOf(error)))) {
    return "this database is older than the program: start ndr core of this version once to upgrade it";
  }
  return messageOf(causeOf(error));
}

function causeOf(error: unknown): unknown {
  return error instanceof StoreUnavailable ? error.cause : error;
}
