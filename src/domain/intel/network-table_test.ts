import assert from "node:assert/strict";
import fc from "fast-check";
import { cidrContains, formatIp, parseCidr, parseIp } from "../../kit/net/ip.ts";
import { addressWords } from "./address-words.ts";
import { findNetwork, hasNetwork, networkAt, type NetworkEntry, networkTable } from "./network-table.ts";

function entry(text: string, value = 0): NetworkEntry {
  return { cidr: parseCidr(text)!, value };
}

function find(version: 4 | 6, networks: string[], ip: string): string | null {
  const table = networkTable(version, networks.map((text) => entry(text)));
  const words = new Uint32Array(4);
  addressWords(ip, words);
  const index = findNetwork(table, words);
  return index === -1 ? null : networkAt(table, index).text;
}

Deno.test("the smallest network around an address is found", () => {
  const networks = ["8.0.0.0/8", "8.8.0.0/16", "8.8.8.0/24", "8.8.9.0/24", "9.0.0.0/31"];
  assert.equal(find(4, networks, "8.8.8.8"), "8.8.8.0/24");
  assert.equal(find(4, networks, "8.8.10.1"), "8.8.0.0/16");
  assert.equal(find(4, networks, "8.255.255.255"), "8.0.0.0/8");
  assert.equal(find(4, networks, "9.0.0.1"), "9.0.0.0/31");
  assert.equal(find(4, networks, "9.0.0.2"), null);
  assert.equal(find(4, networks, "7.255.255.255"), null);
  assert.equal(find(6, ["2001:db8::/32", "2001:db8:0:1::/64"], "2001:db8:0:1::7"), "2001:db8:0:1::/64");
  assert.equal(
    find(6, ["2001:db8::/32", "2001:db8:0:1::/64"], "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    "2001:db8::/32",
  );
  assert.equal(find(6, ["2001:db8::/32"], "2001:db9::"), null);
});

Deno.test("of duplicate networks the first stays", () => {
  const table = networkTable(4, [entry("9.0.0.0/24", 7), entry("8.0.0.0/24", 1), entry("9.0.0.0/24", 8)]);
  assert.equal(table.count, 2);
  assert.deepEqual([...table.values], [1, 7]);
});

Deno.test("a network as a range", () => {
  assert.deepEqual(networkAt(networkTable(4, [entry("198.51.100.64/26")]), 0), {
    from: "198.51.100.64",
    to: "198.51.100.127",
    text: "198.51.100.64/26",
  });
  assert.deepEqual(networkAt(networkTable(6, [entry("2001:db8::/33")]), 0), {
    from: "2001:db8::",
    to: "2001:db8:7fff:ffff:ffff:ffff:ffff:ffff",
    text: "2001:db8::/33",
  });
});

for (const [version, size] of [[4, 4], [6, 16]] as const) {
  // Few distinct bytes, so that networks are nested.
  const address = fc.array(fc.constantFrom(0, 1, 2, 128, 255), { minLength: size, maxLength: size })
    .map((list) => formatIp(Uint8Array.from([32, ...list.slice(1)])));
  const network = fc.tuple(address, fc.integer({ min: version === 4 ? 8 : 16, max: size * 8 - 1 }))
    .map(([ip, prefix]) => `${ip}/${prefix}`);

  Deno.test(`IPv${version}: lookups agree with a linear search`, () => {
    fc.assert(fc.property(fc.array(network, { maxLength: 40 }), address, (networks, ip) => {
      const bytes = parseIp(ip)!;
      const holding = networks.map((text) => parseCidr(text)!).filter((cidr) => cidrContains(cidr, bytes));
      const smallest = holding.sort((a, b) => b.prefix - a.prefix)[0];
      assert.equal(
        find(version, networks, ip),
        smallest ? `${formatIp(smallest.first)}/${smallest.prefix}` : null,
      );
    }));
  });

  Deno.test(`IPv${version}: exact networks of another table are recognised`, () => {
    fc.assert(
      fc.property(
        fc.array(network, { maxLength: 30 }),
        fc.array(network, { maxLength: 30 }),
        (ours, theirs) => {
          const table = networkTable(version, ours.map((text) => entry(text)));
          const other = networkTable(
            version,
            theirs.map((text) => entry(text)),
          );
          const known = new Set(
            Array.from({ length: table.count }, (_, index) => networkAt(table, index).text),
          );
          for (let index = 0; index < other.count; index++) {
            assert.equal(hasNetwork(table, other, index), known.has(networkAt(other, index).text));
          }
        },
      ),
    );
  });
}
