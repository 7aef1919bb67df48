import assert from "node:assert/strict";
import fc from "fast-check";
import { formatIp, parseIp } from "./ip.ts";
import { maskAddresses } from "./mask-addresses.ts";

const CASES: [string, string][] = [
  ["Beaconing from 10.0.0.5 to 203.0.113.9:443", "Beaconing from 10.0.0.5 to [address]:443"],
  ["blocked on 192.168.1.1, then 192.168.1.2.", "blocked on [address], then [address]."],
  ["node [2001:db8::1]:8443 refused", "node [[address]]:8443 refused"],
  ["node 2001:DB8:0:0:0:0:0:1 and ::1 and fe80::1%eth0", "node [address] and ::1 and [address]%eth0"],
  ["addr:2001:db8::1: timeout", "addr:[address]: timeout"],
  ["::ffff:192.0.2.7 via 010.001.000.009", "[address] via [address]"],
  [
    "(203.0.113.9) <203.0.113.9> x203.0.113.9y 203.0.113.0/24",
    "([address]) <[address]> x[address]y [address]/24",
  ],
  ["at 07:14:00 and 2026-01-31T07:14:00.000Z, 12:34", "at 07:14:00 and 2026-01-31T07:14:00.000Z, 12:34"],
  [
    "MAC 00:16:3e:5a:00:01, JA3 e7d705a3286e19ea42f587b344ee6865",
    "MAC 00:16:3e:5a:00:01, JA3 e7d705a3286e19ea42f587b344ee6865",
  ],
  ["version 1.2.3 of std::vector", "version 1.2.3 of std::vector"],
];

Deno.test("every address but the target is masked, inside words and brackets, with ports and networks", () => {
  for (const [text, masked] of CASES) assert.equal(maskAddresses(text, "10.0.0.5"), masked);
});

Deno.test("a target stays in whatever spelling the text has", () => {
  assert.equal(
    maskAddresses("to 2001:DB8:0::1 and 2001:db8::2", "2001:db8::1"),
    "to 2001:DB8:0::1 and [address]",
  );
});

Deno.test("no address survives, wherever it stands", () => {
  const v4 = fc.ipV4();
  const v6 = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(formatIp);
  const around = fc.constantFrom("", " ", "(", ")", "[", "]", ",", ";", "=", "/", "\n", "x", "node-");
  fc.assert(fc.property(fc.oneof(v4, v6), around, around, (address, before, after) => {
    const masked = maskAddresses(`${before}${address}${after}`, null);
    assert.equal(masked.includes(address), false, masked);
    assert.notEqual(parseIp(address), null);
  }));
});
