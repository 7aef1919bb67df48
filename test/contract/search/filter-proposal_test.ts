// Filters that a language model proposes, over a socket: what is sent and paid, and that nothing but a valid filter comes back.

import assert from "node:assert/strict";
import { AnalystRunner } from "../../../src/analyst/runner.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { ledgerDay, ledgerSum } from "../../../src/store/analyst/ledger.ts";
import { type ProviderMode, startProvider } from "../../support/analyst/provider.ts";
import { testDatabase } from "../../support/database.ts";
import { modelsOf } from "../analyst/models.ts";
import { Api, refusal } from "../api.ts";

const QUESTION = { query: "which machines phone home to 198.51.100.7 over ssh" };

/** Answers that are no filter; none may come back or run. */
const REFUSED = [
  "select * from flow",
  JSON.stringify({ kind: "flows", filter: "tenant:branch" }),
  JSON.stringify({ kind: "flows", filter: "dst.port:99999" }),
  JSON.stringify({ kind: "flows", filter: "src.ip:" }),
  JSON.stringify({ kind: "flows", filter: "service:ssh", sql: "drop table flow" }),
  JSON.stringify({ kind: "people", filter: "service:ssh" }),
  JSON.stringify({ kind: "flows", filter: null }),
];

testDatabase("a model proposes filters under the budget, and nothing else than a valid one", async (db) => {
  const text = (filter: string) => JSON.stringify({ kind: "flows", filter });
  await using provider = await startProvider({ answer: () => text("service:ssh dst.ip:198.51.100.7") });
  const options = { budget: 100_000, timeout: "5s" };
  const runner = new AnalystRunner(
    { tenants: ["main"], models: modelsOf(provider.baseUrl("openai"), options) },
    { db, clock: { now: () => Date.now() * 1000 }, logger: silentLogger, questionMs: 500 },
  );
  const api = new Api(db, [], { analyst: runner });
  const propose = (body: object = QUESTION) => api.send("proposeFilter", {}, { method: "POST", body });
  const preview = () => api.read("previewFilterProposal", {}, { method: "POST", body: QUESTION });
  const ledger = () => db.tenant("main", async (tx) => ledgerSum(tx, "main", await ledgerDay(tx)));

  // What the preview shows is what is sent, once; the answer is an interpretation that search takes.
  const { data: shown } = await preview();
  assert.equal(provider.calls.length, 0, "a preview asks nobody");
  const answered = await propose();
  assert.equal(answered.status, 200);
  const { data } = await answered.json();
  assert.equal(provider.calls.length, 1);
  assert.deepEqual({ system: provider.calls[0]!.system, user: provider.calls[0]!.user }, shown.sent);
  assert.deepEqual(
    [data.interpretation.interpretation, data.interpretation.text, data.interpretation.warnings.length],
    ["model", "service:ssh dst.ip:198.51.100.7", 1],
  );
  const { reserved, spent } = await ledger();
  assert.deepEqual([reserved, spent], [0, data.cost.spent_microusd]);
  assert.ok(spent > 0 && spent <= shown.worst_microusd);
  await api.read("search", {}, { method: "POST", body: data.interpretation.filter });

  for (const answer of REFUSED) {
    provider.answer = () => answer;
    const { details } = await refusal(await propose(), 502, "provider_response_invalid");
    assert.ok((details.cost as { spent_microusd: number }).spent_microusd > 0, `${answer} was paid`);
  }
  // Withheld addresses are put back as values, and a hostile one adds no condition.
  provider.answer = () => text("dst.ip:[address-1]");
  runner.use(modelsOf(provider.baseUrl("openai"), { ...options, send: "" }));
  const hidden = await (await propose()).json();
  assert.match(provider.calls.at(-1)!.user, /to \[address-1\] over/);
  assert.equal(hidden.data.interpretation.text, "dst.ip:198.51.100.7");

  const failures: [ProviderMode, number, string][] = [
    ["rate-limited", 429, "provider_rate_limited"],
    ["unavailable", 503, "provider_unavailable"],
    ["close", 503, "provider_unavailable"],
    ["unparsable", 502, "provider_response_invalid"],
  ];
  for (const [mode, status, code] of failures) {
    provider.mode = mode;
    const before: number = provider.calls.length;
    await refusal(await propose(), status, code);
    assert.equal(provider.calls.length, before + 1, `${mode}: asked once`);
  }

  // A person gets an answer before the web layer gives up, whatever the provider's timeout; the cost stays reserved.
  provider.mode = "hang";
  const held = (await ledger()).reserved;
  const { message } = await refusal(await propose(), 503, "provider_unavailable");
  assert.match(message, /did not answer within 0\.5 seconds/);
  assert.ok((await ledger()).reserved > held);

  // A tenant has two places; the third question is refused before anything is sent.
  provider.mode = "slow";
  provider.answer = () => text("service:ssh");
  const asked = provider.calls.length;
  const statuses = (await Promise.all([propose(), propose(), propose()])).map(({ status }) => status);
  assert.deepEqual([statuses.sort(), provider.calls.length - asked], [[200, 200, 429], 2]);

  runner.use(modelsOf(provider.baseUrl("openai"), { budget: 1 }));
  const sent = provider.calls.length;
  await refusal(await propose(), 429, "budget_exhausted");
  runner.use(new Map());
  await refusal(await propose(), 409, "provider_disabled");
  assert.equal(provider.calls.length, sent);
  await refusal(await propose({ query: "" }), 400, "invalid_request");
  const asReader = { method: "POST" as const, body: QUESTION, roles: ["reader" as const] };
  await refusal(await api.send("proposeFilter", {}, asReader), 403, "forbidden");
});
