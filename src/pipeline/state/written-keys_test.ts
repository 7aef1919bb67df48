import assert from "node:assert/strict";
import { WrittenKeys } from "./written-keys.ts";

Deno.test("written keys: a key is new once a day", () => {
  const known = new WrittenKeys(10);
  assert.equal(known.add("192.0.2.1", 1), true);
  assert.equal(known.add("192.0.2.1", 1), false);
  assert.equal(known.add("192.0.2.1", 2), true);
  assert.equal(known.add("192.0.2.1", 1), false, "a late record moves nothing back");
});

Deno.test("written keys: they are bounded and can be forgotten", () => {
  const known = new WrittenKeys(2);
  for (const ip of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) assert.equal(known.add(ip, 1), true);
  assert.equal(known.add("192.0.2.3", 1), false);
  assert.equal(known.add("192.0.2.1", 1), true, "the oldest was dropped");
  known.clear();
  assert.equal(known.add("192.0.2.3", 1), true);
});
