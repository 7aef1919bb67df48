import assert from "node:assert/strict";
import type { Facts } from "../../contract/record/facts.ts";
import { factsOf } from "./flow-facts.ts";

const dns = (query: string, answered: boolean): Facts => ({
  type: "dns",
  query,
  qtype: "A",
  rcode: answered ? "NOERROR" : null,
  answers: answered ? ["1.2.3.4"] : [],
  answered,
});

Deno.test("an answer stands for its question; facts that were not asked for are unknown", () => {
  const found = factsOf([dns("a.example", false), dns("a.example", true)], "dns");
  assert.deepEqual(found?.map(({ answered }) => answered), [true]);
  const both = factsOf([dns("a.example", true), dns("b.example", false)], "dns");
  assert.deepEqual(both?.map(({ query }) => query), ["a.example", "b.example"]);
  assert.deepEqual(factsOf([dns("a.example", true)], "tls"), []);
  assert.equal(factsOf(null, "tls"), undefined);
});
