// A database that runs until its disk is full: what it acknowledged is stored, what it could not store is reported, and
// it resumes when there is room. The embedded database panics. So may the server, which restarts itself, or exits if
// even its recovery finds no room; the test then restarts it as an init system would.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type Database, StoreUnavailable } from "../../src/store/engine/database.ts";
import { migrate } from "../../src/store/engine/schema/migrate.ts";
import { PgliteDatabase } from "../../src/store/engine/pglite/pglite.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { WatchedDatabase } from "../../src/store/engine/watched.ts";
import { commit, record } from "../store/record/records.ts";
import { installedPrograms, startPostgres } from "../support/postgres.ts";
import { CAN_MOUNT, SmallDisk } from "../support/small-disk.ts";

const MIB = 1024 ** 2;

/** About 400 kB of incompressible records. */
function batch(name: string) {
  return Array.from({ length: 100 }, (_, index) => ({
    ...record(`${name} ${index}`),
    payload: JSON.stringify({ noise: randomBytes(2000).toString("latin1") }),
  }));
}

async function stored(db: Database): Promise<number> {
  const [row] = await db.tenant(
    "main",
    (tx) => tx.rows<{ n: number }>(sql`select count(*)::int as n from raw_record`),
  );
  return row!.n;
}

async function scenario(disk: SmallDisk, inner: Database): Promise<void> {
  let refusals = 0;
  const db = new WatchedDatabase(inner, { onDiskFull: () => refusals++, onNoConnection: assert.fail });
  await migrate(db);
  for (const round of ["first", "second"]) {
    await disk.leave(20 * MIB);
    const before = await stored(db);
    let acknowledged = 0;
    let failure: unknown = null;
    for (let number = 0; failure === null; number++) {
      await commit(db, batch(`${round} ${number}`)).then(
        () => acknowledged += 100,
        (error) => failure = error,
      );
    }
    assert.ok(failure instanceof StoreUnavailable, String(failure));
    assert.ok(acknowledged > 0 && refusals > 0, "the error names the disk as the reason");
    await disk.leave(0);
    await assert.rejects(commit(db, batch("no room at all")), StoreUnavailable);

    await disk.leave(80 * MIB);
    const after = await available(() => stored(db));
    // A batch answered with an error may have been committed.
    assert.ok(
      [acknowledged, acknowledged + 100].includes(after - before),
      `${before} + ${acknowledged}: ${after}`,
    );
    assert.equal((await available(() => commit(db, batch(`${round} 0`)))).duplicates, 100);
    assert.equal((await commit(db, batch(`${round} new`))).accepted, 100);
  }
}

Deno.test(
  "an embedded database that runs out of room recovers by itself",
  { ignore: !CAN_MOUNT },
  async () => {
    await using disk = await SmallDisk.make(160);
    const db = await PgliteDatabase.open({ directory: `${disk.folder}/db` });
    await scenario(disk, db).finally(() => db.close());
  },
);

Deno.test("a PostgreSQL that runs out of room is distinguished from a fault and used again", {
  ignore: !CAN_MOUNT || (await installedPrograms()).length === 0,
}, async () => {
  await using disk = await SmallDisk.make(256);
  const settings = { min_wal_size: "32MB", max_wal_size: "64MB" };
  const server = (await startPostgres({ parent: disk.folder, settings, revive: true }))!;
  const db = new PostgresDatabase({ url: server.url });
  try {
    await scenario(disk, db);
  } finally {
    await db.close();
    await server.stop();
  }
});

/** Retries for the seconds that recovery may take. */
async function available<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0;; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 200 || !(error instanceof StoreUnavailable)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
