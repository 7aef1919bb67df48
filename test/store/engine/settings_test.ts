// What an administrator sets for the database or the login role does not change what is read and written.

import assert from "node:assert/strict";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { serverFacts, SESSION_SETTINGS } from "../../../src/store/engine/postgres/session-settings.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { conn } from "../../contract/records.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { pushBatch, sensor, settle } from "../../support/record/pipeline.ts";
import { onServer } from "./empty-databases.ts";

const NOW = Date.UTC(2026, 0, 31, 7, 15) * 1000;

/** Another valid value of each setting. */
const OTHERS: Record<string, string> = {
  TimeZone: "Asia/Kathmandu",
  DateStyle: "German",
  IntervalStyle: "iso_8601",
  extra_float_digits: "-15",
  bytea_output: "escape",
  array_nulls: "off",
  standard_conforming_strings: "off",
  transform_null_equals: "on",
  default_transaction_isolation: "serializable",
  row_security: "off",
  synchronous_commit: "off",
  jit: "on",
  plan_cache_mode: "force_custom_plan",
  enable_partition_pruning: "off",
};

for (const level of ["database", "role"] as const) {
  Deno.test(`settings of the ${level} change nothing`, { ignore: POSTGRES_URL === "" }, async () => {
    assert.deepEqual(Object.keys(OTHERS), Object.keys(SESSION_SETTINGS));
    const { url, drop } = await freshPostgres();
    const name = /\/(\w+)(\?|$)/.exec(url)![1]!;
    const role = `ndr_test_${crypto.randomUUID().replaceAll("-", "")}`;
    await onServer(POSTGRES_URL, `create role ${role} login superuser`);
    const target = level === "database" ? `database ${name}` : `role ${role} in database ${name}`;
    await onServer(
      POSTGRES_URL,
      Object.entries(OTHERS).map(([setting, value]) => `alter ${target} set ${setting} = '${value}'`).join(
        "; ",
      ),
    );
    const db = new PostgresDatabase({ url: url.replace("ndr_test@", `${role}@`) });
    try {
      const rows = await db.owner((tx) =>
        tx.rows<{ name: string; setting: string }>(
          sql`select name, current_setting(name) as setting from pg_settings`,
        )
      );
      const found = new Map(rows.map(({ name, setting }) => [name, setting]));
      for (const [setting, value] of Object.entries(SESSION_SETTINGS)) {
        assert.ok(found.get(setting)!.startsWith(value), `${setting} is ${found.get(setting)}`);
      }
      const facts = await db.owner(serverFacts);
      assert.deepEqual(facts.differing, []);
      assert.match(facts.version, /^\d+\./);
      const dropped = await db.owner(async (tx) => {
        await tx.script("set local timezone = 'Asia/Kathmandu'; set local jit = on");
        return await serverFacts(tx);
      });
      assert.deepEqual(dropped.differing, ["TimeZone is Asia/Kathmandu", "jit is on"]);
      await pushBatch(db, sensor("zeek-1"), [conn({ at: NOW })], NOW);
      await settle(db, { tenantId: "main", now: NOW });
      const [flow] = await db.tenant(
        "main",
        (tx) =>
          tx.rows<{ start_at: number; native_ids: Uint8Array }>(sql`select start_at, native_ids from flow`),
      );
      assert.equal(flow!.start_at, NOW);
      assert.ok(flow!.native_ids instanceof Uint8Array && flow!.native_ids.length > 0);
    } finally {
      await db.close();
      await onServer(
        POSTGRES_URL,
        `alter ${target} reset all; ${level === "role" ? `drop role ${role}` : ""}`,
      );
      if (level === "database") await onServer(POSTGRES_URL, `drop role ${role}`);
      await drop();
    }
  });
}
