import assert from "node:assert/strict";
import { outsideKey } from "./peer.ts";

Deno.test("outside addresses: 1,500 IPv6 addresses of one /64 are one source", () => {
  const keys = Array.from({ length: 1500 }, (_, n) => outsideKey(`2001:db8:1:2::${(n + 1).toString(16)}`));
  assert.deepEqual([...new Set(keys)], ["2001:db8:1:2::/64"]);
  assert.equal(outsideKey("2001:db8:1:3::1"), "2001:db8:1:3::/64");
  assert.equal(outsideKey("198.51.100.7"), "198.51.100.7");
});
