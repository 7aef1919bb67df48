import assert from "node:assert/strict";
import type { EvidenceItem } from "../../contract/flow/flow.ts";
import { citationNumbers, reachOf } from "./citations.ts";

Deno.test("citations: a record keeps the number of its first citation", () => {
  const numbers = citationNumbers({
    reasoning: [{ claim: "first", evidence_ids: ["b", "a"] }, { claim: "second", evidence_ids: ["a", "c"] }],
  });
  assert.deepEqual([...numbers], [["b", 1], ["a", 2], ["c", 3]]);
});

Deno.test("citations: a record is shown, gone, or beyond the newest ones", () => {
  const incident = { evidence: [{ evidence_id: "a" } as EvidenceItem], unresolved_evidence_ids: ["b"] };
  assert.deepEqual(["a", "b", "c"].map((id) => reachOf(incident, id)), [
    "shown",
    "not_retained",
    "not_listed",
  ]);
});
