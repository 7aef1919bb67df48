// Each failure of a provider, over a socket, as the interface shows it: the run's state and code, and what the ledger keeps.

import assert from "node:assert/strict";
import type { RunError, RunState } from "../../../src/contract/analyst/analyst-run.ts";
import { AnalystRunner } from "../../../src/analyst/runner.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { ledgerDay, ledgerSum } from "../../../src/store/analyst/ledger.ts";
import { type ProviderMode, startProvider } from "../../support/analyst/provider.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, refusal, SURICATA } from "../api.ts";
import { alert } from "../records.ts";
import { modelsOf } from "./models.ts";

type Cost = "settled" | "free" | "unknown";

/** For each mode of the provider: the run's state, its code, and what becomes of the reservation. */
const OUTCOMES: readonly [ProviderMode, RunState, RunError | null, Cost][] = [
  ["good", "complete", null, "settled"],
  ["expensive", "complete", null, "settled"],
  ["unbilled", "complete", null, "unknown"],
  ["rate-limited", "failed", "provider_rate_limited", "free"],
  ["unauthorized", "failed", "provider_unavailable", "free"],
  ["unknown-model", "failed", "provider_unavailable", "free"],
  ["unavailable", "failed", "provider_unavailable", "free"],
  ["hang", "failed", "provider_unavailable", "unknown"],
  ["close", "failed", "provider_unavailable", "unknown"],
  ["half", "failed", "provider_response_invalid", "unknown"],
  ["wrong", "failed", "provider_response_invalid", "settled"],
  ["unparsable", "failed", "provider_response_invalid", "settled"],
  ["cut", "failed", "provider_response_invalid", "settled"],
];

testDatabase("each failure of a provider has its state, its code and its cost", async (db) => {
  await using provider = await startProvider();
  const runner = new AnalystRunner({
    tenants: ["main"],
    models: modelsOf(provider.baseUrl("openai"), { budget: 100_000 }),
  }, { db, clock: { now: () => Date.now() * 1000 }, logger: silentLogger });
  const api = new Api(db, [], { analyst: runner });
  await api.take(SURICATA, [alert()]);
  const { id: incidentId } = (await api.read("listIncidents")).data[0]!;
  const path = { incident_id: incidentId };
  const body = {};
  const ledger = () => db.tenant("main", async (tx) => ledgerSum(tx, "main", await ledgerDay(tx)));
  const ended = async (runId: string) => {
    for (let polls = 0;; polls++) {
      assert.ok(polls < 6000, "a run has not ended within a minute");
      const { data } = await api.read("getAnalystRun", {}, {}, { run_id: runId });
      if (data.state !== "queued" && data.state !== "running") return data;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  runner.start();
  try {
    for (const [mode, state, code, cost] of OUTCOMES) {
      provider.mode = mode;
      const before = await ledger();
      const { data: preview } = await api.read("previewAnalystRun", {}, {}, path);
      const asked = provider.calls.length;
      const queued =
        (await checked("createAnalystRun", await api.change("createAnalystRun", path, { body }))).data;
      assert.equal(queued.state, "queued");
      const run = await ended(queued.run_id);
      assert.deepEqual(
        [run.state, run.error?.code ?? null],
        [state, code],
        `${mode}: ${JSON.stringify(run.error)}`,
      );
      assert.deepEqual(run.sent, preview.sent, `${mode}: what the preview showed`);
      assert.equal(provider.calls.length, asked + 1, `${mode}: asked once`);
      const call = provider.calls.at(-1)!;
      assert.deepEqual({ system: call.system, user: call.user }, run.sent, `${mode}: byte for byte`);
      const after = await ledger();
      const kept = { reserved: after.reserved - before.reserved, spent: after.spent - before.spent };
      const worst = preview.worst_microusd;
      const { reserved_microusd: reserved, spent_microusd: spent } = run.cost;
      if (cost === "unknown") {
        assert.deepEqual([kept, reserved, spent], [{ reserved: worst, spent: 0 }, worst, null], mode);
      } else {
        assert.deepEqual([kept, reserved], [{ reserved: 0, spent }, 0], mode);
        assert.ok(
          cost === "free" ? spent === 0 : spent! > 0 && spent! <= worst,
          `${mode}: ${spent} of ${worst}`,
        );
      }
      const { data: incident } = await api.read("getIncident", {}, {}, path);
      assert.equal(incident.analyst.state, state, mode);
      assert.equal(incident.analyst.run_id, run.run_id, mode);
      api.clock.advance(1);
    }
    const { data: incident } = await api.read("getIncident", {}, {}, path);
    assert.match(
      incident.analyst.text ?? "",
      /^The activity was reported as: /,
      "that of the newest complete run",
    );
    assert.deepEqual([incident.status, incident.revision], ["open", 1], "no run changes the incident");

    // Cancelled while the provider works: the call ends, its cost is unknown.
    provider.mode = "hang";
    runner.use(modelsOf(provider.baseUrl("openai"), { budget: 100_000, timeout: "2m" }));
    const calls = provider.calls.length;
    const { data: hanging } = await checked(
      "createAnalystRun",
      await api.change("createAnalystRun", path, { body }),
    );
    await refusal(await api.change("createAnalystRun", path, { body }), 409, "invalid_request");
    while (provider.calls.length === calls) await new Promise((resolve) => setTimeout(resolve, 10));
    const { data: running } = await api.read("getAnalystRun", {}, {}, { run_id: hanging.run_id });
    const of = { body, revision: running.revision };
    const { data: cancelled } = await checked(
      "cancelAnalystRun",
      await api.change("cancelAnalystRun", running, of),
    );
    assert.deepEqual([cancelled.state, cancelled.error?.code], ["failed", "cancelled"]);
    assert.ok(cancelled.cost.reserved_microusd > 0);
    await refusal(
      await api.change("cancelAnalystRun", running, { body, revision: cancelled.revision }),
      409,
      "invalid_request",
    );

    // Another provider, or another `send`, than the run was queued for: nothing is sent.
    const queuedFor = async (next: ReturnType<typeof modelsOf>) => {
      runner.use(modelsOf(provider.baseUrl("openai"), { budget: 100_000 }));
      provider.mode = "good";
      await runner.stop();
      const { data } = await checked(
        "createAnalystRun",
        await api.change("createAnalystRun", path, { body }),
      );
      const other = new AnalystRunner({ tenants: ["main"], models: next }, {
        db,
        clock: { now: () => Date.now() * 1000 },
        logger: silentLogger,
      });
      const sent = provider.calls.length;
      other.start();
      const run = await ended(data.run_id);
      await other.stop();
      assert.equal(provider.calls.length, sent, "nothing was sent");
      api.clock.advance(1);
      return run;
    };
    const less = modelsOf(provider.baseUrl("openai"), { budget: 100_000, send: "names" });
    assert.equal((await queuedFor(less)).state, "provider_disabled");
    assert.equal((await queuedFor(new Map())).state, "provider_disabled");
    const poor = modelsOf(provider.baseUrl("openai"), { budget: 1 });
    const exhausted = await queuedFor(poor);
    assert.deepEqual([exhausted.state, exhausted.error?.code], ["budget_exhausted", "budget_exhausted"]);
    runner.use(poor);
    const late = await refusal(await api.change("createAnalystRun", path, { body }), 429, "budget_exhausted");
    assert.match(late.message, /A new budget begins at 00:00 UTC/);
    runner.use(new Map());
    await refusal(await api.change("createAnalystRun", path, { body }), 409, "provider_disabled");
  } finally {
    await runner.stop();
  }
});
