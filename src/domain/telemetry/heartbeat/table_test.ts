// A schema change without a changed table fails here: the interface document's table, the contract's table,
// the schema with its bounds, and the builder's output must all agree.

import assert from "node:assert/strict";
import { z } from "zod";
import { Heartbeat, HEARTBEAT_FIELDS } from "../../../contract/telemetry/heartbeat.ts";
import { buildHeartbeat } from "./build.ts";
import { heartbeatFacts } from "../../../../test/support/domain/heartbeat-fixtures.ts";

/** The complete payload from the interface document; no other key may exist. */
const DOCUMENT = `
| schema_version | integer, 1 |
| install_id | string, \`ins_\` followed by 32 lowercase hex characters |
| product_version | string |
| bundle_version | string |
| os_id | string |
| os_version_major | string |
| kernel_major | string |
| arch | string |
| plan | \`free\` or \`pro\` |
| license_key_id_hash | string or null; first 16 hex characters of a SHA-256 over the key identifier; pro only |
| tenant_count | integer |
| device_bucket | \`0-10\`, \`11-50\`, \`51-200\`, \`201-1000\`, \`>1000\` |
| source_kinds | string[]; source categories \`netflow\`, \`suricata\`, \`zeek\`, \`unbound\` (one entry per category, not per kind or sensor) |
| connector_counts | map of connector type to instance count; never instance names |
| uptime_bucket | \`<1h\`, \`1-24h\`, \`1-7d\`, \`7-30d\`, \`30-90d\`, \`>90d\` |
| learning_phase | \`learning\`, \`complete\`, \`unknown\` |
| ingest_error_bucket | \`0\`, \`1-10\`, \`11-100\`, \`101-1000\`, \`>1000\` |
| sent_at | RFC 3339 UTC timestamp |
`;

const version = {
  type: "string",
  pattern:
    "^(0|[1-9]\\d{0,3})(\\.(0|[1-9]\\d{0,2})){2}([-~](alpha|beta|dev|pre|rc)(\\.?\\d{1,3})?)?(-\\d{1,3})?" +
    "([~+](deb|bpo|ubuntu)\\d{1,2}(\\.\\d{1,2})?(u\\d{1,2})?)?$",
};
const enumOf = (text: string) => ({ type: "string", enum: text.split(" ") });
const count = { type: "integer", minimum: 0, maximum: 1_000_000 };

/** The exact bounds of each field. Widening one is a privacy decision, so it must change this file too. */
const BOUNDS = {
  schema_version: { type: "number", const: 1 },
  install_id: { type: "string", pattern: "^ins_[0-9a-f]{32}$" },
  product_version: version,
  bundle_version: version,
  os_id: enumOf(
    "almalinux alpine amzn arch centos debian fedora gentoo linuxmint nixos ol opensuse-leap " +
      "opensuse-tumbleweed raspbian rhel rocky sles ubuntu other unknown",
  ),
  os_version_major: { type: "string", pattern: "^(\\d{1,4}|unknown)$" },
  kernel_major: { type: "string", pattern: "^(\\d{1,2}|unknown)$" },
  arch: enumOf("x86_64 aarch64 other"),
  plan: enumOf("free pro"),
  license_key_id_hash: { anyOf: [{ type: "string", pattern: "^[0-9a-f]{16}$" }, { type: "null" }] },
  tenant_count: count,
  device_bucket: enumOf("0-10 11-50 51-200 201-1000 >1000"),
  source_kinds: { maxItems: 4, type: "array", items: enumOf("netflow suricata zeek unbound") },
  connector_counts: { type: "object", propertyNames: enumOf("webhook"), additionalProperties: count },
  uptime_bucket: enumOf("<1h 1-24h 1-7d 7-30d 30-90d >90d"),
  learning_phase: enumOf("learning complete unknown"),
  ingest_error_bucket: enumOf("0 1-10 11-100 101-1000 >1000"),
  sent_at: {
    type: "string",
    pattern: "^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$",
  },
};

const rows = DOCUMENT.trim().split("\n").map((line) => line.slice(2, -2).split(" | "));
const schema = z.toJSONSchema(Heartbeat);

Deno.test("the contract's table matches the interface document's, word for word", () => {
  assert.deepEqual(
    Object.entries(HEARTBEAT_FIELDS).map(([field, { rule }]) => [field, rule]),
    rows,
  );
});

Deno.test("the schema has exactly the table's fields, all of them required", () => {
  const fields = rows.map(([field]) => field);
  assert.deepEqual(Object.keys(schema.properties ?? {}), fields);
  assert.deepEqual(schema.required, fields);
  assert.equal(schema.additionalProperties, false);
});

Deno.test("the schema has the documented bounds", () => {
  assert.deepEqual(schema.properties, BOUNDS);
});

Deno.test("the literals in the document's rules are those of the schema", () => {
  for (const [field, rule] of rows) {
    if (field === "install_id") continue;
    const named = [...rule!.matchAll(/`([^`]+)`/g)].map(([, word]) => word);
    if (named.length === 0) continue;
    const text = JSON.stringify(schema.properties![field!]);
    assert.ok(text.includes(`"enum":${JSON.stringify(named)}`), field!);
  }
});

Deno.test("the builder emits exactly the table's fields, in order", () => {
  const fields = rows.map(([field]) => field);
  assert.deepEqual(Object.keys(buildHeartbeat(heartbeatFacts())), fields);
  const pro = heartbeatFacts({ license: { plan: "pro", keyIdHash: "0123456789abcdef" }, tenants: [] });
  assert.deepEqual(Object.keys(buildHeartbeat(pro)), fields);
});
