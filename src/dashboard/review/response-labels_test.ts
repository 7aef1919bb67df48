import assert from "node:assert/strict";
import { approvalBar, choicesOf } from "./response-labels.ts";

Deno.test("response: only one's own proposal needs a second person, and only if configured", () => {
  const own = { status: "proposed", proposed_by: "rob" } as const;
  assert.match(approvalBar(own, "rob", true) ?? "", /Another person must approve it/);
  assert.equal(approvalBar(own, "rob", false), null);
  assert.equal(approvalBar(own, "ada", true), null);
  assert.equal(approvalBar({ ...own, status: "approved" }, "rob", true), null);
});

Deno.test("response: final statuses offer no decision", () => {
  assert.deepEqual(choicesOf({ status: "proposed" }), ["approved", "rejected", "cancelled"]);
  assert.deepEqual(choicesOf({ status: "approved" }), ["cancelled"]);
  for (const status of ["rejected", "cancelled", "executed", "rolled_back", "failed"] as const) {
    assert.deepEqual(choicesOf({ status }), []);
  }
});
