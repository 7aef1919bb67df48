import assert from "node:assert/strict";
import {
  expireLedger,
  ledgerDay,
  ledgerRows,
  ledgerSum,
  type Reservation,
  reserve,
  settle,
} from "../../../src/store/analyst/ledger.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";

const DAY = "2026-01-31";
const CALL: Reservation = { tenantId: "main", provider: "local", day: DAY, amount: 7_321 };
/** Of the day's budget: a hundred calls and a bit, in which no other one fits. */
const LIMIT = 100 * CALL.amount + CALL.amount - 1;

testDatabases(
  "a thousand concurrent calls reserve what a hundred may cost, and not one micro-USD more",
  async (db) => {
    // Half of them at another provider: the budget is the tenant's.
    const calls = Array.from({ length: 1000 }, (_, i) => ({ ...CALL, provider: i % 2 ? "local" : "remote" }));
    const granted = await Promise.all(calls.map((call) => take(db, call)));
    assert.equal(granted.filter(Boolean).length, 100);
    assert.deepEqual(await sum(db), { reserved: 100 * CALL.amount, spent: 0 });

    // They end in any order: a third was not billed, a third costs less, a third stays unknown.
    const done = calls.filter((_, i) => granted[i]);
    await Promise.all(done.map(async (call, i) => {
      if (i % 3 < 2) await db.tenant("main", (tx) => settle(tx, call, i % 3 === 0 ? 0 : 1_111));
    }));
    assert.deepEqual(await sum(db), { reserved: 33 * CALL.amount, spent: 33 * 1_111 });

    // What became free is reserved again, up to the same limit.
    const again = await Promise.all(calls.slice(0, 200).map((call) => take(db, call)));
    const used = 33 * CALL.amount + 33 * 1_111;
    assert.equal(again.filter(Boolean).length, Math.floor((LIMIT - used) / CALL.amount));
    const total = await sum(db);
    assert.ok(total.reserved + total.spent <= LIMIT, JSON.stringify(total));
    assert.ok(total.reserved + total.spent + CALL.amount > LIMIT, JSON.stringify(total));
  },
);

testDatabases(
  "days, tenants and limits are apart; the ledger keeps what a provider really charged",
  async (db) => {
    assert.equal(await take(db, { ...CALL, amount: LIMIT + 1 }), false);
    assert.equal(await take(db, { ...CALL, amount: LIMIT }), true);
    assert.equal(await take(db, { ...CALL, amount: 1 }), false);
    assert.equal(await take(db, { ...CALL, day: "2026-02-01", amount: LIMIT }), true);
    assert.equal(await take(db, { ...CALL, tenantId: "other", amount: LIMIT }), true);
    assert.equal(await take(db, { ...CALL, amount: 0 }), true, "a call that costs nothing always fits");
    await assert.rejects(take(db, { ...CALL, amount: 0.5 }), /whole micro-USD/);
    await assert.rejects(take(db, { ...CALL, amount: -1 }), /whole micro-USD/);

    await db.tenant("main", (tx) => settle(tx, { ...CALL, amount: LIMIT }, LIMIT + 5));
    assert.deepEqual(await sum(db), { reserved: 0, spent: LIMIT + 5 });
    assert.equal(await take(db, { ...CALL, amount: 0 }), false, "over its limit, nothing fits any more");
    const rows = await db.tenant("main", (tx) => ledgerRows(tx, "main", { from: DAY, to: "2026-02-01" }));
    assert.deepEqual(rows, [
      { day: "2026-02-01", provider: "local", reserved: LIMIT, spent: 0 },
      { day: DAY, provider: "local", reserved: 0, spent: LIMIT + 5 },
    ]);
  },
);

testDatabases("the ledger forgets days after its retention, and the day is the database's", async (db) => {
  const today = await db.tenant("main", (tx) => ledgerDay(tx));
  assert.match(today, /^\d{4}-\d\d-\d\d$/);
  const before = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
  for (const day of [today, before(400), before(401)]) await take(db, { ...CALL, day });
  await db.tenant("main", (tx) => expireLedger(tx, "main", 400));
  const rows = await db.tenant("main", (tx) => ledgerRows(tx, "main", { from: before(500), to: today }));
  assert.deepEqual(rows.map(({ day }) => day), [today, before(400)]);
  const [{ days }] = await db.tenant("main", (tx) =>
    tx.rows<{ days: number }>(sql`
    select count(*)::integer as days from analyst_day where tenant_id = 'main'`)) as [{ days: number }];
  assert.equal(days, 2);
});

function take(db: Database, call: Reservation): Promise<boolean> {
  return db.tenant(call.tenantId, (tx) => reserve(tx, call, LIMIT));
}

function sum(db: Database) {
  return db.tenant("main", (tx) => ledgerSum(tx, "main", DAY));
}
