import assert from "node:assert/strict";
import { isWithin, namesOf } from "./domain-names.ts";
import { registeredDomain } from "./registered-domain.ts";

const BUCKETS = ["2026-01-31T07:00:00.000Z", "2026-01-31T07:15:00.000Z"];
const WINDOW = { from: BUCKETS[0]!, to: "2026-01-31T07:30:00.000Z" };
const group = (name: string | null, ...values: number[]) => ({
  key: [name],
  total: values.reduce((sum, value) => sum + value, 0),
  values,
});

Deno.test("a domain has the names below it, never those that only end like it", () => {
  assert.ok(isWithin("example.com", "example.com"));
  assert.ok(isWithin("a.b.example.com", "example.com"));
  assert.ok(!isWithin("notexample.com", "example.com"));
  assert.ok(!isWithin("com", "example.com"));
});

Deno.test("names are counted in each field, the most frequent first, with the time they were first seen", () => {
  const found = {
    "dns.query": {
      groups: [group("A.example.com", 0, 3), group("other.net", 9, 9), group(null, 1, 1)],
      buckets: BUCKETS,
      window: WINDOW,
    },
    "server_name": {
      groups: [group("a.example.com", 2, 0), group("example.com", 0, 5)],
      buckets: BUCKETS,
      window: WINDOW,
    },
  };
  assert.deepEqual(namesOf("example.com", found), [
    {
      name: "example.com",
      flows: { "dns.query": 0, "server_name": 5 },
      first: BUCKETS[1],
    },
    {
      name: "a.example.com",
      flows: { "dns.query": 3, "server_name": 2 },
      first: BUCKETS[0],
    },
  ]);
});

Deno.test("the registered domain is below the public suffix", () => {
  assert.equal(registeredDomain("www.Example.co.uk"), "example.co.uk");
  assert.equal(registeredDomain("x.a.github.io"), "a.github.io");
  assert.equal(registeredDomain("dc1.corp.local"), "corp.local");
  assert.equal(registeredDomain("localhost"), null);
  assert.equal(registeredDomain("7.100.51.198.in-addr.arpa"), null);
  assert.equal(registeredDomain("198.51.100.7"), null);
});
