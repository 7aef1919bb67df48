import assert from "node:assert/strict";
import fc from "fast-check";
import { buildHeartbeat } from "./build.ts";
import { checkHeartbeat, violationText } from "./check.ts";
import { heartbeatFacts } from "../../../../test/support/domain/heartbeat-fixtures.ts";

const GOOD = buildHeartbeat(heartbeatFacts());

/** Guards that refuse the payload with these changes, without duplicates. */
function refusing(changes: Record<string, unknown>): string[] {
  return [...new Set(checkHeartbeat(JSON.stringify({ ...GOOD, ...changes })).map(({ guard }) => guard))];
}

function reasons(text: string): string {
  return checkHeartbeat(text).map(violationText).join("\n");
}

Deno.test("the builder's output passes", () => {
  assert.deepEqual(checkHeartbeat(JSON.stringify(GOOD)), []);
});

Deno.test("no other key may exist", () => {
  assert.deepEqual(refusing({ extra: 1 }), ["fields"]);
  assert.deepEqual(refusing({ extra: null }), ["fields"]);
  assert.deepEqual(refusing({ "": "" }), ["fields"]);
  assert.deepEqual(refusing({ constructor: 1 }), ["fields"]);
  assert.deepEqual(refusing({ toString: 1 }), ["fields"]);
});

Deno.test("an unknown key is refused even if hidden in an object", () => {
  const text = JSON.stringify(GOOD);
  assert.match(reasons(text.replace("{", '{"__proto__":"x",')), /not in the table/);
  const nested = text.replace('{"webhook":1}', '{"webhook":1,"__proto__":"fw01"}');
  assert.notEqual(nested, text);
  assert.match(reasons(nested), /connector_counts/);
});

Deno.test("every key of the table is required", () => {
  for (const field of Object.keys(GOOD)) {
    const { [field]: _, ...rest } = { ...GOOD } as Record<string, unknown>;
    assert.deepEqual(checkHeartbeat(JSON.stringify(rest)), [{
      guard: "fields",
      field,
      reason: "is missing",
    }]);
  }
});

Deno.test("every value must match its rule", () => {
  const bad: Record<string, unknown[]> = {
    schema_version: [2, "1", 1.5, null],
    install_id: ["", "ins_", `ins_${"A".repeat(32)}`, `ins_${"a".repeat(31)}`, `ins_${"a".repeat(33)}`, null],
    product_version: ["", "v1.2.3", "1.2", "1.2.3-fw01", "1.2.3 ", "01.2.3", "1.2.3\n", 1],
    bundle_version: ["corp-1.2.3", "1.2.3+fw01", "1.2.3-4~corp1", null],
    os_id: ["", "Debian", "examplecorp", null],
    os_version_major: ["", "12.4", "bookworm", 12],
    kernel_major: ["6.1", "", "fw", 6],
    arch: ["", "amd64", "fw01"],
    plan: ["", "trial", null],
    license_key_id_hash: ["", "0123456789abcdef", "KEY-1", 0],
    tenant_count: [-1, 1.5, "1", null, 1_000_001],
    device_bucket: ["12", "", 12],
    source_kinds: [["zeek", "zeek"], ["zeek.conn"], ["sensor-1"], "zeek", [null], {}, null],
    connector_counts: [{ siem: 1 }, { webhook: "1" }, { webhook: { name: 1 } }, { webhook: -1 }, [], null],
    uptime_bucket: ["3d", ""],
    learning_phase: ["", "done"],
    ingest_error_bucket: [0, "5"],
    sent_at: [
      "2026-01-31",
      "2026-01-31T07:15:00Z",
      "2026-13-31T07:15:00.000Z",
      "2026-01-31T07:15:00.000+01:00",
    ],
  };
  assert.deepEqual(Object.keys(bad), Object.keys(GOOD));
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      const found = checkHeartbeat(JSON.stringify({ ...GOOD, [field]: value }));
      assert.ok(found.some((one) => one.guard === "fields" && one.field === field), `${field}: ${value}`);
    }
  }
});

Deno.test("license_key_id_hash may be a hash or null on the pro plan", () => {
  assert.deepEqual(refusing({ plan: "pro", license_key_id_hash: "0123456789abcdef" }), []);
  assert.deepEqual(refusing({ plan: "pro", license_key_id_hash: null }), []);
  assert.deepEqual(refusing({ plan: "free", license_key_id_hash: "0123456789abcdef" }), ["fields"]);
});

Deno.test("the text must be one object and carry nothing beyond its parsed value", () => {
  const text = JSON.stringify(GOOD);
  const hidden = [
    "",
    "null",
    "[]",
    '"1"',
    "{",
    `${text}${text}`,
    `${text}\n`,
    ` ${text}`,
    text.replace('"arch":', '"arch": '),
    // A duplicate key: only the second value is parsed.
    text.replace('"arch":', '"arch":"fw01","arch":'),
    text.replace('"debian"', '"\\u0064ebian"'),
    text.replace('"tenant_count":1', '"tenant_count":1.0'),
    text.replace('"tenant_count":1', '"tenant_count":1e0'),
  ];
  for (const one of hidden) {
    assert.notEqual(one, text);
    assert.ok(checkHeartbeat(one).some(({ guard }) => guard === "form"), one);
  }
});

Deno.test("only printable ASCII is sent", () => {
  assert.deepEqual(refusing({ os_id: "débian" }), ["form", "fields"]);
  assert.deepEqual(refusing({ os_id: "１０.０.０.１" }), ["form", "fields"]);
});

Deno.test("a payload longer than any legal one is refused without further checks", () => {
  assert.deepEqual(refusing({ os_id: "a".repeat(5000) }), ["form"]);
});

Deno.test("a violation never reveals the offending value", () => {
  const marks = ["10.9.8.7", "fe80::1234", "aa:bb:cc:dd:ee:ff", "jane.doe@example.com", "fw01.corp.example"];
  for (const mark of marks) {
    const text = JSON.stringify({ ...GOOD, os_id: mark, [mark]: 1, connector_counts: { [mark]: mark } });
    assert.ok(checkHeartbeat(text).length > 0);
    assert.ok(!JSON.stringify(checkHeartbeat(text)).includes(mark), mark);
    assert.ok(!reasons(text).includes(mark), mark);
  }
});

Deno.test("a violation names the table field it occurs in", () => {
  assert.match(
    reasons(JSON.stringify({ ...GOOD, os_id: "10.9.8.7" })),
    /^os_id: .*looks like an IPv4 address$/m,
  );
  assert.match(reasons(JSON.stringify({ ...GOOD, "10.9.8.7": 1 })), /^the payload: .*an IPv4 address$/m);
});

Deno.test("the guards handle any text and do not throw", () => {
  fc.assert(fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
    assert.ok(checkHeartbeat(text).length > 0);
  }));
  for (
    const text of ["[".repeat(4000), '{"a":'.repeat(600), `{"a":${"[".repeat(2000)}${"]".repeat(2000)}}`]
  ) {
    assert.ok(checkHeartbeat(text).length > 0);
  }
});
