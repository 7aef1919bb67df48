import assert from "node:assert/strict";
import { StoreUnavailable } from "../../../src/store/engine/database.ts";
import { serverLocation } from "../../../src/store/engine/server-location.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { WatchedDatabase } from "../../../src/store/engine/watched.ts";
import { POSTGRES_URL, testDatabases } from "../../support/database.ts";
import { onServer, withEmptyDatabase } from "./empty-databases.ts";

testDatabases("a full disk is reported, other failures are not, and all are thrown", async (inner) => {
  let reports = 0;
  const db = new WatchedDatabase(inner, { onDiskFull: () => reports++, onNoConnection: assert.fail });
  const failing = (code: string, message = "") => () =>
    db.owner((tx) =>
      tx.script(`do $$ begin raise exception using errcode = '${code}', message = '${message}'; end $$`)
    );
  await assert.rejects(failing("53100"), StoreUnavailable);
  await assert.rejects(failing("XX000", "could not extend file: Disk quota exceeded"), StoreUnavailable);
  assert.equal(reports, 2);
  await assert.rejects(failing("53200"), StoreUnavailable, "out of memory is not a full disk");
  await assert.rejects(failing("22012"), { code: "22012" });
  assert.deepEqual(await db.shared((tx) => tx.rows(sql`select 1 as one`)), [{ one: 1 }]);
  assert.deepEqual(await db.tenant("main", (tx) => tx.rows(sql`select 1 as one`)), [{ one: 1 }]);
  assert.equal(reports, 2);
  assert.equal(db.engine, inner.engine);
});

Deno.test(
  "a local server reports its data directory to privileged roles",
  { ignore: POSTGRES_URL === "" },
  async () => {
    const role = `ndr_test_${crypto.randomUUID().slice(0, 8)}`;
    const locationOf = async (url: string) => {
      const db = new PostgresDatabase({ url });
      return await serverLocation(db).finally(() => db.close());
    };
    await onServer(POSTGRES_URL, `create role ${role} login`);
    try {
      await withEmptyDatabase(POSTGRES_URL, async (url) => {
        assert.deepEqual(await locationOf(url), { local: true, directory: null });
        await onServer(POSTGRES_URL, `grant pg_read_all_settings to ${role}`);
        const { directory } = await locationOf(url);
        assert.ok(directory?.startsWith("/"), String(directory));
      }, role);
    } finally {
      await onServer(POSTGRES_URL, `drop role ${role}`);
    }
  },
);

testDatabases("a refused connection is reported with the server's reason", async (inner) => {
  const reasons: string[] = [];
  const db = new WatchedDatabase(inner, {
    onDiskFull: assert.fail,
    onNoConnection: (reason) => reasons.push(reason),
  });
  await assert.rejects(
    db.owner((tx) =>
      tx.script(
        "do $$ begin raise exception using errcode = '53300', message = 'too many for role x'; end $$",
      )
    ),
    StoreUnavailable,
  );
  assert.deepEqual(reasons, ["too many for role x"]);
});
