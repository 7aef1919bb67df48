import assert from "node:assert/strict";
import fc from "fast-check";
import type { DnsFacts } from "../../record/facts.ts";
import { drive } from "../../../../test/support/detect/detector-fixtures.ts";
import {
  playSeen,
  type Seen,
  sumOf,
  times,
  toSighting,
} from "../../../../test/support/detect/play-fixtures.ts";
import type { StateType } from "../kernel/detector.ts";
import { ROGUE_DNS_DETECTOR } from "./detector.ts";
import { DNS_SERVERS, MIN_QUERIES, RESOLVERS } from "./state.ts";

const DAY = 86_400;

/** Drives records of the learning phase, then later ones. */
function after(learning: readonly Seen[], later: readonly Seen[], round = 1000) {
  const sightings = [
    ...learning.map((seen, index) => toSighting(seen, index, { learned: false })),
    ...later.map((seen, index) =>
      toSighting(seen, 1000 + index, { learned: true, names: { "10.0.0.66": "ap" } })
    ),
  ];
  const driven = drive([ROGUE_DNS_DETECTOR], sightings, { round });
  return { ...driven, best: driven.results.at(-1) ?? null };
}

function lookup(at: number, client: string, server: string, answered = true): Seen {
  const facts: DnsFacts = {
    type: "dns",
    query: "example.com",
    qtype: "A",
    rcode: "NOERROR",
    answers: ["192.0.2.1"],
    answered,
  };
  return { at, src: `${client} 50000`, dst: `${server} 53`, proto: "udp", facts };
}

const LOOKUPS = times(10, (index) => lookup(index, `10.0.0.${10 + index}`, "10.0.0.1"));

Deno.test("rogue-dns: a host that starts to answer others", () => {
  const later = times(16, (index) => lookup(9 * DAY + index, `10.0.0.${10 + index}`, "10.0.0.66"));
  const { best, results } = after(LOOKUPS, later);
  assert.equal(best!.title, "New DNS resolver inside: ap");
  assert.ok(results[0]!.score < 40 && best!.score >= 40, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  assert.ok(results.length <= 6);
  assert.equal(after(LOOKUPS, later.slice(0, 1)).best, null, "a single client");
  assert.equal(after([...LOOKUPS, ...later], later).best, null, "known");
  const unanswered = later.map((seen) => ({
    ...seen,
    facts: { ...(seen.facts as DnsFacts), answered: false },
  }));
  assert.equal(after(LOOKUPS, unanswered).best, null, "it does not answer");
});

Deno.test("rogue-dns: a client that starts to query an outside resolver", () => {
  const queries = (server: string, count: number) =>
    times(count, (index) => lookup(9 * DAY + index, "10.0.0.12", server));
  const { best, results } = after(LOOKUPS, queries("198.51.100.7", 200));
  assert.equal(best!.title, "New outside DNS resolver: 10.0.0.12 to 198.51.100.7");
  assert.equal(results.length, 1);
  assert.ok(best!.score >= 20 && best!.score < 40);
  assert.ok(after(LOOKUPS, queries("8.8.8.8", 200)).best!.score < best!.score);
  assert.equal(after(LOOKUPS, queries("198.51.100.7", MIN_QUERIES - 1)).best, null);
  assert.equal(
    after([], queries("198.51.100.7", 200)).best,
    null,
    "a site without a resolver",
  );
  const server = times(100, (index) => lookup(9 * DAY + index, "10.0.0.12", `198.51.100.${index % 50}`));
  assert.equal(after(LOOKUPS, server).best, null, "the device is a resolver");
  const own = times(100, (index) => lookup(9 * DAY + index, "10.0.0.1", "198.51.100.7"));
  assert.equal(
    after(LOOKUPS, own).best,
    null,
    "the site's resolver may use another upstream",
  );
});

Deno.test("rogue-dns: results do not depend on batches, and hostile input stays bounded", () => {
  const names = times(
    40,
    (index) => lookup(9 * DAY + index, `10.0.0.${10 + index % 9}`, index % 2 ? "10.0.0.66" : "9.9.9.9"),
  );
  const whole = after(LOOKUPS, names);
  for (const round of [1, 6]) assert.deepEqual(after(LOOKUPS, names, round).results, whole.results);
  assertStable(DNS_SERVERS, whole.states);
  assertStable(RESOLVERS, whole.states);
  const time = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(-2e9, 6e9));
  const any = fc.tuple(time, fc.ipV4(), fc.ipV4()).map(([at, client, server]) => lookup(at, client, server));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 120 }), fc.boolean(), (seen, learned) => {
      const setting = { learned, isInternal: (ip: string) => Number.parseInt(ip) < 128 };
      const { largest } = playSeen(ROGUE_DNS_DETECTOR, seen, setting);
      assert.ok(largest < 4600, `${largest}`);
    }),
    { numRuns: 50 },
  );
});

function assertStable<S>(type: StateType<S>, states: ReadonlyMap<string, Uint8Array>): void {
  for (const [id, bytes] of states) {
    if (id.startsWith(`${type.id} `)) assert.deepEqual(type.encode(type.decode(bytes)), bytes);
  }
  assert.throws(() => type.decode(new Uint8Array([7])), RangeError);
}
