// Both wire formats over a socket against the stand-in, and each way in which a provider fails.

import assert from "node:assert/strict";
import { evidenceId, incident, PLAN } from "../../test/support/analyst/incident.ts";
import { INJECTIONS } from "../../test/support/analyst/injections.ts";
import {
  type ProviderMode,
  type StandInProvider,
  startProvider,
} from "../../test/support/analyst/provider.ts";
import { type AnalystProvider, PROVIDER_APIS, type ProviderApi } from "../config/analyst.ts";
import { Secret } from "../config/secret.ts";
import { readAnswer } from "../domain/analyst/answer.ts";
import { costOf, worstCost } from "../domain/analyst/cost.ts";
import { prepareRequest } from "../domain/analyst/request.ts";
import { createProvider, type ModelReply } from "./provider.ts";

const KEY = "sk-a-key-of-a-test";
const QUESTION = { system: "Judge.", user: '{"evidence":[{"id":"e1"}]}', maxOutputTokens: 1000 };

function configOf(baseUrl: string, api: ProviderApi, more: Partial<AnalystProvider> = {}): AnalystProvider {
  return {
    id: "test",
    api,
    baseUrl: new URL(baseUrl),
    model: "llama3.1",
    apiKey: new Secret(KEY),
    inputMicrousdPerMillion: PLAN.inputMicrousdPerMillion,
    outputMicrousdPerMillion: PLAN.outputMicrousdPerMillion,
    maxInputTokens: PLAN.maxInputTokens,
    maxOutputTokens: PLAN.maxOutputTokens,
    timeoutMs: 20_000,
    ...more,
  };
}

function ask(
  standIn: StandInProvider,
  api: ProviderApi,
  more: Partial<AnalystProvider> = {},
): Promise<ModelReply> {
  return createProvider(configOf(standIn.baseUrl(api), api, more)).ask(
    QUESTION,
    new AbortController().signal,
  );
}

for (const api of PROVIDER_APIS) {
  Deno.test(`${api}: the request is exactly the question, and the answer comes with its usage`, async () => {
    await using standIn = await startProvider();
    const reply = await ask(standIn, api);
    const [call] = standIn.calls;
    assert.equal(standIn.calls.length, 1);
    assert.equal(call!.api, api);
    assert.deepEqual(
      [call!.system, call!.user, call!.maxOutputTokens, call!.model],
      [QUESTION.system, QUESTION.user, 1000, "llama3.1"],
    );
    assert.equal(call!.headers["content-type"], "application/json");
    if (api === "openai") {
      assert.equal(call!.headers.authorization, `Bearer ${KEY}`);
      assert.equal(call!.headers["x-api-key"], undefined);
      assert.ok(call!.jsonMode);
    } else {
      assert.equal(call!.headers["x-api-key"], KEY);
      assert.equal(call!.headers["anthropic-version"], "2023-06-01");
      assert.equal(call!.headers.authorization, undefined);
    }
    assert.equal(reply.kind, "answer");
    if (reply.kind !== "answer") return;
    assert.deepEqual(reply.usage, call!.billed);
    assert.ok(reply.usage!.inputTokens > 0 && reply.usage!.outputTokens > 0);
    assert.equal(typeof readAnswer(reply.text, { evidenceIds: [evidenceId(1)], placeholders: {} }), "object");
  });

  Deno.test(`${api}: without a key none is sent; a slash at the end of base_url changes nothing`, async () => {
    await using standIn = await startProvider();
    const reply = await ask(standIn, api, {
      apiKey: null,
      baseUrl: new URL(`${standIn.baseUrl(api)}/`),
    });
    assert.equal(reply.kind, "answer");
    assert.equal(
      standIn.calls[0]!.headers.authorization ?? standIn.calls[0]!.headers["x-api-key"],
      undefined,
    );
  });

  Deno.test(`${api}: each failure has its code, and says whether it may have been billed`, async () => {
    await using standIn = await startProvider();
    const cases: readonly [ProviderMode, string, "no" | "unknown" | "usage", RegExp][] = [
      ["rate-limited", "provider_rate_limited", "no", /it answered 429: Rate limit reached/],
      ["unauthorized", "provider_unavailable", "no", /it answered 401; check api_key_file/],
      [
        "unknown-model",
        "provider_unavailable",
        "no",
        /404; check base_url and model: model "llama3\.1" not found/,
      ],
      ["unavailable", "provider_unavailable", "no", /it answered 503: overloaded/],
      ["gateway-timeout", "provider_unavailable", "unknown", /it answered 504/],
      ["redirect", "provider_unavailable", "no", /it answered 302, a redirect, which is never followed/],
      ["close", "provider_unavailable", "unknown", /./],
      ["half", "provider_response_invalid", "unknown", /closed the connection within its answer/],
      ["garbage", "provider_response_invalid", "unknown", /its answer is not HTTP\/1\.1/],
      ["huge", "provider_response_invalid", "unknown", /its answer is too long/],
      ["foreign", "provider_response_invalid", "unknown", /is not one of the interface "(openai|anthropic)"/],
      ["cut", "provider_response_invalid", "usage", /it was cut at max_output_tokens/],
      ["declining", "provider_response_invalid", "usage", /the model declined to answer/],
    ];
    for (const [mode, code, billed, message] of cases) {
      standIn.mode = mode;
      const before = standIn.calls.length;
      const reply = await ask(standIn, api);
      assert.equal(reply.kind, "failure", mode);
      if (reply.kind !== "failure") continue;
      assert.equal(reply.code, code, mode);
      assert.match(reply.message, message, mode);
      assert.match(reply.message, /^provider test \(127\.0\.0\.1:\d+\): /, mode);
      assert.ok(!reply.message.includes(KEY), mode);
      assert.deepEqual(reply.billed, billed === "usage" ? standIn.calls.at(-1)!.billed : billed, mode);
      assert.equal(standIn.calls.length, before + 1, `${mode}: one call, never a second`);
    }
    assert.equal(standIn.redirected, 0);
  });

  Deno.test(`${api}: a provider that does not answer in time, and a cancelled call, have an unknown cost`, async () => {
    await using standIn = await startProvider({ mode: "hang" });
    const late = await ask(standIn, api, { timeoutMs: 300 });
    assert.deepEqual(
      late.kind === "failure" && [late.code, late.billed],
      ["provider_unavailable", "unknown"],
    );
    assert.match(late.kind === "failure" ? late.message : "", /it did not answer within 0\.3 seconds/);

    const cancelled = new AbortController();
    const call = createProvider(configOf(standIn.baseUrl(api), api)).ask(QUESTION, cancelled.signal);
    while (standIn.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    cancelled.abort();
    const reply = await call;
    assert.deepEqual(reply.kind === "failure" && [reply.code, reply.billed], [
      "provider_unavailable",
      "unknown",
    ]);

    const aborted = await createProvider(configOf(standIn.baseUrl(api), api)).ask(
      QUESTION,
      AbortSignal.abort(),
    );
    assert.deepEqual(aborted.kind === "failure" && [aborted.code, aborted.billed], [
      "provider_unavailable",
      "no",
    ]);
    assert.equal(standIn.calls.length, 2);
  });

  Deno.test(`${api}: a connection that is refused costs nothing`, async () => {
    const standIn = await startProvider();
    const baseUrl = new URL(standIn.baseUrl(api));
    await standIn.close();
    const signal = new AbortController().signal;
    const refused = await createProvider(configOf(baseUrl.href, api)).ask(QUESTION, signal);
    assert.deepEqual(refused.kind === "failure" && [refused.code, refused.billed], [
      "provider_unavailable",
      "no",
    ]);
  });

  Deno.test(`${api}: an answer without usage has an unknown cost, one that bills too much its own`, async () => {
    await using standIn = await startProvider({ mode: "unbilled" });
    const unbilled = await ask(standIn, api);
    assert.equal(unbilled.kind === "answer" && unbilled.usage, null);
    standIn.mode = "overbilling";
    const dear = await ask(standIn, api);
    assert.deepEqual(dear.kind === "answer" && dear.usage, standIn.calls[1]!.billed);
  });

  Deno.test(`${api}: the most expensive answer fits into the worst case`, async () => {
    await using standIn = await startProvider({ mode: "expensive" });
    const request = prepareRequest(INJECTIONS[0]!.detail, PLAN);
    const provider = createProvider(configOf(standIn.baseUrl(api), api));
    const reply = await provider.ask(
      { ...request, maxOutputTokens: PLAN.maxOutputTokens },
      new AbortController().signal,
    );
    assert.ok(reply.kind === "answer" && reply.usage !== null);
    assert.ok(costOf(PLAN, reply.usage) <= worstCost(PLAN, request));
    assert.equal(
      standIn.billed(PLAN.inputMicrousdPerMillion, PLAN.outputMicrousdPerMillion),
      costOf(PLAN, reply.usage),
    );
  });
}

Deno.test("a server that refuses JSON mode is asked without it from then on, but not twice for one question", async () => {
  await using standIn = await startProvider({ mode: "no-json-mode" });
  const provider = createProvider(configOf(standIn.baseUrl("openai"), "openai"));
  const signal = new AbortController().signal;
  const first = await provider.ask(QUESTION, signal);
  assert.deepEqual(first.kind === "failure" && [first.code, first.billed], ["provider_unavailable", "no"]);
  assert.equal(standIn.calls.length, 1);
  assert.equal((await provider.ask(QUESTION, signal)).kind, "answer");
  assert.deepEqual(standIn.calls.map(({ jsonMode }) => jsonMode), [true, false]);
});

Deno.test("a name that resolves to a refused or, without TLS, a public address is not connected to", async () => {
  const signal = new AbortController().signal;
  for (
    const [address, expected] of [["169.254.169.254", /refused/], ["203.0.113.9", /private address/]] as const
  ) {
    const provider = createProvider(configOf("http://localhost:9/v1", "openai"), {
      resolve: () => Promise.resolve([address]),
    });
    const reply = await provider.ask(QUESTION, signal);
    assert.deepEqual(reply.kind === "failure" && [reply.code, reply.billed], ["provider_unavailable", "no"]);
    assert.match(reply.kind === "failure" ? reply.message : "", expected);
  }
});

Deno.test("whatever a model is made to say, it cites sent evidence, proposes a valid filter, and costs at most the worst case", async () => {
  await using standIn = await startProvider({ mode: "malicious" });
  const providers = PROVIDER_APIS.map((api) => createProvider(configOf(standIn.baseUrl(api), api)));
  const signal = new AbortController().signal;
  const outcomes = { refused: 0, obeyed: 0 };
  for (const [at, { name, detail }] of INJECTIONS.entries()) {
    for (const send of [PLAN.send, []]) {
      const before = JSON.stringify(detail);
      const request = prepareRequest(detail, { ...PLAN, send });
      const calls = standIn.calls.length;
      const reply = await providers[at % 2]!.ask(
        { ...request, maxOutputTokens: PLAN.maxOutputTokens },
        signal,
      );
      assert.equal(standIn.calls.length, calls + 1, name);
      const call = standIn.calls.at(-1)!;
      assert.deepEqual(
        [call.system, call.user, call.maxOutputTokens],
        [request.system, request.user, 1000],
        name,
      );
      const usage = reply.kind === "answer" ? reply.usage! : reply.billed;
      assert.ok(typeof usage === "object" && costOf(PLAN, usage) <= worstCost(PLAN, request), name);
      assert.equal(JSON.stringify(detail), before, name);
      const answer = reply.kind === "answer" ? readAnswer(reply.text, request) : reply.message;
      if (typeof answer === "string") {
        outcomes.refused++;
        continue;
      }
      if (answer.suggestion?.kind === "status") outcomes.obeyed++;
      const cited = answer.reasoning.flatMap(({ evidence_ids }) => evidence_ids);
      assert.ok(cited.every((id) => request.evidenceIds.includes(id)), name);
      assert.ok(answer.suggestion?.kind !== "search" || answer.suggestion.filter !== "", name);
      assert.deepEqual(
        Object.keys(answer).toSorted(),
        ["assessment", "confidence", "next_steps", "reasoning", "suggestion", "summary"],
      );
    }
  }
  // The stand-in does obey: a corpus that reaches nothing would prove nothing.
  assert.ok(outcomes.refused > 20, `${outcomes.refused} refused`);
  assert.ok(outcomes.obeyed > 20, `${outcomes.obeyed} obeyed`);
});

Deno.test("an answer that cites what was not sent, or is no JSON, is not valid", async () => {
  await using standIn = await startProvider({ mode: "wrong" });
  const request = prepareRequest(incident({ evidence: INJECTIONS[0]!.detail.evidence }), PLAN);
  const provider = createProvider(configOf(standIn.baseUrl("openai"), "openai"));
  const signal = new AbortController().signal;
  const question = { ...request, maxOutputTokens: PLAN.maxOutputTokens };
  const wrong = await provider.ask(question, signal);
  assert.equal(
    wrong.kind === "answer" && readAnswer(wrong.text, request),
    "it cites e999, which was not sent",
  );
  standIn.mode = "unparsable";
  const prose = await provider.ask(question, signal);
  assert.equal(prose.kind === "answer" && readAnswer(prose.text, request), "its JSON object is not complete");
});
