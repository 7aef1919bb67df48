import assert from "node:assert/strict";
import { OPERATIONS, operationWords } from "./audit-words.ts";

Deno.test("an operation without a label is still readable", () => {
  assert.equal(operationWords("patchDevice"), "Changed a device");
  assert.equal(operationWords("mergeTwoDevices"), "Merge two devices");
  assert.equal(operationWords(""), "");
  for (const [id, words] of OPERATIONS) assert.equal(operationWords(id), words);
});
