// The way of an attacker's text: ingest, database, incident, run, and a model that obeys whatever it reads.

import assert from "node:assert/strict";
import { AnalystRunner } from "../../../src/analyst/runner.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { ledgerDay, ledgerSum } from "../../../src/store/analyst/ledger.ts";
import { TEXTS } from "../../support/analyst/injections.ts";
import { startProvider } from "../../support/analyst/provider.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, SURICATA } from "../api.ts";
import { alert } from "../records.ts";
import { modelsOf } from "./models.ts";

testDatabase("a model that obeys what attackers write changes nothing but its own text", async (db) => {
  await using provider = await startProvider({ mode: "malicious" });
  const runner = new AnalystRunner({
    tenants: ["main"],
    models: modelsOf(provider.baseUrl("openai"), { budget: 1_000_000, send: "names, addresses, payloads" }),
  }, { db, clock: { now: () => Date.now() * 1000 }, logger: silentLogger });
  const api = new Api(db, [], { analyst: runner });
  await api.take(
    SURICATA,
    TEXTS.map(({ text }, at) =>
      alert({ src: `10.0.${at}.5`, dst: `198.51.100.${at + 1}`, sid: 2_018_000 + at, signature: text })
    ),
  );
  const incidents = async () => {
    const { data } = await api.read("listIncidents", { limit: 100 });
    return await Promise.all(data.map(async ({ id }) => {
      const { analyst: _, ...rest } = (await api.read("getIncident", {}, {}, { incident_id: id })).data;
      return rest;
    }));
  };
  const before = await incidents();
  assert.equal(before.length, TEXTS.length);
  runner.start();
  try {
    for (const { id } of before) {
      const created = await api.change("createAnalystRun", { incident_id: id }, { body: {} });
      await checked("createAnalystRun", created);
    }
    for (let polls = 0;; polls++) {
      assert.ok(polls < 3000, "the runs have not ended within 30 s");
      const { data } = await api.read("listAnalystRuns", { limit: 100 });
      if (data.every(({ state }) => state === "complete" || state === "failed")) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  } finally {
    await runner.stop();
  }

  // The texts reached the model and it obeyed: some answers were refused, and none had an effect.
  assert.equal(provider.calls.length, TEXTS.length);
  const { data: runs } = await api.read("listAnalystRuns", { limit: 100 });
  assert.ok(runs.some(({ state }) => state === "failed") && runs.some(({ state }) => state === "complete"));
  assert.deepEqual(await incidents(), before);
  assert.equal((await api.read("listSuppressions")).data.length, 0);
  assert.equal((await api.read("listProposals")).data.length, 0);
  const spent = runs.reduce((sum, { cost }) => sum + cost.spent_microusd!, 0);
  const ledger = await db.tenant("main", async (tx) => ledgerSum(tx, "main", await ledgerDay(tx)));
  assert.deepEqual(ledger, { ...ledger, reserved: 0, spent });
  assert.equal(spent, provider.billed(150_000, 600_000), "what was billed, and not more");
});
