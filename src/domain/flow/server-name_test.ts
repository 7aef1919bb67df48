import assert from "node:assert/strict";
import { httpFacts, observation, tlsFacts } from "../../../test/support/domain/flow-fixtures.ts";
import { statedName } from "./server-name.ts";

Deno.test("a TLS handshake and an HTTP request state the server's name", () => {
  const tls = observation(0, 0, { facts: tlsFacts({ serverName: "a.example" }) });
  assert.deepEqual(statedName(tls), { name: "a.example", via: "tls" });
  const http = observation(0, 0, { facts: httpFacts({ host: "b.example" }) });
  assert.deepEqual(statedName(http), { name: "b.example", via: "http" });
});

Deno.test("an address, an invalid name and a missing name give no server name", () => {
  for (const host of [null, "192.0.2.1", "2001:db8::1", "a b", "a\u200bb", "a\nb", "x".repeat(256)]) {
    assert.equal(statedName(observation(0, 0, { facts: httpFacts({ host }) })), null, String(host));
    assert.equal(
      statedName(observation(0, 0, { facts: tlsFacts({ serverName: host }) })),
      null,
      String(host),
    );
  }
  assert.equal(statedName(observation(0, 0)), null);
});
