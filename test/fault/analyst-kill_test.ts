// Two cores share a tenant's queue of analyst runs and its budget, and one is killed while its calls are under way. What a
// provider charged never exceeds the budget or the ledger, and nothing is charged twice.

import assert from "node:assert/strict";
import { ledgerDay, ledgerSum } from "../../src/store/analyst/ledger.ts";
import { insertRun, listRuns, type RunRow } from "../../src/store/analyst/runs.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { RunCores, TEST_LIMITS } from "../support/analyst/run-cores.ts";
import { POSTGRES_URL } from "../support/database.ts";
import { IS_SOAK, scaled } from "../support/scale.ts";

const OPTIONS = { ignore: POSTGRES_URL === "" };
/** In soak 1,000 runs against a budget of 100 worst cases. */
const RUNS = scaled(100);
const WORST = scaled(10);

Deno.test(
  "two cores and a kill: never more is charged than the budget, and nothing twice",
  OPTIONS,
  async () => {
    const limit = WORST * TEST_LIMITS.worstMicrousd + 1;
    await RunCores.run({ mode: "slow", delayMs: 150, budget: limit }, async (cores) => {
      const { db, provider } = cores;
      const victim = await cores.start();
      await queue(db, RUNS);
      await cores.until(() => provider.calls.length >= 2);
      const [holder] = await holders(db);
      assert.ok(holder, "the first core runs something");
      await cores.start();
      await cores.until(async () => (await holders(db)).length === 2);
      // Its calls have been sent and are not answered yet.
      await cores.until(async () => await underWay(db, holder) > 0);
      await victim.kill();
      // The server may still carry out what it had received from the killed core.
      let lost = -1;
      await cores.until(async () => {
        const before = lost;
        lost = await underWay(db, holder);
        await new Promise((resolve) => setTimeout(resolve, 500));
        return lost === before;
      });
      await expireLeases(db, holder);
      await cores.until(async () => (await open(db)) === 0);

      const runs = await all(db);
      assert.equal(runs.length, RUNS);
      const by = (state: string) => runs.filter((run) => run.state === state);
      assert.ok(by("complete").length > 0 && by("budget_exhausted").length > 0, JSON.stringify(count(runs)));
      const interrupted = runs.filter((run) => run.error_code === "interrupted");
      assert.equal(interrupted.length, lost, "the killed core's runs have failed, and only they");
      for (const run of interrupted) assert.deepEqual([run.reserved > 0, run.spent], [true, null]);
      // Each request has another text.
      assert.equal(new Set(provider.calls.map(({ user }) => user)).size, provider.calls.length, "asked once");

      const charged = provider.billed(TEST_LIMITS.inputPrice, TEST_LIMITS.outputPrice);
      const { reserved, spent } = await today(db);
      assert.ok(charged <= limit, `charged ${charged} of ${limit}`);
      assert.ok(charged <= reserved + spent, `charged ${charged}, the ledger has ${reserved} + ${spent}`);
      assert.ok(reserved + spent <= limit, `the ledger has ${reserved} + ${spent} of ${limit}`);
      assert.equal(spent, runs.reduce((sum, run) => sum + (run.spent ?? 0), 0));
      assert.equal(reserved, runs.reduce((sum, run) => sum + run.reserved, 0));
      if (IS_SOAK) {
        console.log({ runs: count(runs), calls: provider.calls.length, charged, reserved, spent, limit });
      }
    });
  },
);

Deno.test("a kill on the embedded engine: the runs under way have failed, the others go on", async () => {
  const limit = WORST * TEST_LIMITS.worstMicrousd + 1;
  await RunCores.runEmbedded({ mode: "slow", delayMs: 150, budget: limit }, async (cores) => {
    const { provider } = cores;
    await cores.open((db) => queue(db, RUNS));
    const victim = await cores.start();
    while (provider.calls.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await victim.kill();
    const left = await cores.open(all);
    const lost = left.filter(({ state }) => state === "running").length;
    assert.ok(lost > 0, "killed while calls were under way");
    const next = await cores.start("until-done");
    assert.equal((await next.ended()).code, 0);

    const [runs, ledger] = await cores.open(async (db) => [await all(db), await today(db)] as const);
    assert.equal(runs.filter((run) => run.error_code === "interrupted").length, lost);
    assert.ok(
      runs.every(({ state }) => state !== "queued" && state !== "running"),
      JSON.stringify(count(runs)),
    );
    assert.equal(new Set(provider.calls.map(({ user }) => user)).size, provider.calls.length, "asked once");
    const charged = provider.billed(TEST_LIMITS.inputPrice, TEST_LIMITS.outputPrice);
    assert.ok(charged <= ledger.reserved + ledger.spent && ledger.reserved + ledger.spent <= limit);
    assert.equal(ledger.spent, runs.reduce((sum, run) => sum + (run.spent ?? 0), 0));
    if (IS_SOAK) console.log({ runs: count(runs), calls: provider.calls.length, charged, ...ledger, limit });
  });
});

Deno.test("a core that hung through its lease changes the ledger only", OPTIONS, async () => {
  await RunCores.run(
    { mode: "slow", delayMs: 1_500, budget: 10 * TEST_LIMITS.worstMicrousd },
    async (cores) => {
      const { db, provider } = cores;
      const hung = await cores.start();
      await queue(db, 1);
      await cores.until(() => provider.calls.length === 1);
      hung.freeze();
      const [holder] = await holders(db);
      await expireLeases(db, holder!);
      await cores.start();
      await cores.until(async () => (await all(db))[0]!.error_code === "interrupted");
      assert.deepEqual(await today(db), { reserved: TEST_LIMITS.worstMicrousd, spent: 0 });
      await new Promise((resolve) => setTimeout(resolve, 1_600));
      hung.thaw();
      await cores.until(async () => (await today(db)).reserved === 0);

      const [run] = await all(db);
      assert.deepEqual([run!.state, run!.error_code, run!.answer], ["failed", "interrupted", null]);
      const charged = provider.billed(TEST_LIMITS.inputPrice, TEST_LIMITS.outputPrice);
      assert.deepEqual([run!.spent, await today(db)], [charged, { reserved: 0, spent: charged }]);
      assert.equal(provider.calls.length, 1);
    },
  );
});

function queue(db: Database, runs: number): Promise<void> {
  return db.tenant("main", async (tx) => {
    for (let n = 0; n < runs; n++) {
      const request = {
        promptVersion: "1",
        system: "Judge it.",
        user: JSON.stringify({
          incident: { title: `Run ${String(n).padStart(4, "0")}` },
          evidence: [{ id: "e1" }],
        }),
        evidenceIds: [idOf(n)],
        evidenceOmitted: 0,
        placeholders: {},
        estimatedInputTokens: 100,
        worstInputTokens: TEST_LIMITS.worstInputTokens,
      };
      const isQueued = await insertRun(tx, "main", {
        runId: idOf(n),
        incidentId: idOf(n),
        incidentRevision: 1,
        requestedBy: "ada",
        requestedAt: Date.now() * 1000,
        provider: "local",
        model: "test",
        sentParts: [],
        request,
      });
      assert.equal(isQueued, true);
    }
  });
}

function idOf(n: number): string {
  return `019b7746-0c00-7000-a000-${String(n).padStart(12, "0")}`;
}

function all(db: Database): Promise<RunRow[]> {
  return db.tenant("main", (tx) => listRuns(tx, "main", {}, null, 10_000));
}

function count(runs: readonly RunRow[]) {
  return Object.fromEntries(
    Object.entries(Object.groupBy(runs, ({ state }) => state)).map(([state, of]) => [state, of!.length]),
  );
}

function today(db: Database) {
  return db.tenant("main", async (tx) => ledgerSum(tx, "main", await ledgerDay(tx)));
}

async function holders(db: Database): Promise<string[]> {
  const rows = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ holder: string }>(sql`select distinct holder from analyst_run where holder is not null`),
  );
  return rows.map(({ holder }) => holder);
}

async function number(db: Database, condition: ReturnType<typeof sql>): Promise<number> {
  const [row] = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ runs: number }>(sql`select count(*)::integer as runs from analyst_run where ${condition}`),
  );
  return row!.runs;
}

function underWay(db: Database, holder: string): Promise<number> {
  return number(db, sql`state = 'running' and holder = ${holder}`);
}

function open(db: Database): Promise<number> {
  return number(db, sql`state in ('queued', 'running')`);
}

/** As if the lease's time had passed. */
async function expireLeases(db: Database, holder: string): Promise<void> {
  await db.tenant(
    "main",
    (tx) =>
      tx.run(sql`update analyst_run set lease_until = now() - interval '1 second' where holder = ${holder}`),
  );
}
