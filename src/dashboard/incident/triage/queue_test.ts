import assert from "node:assert/strict";
import { neighboursOf, rememberedQueue, rememberQueue } from "./queue.ts";

Deno.test("queue: neighbours follow the order of triage", () => {
  assert.deepEqual(neighboursOf(["a", "b", "c"], "b"), { previous: "a", next: "c", position: 2, length: 3 });
  assert.deepEqual(neighboursOf(["a"], "a"), { previous: null, next: null, position: 1, length: 1 });
});

Deno.test("queue: from an incident outside it the first one is next", () => {
  assert.deepEqual(neighboursOf(["a", "b"], "x"), { previous: null, next: "a", position: null, length: 2 });
  assert.equal(neighboursOf([], "x").next, null);
});

Deno.test("queue: belongs to one tenant", () => {
  rememberQueue({ tenant: "main", label: "All open", ids: ["a"] });
  assert.deepEqual(rememberedQueue("main")?.ids, ["a"]);
  assert.equal(rememberedQueue("lab"), null);
});
