import assert from "node:assert/strict";
import { RECORD_KINDS } from "../../../contract/record/kinds.ts";
import { buildHeartbeat, prepareHeartbeat } from "./build.ts";
import type { HeartbeatFacts, TenantFacts } from "./facts.ts";
import { heartbeatFacts, tenantFacts } from "../../../../test/support/domain/heartbeat-fixtures.ts";

const build = (changes: Partial<HeartbeatFacts> = {}) => buildHeartbeat(heartbeatFacts(changes));

function machine(changes: Partial<HeartbeatFacts["machine"]>): Partial<HeartbeatFacts> {
  return { machine: { ...heartbeatFacts().machine, ...changes } };
}

function learning(...phases: TenantFacts["learning"][]) {
  return build({ tenants: phases.map((phase) => tenantFacts({ learning: phase })) }).learning_phase;
}

Deno.test("the complete heartbeat of an ordinary installation", () => {
  const { payload, text, violations } = prepareHeartbeat(heartbeatFacts());
  assert.deepEqual(payload, {
    schema_version: 1,
    install_id: "ins_0123456789abcdef0123456789abcdef",
    product_version: "0.1.0",
    bundle_version: "0.1.0-2~deb12u1",
    os_id: "debian",
    os_version_major: "12",
    kernel_major: "6",
    arch: "x86_64",
    plan: "free",
    license_key_id_hash: null,
    tenant_count: 1,
    device_bucket: "11-50",
    source_kinds: ["netflow", "zeek"],
    connector_counts: { webhook: 1 },
    uptime_bucket: "1-7d",
    learning_phase: "unknown",
    ingest_error_bucket: "0",
    sent_at: "2026-01-31T07:15:00.125Z",
  });
  assert.equal(text, JSON.stringify(payload));
  assert.deepEqual(violations, []);
});

Deno.test("an installation without sensors, connectors and records has a heartbeat too", () => {
  const { payload, violations } = prepareHeartbeat(heartbeatFacts({ recordKinds: [], tenants: [] }));
  assert.deepEqual(violations, []);
  assert.equal(payload.tenant_count, 0);
  assert.equal(payload.device_bucket, "0-10");
  assert.deepEqual(payload.source_kinds, []);
  assert.deepEqual(payload.connector_counts, {});
  assert.equal(payload.learning_phase, "unknown");
});

Deno.test("source_kinds has one entry per category, not per kind or sensor", () => {
  assert.deepEqual(build({ recordKinds: ["unbound.query", "unbound.query"] }).source_kinds, ["unbound"]);
  const all = build({ recordKinds: [...RECORD_KINDS, ...RECORD_KINDS] }).source_kinds;
  assert.deepEqual(all, ["netflow", "suricata", "zeek", "unbound"]);
});

Deno.test("every record kind of the product belongs to a source category", () => {
  for (const kind of RECORD_KINDS) assert.equal(build({ recordKinds: [kind] }).source_kinds.length, 1, kind);
});

Deno.test("counts are summed over all tenants", () => {
  const one = tenantFacts({ devices: 30, ingestErrors: 6, connectors: new Map([["webhook", 2]]) });
  const payload = build({ tenants: [one, one] });
  assert.equal(payload.tenant_count, 2);
  assert.equal(payload.device_bucket, "51-200");
  assert.equal(payload.ingest_error_bucket, "11-100");
  assert.deepEqual(payload.connector_counts, { webhook: 4 });
});

Deno.test("connector_counts is a map of connector type to instance count, never instance names", () => {
  const connectors = new Map([["webhook", 1], ["siem-at-examplecorp", 3]]);
  assert.deepEqual(build({ tenants: [tenantFacts({ connectors })] }).connector_counts, { webhook: 1 });
});

Deno.test("an installation is learning while any of its tenants is", () => {
  assert.equal(learning("complete", "learning", "unknown"), "learning");
  assert.equal(learning("complete", "unknown"), "complete");
  assert.equal(learning("complete", "complete"), "complete");
  assert.equal(learning("unknown", "unknown"), "unknown");
});

Deno.test("license_key_id_hash: pro only", () => {
  const keyIdHash = "0123456789abcdef";
  assert.equal(build({ license: { plan: "pro", keyIdHash } }).license_key_id_hash, keyIdHash);
  assert.equal(build({ license: { plan: "free", keyIdHash } }).license_key_id_hash, null);
});

Deno.test("only the major version of the kernel is reported", () => {
  assert.equal(build(machine({ kernelRelease: "5.14.0-427.el9.x86_64" })).kernel_major, "5");
  assert.equal(build(machine({ kernelRelease: "6.8.12-fw01.corp.example" })).kernel_major, "6");
  for (const kernelRelease of [null, "", "fw01", "6", "6x.1", "600.1"]) {
    assert.equal(build(machine({ kernelRelease })).kernel_major, "unknown", `${kernelRelease}`);
  }
});

Deno.test("an unsupported architecture is `other`", () => {
  assert.equal(build(machine({ arch: "aarch64" })).arch, "aarch64");
  assert.equal(build(machine({ arch: "fw01" })).arch, "other");
});

Deno.test("a machine that reports nothing has a heartbeat that passes", () => {
  const silent = machine({ osRelease: null, kernelRelease: null, uptimeSeconds: null });
  const { payload, violations } = prepareHeartbeat(heartbeatFacts(silent));
  assert.deepEqual(violations, []);
  assert.equal(payload.uptime_bucket, "<1h");
  assert.deepEqual([payload.os_id, payload.os_version_major, payload.kernel_major], [
    "unknown",
    "unknown",
    "unknown",
  ]);
});
