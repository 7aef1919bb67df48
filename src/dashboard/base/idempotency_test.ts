import assert from "node:assert/strict";
import { newKey } from "./idempotency.ts";

Deno.test("keys are random UUIDs", () => {
  const keys = Array.from({ length: 100 }, newKey);
  for (const key of keys) {
    assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  assert.equal(new Set(keys).size, 100);
});
