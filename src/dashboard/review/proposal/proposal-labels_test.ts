import assert from "node:assert/strict";
import { proposedChange } from "./proposal-labels.ts";

Deno.test("proposals: the change in words", () => {
  assert.equal(proposedChange({ content: { device_type: "network_printer" } }), "Type network printer");
  assert.equal(proposedChange({ content: { incident_status: "false_positive" } }), "Status false positive");
  assert.equal(
    proposedChange({ content: { action: "change_threshold", details: "90 instead of 70" } }),
    "Change threshold: 90 instead of 70",
  );
  assert.equal(proposedChange({ content: { action: "other", details: "Learn longer" } }), "Learn longer");
});
