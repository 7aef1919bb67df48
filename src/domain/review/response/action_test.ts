import assert from "node:assert/strict";
import { RESPONSE_DECISIONS, RESPONSE_STATUSES } from "../../../contract/review/response.ts";
import { decideAction, DecisionError, OPEN_STATUSES } from "./action.ts";

Deno.test("response: every pair of status and decision", () => {
  const allowed = [];
  for (const status of RESPONSE_STATUSES) {
    for (const decision of RESPONSE_DECISIONS) {
      try {
        assert.equal(decideAction(status, decision), decision);
        allowed.push([status, decision]);
      } catch (error) {
        assert.ok(error instanceof DecisionError);
        assert.equal(error.status, status);
      }
    }
  }
  assert.deepEqual(allowed, [
    ["proposed", "approved"],
    ["proposed", "rejected"],
    ["proposed", "cancelled"],
    ["approved", "cancelled"],
  ]);
});

Deno.test("response: a refused decision names the required and the actual status", () => {
  assert.throws(() => decideAction("rejected", "cancelled"), {
    message: "an action must be proposed or approved to be cancelled; this one is rejected",
  });
  assert.throws(() => decideAction("approved", "approved"), {
    message: "an action must be proposed to be approved; this one is approved",
  });
});

Deno.test("response: an open action can be cancelled, any other cannot", () => {
  for (const status of RESPONSE_STATUSES) {
    const open = OPEN_STATUSES.includes(status);
    if (open) decideAction(status, "cancelled");
    else assert.throws(() => decideAction(status, "cancelled"), DecisionError);
  }
});
