// Restores a backup where it can do no harm, and compares what is there then.

import { sha256Bytes } from "../../kit/hash.ts";
import type { BulkDatabase } from "../../store/engine/bulk.ts";
import { PgliteDatabase } from "../../store/engine/pglite/pglite.ts";
import { readRestored } from "../../store/upkeep/backup/load.ts";
import { withScratchDatabase } from "../../store/upkeep/backup/scratch.ts";
import { members, unpacked } from "./archive-reader.ts";
import { BackupError } from "./archive-writer.ts";
import { type Pass, restoreDatabase } from "./restore.ts";
import type { BackedUpTable } from "./manifest.ts";

const NEWLINE = 10;
const WORDS = 4;

/**
 * A digest of rows that does not depend on their order: a server may place them in other pages. The sum of the first 128
 * bits of each row's SHA-256, in words of 32 bits.
 */
class RowDigest {
  rows = 0;
  readonly #sum = new Uint32Array(WORDS);
  #rest: Uint8Array | null = null;

  /** Pieces may end within a row. */
  add(piece: Uint8Array): void {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      const row = piece.subarray(from, end);
      this.#addRow(this.#rest === null ? row : joined(this.#rest, row));
      this.#rest = null;
      from = end + 1;
    }
    if (from === piece.length) return;
    const rest = piece.subarray(from);
    this.#rest = this.#rest === null ? rest.slice() : joined(this.#rest, rest);
  }

  /** Number and sum of the rows. */
  toString(): string {
    return `${this.rows} ${this.#sum.join(" ")}`;
  }

  #addRow(row: Uint8Array): void {
    const words = new DataView(sha256Bytes(row).buffer);
    for (let at = 0; at < WORDS; at++) this.#sum[at]! += words.getUint32(at * 4);
    this.rows++;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

interface Verified {
  /** Where it was restored: `a scratch database on the same server`. */
  where: string;
  /** Names of the migrations that it needed. */
  migrated: string[];
}

/**
 * Restores the backup into a scratch database and compares each table with the file.
 *
 * @param server where to create it; null, or if its user may not create one, an embedded database in the folder `scratch`
 * @throws BackupError if a table differs
 */
export async function verifyBackup(
  pass: Pass,
  server: BulkDatabase | null,
  scratch: string,
): Promise<Verified> {
  const restore = async (db: BulkDatabase) =>
    await restoreDatabase(db, pass, async () => {
      const expected = await digestsOf(pass);
      for (const table of pass.manifest.database.tables) {
        pass.signal.throwIfAborted();
        if (table.name !== "schema_migration") await compare(db, table, expected.get(table.name));
      }
    });
  const onServer = server === null ? null : await withScratchDatabase(server, restore);
  if (onServer !== null) {
    return { where: "a scratch database on the same server", migrated: onServer.result };
  }
  const folder = await Deno.makeTempDir({ dir: scratch, prefix: "ndr-verify-" });
  try {
    const db = await PgliteDatabase.open({ directory: `${folder}/database` });
    const migrated = await restore(db).finally(() => db.close());
    return { where: `a scratch database in ${scratch}`, migrated };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function digestsOf({ path, signal }: Pass): Promise<Map<string, RowDigest>> {
  const digests = new Map<string, RowDigest>();
  for await (const member of members(path)) {
    signal.throwIfAborted();
    const name = /^database\/([^/]+)\//.exec(member.name)?.[1];
    if (name === undefined) continue;
    const digest = digests.get(name) ?? new RowDigest();
    digest.add(await unpacked(path, member));
    digests.set(name, digest);
  }
  return digests;
}

async function compare(
  db: BulkDatabase,
  table: BackedUpTable,
  expected = new RowDigest(),
): Promise<void> {
  const found = new RowDigest();
  await readRestored(db, table, (piece) => Promise.resolve(found.add(piece)));
  if (`${found}` === `${expected}`) return;
  throw new BackupError(
    `the table ${table.name} differs after the restore: ${found.rows} rows instead of ${expected.rows}, or other contents`,
  );
}
