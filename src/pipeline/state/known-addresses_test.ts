import assert from "node:assert/strict";
import { KnownAddresses } from "./known-addresses.ts";

Deno.test("known addresses: an address is new once a day", () => {
  const known = new KnownAddresses();
  assert.equal(known.add("192.0.2.1", 1), true);
  assert.equal(known.add("192.0.2.1", 1), false);
  assert.equal(known.add("192.0.2.1", 2), true);
  assert.equal(known.add("192.0.2.1", 1), false, "a late record moves nothing back");
});

Deno.test("known addresses: they are bounded and can be forgotten", () => {
  const known = new KnownAddresses(2);
  for (const ip of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) assert.equal(known.add(ip, 1), true);
  assert.equal(known.add("192.0.2.3", 1), false);
  assert.equal(known.add("192.0.2.1", 1), true, "the oldest was dropped");
  known.clear();
  assert.equal(known.add("192.0.2.3", 1), true);
});
