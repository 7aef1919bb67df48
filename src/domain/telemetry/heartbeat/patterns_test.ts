// The pattern guard by itself: over any text, independent of the whitelist.

import assert from "node:assert/strict";
import { buildHeartbeat } from "./build.ts";
import { heartbeatFacts } from "../../../../test/support/domain/heartbeat-fixtures.ts";
import { patternViolations } from "./patterns.ts";

const GOOD = buildHeartbeat(heartbeatFacts());

function found(payload: Record<string, unknown>): string[] {
  const texts = patternViolations(JSON.stringify(payload), payload).map(({ reason }) => reason);
  return [...new Set(texts)].map((reason) => reason.replace(/^contains something that looks like an? /, ""));
}

/** Places the datum as a field's value, inside another value, as a key, and between other characters. */
function everywhere(datum: string, looksLike: string): void {
  const places = [
    { ...GOOD, product_version: datum },
    { ...GOOD, source_kinds: ["zeek", datum] },
    { ...GOOD, connector_counts: { [datum]: 1 } },
    { ...GOOD, [datum]: 1 },
    { ...GOOD, os_id: `debian ${datum} (stable)` },
    { ...GOOD, os_id: `[${datum}]:443/x` },
    { ...GOOD, deep: { deeper: [[{ deepest: datum }]] } },
  ];
  for (const place of places) {
    assert.ok(found(place).includes(looksLike), `${datum} in ${JSON.stringify(place)}`);
  }
}

Deno.test("the builder's payload matches no pattern", () => {
  assert.deepEqual(found(GOOD), []);
});

Deno.test("IPv4 addresses are refused", () => {
  for (const address of ["10.0.0.1", "192.168.178.255", "0.0.0.0", "010.001.000.009", "10.0.0.0/8"]) {
    everywhere(address, "IPv4 address");
  }
  everywhere("host10.0.0.1x", "IPv4 address");
  everywhere("1.2.3.4.5", "IPv4 address");
});

Deno.test("a version of four numbers looks like an IPv4 address, and the send is aborted", () => {
  assert.deepEqual(found({ ...GOOD, product_version: "1.2.3.4" }), ["IPv4 address"]);
});

Deno.test("other dotted numbers are not IPv4 addresses", () => {
  for (const text of ["1.2.3", "2026.11.22.1", "1.2.3.256", "1.2.3-4.5"]) {
    assert.deepEqual(found({ ...GOOD, product_version: text }), [], text);
  }
});

Deno.test("IPv6 addresses are refused in all forms", () => {
  const forms = [
    "::1",
    "::",
    "fe80::1",
    "FE80::ABCD",
    "2001:db8::",
    "2001:db8::8a2e:370:7334",
    "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    "2001:db8:1:2:3:4:5:6",
    "fe80::1%eth0",
    "2001:db8::/32",
    "::ffff:192.0.2.1",
    "64:ff9b::192.0.2.33",
    "1:2:3:4:5:6:192.0.2.1",
    "1:2:3:4:5:6:300.0.2.1",
  ];
  for (const address of forms) everywhere(address, "IPv6 address");
});

Deno.test("a time of day is not an IPv6 address", () => {
  assert.deepEqual(found({ ...GOOD, sent_at: "2026-11-22T23:59:59.999Z" }), []);
  assert.deepEqual(found({ ...GOOD, sent_at: "12:34:56" }), []);
  assert.deepEqual(found({ ...GOOD, sent_at: "2026-11-22T10:20:30.405+01:00" }), []);
});

Deno.test("MAC addresses are refused in all notations", () => {
  const forms = [
    "00:1a:2b:3c:4d:5e",
    "00-1A-2B-3C-4D-5E",
    "0:1a:2b:3:4d:5e",
    "001a.2b3c.4d5e",
    "001a2b3c4d5e",
    "00:1a:2b:ff:fe:3c:4d:5e",
  ];
  for (const mac of forms) everywhere(mac, "MAC address");
});

Deno.test("dates, times and identifiers are not MAC addresses", () => {
  for (const text of ["2026-11-22", "12:34:56", `ins_${"0a".repeat(16)}`, "0123456789abcdef", "30-90d"]) {
    assert.deepEqual(found({ ...GOOD, os_id: text }), [], text);
  }
});

Deno.test("e-mail addresses are refused", () => {
  for (const address of ["jane.doe@example.com", "root@localhost", "a+b@[10.0.0.1]", "jane@例え.jp"]) {
    everywhere(address, "e-mail address");
  }
});

const FORBIDDEN = "a key has a forbidden name";

Deno.test("forbidden key names are refused at any depth, in any case", () => {
  const names =
    "ip host hostname domain user tenant sensor device_name serial flow incident evidence token secret " +
    "password Hostname DEVICE-NAME license_key";
  for (const name of names.split(" ")) {
    assert.deepEqual(found({ ...GOOD, [name]: 1 }), [FORBIDDEN], name);
    assert.deepEqual(found({ ...GOOD, connector_counts: { webhook: { [name]: 1 } } }), [FORBIDDEN], name);
    assert.deepEqual(found({ ...GOOD, source_kinds: [[{ [name]: 1 }]] }), [FORBIDDEN], name);
  }
});

Deno.test("key names are matched whole, so `tenant_count` stays legal", () => {
  assert.ok("tenant_count" in GOOD);
  const legal = { tenant_count: 1, device_bucket: "", hosting: 1, user_agent_count: 1, tokens_used: 1 };
  assert.deepEqual(found({ ...GOOD, ...legal }), []);
});

Deno.test("a forbidden name is allowed as a value", () => {
  assert.deepEqual(found({ ...GOOD, os_id: "host" }), []);
});
