import assert from "node:assert/strict";
import { operationLabel, OPERATIONS, valueLabel } from "./audit-labels.ts";

Deno.test("an operation without a label is still readable", () => {
  assert.equal(operationLabel("patchDevice"), "Changed a device");
  assert.equal(operationLabel("mergeTwoDevices"), "Merge two devices");
  assert.equal(operationLabel(""), "");
  for (const [id, label] of OPERATIONS) assert.equal(operationLabel(id), label);
});

Deno.test("a changed object is written field by field, and a cut one as it is", () => {
  assert.equal(valueLabel("open"), "open");
  const pattern = '{"source":null,"destination":"198.51.100.7","port":443,"detector":"beacon"}';
  assert.equal(valueLabel(pattern), "destination 198.51.100.7, port 443, detector beacon");
  assert.equal(valueLabel('{"source":"0190b2'), '{"source":"0190b2');
});
