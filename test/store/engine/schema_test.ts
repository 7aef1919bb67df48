// migrations/schema.sql shows readers the schema that the migrations create. To regenerate it:
//
//     NDR_SCHEMA_UPDATE=1 make test SUITE=store ARGS="--filter schema.sql"

import assert from "node:assert/strict";
import { dumpSchema } from "../../support/store/schema-dump.ts";
import { testDatabases } from "../../support/database.ts";

const FILE = new URL("../../../migrations/schema.sql", import.meta.url);
const HEAD = `-- The schema that the migrations create. Generated: see test/store/engine/schema_test.ts.\n\n`;

testDatabases("schema.sql is the schema that the migrations create", async (db) => {
  const schema = HEAD + await dumpSchema(db);
  if (Deno.env.get("NDR_SCHEMA_UPDATE") === "1") await Deno.writeTextFile(FILE, schema);
  assert.equal(schema, await Deno.readTextFile(FILE), "migrations/schema.sql is out of date");
});
