import assert from "node:assert/strict";
import { indicatorsAddedSince } from "./added.ts";
import { compileIntel, emptyIntel } from "./compile.ts";
import { IntelSet } from "./intel-set.ts";

function setOf(text: string): IntelSet {
  return new IntelSet(compileIntel([{ name: "a.txt", pieces: [text] }]).data);
}

function added(old: IntelSet, now: IntelSet): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(indicatorsAddedSince(old, now)).map(([kind, items]) => [kind, [...items]]),
  );
}

const NOTHING = { ip: [], cidr: [], domain: [], url: [], ja3: [], ja4: [], certificate: [] };
const ALL = `198.51.100.7
2001:db8:7::7
203.0.113.0/25
2001:db8::/48
evil.example
0.0.0.0 host.example.com
http://evil.example/x?y=1
http://[2001:db8::7]
e7d705a3286e19ea42f587b344ee6865
t13d1516h2_8daaf6152771_b186095e22b6
4da14224452c1fe61f46b1112c43ecfd9f322c82`;

Deno.test("all of a first list is added, by kind, networks as ranges", () => {
  assert.deepEqual(added(emptyIntel(), setOf(ALL)), {
    ip: ["198.51.100.7", "2001:db8:7::7"],
    cidr: [
      { from: "203.0.113.0", to: "203.0.113.127", indicator: "203.0.113.0/25" },
      { from: "2001:db8::", to: "2001:db8:0:ffff:ffff:ffff:ffff:ffff", indicator: "2001:db8::/48" },
    ],
    domain: [{ name: "evil.example", below: true }, { name: "host.example.com", below: false }],
    url: [{ host: "evil.example", uri: "/x?y=1" }, { host: "2001:db8::7", uri: "/" }],
    ja3: ["e7d705a3286e19ea42f587b344ee6865"],
    ja4: ["t13d1516h2_8daaf6152771_b186095e22b6"],
    certificate: ["4da14224452c1fe61f46b1112c43ecfd9f322c82"],
  });
});

Deno.test("known, removed and re-described indicators are not added", () => {
  assert.deepEqual(added(setOf(ALL), setOf(ALL)), NOTHING);
  assert.deepEqual(added(setOf(ALL), emptyIntel()), NOTHING);
  assert.deepEqual(
    added(setOf("198.51.100.7\n203.0.113.0/25"), setOf("198.51.100.7 # Mirai\n203.0.113.0/25 # x")),
    NOTHING,
  );
});

Deno.test("a smaller or larger network is a different one", () => {
  const now = setOf("203.0.113.0/24\n203.0.113.0/25\n203.0.113.0/26");
  assert.deepEqual(added(setOf("203.0.113.0/25"), now), {
    ...NOTHING,
    cidr: [
      { from: "203.0.113.0", to: "203.0.113.255", indicator: "203.0.113.0/24" },
      { from: "203.0.113.0", to: "203.0.113.63", indicator: "203.0.113.0/26" },
    ],
  });
});

Deno.test("a domain is added again when names below it match too", () => {
  const alone = setOf("0.0.0.0 evil.example");
  const wide = setOf("evil.example");
  assert.deepEqual(added(alone, wide), { ...NOTHING, domain: [{ name: "evil.example", below: true }] });
  assert.deepEqual(added(wide, alone), NOTHING);
});
