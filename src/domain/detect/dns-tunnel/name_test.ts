import assert from "node:assert/strict";
import type { DnsFacts } from "../../record/facts.ts";
import { carrierOf, CUT_OFF, outcomeOf } from "./name.ts";

const QUESTION: DnsFacts = {
  type: "dns",
  query: null,
  qtype: "A",
  rcode: null,
  answers: [],
  answered: false,
};
const carrier = (query: string, qtype = "A") => carrierOf({ ...QUESTION, query, qtype });
const outcome = (...answers: string[]) =>
  outcomeOf({ ...QUESTION, answered: true, rcode: "NOERROR", answers }, (ip) => ip.startsWith("10."));

Deno.test("dns-tunnel: ordinary names carry no data", () => {
  const ordinary =
    "www.example.com images.example.co.uk example.com web12.example.com mail _dmarc.example.com " +
    "selector1._domainkey.example.com 4.3.2.1.zen.spamhaus.org 1.0.0.127.in-addr.arpa qzx7hv1k.avts.mcafee.com";
  for (const name of ordinary.split(" ")) assert.equal(carrier(name), null, name);
  assert.equal(carrierOf(QUESTION), null);
});

Deno.test("dns-tunnel: names that can carry data are measured below their registered domain", () => {
  const short = carrier("79ovn.example.com")!;
  assert.deepEqual([short.domain, short.chars, short.random, short.dataType], ["example.com", 5, 1, false]);
  const long = carrier(
    `${"a1b2c3d4".repeat(7)}.${"q9w8e7r6".repeat(7)}.${"z5x4c3v2".repeat(7)}.t.evil.co.uk`,
    "TXT",
  )!;
  assert.deepEqual([long.domain, long.chars, long.dataType], ["evil.co.uk", 169, true]);
  assert.equal(
    carrier("\\xe9\\xe8\\xe7\\xe6\\xe5.evil.net")!.chars,
    5,
    "an escaped byte is one character",
  );
  for (const type of ["NULL", "*", "TYPE65399", "CNAME"]) {
    assert.equal(carrier("79ovn.evil.net", type)!.dataType, true);
  }
  assert.equal(carrier("79ovn.evil.net", "TYPE65")!.dataType, false);
});

Deno.test("dns-tunnel: a name truncated by the log has no domain", () => {
  assert.equal(carrier(`${"x7".repeat(110)}.t.evil.&`)!.domain, CUT_OFF);
  assert.equal(carrier("x7x7x7x7.t.evil.&"), null);
});

Deno.test("dns-tunnel: answers are classified as outside, inside, nowhere or data", () => {
  assert.deepEqual(outcome("cdn.example.net", "203.0.113.7"), {
    outcome: "address",
    ip: "203.0.113.7",
    bytes: 19,
  });
  assert.equal(outcome("10.0.0.9").outcome, "inside");
  assert.equal(outcome("127.0.0.4").outcome, "nowhere");
  assert.equal(outcome("0.0.0.0").outcome, "nowhere");
  assert.equal(outcome("TXT 5 hello").outcome, "data");
  assert.equal(outcome().outcome, "unknown");
  assert.equal(outcomeOf({ ...QUESTION, answered: true, rcode: "NXDOMAIN" }, () => false).outcome, "failed");
});
