import assert from "node:assert/strict";
import { dnsFacts, httpFacts, tlsFacts } from "../../../test/support/domain/flow-fixtures.ts";
import type { Facts } from "../record/facts.ts";
import { compileIntel } from "./compile.ts";
import { hitsOf, type PartyHit } from "./hits.ts";
import { IntelSet } from "./intel-set.ts";

const LIST = `198.51.100.7 # Mirai
203.0.113.0/24
2001:db8:7::7
evil.example
http://bad.example/x?y=1
e7d705a3286e19ea42f587b344ee6865
t13d1516h2_8daaf6152771_b186095e22b6
4da14224452c1fe61f46b1112c43ecfd9f322c82`;
const set = new IntelSet(compileIntel([{ name: "a.txt", pieces: [LIST] }]).data);
const isInternal = (ip: string) => ip.startsWith("10.") || ip.startsWith("fd00:");

function hitsFor(src: string, dst: string, facts: Facts | null = null): string[] {
  return hitsOf(set, { src: { ip: src }, dst: { ip: dst } }, facts, isInternal).map(textOf);
}

function textOf({ partyIp, match, vias }: PartyHit): string {
  return `${partyIp} ${match.kind} ${match.indicator} ${vias.join("+")}`;
}

Deno.test("a hit on an external end is attributed to the other end, in either direction", () => {
  assert.deepEqual(hitsFor("10.0.0.5", "198.51.100.7"), ["10.0.0.5 ip 198.51.100.7 peer"]);
  assert.deepEqual(hitsFor("203.0.113.9", "10.0.0.5"), ["10.0.0.5 cidr 203.0.113.0/24 peer"]);
  assert.deepEqual(hitsFor("fd00::5", "2001:db8:7::7"), ["fd00::5 ip 2001:db8:7::7 peer"]);
  assert.deepEqual(hitsFor("10.0.0.5", "192.0.2.1"), []);
  assert.deepEqual(hitsFor("198.51.100.7", "203.0.113.9"), [
    "203.0.113.9 ip 198.51.100.7 peer",
    "198.51.100.7 cidr 203.0.113.0/24 peer",
  ]);
});

Deno.test("an internal address is never looked up, even if listed", () => {
  const own = (ip: string) => ip === "203.0.113.9";
  assert.deepEqual(hitsOf(set, { src: { ip: "203.0.113.9" }, dst: { ip: "192.0.2.1" } }, null, own), []);
});

Deno.test("queried names and answered addresses", () => {
  assert.deepEqual(
    hitsFor("10.0.0.5", "10.0.0.1", dnsFacts({ query: "a.evil.example", answers: ["192.0.2.1"] })),
    [
      "10.0.0.5 domain evil.example dns_query",
    ],
  );
  assert.deepEqual(
    hitsFor(
      "10.0.0.5",
      "10.0.0.1",
      dnsFacts({ query: "cdn.example", answers: ["x.example", "203.0.113.4", "203.0.113.5"] }),
    ),
    [
      "10.0.0.5 cidr 203.0.113.0/24 dns_answer",
    ],
  );
  assert.deepEqual(
    hitsFor("10.0.0.5", "10.0.0.1", dnsFacts({ query: null, answers: ["evil.example", "2001:DB8:7:0::7"] })),
    [
      "10.0.0.5 ip 2001:db8:7::7 dns_answer",
    ],
  );
});

Deno.test("names and fingerprints of TLS clients and servers", () => {
  const facts = tlsFacts({
    serverName: "www.evil.example",
    ja3: "e7d705a3286e19ea42f587b344ee6865",
    ja4: "t13d1516h2_8daaf6152771_b186095e22b6",
    fingerprint: "4da14224452c1fe61f46b1112c43ecfd9f322c82",
  });
  assert.deepEqual(hitsFor("10.0.0.5", "192.0.2.1", facts), [
    "10.0.0.5 domain evil.example tls_server_name",
    "10.0.0.5 ja3 e7d705a3286e19ea42f587b344ee6865 ja3",
    "10.0.0.5 ja4 t13d1516h2_8daaf6152771_b186095e22b6 ja4",
    "10.0.0.5 certificate 4da14224452c1fe61f46b1112c43ecfd9f322c82 certificate",
  ]);
});

Deno.test("a hit by an external client is attributed to the internal server", () => {
  const facts = tlsFacts({ ja3: "e7d705a3286e19ea42f587b344ee6865" });
  assert.deepEqual(hitsFor("192.0.2.1", "10.0.0.5", facts), [
    "10.0.0.5 ja3 e7d705a3286e19ea42f587b344ee6865 ja3",
  ]);
  assert.deepEqual(hitsFor("192.0.2.1", "192.0.2.2", facts), [
    "192.0.2.1 ja3 e7d705a3286e19ea42f587b344ee6865 ja3",
  ]);
});

Deno.test("an HTTP request: its host by name or address, and its target", () => {
  assert.deepEqual(hitsFor("10.0.0.5", "192.0.2.1", httpFacts({ host: "bad.example", uri: "/x?y=1" })), [
    "10.0.0.5 url bad.example/x?y=1 url",
  ]);
  assert.deepEqual(hitsFor("10.0.0.5", "192.0.2.1", httpFacts({ host: "bad.example", uri: "/" })), []);
  // Through a proxy of the site, by address.
  assert.deepEqual(hitsFor("10.0.0.5", "10.0.0.8", httpFacts({ host: "203.0.113.4", uri: "/" })), [
    "10.0.0.5 cidr 203.0.113.0/24 http_host",
  ]);
});

Deno.test("an indicator matched in several ways is reported once", () => {
  assert.deepEqual(hitsFor("10.0.0.5", "198.51.100.7", httpFacts({ host: "198.51.100.7", uri: "/" })), [
    "10.0.0.5 ip 198.51.100.7 peer+http_host",
  ]);
});

Deno.test("no facts make it throw", () => {
  for (const text of ["", ".", ":", "1", "::1%", "a..b", "\ud800", "1.2.3.4.5", "٣.٣"]) {
    hitsFor("x", text, dnsFacts({ query: text, answers: [text] }));
    hitsFor(text, "y", tlsFacts({ serverName: text, ja3: text }));
    hitsFor(text, text, httpFacts({ host: text, uri: text }));
  }
});
