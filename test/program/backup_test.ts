// `ndr backup`, `ndr backup verify` and `ndr restore`.

import assert from "node:assert/strict";
import type { BulkDatabase } from "../../src/store/engine/bulk.ts";

import { openDatabase } from "../../src/store/engine/open.ts";
import { migrate } from "../../src/store/engine/schema/migrate.ts";
import { MIGRATIONS } from "../../src/store/engine/schema/migrations.ts";
import { createPartitions } from "../../src/store/engine/schema/partitions.ts";
import { missingRights } from "../../src/store/engine/schema/requirements.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { withEmptyDatabase } from "../store/engine/empty-databases.ts";
import { callNdr, type Ran } from "../support/command.ts";
import { type Engine, ENGINES, POSTGRES_URL } from "../support/database.ts";
import { FILLED_DAY, FILLED_TENANTS, fillTables, tableDigests } from "../support/store/filled.ts";
import { dumpSchema } from "../support/store/schema-dump.ts";

const DAY = Date.parse(FILLED_DAY) * 1000;
/** Retention of the partitions, days. */
const KEPT = 30;

/** An installation in a folder of its own: configuration, state and two databases, the second one empty. */
interface Site {
  folder: string;
  file: string;
  url: string;
  other: string;
  ndr: (args: readonly string[], url?: string) => Promise<Ran>;
}

function testSite(
  name: string,
  body: (site: Site) => Promise<void>,
  engines: readonly Engine[] = ENGINES,
): void {
  for (const engine of engines) Deno.test(`${name} (${engine})`, () => withSite(engine, body));
}

async function withSite(engine: Engine, body: (site: Site) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-backup-" });
  const at = async (url: string, other: string) => {
    for (const name of ["etc/secrets", "state"]) await Deno.mkdir(`${folder}/${name}`, { recursive: true });
    await Deno.writeTextFile(`${folder}/etc/sources.yaml`, "sources: []\n", { mode: 0o644 });
    await Deno.writeTextFile(`${folder}/etc/secrets/zeek.token`, "a-token-of-zeek", { mode: 0o600 });
    await Deno.writeTextFile(`${folder}/state/license-time.json`, "{}");
    const env = { NDR_CONFIG_DIR: `${folder}/etc`, NDR_STATE_DIR: `${folder}/state`, NDR_LOG_LEVEL: "error" };
    const ndr = (args: readonly string[], to = url) => callNdr(args, { ...env, NDR_DATABASE_URL: to });
    await body({ folder, file: `${folder}/backup.tar`, url, other, ndr });
  };
  try {
    if (engine === "pglite") await at(`embedded:${folder}/one`, `embedded:${folder}/two`);
    else {await withEmptyDatabase(POSTGRES_URL, (url) =>
        withEmptyDatabase(POSTGRES_URL, (other) =>
          at(url, other)));}
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function withOpen<T>(url: string, work: (db: BulkDatabase) => Promise<T>): Promise<T> {
  const db = await openDatabase(url);
  return await work(db).finally(() => db.close());
}

/** A migrated database with rows in every table. */
async function prepare(url: string, migrations = MIGRATIONS): Promise<void> {
  await withOpen(url, async (db) => {
    await migrate(db, migrations);
    await createPartitions(db, DAY, KEPT);
    await fillTables(db);
  });
}

function ok({ code, stdout, stderr }: Ran): string {
  assert.equal(code, 0, stderr);
  return stdout;
}

function refused({ code, stdout, stderr }: Ran, reason: RegExp): void {
  assert.equal(code, 1, stdout);
  assert.match(stderr, reason);
}

testSite("a restored database has every row of every table, its rights and its isolation", async (site) => {
  await prepare(site.url);
  const before = await withOpen(site.url, async (db) => ({
    digests: await tableDigests(db),
    schema: await dumpSchema(db),
  }));
  for (const [name, digest] of before.digests) {
    const isPartition = /_(default|\d{8})$/.test(name);
    assert.ok(isPartition || !digest.startsWith("0 "), `${name} is filled`);
  }
  const made = ok(await site.ndr(["backup", site.file]));
  assert.match(made, new RegExp(`rows in ${before.digests.size} tables and 3 files`));
  assert.equal((await Deno.stat(site.file)).mode! & 0o777, 0o600);

  assert.match(ok(await site.ndr(["restore", site.file], site.other)), /^Restored /);
  await withOpen(site.other, async (db) => {
    assert.deepEqual(await tableDigests(db), before.digests);
    assert.equal(await dumpSchema(db), before.schema);
    assert.deepEqual(await db.shared(missingRights), []);
    for (const tenantId of FILLED_TENANTS) {
      const rows = await db.tenant(tenantId, (tx) => tx.rows(sql`select distinct tenant_id from incident`));
      assert.deepEqual(rows, [{ tenant_id: tenantId }]);
    }
    const [next] = await db.owner((tx) =>
      tx.rows<{ next: number; most: number }>(sql`
        select nextval(pg_get_serial_sequence('telemetry_log', 'id')) as next`)
    );
    const [first] = await withOpen(
      site.url,
      (old) =>
        old.owner((tx) =>
          tx.rows<{ next: number }>(
            sql`select nextval(pg_get_serial_sequence('telemetry_log', 'id')) as next`,
          )
        ),
    );
    assert.equal(next!.next, first!.next);
    await assert.rejects(db.owner((tx) => tx.run(sql`update audit set reason = ''`)), /append-only/);
  });

  refused(await site.ndr(["restore", site.file], site.other), /is not empty.*--force/);
  ok(await site.ndr(["restore", "--force", site.file], site.other));
  assert.deepEqual(await withOpen(site.other, tableDigests), before.digests);
});
