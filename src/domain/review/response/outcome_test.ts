import assert from "node:assert/strict";
import { EVENT_BODIES } from "../../../contract/connector/event.ts";
import { OUTCOME_STATUSES, RESPONSE_KINDS, RESPONSE_STATUSES } from "../../../contract/review/response.ts";
import { checkOutcome, eventOf, OutcomeError } from "./outcome.ts";

Deno.test("outcome: each status maps to the event whose body allows it", () => {
  for (const kind of RESPONSE_KINDS) {
    for (const status of OUTCOME_STATUSES) {
      assert.equal(eventOf({ kind, mode: "proposal" }, status), null, "a person's proposal");
      const type = eventOf({ kind, mode: "automatic" }, status);
      if (kind === "block_destination") {
        assert.equal(type, null);
        continue;
      }
      assert.ok(type !== null && type !== "response.proposed");
      assert.ok(
        EVENT_BODIES[type].shape.response.shape.status.safeParse(status).success,
        `${type} ${status}`,
      );
    }
  }
});

Deno.test("outcome: an action approved once accepts reports in any later status", () => {
  for (const status of RESPONSE_STATUSES) {
    const report = { status: "executed", leaseExpiresAt: null } as const;
    checkOutcome({ status, approvedAt: 1 }, report);
    assert.throws(
      () => checkOutcome({ status, approvedAt: null }, report),
      (error) => error instanceof OutcomeError && error.message.includes(`the action is ${status}`),
    );
  }
});

Deno.test("outcome: a lease deadline is valid only while something may still be held", () => {
  const held = OUTCOME_STATUSES.filter((status) => {
    try {
      checkOutcome({ status: "approved", approvedAt: 1 }, { status, leaseExpiresAt: 2 });
      return true;
    } catch (error) {
      assert.ok(error instanceof OutcomeError && error.field === "lease_expires_at");
      return false;
    }
  });
  assert.deepEqual(held, ["executed", "reconciling"]);
});
