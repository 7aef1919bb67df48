// `ndr migrate` on databases of every age.

import assert from "node:assert/strict";
import type { Database } from "../../../src/store/engine/database.ts";
import { acquireLease, releaseLease } from "../../../src/store/engine/leases.ts";
import { openDatabase } from "../../../src/store/engine/open.ts";
import { PgliteDatabase } from "../../../src/store/engine/pglite/pglite.ts";
import { migrate, pendingMigrations } from "../../../src/store/engine/schema/migrate.ts";
import { MIGRATIONS } from "../../../src/store/engine/schema/migrations.ts";
import { callNdr, type Ran } from "../../support/command.ts";
import { DEFAULT_ENGINES, type Engine, freshPostgres } from "../../support/database.ts";

const NEWEST = MIGRATIONS.at(-1)!;

async function withDatabase(
  engine: Engine,
  body: (world: {
    ndr(...args: string[]): Promise<Ran>;
    use<T>(work: (db: Database) => Promise<T>): Promise<T>;
  }) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-migrate-" });
  const server = engine === "postgres" ? await freshPostgres() : null;
  const url = server?.url ?? `embedded:${folder}/database`;
  const use = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
    const db = await openDatabase(url);
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  };
  try {
    await body({
      ndr: (...args) => callNdr(["migrate", ...args], { NDR_CONFIG_DIR: folder, NDR_DATABASE_URL: url }),
      use,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
    await server?.drop();
  }
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
