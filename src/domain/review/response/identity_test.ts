import assert from "node:assert/strict";
import { identityGrade } from "./identity.ts";

const MAC = { class: "mac", value: "00:16:3e:5a:00:01", shared: false } as const;
const RANDOM = { class: "mac", value: "02:16:3e:5a:00:01", shared: false } as const;
const NAME = { class: "dhcp_hostname", value: "frontdesk-7", shared: false } as const;
const SOFTWARE = {
  class: "tls_client",
  value: "t13d1516h2_8daaf6152771_b186095e22b6",
  shared: false,
} as const;

Deno.test("identity: the best anchor of a device decides", () => {
  const hardware = { ...MAC, value: "3c:22:fb:5a:00:01" };
  assert.equal(identityGrade([SOFTWARE, NAME, hardware]), "strong");
  assert.equal(identityGrade([SOFTWARE, NAME]), "weak");
  assert.equal(identityGrade([SOFTWARE]), "address_only");
  assert.equal(identityGrade([]), "address_only");
});

Deno.test("identity: a randomised or shared address proves nothing", () => {
  assert.equal(identityGrade([RANDOM]), "address_only");
  assert.equal(identityGrade([{ ...NAME, shared: true }]), "address_only");
});
