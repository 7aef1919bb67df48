import assert from "node:assert/strict";
import { ApiFailure } from "../base/api.ts";
import {
  filterProblems,
  isQuestion,
  readEntered,
  refusalProblems,
  searchedWords,
  typingProblems,
} from "./question.ts";

Deno.test("a filter is applied in its canonical form, other words are a question", () => {
  assert.deepEqual(readEntered("  srcip=10.1  and tls"), { type: "filter", text: "src.ip=10.1.0.0/16 tls" });
  assert.deepEqual(readEntered("10.1.2.0/24"), { type: "filter", text: "10.1.2.0/24" });
  assert.deepEqual(readEntered(""), { type: "filter", text: "" });
  assert.deepEqual(readEntered("front desk"), {
    type: "question",
    mode: "natural",
    words: "front desk",
  });
  assert.deepEqual(readEntered("who used port 22"), { type: "question", mode: "natural", words: null });
  assert.deepEqual(readEntered("dst.port:none"), { type: "question", mode: "auto", words: null });
  // An unfinished condition is a filter with a fault, not a question.
  for (const text of ["src.ip:", "dst.port:..", "owner:", "service: dns and"]) {
    assert.deepEqual(readEntered(text), { type: "question", mode: "auto", words: null }, text);
  }
  // A question with a comparison.
  assert.deepEqual(readEntered("devices with risk > 70"), { type: "question", mode: "auto", words: null });
  assert.deepEqual(readEntered("today"), { type: "question", mode: "auto", words: "today" });
});

Deno.test("a text that can only be a question is not searched for as words", () => {
  for (const text of ["who stole the cookies", "Which devices are new", "any alerts?"]) {
    assert.equal(isQuestion(text), true, text);
  }
  for (const text of ["front desk", "whois lookups", "10.0.0.1"]) assert.equal(isQuestion(text), false, text);
});

Deno.test("the words of a declined question are searched for among what it asks for", () => {
  const failure = (details: Record<string, unknown>) =>
    new ApiFailure(400, "invalid_request", "", null, details);
  const incidents = { text: "zorp time:2026-11-01..2026-11-02", kind: "incidents" };
  assert.deepEqual(searchedWords(failure({ words: incidents }), "zorp or frob"), incidents);
  assert.deepEqual(searchedWords(failure({ words: { text: "zorp", kind: null } }), null), { text: "zorp" });
  assert.deepEqual(searchedWords(failure({}), "zorp"), { text: "zorp" });
  assert.equal(searchedWords(failure({}), null), null);
});

Deno.test("a fault is marked with the text that would be right", () => {
  const [problem] = filterProblems("proto:tcp dst.prt:443");
  assert.deepEqual(problem?.marks, [{ from: 10, to: 17 }]);
  assert.equal(problem?.fix, "proto:tcp dst.port:443");
  assert.equal(problem?.fixLabel, "dst.port");
});

Deno.test("while a filter is typed, only what stands before the caret is a fault", () => {
  const text = "dst.prt:443 src.ip:";
  assert.deepEqual(typingProblems(text, text.length).map(({ fixLabel }) => fixLabel), ["dst.port"]);
  assert.deepEqual(typingProblems("src.ip:", 7), []);
  // The words of a question are no faults.
  assert.deepEqual(typingProblems("who used port 22 yesterday", 26), []);
});

Deno.test("a declined question shows what was not understood, and no example that knows nothing of the page", () => {
  const text = "who stole the cookies";
  const failure = new ApiFailure(
    400,
    "invalid_request",
    'query: Not understood. A question that works: "x"',
    null,
    {
      reason: "not_understood",
      issues: [{ position: { from: 4, to: 9 } }, { position: { from: 14, to: 21 } }],
      suggestion: "who talked to 198.51.100.7",
    },
  );
  assert.deepEqual(refusalProblems(text, failure), [{
    marks: [{ from: 4, to: 9 }, { from: 14, to: 21 }],
    message: "Not understood: “stole”, “cookies”",
    expected: [],
    fix: null,
    fixLabel: null,
  }]);
});
