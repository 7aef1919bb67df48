// `ndr up` with a provider: a run from the request to the metrics, the backtest against what people closed, and the ledger.

import assert from "node:assert/strict";
import { startProvider } from "../support/analyst/provider.ts";
import { callNdr } from "../support/command.ts";
import { until } from "../support/core-process.ts";
import { alertLine } from "../support/record/alert-line.ts";
import { startUp, type Up } from "../support/up.ts";
import { Browser } from "../web/session/web-browser.ts";

const TOKEN = "a-token-for-the-metrics-of-this-test";

Deno.test("ndr up with NDR_UP_ANALYST: runs, budget and backtest", async () => {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-analyst-up-" });
  await using provider = await startProvider();
  const env = { NDR_UP_ANALYST: provider.baseUrl("openai"), NDR_METRICS_TOKEN: TOKEN };
  const up = await startUp({ stateDir, sample: false, env });
  try {
    await sendAlerts(up, 3);
    const browser = await new Browser(up.baseUrl).signIn("analyst");
    const incidents = await until(async () => {
      const { data } = (await browser.json("/api/v1/incidents?from=1970-01-01T00:00:00Z")).body;
      return data.length === 3 ? data as { id: string; revision: number }[] : undefined;
    }, up.output);

    const created = await browser.write("POST", `/api/v1/incidents/${incidents[0]!.id}/analyst-runs`, {});
    const queued = await created.json();
    assert.equal(created.status, 202, JSON.stringify(queued));
    const run = await until(async () => {
      const { data } = (await browser.json(`/api/v1/analyst-runs/${queued.data.run_id}`)).body;
      return data.state === "queued" || data.state === "running" ? undefined : data;
    }, up.output);
    assert.equal(run.state, "complete", JSON.stringify(run.error));
    assert.equal(run.answer.reasoning[0].evidence_ids.length, 1);
    const spent = run.cost.spent_microusd;
    assert.ok(spent > 0);

    const metrics = await fetch(`${up.baseUrl}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const text = await metrics.text();
    const budget = (kind: string, value: number) =>
      `service_analyst_budget_microusd{tenant="main",provider="up",kind="${kind}"} ${value}\n`;
    for (const line of [budget("limit", 1_000_000), budget("reserved", 0), budget("spent", spent)]) {
      assert.ok(text.includes(line), `${line}${text.match(/.*analyst_budget.*/g)?.join("\n")}`);
    }

    // Closed as real, closed as false, and open: the backtest takes the first two.
    for (const [index, status] of (["resolved", "false_positive"] as const).entries()) {
      const { id, revision } = incidents[index]!;
      const closing = { status, comment: `Decided ${index}.` };
      const closed = await browser.write("PATCH", `/api/v1/incidents/${id}`, closing, {
        "if-match": `"${revision}"`,
      });
      assert.equal(closed.status, 200, await closed.text());
    }
    const asked = provider.calls.length;
    const ndr = (...args: string[]) => callNdr(["analyst", ...args], { NDR_STATE_DIR: stateDir });
    const dry = await ndr("backtest", "--tenant", "main", "--dry-run");
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(
      dry.stdout,
      /^2 closed incidents, model llama3\.1 of provider up\.\nUsual cost: \d+ micro-USD; at most \d+\./,
    );
    const unasked = await ndr("backtest", "--tenant", "main");
    assert.deepEqual([unasked.code, provider.calls.length], [1, asked], "nothing is sent without --yes");
    const played = await ndr("backtest", "--tenant", "main", "--yes");
    assert.equal(played.code, 0, played.stderr);
    assert.match(played.stdout, /resolved +suspicious +60 % +agrees +\d+ +Decided 0\./);
    assert.match(played.stdout, /false_positive +suspicious +60 % +disagrees +\d+ +Decided 1\./);
    assert.match(played.stdout, /agrees with people on 1 of 2 incidents that it judged \(50 %\)/);
    assert.equal(provider.calls.length, asked + 2);
    for (const { user } of provider.calls.slice(asked)) {
      assert.ok(!/resolved|false_positive|Decided/.test(user), "the model does not see what people decided");
    }
  } finally {
    await up.stop();
  }
  try {
    const ledger = await callNdr(["analyst", "budget"], {
      NDR_DATABASE_URL: `embedded:${stateDir}/database`,
    });
    assert.equal(ledger.code, 0, ledger.stderr);
    assert.match(
      ledger.stdout,
      /^DAY +TENANT +PROVIDER +RESERVED +SPENT\n\d{4}-\d\d-\d\d +main +up +0 +\d+\n$/,
    );
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});

async function sendAlerts({ coreUrl, sources }: Up, count: number): Promise<void> {
  const source = sources.find((one) =>
    one.tenant_id === "main" && one.allowed_kinds.includes("suricata.alert")
  );
  assert.ok(source);
  const response = await fetch(`${coreUrl}/internal/v1/ingest/events`, {
    method: "POST",
    headers: { "authorization": `Bearer ${source.token}`, "content-type": "application/x-ndjson" },
    body: Array.from({ length: count }, (_, number) => alertLine(number)).join("\n"),
  });
  assert.equal(response.status, 200, await response.text());
}
