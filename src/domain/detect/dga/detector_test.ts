import assert from "node:assert/strict";
import fc from "fast-check";
import type { DnsFacts } from "../../record/facts.ts";
import { random } from "../../../../test/support/detect/beacon-fixtures.ts";
import type { Sighting } from "../kernel/detector.ts";
import { drive, type DriveOptions, sighting } from "../../../../test/support/detect/detector-fixtures.ts";
import { DGA_DETECTOR } from "./detector.ts";
import type { DetectorResult } from "../kernel/result.ts";

const CLIENT = { ip: "10.0.0.7", port: 40_000 };
const INSIDE = { ip: "10.0.0.53", port: 53 };
const OUTSIDE = { ip: "198.51.100.53", port: 53 };

function lookup(
  seconds: number,
  query: string | null,
  { rcode = "NXDOMAIN" as string | null, client = CLIENT, resolver = INSIDE, qtype = "A" } = {},
): Sighting {
  const facts: DnsFacts = { type: "dns", query, qtype, rcode, answers: [], answered: true };
  return sighting(seconds, client, resolver, { observation: { proto: "udp", service: "dns", facts } });
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Labels of random letters. */
function labels(seed: number): (length: number) => string {
  const next = random(seed);
  return (length) => times(length, () => String.fromCharCode(97 + Math.floor(next() * 26))).join("");
}

const WORDS = "time world shop green house travel music photo garden north river stone light paper metal"
  .split(" ");
function words(seed: number): () => string {
  const next = random(seed);
  const word = () => WORDS[Math.floor(next() * WORDS.length)]!;
  return () => `${word()}-${word()}${word()}`;
}

function run(sightings: readonly Sighting[], options: DriveOptions = {}) {
  return drive([DGA_DETECTOR], sightings, options);
}

function best(results: readonly DetectorResult[]): DetectorResult | null {
  return results.reduce<DetectorResult | null>((a, b) => a === null || b.score > a.score ? b : a, null);
}

Deno.test("dga: lookups of record types for mail are ignored", () => {
  const asked = (qtype: string) => {
    const label = labels(1);
    return times(300, (index) => lookup(index * 60, `${label(11)}.com`, { qtype }));
  };
  for (const qtype of ["MX", "TXT"]) assert.deepEqual(run(asked(qtype)).results, []);
  for (const qtype of ["A", "AAAA"]) assert.ok(best(run(asked(qtype)).results)!.score >= 60);
});

Deno.test("dga: generated domains are found within two dozen lookups and reported rarely", () => {
  const label = labels(1);
  const asked = times(
    1000,
    (index) => lookup(index * 2, `${label(11 + index % 4)}.${index % 2 ? "com" : "net"}`),
  );
  const { results, largest } = run(asked);
  assert.ok(results[0]!.score >= 40, `first ${results[0]!.score}`);
  const worst = best(results)!;
  assert.ok(worst.score >= 60, `score ${worst.score}`);
  assert.ok(results.length <= 10);
  assert.match(worst.title, /^10\.0\.0\.7 looks up generated domains that do not exist$/);
  assert.equal(worst.technique, "T1568.002");
  const sum = worst.subScores.reduce((total, part) => total + part.value * part.weight, 0);
  assert.ok(Math.abs(sum - worst.score) < 0.06);
  assert.ok(largest < 4000);
  let before = 0;
  for (const { score } of results) {
    assert.ok(score >= before);
    before = score;
  }
});

Deno.test("dga: a slow generator is found", () => {
  const label = labels(2);
  const worst = best(run(times(60, (index) => lookup(index * 1200, `${label(14)}.info`))).results)!;
  assert.ok(worst.score >= 40, `score ${worst.score}`);
});

Deno.test("dga: harmless failed lookups are not reported", () => {
  const label = labels(3);
  const word = words(3);
  const harmless: Record<string, (index: number) => Sighting> = {
    "a search list's variants of one domain": (i) => lookup(i, `${word()}.com.corp-net.com`),
    "a browser's probes": (i) => lookup(i, label(10)),
    "a browser's probes with the search list": (i) => lookup(i, `${label(10)}.corp-net.com`),
    "names of the site": (i) => lookup(i, `${label(10)}.local`),
    "proxy discovery": (i) => lookup(i, `wpad.${label(4)}.lan`),
    "reverse lookups": (i) => lookup(i, `${i % 250}.2.0.192.in-addr.arpa`),
    "names that exist": (i) => lookup(i, `${label(12)}.com`, { rcode: "NOERROR" }),
    "unanswered queries": (i) => lookup(i, `${label(12)}.com`, { rcode: null }),
    "block lists": (i) => lookup(i, `${i}.2.0.192.zen.block-list.org`),
    "multicast DNS": (i) => lookup(i, `${label(12)}.com`, { resolver: { ip: "224.0.0.251", port: 5353 } }),
  };
  for (const [name, make] of Object.entries(harmless)) {
    assert.deepEqual(run(times(300, make)).results, [], name);
  }
  assert.deepEqual(run(times(19, (i) => lookup(i, `${label(12)}.com`))).results, [], "too few");
  assert.deepEqual(run(times(60, (i) => lookup(i, `${word()}.com`))).results, [], "dead links");
});

Deno.test("dga: a flood of failing words is low", () => {
  const word = words(4);
  const worst = best(run(times(1500, (index) => lookup(index, `${word()}.com`))).results)!;
  assert.ok(worst.score >= 20 && worst.score < 40, `score ${worst.score}`);
  assert.match(worst.explanation, /mail server/);
});

Deno.test("dga: the client is reported, or its resolver if only that is seen", () => {
  const label = labels(5);
  const both = times(200, (index) => {
    const name = `${label(12)}.com`;
    return [
      lookup(index, name, { client: { ip: INSIDE.ip, port: 6000 + index }, resolver: OUTSIDE }),
      lookup(index, name),
    ];
  }).flat();
  assert.deepEqual([...new Set(run(both).results.map(({ deviceId }) => deviceId))], ["device 10.0.0.7"]);
  const outer = run(both.filter(({ src }) => src.ip === INSIDE.ip)).results;
  assert.equal(best(outer)!.deviceId, "device 10.0.0.53");
  assert.match(best(outer)!.explanation, /one of its clients is the origin/);
});

Deno.test("dga: results do not depend on rounds or storage, and hostile names stay bounded", () => {
  const anyName = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.stringMatching(/^[a-z0-9]{6,20}\.(com|net|co\.uk)$/),
  );
  const anyLookup = fc.record({
    name: anyName,
    seconds: fc.oneof(fc.nat(90_000), fc.constantFrom(-1e9, 2e9)),
    outside: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyLookup, { maxLength: 150, size: "max" }), (all) => {
      const made = all.map(({ name, seconds, outside }) =>
        lookup(seconds, name, { resolver: outside ? OUTSIDE : INSIDE })
      );
      const { results, states, largest } = run(made);
      for (const options of [{ round: 11, stored: true }, { round: 200, stored: false }]) {
        const other = run(made, options);
        assert.deepEqual(other.results, results);
        assert.deepEqual(other.states, states);
      }
      assert.ok(largest < 4000);
      for (const { summary } of results) assert.ok(summary.length < 700);
    }),
    { numRuns: 20 },
  );
});

Deno.test("dga: one record of a wrong clock does not hide a day", () => {
  const label = labels(6);
  const asked = times(100, (index) => lookup(index, `${label(12)}.com`));
  assert.ok(best(run([lookup(3e9, "wild-clock.com"), ...asked]).results)!.score >= 40);
});
