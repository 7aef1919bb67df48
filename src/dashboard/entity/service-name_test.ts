import assert from "node:assert/strict";
import { labelOf } from "./entity-kinds.ts";
import { serviceName, serviceNames } from "./service-name.ts";

Deno.test("a service has one name, whatever the sensor calls it", () => {
  assert.equal(serviceName("ssl"), "tls");
  assert.equal(serviceName("gssapi,krb,smb"), "gssapi, krb, smb");
  assert.equal(serviceNames(["ssl", "dns", "tls"]), "tls, dns");
  assert.equal(serviceName("constructor"), "constructor");
  assert.equal(labelOf({ kind: "service", value: "ssl,http" }), "tls, http");
});
