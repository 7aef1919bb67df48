import assert from "node:assert/strict";
import { PROPOSAL_DECISIONS, PROPOSAL_KINDS } from "../../../contract/review/proposal.ts";
import { AlreadyDecidedError, decide } from "./decision.ts";

Deno.test("proposal: only an accepted classification has an effect", () => {
  for (const kind of PROPOSAL_KINDS) {
    for (const decision of PROPOSAL_DECISIONS) {
      const acts = kind === "classification" && decision === "accepted";
      assert.equal(decide({ kind, status: "proposed" }, decision), acts ? "confirm_classification" : "none");
    }
  }
});

Deno.test("proposal: a decision is final", () => {
  for (const status of ["accepted", "rejected"] as const) {
    for (const decision of PROPOSAL_DECISIONS) {
      assert.throws(
        () => decide({ kind: "classification", status }, decision),
        (error) => error instanceof AlreadyDecidedError && error.message.endsWith(`already been ${status}`),
      );
    }
  }
});
