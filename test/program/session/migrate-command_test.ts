// `ndr migrate` on databases of every age.

import assert from "node:assert/strict";
import type { Database } from "../../../src/store/engine/database.ts";
import { acquireLease, releaseLease } from "../../../src/store/engine/leases.ts";
import { openDatabase } from "../../../src/store/engine/open.ts";
import { PgliteDatabase } from "../../../src/store/engine/pglite/pglite.ts";
import { migrate, pendingMigrations } from "../../../src/store/engine/schema/migrate.ts";
import { MIGRATIONS } from "../../../src/store/engine/schema/migrations.ts";
import { callNdr, type Ran } from "../../support/command.ts";
import { withEmptyDatabase } from "../../store/engine/empty-databases.ts";
import { DEFAULT_ENGINES, type Engine, POSTGRES_URL } from "../../support/database.ts";

const NEWEST = MIGRATIONS.at(-1)!;

interface World {
  ndr(...args: string[]): Promise<Ran>;
  use<T>(work: (db: Database) => Promise<T>): Promise<T>;
}

/** An empty database. */
async function withDatabase(engine: Engine, body: (world: World) => Promise<void>): Promise<void> {
  if (engine === "postgres") return await withEmptyDatabase(POSTGRES_URL, (url) => onDatabase(url, body));
  const folder = await Deno.makeTempDir({ prefix: "ndr-migrate-" });
  try {
    await onDatabase(`embedded:${folder}/database`, body);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function onDatabase(url: string, body: (world: World) => Promise<void>): Promise<void> {
  await body({
    ndr: (...args) => callNdr(["migrate", ...args], { NDR_CONFIG_DIR: "/nowhere", NDR_DATABASE_URL: url }),
    async use(work) {
      const db = await openDatabase(url);
      try {
        return await work(db);
      } finally {
        await db.close();
      }
    },
  });
}

for (const engine of DEFAULT_ENGINES) {
  Deno.test(`ndr migrate: lists and runs what is pending, and refuses a newer database (${engine})`, () =>
    withDatabase(engine, async ({ ndr, use }) => {
      const older = MIGRATIONS.slice(0, -2);
      await use((db) => migrate(db, older));
      const pending = MIGRATIONS.slice(-2);
      const listed = await ndr("--dry-run");
      assert.deepEqual(listed, {
        code: 0,
        stdout: pending.map(({ version, name }) => `${version} ${name}\n`).join(""),
        stderr: "",
      });
      assert.equal((await use((db) => pendingMigrations(db))).length, 2, "a dry run changes nothing");

      const { code, stdout, stderr } = await ndr();
      assert.deepEqual([code, stderr], [0, ""]);
      const lines = stdout.trimEnd().split("\n");
      assert.deepEqual(
        lines.slice(0, -1),
        pending.map(({ version, name }, index) => `${index + 1} of 2: ${version} ${name}`),
      );
      assert.match(
        lines.at(-1)!,
        new RegExp(`^2 migrations in .*: the schema is version ${NEWEST.version} \\(${NEWEST.name}\\)$`),
      );
      const again = await ndr();
      assert.deepEqual([again.code, again.stdout], [
        0,
        `nothing is pending: the schema is version ${NEWEST.version} (${NEWEST.name})\n`,
      ]);

      const later = [...MIGRATIONS, { version: NEWEST.version + 1, name: "later", text: "select 1" }];
      await use((db) => migrate(db, later));
      for (const args of [[], ["--dry-run"]]) {
        const newer = await ndr(...args);
        assert.deepEqual([newer.code, newer.stdout], [1, ""]);
        assert.match(
          newer.stderr,
          new RegExp(
            `the database has schema version ${
              NEWEST.version + 1
            } \\(later\\), but this program supports only`,
          ),
        );
      }
    }));

  Deno.test(`ndr migrate: refuses while a core works on the database (${engine})`, () =>
    withDatabase(engine, async ({ ndr, use }) => {
      await use(async (db) => {
        await migrate(db, MIGRATIONS.slice(0, -1));
        if (engine === "pglite") {
          assert.ok(db instanceof PgliteDatabase);
          const { code, stdout, stderr } = await ndr();
          assert.deepEqual([code, stdout], [1, ""]);
          assert.match(stderr, /is in use by another process; stop that one first/);
          return;
        }
        const lease = await acquireLease(db, "pipeline:main", "a-core", 60);
        assert.ok(lease);
        const { code, stdout, stderr } = await ndr();
        assert.deepEqual([code, stdout], [1, ""]);
        assert.match(stderr, /a core works on this database, and 1 migration would change it underneath/);
        await releaseLease(db, lease);
      });
      assert.equal((await ndr()).code, 0);
    }));
}

Deno.test("ndr migrate: makes no embedded database", () =>
  withDatabase("pglite", async ({ ndr }) => {
    const { code, stderr } = await ndr();
    assert.equal(code, 1);
    assert.match(stderr, /there is no embedded database in /);
  }));
