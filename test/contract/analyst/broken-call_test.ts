import assert from "node:assert/strict";
import { AnalystRunner } from "../../../src/analyst/runner.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, SURICATA } from "../api.ts";
import { alert } from "../records.ts";
import { TEST_PLAN } from "./desk.ts";

testDatabase("a fault in a call ends its run and nothing else", async (db) => {
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (message: string) => void errors.push(message) };
  const provider = { ask: () => Promise.reject(new TypeError("a fault of the adapter")) };
  const runner = new AnalystRunner({
    tenants: ["main"],
    models: new Map([["main", { plan: TEST_PLAN, provider }]]),
  }, { db, clock: { now: () => Date.now() * 1000 }, logger });
  const api = new Api(db, [], { analyst: runner });
  await api.take(SURICATA, [alert()]);
  const { id } = (await api.read("listIncidents")).data[0]!;
  runner.start();
  try {
    const created = await api.change("createAnalystRun", { incident_id: id }, { body: {} });
    const { data: { run_id } } = await checked("createAnalystRun", created);
    const until = async (reached: () => Promise<boolean> | boolean) => {
      for (let polls = 0; !await reached(); polls++) {
        assert.ok(polls < 2000, "not reached within 20 s");
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    await until(() => errors.includes("an analyst run broke off"));
    // As if its lease had expired.
    await db.tenant(
      "main",
      (tx) => tx.run(sql`update analyst_run set lease_until = now() - interval '1 second'`),
    );
    runner.queued();
    const run = async () => (await api.read("getAnalystRun", {}, {}, { run_id })).data;
    await until(async () => (await run()).state === "failed");
    const { error, cost } = await run();
    assert.equal(error?.code, "interrupted");
    assert.deepEqual([cost.reserved_microusd > 0, cost.spent_microusd], [true, null]);
  } finally {
    await runner.stop();
  }
});
