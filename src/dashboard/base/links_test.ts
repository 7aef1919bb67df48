import assert from "node:assert/strict";
import { tenantOfPath, to } from "./links.ts";

Deno.test("the tenant is read from the path", () => {
  assert.equal(tenantOfPath("/t/main/triage"), "main");
  assert.equal(tenantOfPath("/t/a%20b"), "a b");
  assert.equal(tenantOfPath("/t/%E0%A4"), "%E0%A4");
  assert.equal(tenantOfPath("/triage"), null);
  assert.equal(tenantOfPath("/t/"), null);
});

Deno.test("a pivot carries its window apart from the range", () => {
  const scope = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
  const { search } = to.explore({ filter: "ip:10.0.0.1", scope });
  assert.equal(search.scope, "2026-01-01T00:00:00Z/2026-01-02T00:00:00Z");
  assert.equal(search.from, undefined);
  for (const page of [to.device, to.address, to.domain, to.fingerprint, to.signature]) {
    assert.equal(page("x", scope).search.scope, search.scope);
    assert.equal(page("x").search.scope, undefined);
  }
});
