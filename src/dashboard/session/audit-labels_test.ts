import assert from "node:assert/strict";
import { operationLabel, OPERATIONS } from "./audit-labels.ts";

Deno.test("an operation without a label is still readable", () => {
  assert.equal(operationLabel("patchDevice"), "Changed a device");
  assert.equal(operationLabel("mergeTwoDevices"), "Merge two devices");
  assert.equal(operationLabel(""), "");
  for (const [id, label] of OPERATIONS) assert.equal(operationLabel(id), label);
});
