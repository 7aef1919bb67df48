import assert from "node:assert/strict";
import type { DnsFacts } from "../record/facts.ts";
import type { Observation } from "../record/observation.ts";
import { isResolverTransaction, resolutionOf } from "./dns-answers.ts";
import { dnsFacts, observation } from "../../../test/support/domain/flow-fixtures.ts";

/** A query from 10.0.0.5 to the resolver 10.0.0.53, answered. */
function dnsQuery(facts: Partial<DnsFacts> = {}, more: Partial<Observation> = {}): Observation {
  return observation(0, 10, {
    kind: "zeek.dns",
    dst: { ip: "10.0.0.53", port: 53 },
    facts: dnsFacts(facts),
    ...more,
  });
}

Deno.test("an answer maps the queried name to every address at the end of its aliases", () => {
  const answers = ["edge.cdn.example", "node7.cdn.example", "192.0.2.1", "192.0.2.2", "192.0.2.1"];
  assert.deepEqual(resolutionOf(dnsQuery({ query: "www.example.com", answers })), {
    name: "www.example.com",
    addresses: ["192.0.2.1", "192.0.2.2"],
  });
  assert.deepEqual(resolutionOf(dnsQuery({ qtype: "AAAA", answers: ["2001:DB8:0::1"] }))!.addresses, [
    "2001:db8::1",
  ]);
});

Deno.test("queries, failures, other types and answers without an address give no resolution", () => {
  const nothing: Partial<DnsFacts>[] = [
    { answered: false, answers: [] },
    { query: null },
    { rcode: "NXDOMAIN" },
    { rcode: "SERVFAIL", answers: ["192.0.2.1"] },
    { answers: [] },
    { answers: ["a.example", "010.0.0.1", "1", "192.0.2.1 "] },
    { qtype: "TXT", answers: ["192.0.2.1"] },
    { qtype: "PTR", query: "1.2.0.192.in-addr.arpa", answers: ["192.0.2.1"] },
    { qtype: null },
    { query: "192.0.2.9" },
  ];
  for (const facts of nothing) assert.equal(resolutionOf(dnsQuery(facts)), null, JSON.stringify(facts));
  assert.equal(resolutionOf(observation(0, 1)), null);
});

Deno.test("addresses that name no host are dropped: block lists answer with them", () => {
  const answers = ["0.0.0.0", "127.0.0.1", "::", "::1", "255.255.255.255", "224.0.0.1", "10.0.0.80"];
  assert.deepEqual(resolutionOf(dnsQuery({ answers }))!.addresses, ["10.0.0.80"]);
  assert.equal(resolutionOf(dnsQuery({ answers: ["0.0.0.0"] })), null);
});

Deno.test("link-local name services do not count as resolvers", () => {
  const local: [dst: string, port: number, srcPort?: number][] = [
    ["224.0.0.251", 5353, 5353],
    ["ff02::fb", 5353],
    ["224.0.0.252", 5355],
    ["10.0.0.9", 5355],
    ["10.0.0.255", 137, 137],
    ["10.0.0.9", 50_000, 5353],
  ];
  for (const [ip, port, srcPort = 50_000] of local) {
    const ends = { src: { ip: "10.0.0.5", port: srcPort }, dst: { ip, port } };
    assert.equal(resolutionOf(dnsQuery({}, ends)), null, `${ip}:${port}`);
    assert.equal(isResolverTransaction(dnsQuery({}, ends)), false);
  }
  assert.equal(isResolverTransaction(dnsQuery()), true);
  assert.equal(isResolverTransaction(dnsQuery({}, { dst: { ip: "192.0.2.53", port: 8053 } })), true);
  assert.equal(
    resolutionOf(dnsQuery({}, { src: { ip: "0.0.0.0", port: 50_000 } })),
    null,
    "no client address",
  );
});
