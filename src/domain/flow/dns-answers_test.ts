import assert from "node:assert/strict";
import type { DnsFacts } from "../record/facts.ts";
import type { Observation } from "../record/observation.ts";
import { isResolverTransaction, resolutionOf } from "./dns-answers.ts";
import { dnsFacts, observation } from "../../../test/support/domain/flow-fixtures.ts";

/** A question of 10.0.0.5 to the resolver 10.0.0.53, answered. */
function asked(facts: Partial<DnsFacts> = {}, more: Partial<Observation> = {}): Observation {
  return observation(0, 10, {
    kind: "zeek.dns",
    dst: { ip: "10.0.0.53", port: 53 },
    facts: dnsFacts(facts),
    ...more,
  });
}

Deno.test("an answer leads from the name that was asked to every address at the end of its aliases", () => {
  const answers = ["edge.cdn.example", "node7.cdn.example", "192.0.2.1", "192.0.2.2", "192.0.2.1"];
  assert.deepEqual(resolutionOf(asked({ query: "www.example.com", answers })), {
    name: "www.example.com",
    addresses: ["192.0.2.1", "192.0.2.2"],
  });
  assert.deepEqual(resolutionOf(asked({ qtype: "AAAA", answers: ["2001:DB8:0::1"] }))!.addresses, [
    "2001:db8::1",
  ]);
});

Deno.test("a question, a failure, another type of record, and answers without an address lead nowhere", () => {
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
  for (const facts of nothing) assert.equal(resolutionOf(asked(facts)), null, JSON.stringify(facts));
  assert.equal(resolutionOf(observation(0, 1)), null);
});

Deno.test("addresses that mean no host are left out: block lists answer with them", () => {
  const answers = ["0.0.0.0", "127.0.0.1", "::", "::1", "255.255.255.255", "224.0.0.1", "10.0.0.80"];
  assert.deepEqual(resolutionOf(asked({ answers }))!.addresses, ["10.0.0.80"]);
  assert.equal(resolutionOf(asked({ answers: ["0.0.0.0"] })), null);
});

Deno.test("names that hosts of one link give each other are no resolver's", () => {
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
    assert.equal(resolutionOf(asked({}, ends)), null, `${ip}:${port}`);
    assert.equal(isResolverTransaction(asked({}, ends)), false);
  }
  assert.equal(isResolverTransaction(asked()), true);
  assert.equal(isResolverTransaction(asked({}, { dst: { ip: "192.0.2.53", port: 8053 } })), true);
  assert.equal(resolutionOf(asked({}, { src: { ip: "0.0.0.0", port: 50_000 } })), null, "asked by nobody");
});
