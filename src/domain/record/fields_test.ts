import assert from "node:assert/strict";
import { address, bounded, count, identifier, port, protocol, small, text, vlan, whole } from "./fields.ts";

Deno.test("text: bounded, without NUL, no split surrogate pair, never empty", () => {
  assert.equal(text("a\0b", 10), "ab");
  assert.equal(text("\0", 10), null);
  assert.equal(text("", 10), null);
  assert.equal(text(7, 10), null);
  assert.equal(bounded("abcdef", 3), "abc");
  assert.equal(bounded("ab😀", 3), "ab");
  assert.equal(bounded("ab😀", 4), "ab😀");
});

Deno.test("whole: exact for numbers, bigints and digits", () => {
  assert.equal(whole(5), 5n);
  assert.equal(whole("18446744073709551615"), 18446744073709551615n);
  for (const bad of [1.5, "-1", "1e3", "", "1".repeat(30), null, undefined, true, [], {}]) {
    assert.equal(whole(bad), null);
  }
});

Deno.test("small numbers: range checked, strings of digits accepted", () => {
  assert.equal(small("255", 255), 255);
  assert.equal(small(256, 255), null);
  assert.equal(small(-1, 255), null);
  assert.equal(small(1n, 255), 1);
  assert.ok(Object.is(small(-0, 255), 0));
  assert.equal(port(65535), 65535);
  assert.equal(port(65536), null);
  assert.equal(port(80.5), null);
  assert.equal(vlan([61, 7]), 61);
  assert.equal(vlan([0, 30]), 30, "a priority tag before it");
  assert.equal(vlan([0, 0]), null);
  assert.equal(vlan(0), null);
  assert.equal(vlan(4095), null);
});

Deno.test("count: absent is null, invalid is null with a warning, exact up to 2^63 - 1", () => {
  const warnings: string[] = [];
  const fields = {
    zero: 0,
    big: 9007199254740993n,
    most: 9223372036854775807n,
    more: 9223372036854775808n,
    negative: -1,
    fraction: 1.5,
    word: "many",
    digits: "42",
    nothing: null,
  };
  assert.equal(count(fields, "absent", warnings), null);
  assert.equal(count(fields, "nothing", warnings), null);
  assert.equal(count(fields, "zero", warnings), 0);
  assert.equal(count(fields, "digits", warnings), 42);
  assert.equal(count(fields, "big", warnings), 9007199254740993n);
  assert.equal(count(fields, "most", warnings), 9223372036854775807n);
  assert.deepEqual(warnings, []);
  for (const name of ["more", "negative", "fraction", "word"]) {
    assert.equal(count(fields, name, warnings), null);
  }
  assert.deepEqual(warnings, [
    "more: above 2^63 - 1",
    "negative: expected a count",
    "fraction: expected a count",
    "word: expected a count",
  ]);
});

Deno.test("identifier: 64-bit numbers keep every digit", () => {
  assert.equal(identifier(2247896271051770), "2247896271051770");
  assert.equal(identifier(18446744073709551615n), "18446744073709551615");
  assert.equal(identifier(18446744073709551616n), null);
  assert.equal(identifier("CmES5u32sYpV7JYN"), "CmES5u32sYpV7JYN");
  assert.equal(identifier(-1), null);
  assert.equal(identifier(1.5), null);
});

Deno.test("address: canonical or null", () => {
  assert.equal(address("FE80:0:0:0:0:0:0:1"), "fe80::1");
  assert.equal(address("::ffff:192.0.2.1"), "192.0.2.1");
  for (const bad of ["010.0.0.1", "1", "fe80::1%eth0", "", " 10.0.0.1", 1, null, "1".repeat(1e6)]) {
    assert.equal(address(bad), null);
  }
});

Deno.test("protocol: keyword, number, alias; ICMP follows the address family", () => {
  assert.equal(protocol("TCP", "10.0.0.1"), "tcp");
  assert.equal(protocol(17, "10.0.0.1"), "udp");
  assert.equal(protocol("6", "10.0.0.1"), "tcp");
  assert.equal(protocol("IPv6-ICMP", "fe80::1"), "ipv6-icmp");
  assert.equal(protocol("icmp", "fe80::1"), "ipv6-icmp");
  assert.equal(protocol(1, "10.0.0.1"), "icmp");
  assert.equal(protocol(200, "10.0.0.1"), "200");
  assert.equal(protocol("unknown_transport", "10.0.0.1"), "unknown_transport");
  for (const bad of [256, -1, 1.5, "", "a\0b", "x".repeat(40), null, {}, []]) {
    assert.equal(protocol(bad, "10.0.0.1"), null);
  }
});
