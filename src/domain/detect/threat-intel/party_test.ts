import assert from "node:assert/strict";
import { partyKey } from "./party.ts";

Deno.test("a party without a device: outside addresses of one /64 are one, inside addresses are apart", () => {
  const keys = (internal: boolean) =>
    new Set([1, 2, 3].map((n) => partyKey({ deviceId: null, ip: `2001:db8:1:2::${n}`, internal })));
  assert.deepEqual([...keys(false)], ["2001:db8:1:2::/64"]);
  assert.equal(keys(true).size, 3);
  assert.equal(partyKey({ deviceId: "device", ip: "2001:db8:1:2::1", internal: false }), "device");
});
