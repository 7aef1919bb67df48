import assert from "node:assert/strict";
import { shownIp } from "./shown-ip.ts";

Deno.test("an address that is not stated is the resolver that wrote the record, or not stated", () => {
  const resolver = { source: "unbound", sensor_id: "main-unbound" };
  const exporter = { source: "netflow", sensor_id: "main-netflow" };
  assert.equal(shownIp("0.0.0.0", resolver), "main-unbound");
  assert.equal(shownIp("::", resolver), "main-unbound");
  assert.equal(shownIp("0.0.0.0", exporter), "not stated");
  assert.equal(shownIp("::"), "not stated");
  assert.equal(shownIp("10.0.0.5", resolver), "10.0.0.5");
});
