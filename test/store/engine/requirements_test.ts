// The start stops, and says what is needed, if the database is unsuitable.

import assert from "node:assert/strict";
import { migrate, MigrationError } from "../../../src/store/engine/schema/migrate.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { installedPrograms, startPostgres } from "../../support/postgres.ts";
import { freshPostgres, POSTGRES_URL, testDatabases } from "../../support/database.ts";
import { onServer } from "./empty-databases.ts";
import { withPools } from "./one-database.ts";

const needsServer = { ignore: POSTGRES_URL === "" };

testDatabases("both engines have what the migrations build on", async (db) => {
  assert.deepEqual(await migrate(db), []);
});

async function refusal(url: string): Promise<string> {
  let message = "";
  await withPools([url], async ([db]) => {
    await assert.rejects(migrate(db!), (error: Error) => {
      assert.ok(error instanceof MigrationError, String(error));
      message = error.message;
      return true;
    });
  });
  return message;
}

/** Runs `body` on an empty database that was created with these options. */
async function withCreated(options: string, body: (url: string) => Promise<void>): Promise<void> {
  const name = `ndr_test_${crypto.randomUUID().replaceAll("-", "")}`;
  await onServer(POSTGRES_URL, `create database ${name} template template0 ${options}`);
  try {
    await body(POSTGRES_URL.replace(/\/[^/?]*(\?|$)/, `/${name}$1`));
  } finally {
    await onServer(POSTGRES_URL, `drop database ${name} with (force)`);
  }
}

for (const encoding of ["LATIN1", "SQL_ASCII"]) {
  Deno.test(`a database encoded in ${encoding} stops the start`, needsServer, async () => {
    await withCreated(`encoding '${encoding}' locale 'C'`, async (url) => {
      assert.match(
        await refusal(url),
        new RegExp(
          `^the database ndr_test_\\w+ has the encoding ${encoding}, but UTF8 is needed; make a suitable one .*: ` +
            "createdb --template=template0 --encoding=UTF8 --locale=C <name>$",
        ),
      );
    });
  });
}

Deno.test("a database that sorts linguistically stops the start", needsServer, async () => {
  await withCreated("encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'en'", async (url) => {
    assert.match(
      await refusal(url),
      /has the collation .*, but one that sorts by code points is needed .*--locale=C/,
    );
  });
});

Deno.test("too few connections for the database or the user stop the start", needsServer, async () => {
  const role = `ndr_test_${crypto.randomUUID().replaceAll("-", "")}`;
  await onServer(POSTGRES_URL, `create role ${role} login createrole connection limit 6`);
  try {
    await withCreated(`owner ${role} encoding 'UTF8' locale 'C' connection limit 9`, async (url) => {
      const asRole = url.replace(/\/\/[^@]*@/, `//${role}@`);
      assert.match(
        await refusal(asRole),
        /^the database ndr_test_\w+ has 9 connections, but the service uses up to 10; run as a superuser: alter database/,
      );
      await onServer(POSTGRES_URL, `alter database ${/\/(\w+)(\?|$)/.exec(url)![1]} connection limit 10`);
      assert.equal(
        await refusal(asRole),
        `the database user ${role} has 6 connections, but the service uses up to 10; ` +
          `run as a superuser: alter role ${role} connection limit -1;`,
      );
    });
  } finally {
    await onServer(POSTGRES_URL, `drop role ${role}`);
  }
});

Deno.test("a revoked right stops the start and is named", needsServer, async () => {
  const { url, drop } = await freshPostgres();
  const admin = new PostgresDatabase({ url });
  try {
    await admin.owner((tx) => tx.script("revoke insert, update on raw_batch from ndr_app"));
    assert.match(
      await refusal(url),
      /lack rights: insert on raw_batch for ndr_app, update on raw_batch for ndr_app; grant them as a superuser/,
    );
  } finally {
    await admin.close();
    await drop();
  }
});

/** Roles belong to a whole server, so this needs its own. */
Deno.test("a user without rights on the schema, or who owns no tables, stops the start", {
  ignore: (await installedPrograms()).length === 0,
}, async () => {
  const server = (await startPostgres())!;
  const as = (user: string) => server.url.replace("ndr_test@", `${user}@`);
  try {
    await onServer(server.url, "create role ndr_app nologin; create role ndr login; grant ndr_app to ndr");
    assert.match(
      await refusal(as("ndr")),
      /the database user ndr may not create tables in the schema public .*grant create, usage on schema public to ndr;$/,
    );
    await withPools([server.url], ([db]) => migrate(db!));
    await onServer(
      server.url,
      "grant create, usage on schema public to ndr; grant all on schema_migration to ndr",
    );
    assert.match(
      await refusal(as("ndr")),
      /lack rights: ownership of address_geo for ndr, .*owner to <the user/,
    );
  } finally {
    await server.stop();
  }
});
