import assert from "node:assert/strict";
import { type Database, StoreUnavailable } from "../../../src/store/engine/database.ts";
import { openDatabase } from "../../../src/store/engine/open.ts";
import { PgliteDatabase } from "../../../src/store/engine/pglite/pglite.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { APP_ROLE } from "../../../src/store/engine/tables.ts";
import { freshPglite } from "../../support/database.ts";
import { commit, record } from "../record/records.ts";

let image: Uint8Array | null = null;

async function migratedImage(): Promise<Uint8Array> {
  const db = await freshPglite();
  return await db.image().finally(() => db.close());
}

/** Runs a test with the directory of a migrated database. */
async function withDirectory(body: (directory: string) => Promise<void>): Promise<void> {
  const parent = await Deno.makeTempDir({ prefix: "ndr-pglite-" });
  try {
    image ??= await migratedImage();
    await (await PgliteDatabase.open({ directory: `${parent}/db`, image })).close();
    await body(`${parent}/db`);
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
}

/** Another process on the directory, and its output by line. */
function child(...args: string[]) {
  const script = new URL("./pglite-child.ts", import.meta.url).pathname;
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script, ...args],
    stdout: "piped",
  }).spawn();
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    /** The lines so far, at least `count` unless the process ends before. */
    async lines(count: number): Promise<string[]> {
      while (text.split("\n").length <= count) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
      }
      return text.split("\n").slice(0, -1);
    },
    async kill(): Promise<void> {
      process.kill("SIGKILL");
      await process.status;
    },
    async ended(): Promise<boolean> {
      return (await process.status).success;
    },
  };
}

async function payloads(db: Database): Promise<string[]> {
  const rows = await db.tenant(
    "main",
    (tx) => tx.rows<{ id: string }>(sql`select encode(event_id, 'hex') as id from raw_record order by 1`),
  );
  return rows.map((row) => row.id);
}

function idsOf(numbers: number[]): string[] {
  return numbers.map((number) => record(`record ${number}`).eventId as Uint8Array)
    .map((id) => [...id].map((byte) => byte.toString(16).padStart(2, "0")).join("")).sort();
}

Deno.test("a directory is used by one process, however it is spelled", async () => {
  await withDirectory(async (directory) => {
    const holder = child("hold", directory);
    assert.deepEqual(await holder.lines(1), ["open"]);
    await assert.rejects(openDatabase(`embedded:${directory}`), /in use by another process/);
    await assert.rejects(openDatabase(`embedded:${directory}/../db/`), /in use by another process/);
    await holder.kill();

    const db = await openDatabase(`embedded:${directory}/`);
    const refused = child("hold", directory);
    assert.match((await refused.lines(1))[0]!, /db is in use by another process; stop that one first/);
    assert.equal(await refused.ended(), false);
    await db.close();
  });
});

Deno.test("acknowledged batches survive a close, and kill -9 during writes", async () => {
  await withDirectory(async (directory) => {
    let next = 0;
    for (const enough of [15, 25]) {
      const writer = child("write", directory, String(next));
      const said = await writer.lines(enough);
      await writer.kill();
      const acknowledged = [...said, ...(await writer.lines(Infinity)).slice(said.length)].map(Number);
      assert.ok(acknowledged.length >= enough);

      const db = await openDatabase(`embedded:${directory}`);
      const stored = await payloads(db);
      next = stored.length;
      // The current batch may be committed without acknowledgement.
      const count = acknowledged.at(-1)! + 1;
      assert.ok(next === count || next === count + 1, `${count} acknowledged, ${next} stored`);
      assert.deepEqual(stored, idsOf(Array.from({ length: next }, (_, i) => i)));
      await db.close();
    }
    const db = await openDatabase(`embedded:${directory}`);
    assert.equal((await payloads(db)).length, next);
    assert.equal((await commit(db, [record("record 0")])).duplicates, 1);
    await db.close();
  });
});

Deno.test("a failed open releases the directory", async () => {
  const parent = await Deno.makeTempDir({ prefix: "ndr-pglite-" });
  const options = { directory: `${parent}/db`, image: new TextEncoder().encode("no image") };
  await assert.rejects(PgliteDatabase.open(options));
  await assert.rejects(PgliteDatabase.open(options), (error: Error) => !/in use/.test(error.message));
  await Deno.remove(parent, { recursive: true });
});

Deno.test("transactions run in turn; one that cannot begin does not block the others", async () => {
  const db = await freshPglite();
  await db.owner((tx) => tx.script(`alter role ${APP_ROLE} rename to gone`));
  await assert.rejects(db.tenant("main", (tx) => tx.rows(sql`select 1`)), { code: "22023" });
  await db.owner((tx) => tx.script(`alter role gone rename to ${APP_ROLE}`));

  await db.tenant("main", (tx) => tx.run(sql`insert into tenant_counter (tenant_id) values ('main')`));
  await Promise.all(Array.from({ length: 20 }, () =>
    db.tenant("main", async (tx) => {
      const [row] = await tx.rows<{ n: number }>(sql`select batch_no as n from tenant_counter`);
      await tx.run(sql`update tenant_counter set batch_no = ${row!.n + 1}`);
    })));
  const rows = await db.tenant("main", (tx) => tx.rows(sql`select batch_no from tenant_counter`));
  assert.deepEqual(rows, [{ batch_no: 20 }]);
  await db.close();
});

Deno.test("closing waits for running transactions and rejects later ones", async () => {
  const db = await freshPglite();
  const under = commit(db, [record("a")]);
  const closing = db.close();
  const late = commit(db, [record("b")]);
  await assert.rejects(late, StoreUnavailable);
  assert.equal((await under).accepted, 1);
  await closing;
  await db.close();
  await assert.rejects(db.shared((tx) => tx.rows(sql`select 1`)), StoreUnavailable);
});

Deno.test("PGlite: after a corrected clock leap no timer spins", async () => {
  const script = new URL("./pglite-leap-child.ts", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script],
  }).output();
  const text = new TextDecoder().decode(stdout).trim();
  assert.doesNotMatch(new TextDecoder().decode(stderr), /TimeoutOverflowWarning/);
  assert.ok(Number(text) < 10, `${text} timers`);
});
