import assert from "node:assert/strict";
import { addAudit, addOutsideAudit, expireAudit, listAudit } from "../../../src/store/session/audit.ts";
import { migrate } from "../../../src/store/engine/schema/migrate.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { StoreUnavailable } from "../../../src/store/engine/database.ts";
import { errorCode } from "../../../src/store/engine/retry.ts";
import { createSession } from "../../../src/store/session/sessions.ts";
import { identifier, sql } from "../../../src/store/engine/sql.ts";
import { APPEND_ONLY_TABLES } from "../../../src/store/engine/tables.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { sha256Hex } from "../../../src/kit/hash.ts";
import { auditRow, entriesOf, NOBODY } from "../../contract/session/audit.ts";
import { POSTGRES_URL, testDatabases } from "../../support/database.ts";
import { Machine } from "../../support/store/machine.ts";
import { onServer, withEmptyDatabase } from "../engine/empty-databases.ts";

const DAY = 86_400_000_000;

testDatabases("audit rows cannot be changed, nor deleted while they are young", async (db) => {
  const now = Date.now() * 1000;
  await db.tenant("main", (tx) => addAudit(tx, "main", auditRow({ at: now })));
  await db.shared((tx) => addOutsideAudit(tx, auditRow({ at: now })));
  const refused = (error: unknown) =>
    errorCode(error instanceof StoreUnavailable ? error.cause : error) === "42501";
  for (const name of APPEND_ONLY_TABLES) {
    for (
      const attempt of [
        sql`update ${identifier(name)} set subject = 'somebody else'`,
        sql`delete from ${identifier(name)}`,
        sql`truncate ${identifier(name)}`,
      ]
    ) {
      const text = attempt.compile().text;
      await assert.rejects(db.tenant("main", (tx) => tx.run(attempt)), refused, `plain role: ${text}`);
      const asOwner = db.owner(async (tx) => {
        await tx.script("set local ndr.tenant = 'main'");
        await tx.run(attempt);
      });
      await assert.rejects(asOwner, refused, `owner: ${text}`);
    }
  }
  assert.equal((await entriesOf(db, "main")).length, 1);
  assert.equal((await entriesOf(db, NOBODY)).length, 1);
});

testDatabases(
  "upkeep deletes old audit rows of every tenant, and audits expired sessions",
  async (db) => {
    const now = Date.now() * 1000;
    await registerTenants(db, ["main", "branch"]);
    const ages = [0, 100, 399, 401];
    for (const tenant of ["main", "branch"]) {
      await db.tenant(tenant, async (tx) => {
        for (const age of ages) {
          await addAudit(tx, tenant, auditRow({ at: now - age * DAY, targetId: `${age}` }));
        }
      });
    }
    await db.shared((tx) => addOutsideAudit(tx, auditRow({ at: now - 401 * DAY })));
    const session = {
      token_hash: sha256Hex("cookie"),
      subject: "ada",
      display_name: "Ada",
      claims: {},
      selected_tenant: null,
      csrf_token: "c".repeat(43),
      grants: [{ tenant_id: "branch", roles: ["analyst" as const] }],
      provider_session: null,
      provider_state: null,
    };
    await db.shared((tx) => createSession(tx, crypto.randomUUID(), session, now - DAY, now - DAY / 2));

    const machine = new Machine(now);
    await machine.upkeep(db).run();
    const left = async (tenant: string) =>
      (await entriesOf(db, tenant)).map((row) => row.target_id ?? row.operation).sort();
    assert.deepEqual(await left("main"), ["0", "100", "399"]);
    assert.deepEqual(await left("branch"), ["0", "100", "399", "sessionExpired"]);
    assert.deepEqual(await entriesOf(db, NOBODY), []);
    // A shorter setting than the tables allow keeps young rows.
    await machine.upkeep(db, undefined, { auditDays: 1 }).run();
    assert.deepEqual(await left("main"), ["0"]);
  },
);

testDatabases("a page of the audit uses its index", async (db) => {
  const now = Date.now() * 1000;
  await db.tenant("main", async (tx) => {
    await tx.run(sql`
      insert into audit (tenant_id, audit_id, at, operation, outcome, roles, changes)
      select 'main', gen_random_uuid(), now() - n * interval '1 second', 'patchDevice', 'done', '', '[]'
      from generate_series(1, 20000) n`);
  });
  await db.owner((tx) => tx.script("analyze audit"));
  const plan = await db.tenant("main", async (tx) => {
    const plans: string[] = [];
    const explaining = {
      rows: async <R extends object>(statement: Parameters<typeof tx.rows>[0]): Promise<R[]> => {
        const rows = await tx.rows<Record<string, string>>(sql`explain ${statement}`);
        plans.push(rows.map((row) => Object.values(row)[0]).join("\n"));
        return [];
      },
      run: tx.run.bind(tx),
    };
    const window = { from: now - 3600_000_000, to: now };
    await listAudit(explaining, "main", { window }, { at: now - 1, id: crypto.randomUUID() }, 101);
    return plans.join("\n");
  });
  assert.match(plan, /Index.* audit_time/);
  assert.doesNotMatch(plan, /Seq Scan/);
});

Deno.test({
  name: "an owner who is not a superuser deletes old audit rows, and only those",
  ignore: POSTGRES_URL === "",
  fn: async () => {
    const owner = `ndr_owner_${crypto.randomUUID().slice(0, 8)}`;
    await onServer(POSTGRES_URL, `create role ${owner} login createrole`);
    try {
      await withEmptyDatabase(POSTGRES_URL, async (url) => {
        const db = new PostgresDatabase({ url });
        try {
          await migrate(db);
          const now = Date.now() * 1000;
          await db.tenant("main", async (tx) => {
            for (const age of [1, 100, 500]) await addAudit(tx, "main", auditRow({ at: now - age * DAY }));
          });
          await db.shared((tx) => addOutsideAudit(tx, auditRow({ at: now - 500 * DAY })));
          assert.equal(await expireAudit(db, ["main"], now - 400 * DAY), 2);
          assert.equal((await entriesOf(db, "main")).length, 2);
          await assert.rejects(expireAudit(db, ["main"], now), { code: "42501" });
          assert.equal((await entriesOf(db, "main")).length, 2);
        } finally {
          await db.close();
        }
      }, owner);
    } finally {
      await onServer(POSTGRES_URL, `drop owned by ${owner}; drop role ${owner}`);
    }
  },
});
