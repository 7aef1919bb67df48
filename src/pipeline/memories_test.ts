import assert from "node:assert/strict";
import { memoryShare } from "./memories.ts";

Deno.test("memories: tenants share what a core may keep, and each has enough to work with", () => {
  const MIB = 1024 * 1024;
  assert.deepEqual([0, 1, 2, 16, 500].map((tenants) => memoryShare(tenants) / MIB), [64, 64, 32, 4, 4]);
});
