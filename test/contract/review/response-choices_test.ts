import assert from "node:assert/strict";
import { RESPONSE_DECISIONS, RESPONSE_STATUSES } from "../../../src/contract/review/response.ts";
import { decideAction } from "../../../src/domain/review/response/action.ts";
import { choicesOf } from "../../../src/dashboard/review/response-labels.ts";

Deno.test("response actions: what the dashboard offers is what the service accepts", () => {
  for (const status of RESPONSE_STATUSES) {
    const taken = RESPONSE_DECISIONS.filter((decision) => {
      try {
        return decideAction(status, decision) === decision;
      } catch {
        return false;
      }
    });
    assert.deepEqual(choicesOf({ status }), taken, status);
  }
});
