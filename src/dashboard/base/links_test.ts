import assert from "node:assert/strict";
import { type Target, tenantOfPath, to } from "./links.ts";

Deno.test("the tenant is read from the path", () => {
  assert.equal(tenantOfPath("/t/main/triage"), "main");
  assert.equal(tenantOfPath("/t/a%20b"), "a b");
  assert.equal(tenantOfPath("/t/%E0%A4"), "%E0%A4");
  assert.equal(tenantOfPath("/triage"), null);
  assert.equal(tenantOfPath("/t/"), null);
});

/** The search parameters of a target that have a value. */
const searchOf = ({ search }: Target) => JSON.parse(JSON.stringify(search));

Deno.test("a pivot carries its window apart from the range", () => {
  const scope = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
  const carried = "2026-01-01T00:00:00Z/2026-01-02T00:00:00Z";
  assert.deepEqual(searchOf(to.explore({ filter: "ip:10.0.0.1", scope })), {
    filter: "ip:10.0.0.1",
    scope: carried,
  });
  for (const page of [to.device, to.address, to.domain, to.fingerprint, to.signature]) {
    assert.deepEqual(searchOf(page("x", scope)), { scope: carried });
    assert.deepEqual(searchOf(page("x")), {});
  }
});
