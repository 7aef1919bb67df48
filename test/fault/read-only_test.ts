// A database that answers but cannot commit: read-only after a failover, or without rights.

import assert from "node:assert/strict";
import { type Database, StoreUnavailable } from "../../src/store/engine/database.ts";
import { StoreProbe } from "../../src/core/jobs/store-probe.ts";
import { silentLogger } from "../../src/observe/log.ts";
import { freshDatabase, freshPostgres, POSTGRES_URL } from "../support/database.ts";
import { healthEvents, lines, Watched } from "../support/health/health-watching.ts";
import { settle } from "../support/record/pipeline.ts";
import { scaled } from "../support/scale.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { registerTenants } from "../../src/store/engine/tenants.ts";
import { commit, record } from "../store/record/records.ts";

interface Fault {
  name: string;
  /** SQL for the superuser; `DB` stands for the name of the database. */
  begin: string;
  end: string;
  message: RegExp;
}

const READ_ONLY: Fault = {
  name: "is read-only after a failover",
  begin: "alter database DB set default_transaction_read_only = on",
  end: "alter database DB set default_transaction_read_only = off",
  message: /^the database cannot commit: cannot execute \w+ in a read-only transaction$/,
};

const FAULTS: readonly Fault[] = [READ_ONLY, {
  name: "refuses to write records",
  begin: "revoke insert on raw_batch from ndr_app",
  end: "grant insert on raw_batch to ndr_app",
  message: /^the database cannot commit: the database user lacks rights: insert on raw_batch for ndr_app$/,
}, {
  name: "refuses every write",
  begin: "revoke insert, update, delete on all tables in schema public from ndr_app",
  end: "grant insert, update, delete on all tables in schema public to ndr_app; " +
    "revoke update, delete on audit, audit_outside, session_selection from ndr_app; " +
    "revoke all on schema_migration from ndr_app",
  message: /^the database cannot commit: the database user lacks rights: .*, .*, .*, and \d+ more$/,
}];

/** The change as an administrator makes it, ending the connections that do not know of it. */
async function administer(admin: Database, statement: string): Promise<void> {
  const name = await admin.owner(async (tx) => {
    await tx.script("set local transaction_read_only = off");
    const [row] = await tx.rows<{ name: string }>(sql`select current_database()::text as name`);
    await tx.script(statement.replace("DB", row!.name));
    return row!.name;
  });
  await admin.owner((tx) =>
    tx.script(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    )
  );
}

for (const { name, begin, end, message } of FAULTS) {
  Deno.test(
    `a database that ${name} is unavailable within a minute in health and events, and ok again by itself`,
    { ignore: POSTGRES_URL === "" },
    async () => {
      const { url, drop } = await freshPostgres();
      const [db, admin] = [1, 2].map(() => new PostgresDatabase({ url, poolSize: 3 }));
      try {
        await registerTenants(db!, ["main"]);
        const watched = new Watched(db!, { sensors: ["zeek-1"], probe: true });
        await watched.pass("ok");
        await watched.pass("ok");
        const expected: string[] = [];
        for (let outage = 0; outage < scaled(1); outage++) {
          await administer(admin!, begin);
          const first = watched.seconds() + 30;
          await watched.pass("ok");
          assert.deepEqual(await watched.statuses(["store", "appliance", "pipeline", "sensor:zeek-1"]), [
            "unavailable",
            "unavailable",
            "unavailable",
            "unavailable",
          ]);
          await watched.pass("ok");
          await administer(admin!, end);
          await watched.pass("ok");
          await watched.pass("ok");
          for (const status of ["unavailable", "ok"]) {
            const at = status === "ok" ? first + 60 : first;
            const from = status === "ok" ? "unavailable" : "ok";
            expected.push(`${at} store: ${from} > ${status}`, `${at} pipeline: ${from} > ${status}`);
          }
          assert.equal((await commit(db!, [record(`after ${outage}`)])).accepted, 1);
          // Otherwise the record would wait, and the pipeline would rightly lag after the next outage.
          await settle(db!);
        }
        const seen = (await lines(db!)).filter((line) => / (store|pipeline):/.test(line));
        assert.deepEqual(seen, expected);
        assert.match((await healthEvents(db!))[0]!.message!, message);
      } finally {
        await Promise.all([db!.close(), admin!.close()]);
        await drop();
      }
    },
  );
}

Deno.test("a server that hangs in COMMIT cannot commit; a single timeout is not believed", async () => {
  const db = await freshDatabase();
  let hangs = true;
  let elapsed = 0;
  const server: Database = {
    engine: "postgres",
    owner: db.owner.bind(db),
    tenant: db.tenant.bind(db),
    close: db.close.bind(db),
    shared: (work) =>
      hangs ? Promise.reject(new StoreUnavailable(new Error("no result within 3000 ms"))) : db.shared(work),
  };
  const probe = new StoreProbe({ db: server, logger: silentLogger, elapsed: () => elapsed });
  const later = () => {
    elapsed += 10_000;
    return probe.fault();
  };
  try {
    assert.equal(await later(), null);
    assert.equal(await later(), "no result within 3000 ms");
    hangs = false;
    assert.notEqual(await probe.fault(), null, "the result is reused for ten seconds");
    assert.equal(await later(), null);
  } finally {
    await db.close();
  }
});
