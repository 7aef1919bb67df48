// `ndr backup`, `ndr backup verify` and `ndr restore`.

import assert from "node:assert/strict";
import type { BulkDatabase } from "../../src/store/engine/bulk.ts";

import { acquireLease, leaseHolder } from "../../src/store/engine/leases.ts";
import { openDatabase } from "../../src/store/engine/open.ts";
import { migrate } from "../../src/store/engine/schema/migrate.ts";
import { MIGRATIONS } from "../../src/store/engine/schema/migrations.ts";
import { createPartitions } from "../../src/store/engine/schema/partitions.ts";
import { missingRights } from "../../src/store/engine/schema/requirements.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { appliedMigrations } from "../../src/store/upkeep/backup/catalogue.ts";
import { createSchema } from "../../src/store/upkeep/backup/load.ts";
import { onServer, withEmptyDatabase } from "../store/engine/empty-databases.ts";
import { callNdr, type Ran } from "../support/command.ts";
import { type Engine, ENGINES, makeEmbedded, POSTGRES_URL } from "../support/database.ts";
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
    if (engine === "pglite") {
      await at(`embedded:${folder}/one`, `embedded:${folder}/two`);
    } else {
      await withEmptyDatabase(
        POSTGRES_URL,
        (url) => withEmptyDatabase(POSTGRES_URL, (other) => at(url, other)),
      );
    }
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
  if (url.startsWith("embedded:") && migrations === MIGRATIONS) {
    await makeEmbedded(url.slice("embedded:".length));
  }
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

/** A version of the schema, and the tables whose rows the migrations since then change or add. */
const OLDER = 16;
const CHANGED_SINCE = ["schema_migration", "rejected_line", "incident_pair", "session"];

testSite("a backup of an older version is migrated", async (site) => {
  const older = MIGRATIONS.slice(0, OLDER);
  await prepare(site.url, older);
  ok(await site.ndr(["backup", site.file]));
  const restored = ok(await site.ndr(["restore", site.file], site.other));
  const since = MIGRATIONS.slice(OLDER).map(({ name }) => name).join(", ");
  assert.ok(restored.includes(`Ran the migrations ${since}.`), restored);
  await withOpen(site.url, async (old) => {
    await withOpen(site.other, async (db) => {
      const [before, after] = [await tableDigests(old), await tableDigests(db)];
      for (const name of CHANGED_SINCE) {
        before.delete(name);
        after.delete(name);
      }
      for (const [name, digest] of after) {
        if (before.has(name)) continue;
        assert.match(digest, /^0 /, `${name} is new`);
        after.delete(name);
      }
      assert.deepEqual(after, before);
      assert.deepEqual(await migrate(db), []);
    });
  });
}, ENGINES.slice(-1));

testSite("a damaged, incomplete or foreign file is refused and changes nothing", async (site) => {
  await prepare(site.url);
  ok(await site.ndr(["backup", site.file]));
  await withOpen(site.other, (db) => migrate(db));
  const before = await withOpen(site.other, tableDigests);
  const good = await Deno.readFile(site.file);
  const trial = `${site.folder}/trial.tar`;
  const attempt = async (bytes: Uint8Array, reason: RegExp) => {
    await Deno.writeFile(trial, bytes);
    refused(await site.ndr(["restore", "--force", trial], site.other), reason);
  };
  // Every part of the file: headers, contents, padding, manifest, checksum, end.
  const places = [0, 100, 148, 513, 700, good.length - 1, good.length - 1100, good.length - 1600];
  for (let at = 1; at < 40; at++) places.push(Math.floor(good.length * at / 40));
  for (const at of places) {
    const bytes = good.slice();
    bytes[at]! ^= 1;
    await attempt(bytes, /is damaged|is incomplete|is not a backup of ndr/);
  }
  for (const length of [0, 1, 511, 512, 1024, good.length >> 1, good.length - 1024, good.length - 1]) {
    await attempt(good.subarray(0, length), /is incomplete/);
  }
  await attempt(new TextEncoder().encode("PGDMP".repeat(1000)), /is not a backup of ndr/);
  await attempt(new Uint8Array([...good, 0]), /is damaged/);
  refused(await site.ndr(["restore", "--force", site.folder], site.other), /is not a file/);
  refused(await site.ndr(["restore", "--force", `${site.folder}/none`], site.other), /cannot read/);
  refused(await site.ndr(["backup", "verify", trial]), /is damaged/);
  assert.deepEqual(await withOpen(site.other, tableDigests), before);
}, ENGINES.slice(-1));

testSite("a backup of a newer version is refused with its version", async (site) => {
  await prepare(site.url);
  await withOpen(site.url, (db) =>
    db.owner((tx) =>
      tx.run(sql`
        insert into schema_migration (version, name, checksum) values (${
        MIGRATIONS.length + 1
      }, 'later', repeat('0', 64))`)
    ));
  ok(await site.ndr(["backup", site.file]));
  refused(
    await site.ndr(["restore", site.file], site.other),
    new RegExp(
      `cannot be restored by this version: its schema version is ${MIGRATIONS.length + 1} \\(later\\), ` +
        `but this program supports only versions up to ${MIGRATIONS.length}`,
    ),
  );
  assert.equal((await withOpen(site.other, tableDigests)).size, 0);
}, ENGINES.slice(-1));

testSite("a verification restores into a scratch database, compares, and leaves nothing", async (site) => {
  await prepare(site.url);
  ok(await site.ndr(["backup", site.file]));
  const databases = async () =>
    site.url.startsWith("embedded:")
      ? []
      : await withOpen(site.url, (db) =>
        db.owner((tx) =>
          tx.rows(sql`select datname from pg_database where datname like 'ndr_verify%'`)
        ));
  const said = ok(await site.ndr(["backup", "verify", site.file]));
  assert.match(said, /is a good backup: .* compared and removed\./);
  assert.match(said, site.url.startsWith("embedded:") ? /scratch database in / : /on the same server/);
  assert.deepEqual(await databases(), []);
  assert.deepEqual([...Deno.readDirSync(`${site.folder}/state`)].map(({ name }) => name), [
    "license-time.json",
  ]);
});

testSite("a restore is refused while a core runs, and no core starts on an unfinished one", async (site) => {
  await prepare(site.url);
  ok(await site.ndr(["backup", site.file]));
  await withOpen(site.url, async (db) => {
    const lease = await acquireLease(db, "pipeline:north", leaseHolder(db), 60);
    assert.ok(lease);
    refused(
      await site.ndr(["restore", "--force", site.file]),
      /the service runs on this database: stop it first/,
    );
  });
  await withOpen(site.other, async (db) => {
    await createSchema(db, await withOpen(site.url, (made) => made.owner(appliedMigrations)));
    await assert.rejects(migrate(db), /a restore of this database has not finished/);
  });
  ok(await site.ndr(["restore", "--force", site.file], site.other));
  await withOpen(site.other, async (db) => assert.deepEqual(await migrate(db), []));
}, ["postgres"]);

testSite("a backup has one moment of a database that is written meanwhile", async (site) => {
  await prepare(site.url);
  const digests = await withOpen(site.url, async (db) => {
    const running = { stopped: false, commits: 0 };
    const writer = (async () => {
      for (let at = 100; !running.stopped; at++, running.commits++) {
        // The first and the last table that are read, and one that is a partition.
        await db.owner(async (tx) => {
          await tx.run(sql`insert into audit_outside (audit_id, at, operation, outcome, roles, changes)
            values (gen_random_uuid(), now(), ${`mark ${at}`}, 'x', '', '')`);
          await tx.run(sql`insert into tenant (tenant_id) values (${`mark ${at}`})`);
          await tx.run(
            sql`insert into raw_block (tenant_id, received_at, block_id, sensor_id, record_count, body)
            values (${`mark ${at}`}, now(), ${at}, 's', 1, '')`,
          );
        });
      }
    })();
    ok(await site.ndr(["backup", site.file]));
    running.stopped = true;
    await writer;
    assert.ok(running.commits > 3, `${running.commits} commits`);
    return await tableDigests(db);
  });
  ok(await site.ndr(["restore", site.file], site.other));
  await withOpen(site.other, async (db) => {
    const marks = await db.owner(async (tx) => [
      await tx.rows(sql`select operation as mark from audit_outside where operation like 'mark%' order by 1`),
      await tx.rows(sql`select tenant_id as mark from tenant where tenant_id like 'mark%' order by 1`),
      await tx.rows(sql`select tenant_id as mark from raw_block where tenant_id like 'mark%' order by 1`),
    ]);
    assert.deepEqual(marks[1], marks[0]);
    assert.deepEqual(marks[2], marks[0]);
    assert.notDeepEqual(await tableDigests(db), digests);
  });
}, ["postgres"]);

testSite("an existing file is kept, and a failed backup leaves nothing", async (site) => {
  await prepare(site.url);
  await Deno.writeTextFile(site.file, "precious");
  refused(await site.ndr(["backup", site.file]), /exists: name another file, or replace it with --force/);
  assert.equal(await Deno.readTextFile(site.file), "precious");
  refused(await site.ndr(["backup", `${site.folder}/none/backup.tar`]), /cannot write/);
  await withOpen(site.url, (db) => db.owner((tx) => tx.script("drop table tenant")));
  refused(await site.ndr(["backup", "--force", site.file]), /./);
  assert.equal(await Deno.readTextFile(site.file), "precious");
  assert.deepEqual(
    [...Deno.readDirSync(site.folder)].filter(({ isFile }) => isFile).map(({ name }) => name),
    ["backup.tar"],
  );
}, ["postgres"]);

testSite("the configuration is restored on demand, and what it replaces is kept", async (site) => {
  await prepare(site.url);
  ok(await site.ndr(["backup", site.file]));
  const sources = `${site.folder}/etc/sources.yaml`;
  const token = `${site.folder}/etc/secrets/zeek.token`;
  await Deno.writeTextFile(sources, "sources: [changed]\n");
  await Deno.remove(`${site.folder}/etc/secrets`, { recursive: true });
  ok(await site.ndr(["restore", "--configuration", "--no-database", site.file]));
  assert.equal(await Deno.readTextFile(sources), "sources: []\n");
  assert.equal((await Deno.stat(sources)).mode! & 0o777, 0o644);
  assert.equal(await Deno.readTextFile(`${sources}.before-restore`), "sources: [changed]\n");
  assert.equal(await Deno.readTextFile(token), "a-token-of-zeek");
  assert.equal((await Deno.stat(token)).mode! & 0o777, 0o600);
}, ENGINES.slice(-1));

Deno.test(
  "a user without further rights, as the package makes it, backs up, verifies and restores all tenants",
  { ignore: POSTGRES_URL === "" },
  async () => {
    const role = `ndr_plain_${crypto.randomUUID().slice(0, 8)}`;
    await onServer(POSTGRES_URL, `create role ${role} login`);
    try {
      await onServer(POSTGRES_URL, `grant ndr_app to ${role}`);
      await withEmptyDatabase(POSTGRES_URL, async (plain) => {
        const folder = await Deno.makeTempDir({ prefix: "ndr-backup-" });
        const superuser = plain.replace(role, "ndr_test");
        const ndr = (args: readonly string[]) =>
          callNdr(args, { NDR_CONFIG_DIR: folder, NDR_STATE_DIR: folder, NDR_DATABASE_URL: plain });
        await withOpen(plain, (db) => migrate(db));
        await withOpen(superuser, fillTables);
        const before = await withOpen(superuser, tableDigests);
        const file = `${folder}/backup.tar`;
        ok(await ndr(["backup", file]));
        assert.match(ok(await ndr(["backup", "verify", file])), /Restored into a scratch database in /);
        ok(await ndr(["restore", "--force", file]));
        assert.deepEqual(await withOpen(superuser, tableDigests), before);
        await withOpen(plain, async (db) => assert.deepEqual(await migrate(db), []));
        await Deno.remove(folder, { recursive: true });
      }, role);
    } finally {
      await onServer(POSTGRES_URL, `drop role ${role}`);
    }
  },
);
