import assert from "node:assert/strict";
import { registeredDomain } from "./registered-domain.ts";

Deno.test("the registrable domain of a name", () => {
  const domains: Record<string, string> = {
    "www.example.com": "example.com",
    "example.com": "example.com",
    "a.b.example.co.uk": "example.co.uk",
    "_ldap._tcp.dc._msdcs.corp.example": "corp.example",
    "x.y.duckdns.org": "y.duckdns.org",
    "a.github.io": "a.github.io",
    "dc1.corp.local": "corp.local",
    "xn--bcher-kva.example": "xn--bcher-kva.example",
  };
  for (const [name, domain] of Object.entries(domains)) assert.equal(registeredDomain(name), domain, name);
});

Deno.test("single labels, public suffixes, addresses and reverse names have no registrable domain", () => {
  const none = [
    "localhost",
    "com",
    "co.uk",
    "github.io",
    "192.0.2.1",
    "010.0.0.1",
    "2001:db8::1",
    "1.2.0.192.in-addr.arpa",
    "a b.example.com",
    ".",
    "example.com.",
    `${"x".repeat(250)}.example.com`,
  ];
  for (const name of none) assert.equal(registeredDomain(name), null, name);
});
