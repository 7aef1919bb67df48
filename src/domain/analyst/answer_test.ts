import assert from "node:assert/strict";
import fc from "fast-check";
import { incident, modelResult, PLAN } from "../../../test/support/analyst/incident.ts";
import { readAnswer } from "./answer.ts";
import { costOf, estimatedCost, worstCost } from "./cost.ts";
import { prepareFilterRequest, readFilterAnswer } from "./filter-request.ts";
import { prepareRequest } from "./request.ts";

const REQUEST = {
  evidenceIds: ["id-1", "id-2"],
  placeholders: {
    "[device-1]": "WS-12",
    "[address-1]": "203.0.113.7",
    "[name-1]": 'x" or dst.ip:*',
    "[payload-1]": "p".repeat(5000),
  },
};
const GOOD = {
  assessment: "suspicious",
  confidence: 0.7,
  summary: "[device-1] contacts [address-1] and [address-9].",
  reasoning: [{ claim: "It is regular.", evidence_ids: ["e2", "e1", "e2"] }],
  next_steps: ["Ask the user of [device-1]."],
  suggestion: null as unknown,
};

function read(change: Record<string, unknown> = {}): ReturnType<typeof readAnswer> {
  return readAnswer(JSON.stringify({ ...GOOD, ...change }), REQUEST);
}

Deno.test("an answer gets its ids and the originals of placeholders back", () => {
  assert.deepEqual(read(), {
    ...GOOD,
    summary: "WS-12 contacts 203.0.113.7 and [address-9].",
    reasoning: [{ claim: "It is regular.", evidence_ids: ["id-2", "id-1"] }],
    next_steps: ["Ask the user of WS-12."],
  });
});

Deno.test("the object may stand in a fence, between sentences or behind reasoning; there must be one", () => {
  const text = JSON.stringify(GOOD);
  for (
    const around of [
      `\`\`\`json\n${text}\n\`\`\``,
      `Here it is: ${text} Done.`,
      `<think>{maybe}</think>\n${text}`,
    ]
  ) {
    assert.equal(typeof readAnswer(around, REQUEST), "object", around);
  }
  assert.equal(readAnswer("", REQUEST), "it has no JSON object");
  assert.equal(readAnswer(text + text, REQUEST), "it has more than one JSON object");
  assert.equal(readAnswer(text.slice(0, -1), REQUEST), "its JSON object is not complete");
  assert.equal(readAnswer("{x}", REQUEST), "its JSON is not valid");
  assert.match(String(readAnswer(`{"a":"${"x".repeat(70_000)}"}`, REQUEST)), /more than 65536 characters/);
});

Deno.test("anything that differs from the schema is refused, and says where", () => {
  assert.match(String(read({ assessment: "harmless" })), /^its assessment is not as expected/);
  assert.match(String(read({ confidence: "0.7" })), /^its confidence /);
  assert.match(String(read({ confidence: 1.01 })), /^its confidence /);
  assert.match(String(read({ summary: "" })), /^its summary /);
  assert.match(String(read({ summary: "x".repeat(1501) })), /^its summary /);
  assert.match(String(read({ next_steps: Array(9).fill("x") })), /^its next_steps /);
  assert.match(
    String(read({ reasoning: [{ claim: "x", evidence_ids: [] }] })),
    /^its reasoning\[0\]\.evidence_ids /,
  );
  assert.match(String(read({ score: 0 })), /members that are not part of an answer/);
  assert.match(
    String(read({ suggestion: { kind: "status", status: "closed", reason: "x" } })),
    /^its suggestion\.status /,
  );
  assert.match(String(read({ suggestion: { kind: "sql", sql: "x" } })), /^its suggestion/);
  assert.match(String(readAnswer('{"__proto__":{}}', REQUEST)), /^its /);
});

Deno.test("only evidence that was sent may be cited", () => {
  for (const id of ["e3", "e0", "e01", "id-1", "E1", "e1 ", "e-1", "e1e1"]) {
    assert.match(
      String(read({ reasoning: [{ claim: "x", evidence_ids: ["e1", id] }] })),
      /^it cites .+, which was not sent$/,
      id,
    );
  }
  assert.match(String(read({ reasoning: [] })), /without a claim that cites evidence/);
  assert.equal(typeof read({ reasoning: [], assessment: "inconclusive" }), "object");
});

Deno.test("a suggested filter is parsed and printed; a placeholder in it is one value", () => {
  const filterOf = (filter: string) => {
    const answer = read({ suggestion: { kind: "search", filter, reason: "why" } });
    return typeof answer === "string"
      ? answer
      : answer.suggestion?.kind === "search"
      ? answer.suggestion.filter
      : null;
  };
  assert.equal(filterOf("dst.ip:[address-1] and (service:dns)"), "dst.ip:203.0.113.7 service:dns");
  assert.equal(filterOf("device:[device-1]"), "device:WS-12");
  assert.equal(filterOf('device:"[device-1]"'), "device:WS-12");
  // The name of an attacker does not become a condition of its own.
  assert.match(String(filterOf("device:[name-1]")), /^device:"x\\" or dst\.ip:\*"$/);
  assert.match(String(filterOf("nonsense:1")), /^its filter is not valid: /);
  assert.match(String(filterOf("src.ip:300.1.1.1")), /^its filter is not valid: /);
  assert.match(String(filterOf("(")), /^its filter is not valid: /);
});

Deno.test("restored texts stay short, and show no deceptive character", () => {
  const answer = read({ summary: "[payload-1] ".repeat(100).trim(), next_steps: ["a\u202eb"] });
  assert.ok(typeof answer === "object" && answer.summary.length <= 4000);
  assert.deepEqual(answer.next_steps, ["a\\u{202e}b"]);
});

Deno.test("no text makes the reader throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
      const answer = readAnswer(text, REQUEST);
      assert.equal(typeof answer, "string");
    }),
    { numRuns: 100 },
  );
});

Deno.test("costs are exact, rounded up per call, and refuse what is no count", () => {
  const prices = { inputMicrousdPerMillion: 150_000, outputMicrousdPerMillion: 600_000 };
  assert.equal(costOf(prices, { inputTokens: 1_000_000, outputTokens: 1_000_000 }), 750_000);
  assert.equal(costOf(prices, { inputTokens: 1, outputTokens: 0 }), 1);
  assert.equal(costOf(prices, { inputTokens: 0, outputTokens: 0 }), 0);
  assert.equal(
    costOf({ inputMicrousdPerMillion: 0, outputMicrousdPerMillion: 0 }, { inputTokens: 9, outputTokens: 9 }),
    0,
  );
  assert.equal(
    costOf({ inputMicrousdPerMillion: 1e9, outputMicrousdPerMillion: 1e9 }, {
      inputTokens: 1e9,
      outputTokens: 1e9,
    }),
    2e12,
  );
  for (const inputTokens of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
    assert.throws(() => costOf(prices, { inputTokens, outputTokens: 0 }), RangeError);
  }
  const request = prepareRequest(incident(), PLAN);
  assert.ok(estimatedCost(PLAN, request) < worstCost(PLAN, request));
});

Deno.test("evidence that does not fit is omitted and counted; the newest of each finding is kept", () => {
  const [weak, strong] = [40, 80].map((score, at) =>
    modelResult({
      score,
      evidence_ids: Array.from({ length: 150 }, (_, index) => `evidence-${at}-${index}`),
    })
  ) as [ReturnType<typeof modelResult>, ReturnType<typeof modelResult>];
  const evidence = [weak, strong].flatMap(({ evidence_ids }) =>
    evidence_ids.map((evidence_id, index) => ({
      evidence_id,
      kind: "flow_observation" as const,
      source: "zeek" as const,
      sensor_id: "s",
      observed_at: `2026-01-31T07:00:00.${String(index).padStart(3, "0")}Z`,
      received_at: "2026-01-31T07:00:00.000Z",
      trust: "packet" as const,
      summary: "tcp 10.0.0.12:1 → 203.0.113.7:443 (ssl), 1.2 kB out, 3.4 kB in",
      flow_id: "f",
      record_kind: "zeek.conn" as const,
    }))
  );
  const request = prepareRequest(incident({ evidence, model_results: [weak, strong] }), PLAN);
  assert.ok(request.evidenceOmitted > 0);
  assert.equal(request.evidenceIds.length + request.evidenceOmitted, 300);
  assert.deepEqual(request.evidenceIds.slice(0, 4), [
    "evidence-1-149",
    "evidence-0-149",
    "evidence-1-148",
    "evidence-0-148",
  ]);
  const { evidence: sent, omitted } = JSON.parse(request.user);
  assert.deepEqual(
    sent.map(({ id }: { id: string }) => id),
    request.evidenceIds.map((_, at) => `e${at + 1}`),
  );
  assert.equal(omitted.evidence, request.evidenceOmitted);
  assert.ok(request.estimatedInputTokens <= PLAN.maxInputTokens);
  assert.ok(request.estimatedInputTokens > PLAN.maxInputTokens * 0.95, "the room is used");
});

Deno.test("placeholders are stable within a request, and names in sentences are replaced", () => {
  const detail = incident({
    summary:
      "ws-12 (10.0.0.12, 00:11:22:33:44:55) sent mail as CORP\\ana and ana@corp.example to WS-12 and fe80:1::12",
  });
  const request = prepareRequest(detail, { ...PLAN, send: ["payloads"] });
  const { summary, devices } = JSON.parse(request.user);
  assert.match(
    summary,
    /^\[device-1\] \(\[address-\d\], \[address-\d\]\) sent mail as \[name-\d\] and \[name-\d\] to \[device-1\] and \[address-\d\]$/,
  );
  assert.deepEqual(devices, ["[device-1]"]);
  assert.equal(request.placeholders["[device-1]"], "ws-12");
  const all = prepareRequest(detail, PLAN);
  assert.equal(JSON.parse(all.user).summary, detail.summary);
  assert.deepEqual(all.placeholders, {});
});

Deno.test("a long text is cut between words, so that no part of a name remains", () => {
  for (let length = 1; length < 40; length++) {
    const summary = `${"x".repeat(length)} ${"secret-host.example 10.20.30.40 ".repeat(200)}`;
    const { user } = prepareRequest(incident({ summary }), { ...PLAN, send: [] });
    assert.doesNotMatch(user, /secret|host|10\.20/);
    assert.match(user, /\[name-1\] \[address-\d\]/);
  }
});

Deno.test("a question becomes a filter that parses, within the smallest limit of tokens", () => {
  const request = prepareFilterRequest("who talked to 203.0.113.7 at updates.example?", {
    ...PLAN,
    send: [],
    maxInputTokens: 4000,
  });
  assert.ok(typeof request === "object");
  assert.deepEqual(JSON.parse(request.user), { question: "who talked to [address-1] at [name-1]?" });
  assert.match(request.system, /^[\x20-\x7e\n]*$/);
  assert.match(request.system, /^dst\.port \[port/m);
  const answered = (answer: unknown) => readFilterAnswer(JSON.stringify(answer), request);
  assert.deepEqual(answered({ kind: "flows", filter: "dst.ip:[address-1]" }), {
    kind: "flows",
    text: "dst.ip:203.0.113.7",
    condition: { field: "dst.ip", op: "matches", value: "203.0.113.7" },
  });
  assert.equal(answered({ kind: "flows", filter: null }), "it has no filter for this question");
  assert.match(String(answered({ kind: "flows", filter: "drop table flow; --", sql: 1 })), /expected form/);
  assert.match(String(answered({ kind: "tables", filter: "service:dns" })), /expected form/);
  assert.match(String(answered({ kind: "flows", filter: "color:red" })), /^its filter is not valid/);
  assert.match(
    String(prepareFilterRequest("x".repeat(4000), { ...PLAN, maxInputTokens: 2000 })),
    /max_input_tokens is 2000/,
  );
});
