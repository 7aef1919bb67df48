import assert from "node:assert/strict";
import { sighting } from "../../../../test/support/detect/detector-fixtures.ts";
import {
  best,
  connection,
  INSIDE,
  labels,
  lookup,
  OUTSIDE,
  packed,
  run,
  times,
} from "../../../../test/support/detect/dns-tunnel-fixtures.ts";
import type { Sighting } from "../kernel/detector.ts";

Deno.test("dns-tunnel: a tunnel that moves data is critical, reported early and rarely", () => {
  const { results, largest } = run(packed(4000));
  const worst = best(results)!;
  assert.ok(worst.score >= 80, `score ${worst.score}`);
  assert.ok(results.length >= 2 && results.length <= 10, `${results.length} results`);
  assert.equal(worst.title, "DNS tunnel: 10.0.0.7 sends data in lookups below evil.example");
  assert.match(worst.summary, /different names below evil\.example, between .* characters below the domain/);
  assert.match(worst.explanation, /no other of the 20 devices/);
  assert.equal(worst.technique, "T1071.004");
  assert.deepEqual(worst.destinations, [{ ip: null, name: "evil.example", port: null }]);
  assert.ok(worst.evidence.length > 0 && worst.evidence.length <= 32);
  assert.ok(largest < 4000, `${largest} bytes`);
});

Deno.test("dns-tunnel: scores never fall, and equal the sum of their parts", () => {
  const { results } = run(packed(3000));
  let before = 0;
  for (const { score, subScores, modifiers } of results) {
    assert.ok(score >= before);
    before = score;
    const sum = [...subScores, ...modifiers].reduce((total, part) => total + part.value * part.weight, 0);
    assert.ok(Math.abs(sum - score) < 0.06, `${sum} is not ${score}`);
  }
});

Deno.test("dns-tunnel: a slow implant with short names below several domains is found", () => {
  const label = labels(2);
  const domains = ["red-fruit.example", "blue-fruit.example", "green-fruit.example"];
  const slow = times(110, (index) =>
    lookup(index * 60, `${label(5 + index % 20)}.${domains[index % 3]}`, {
      answers: [`${60 + index % 100}.1.2.${index}`],
    }));
  const flows = times(12, (index) => connection(index, "203.0.113.5"));
  const worst = best(run([...flows, ...slow]).results)!;
  assert.ok(worst.score >= 40 && worst.score < 65, `score ${worst.score}`);
  assert.equal(worst.destinations.length, 3);
  assert.match(worst.explanation, /never connected to an answered address/);
});

Deno.test("dns-tunnel: Unbound's log without answers and resolver is sufficient", () => {
  const settings = { resolver: { ip: "0.0.0.0", port: 0 } };
  const label = labels(3);
  const asked = times(
    300,
    (index) =>
      lookup(index, `${label(56)}.t.evil.example`, {
        qtype: index % 2 === 0 ? "TXT" : "TYPE65399",
        answers: [],
      }, settings),
  );
  const worst = best(run(asked).results)!;
  assert.ok(worst.score >= 60, `score ${worst.score}`);
});

Deno.test("dns-tunnel: names truncated by Unbound count for the device's tunnel", () => {
  const label = labels(10);
  const settings = { resolver: { ip: "0.0.0.0", port: 0 } };
  const none = { qtype: "NULL", answers: [] };
  const cut = (index: number) =>
    lookup(index, `${label(57)}.${label(57)}.${label(57)}.${label(57)}.t.evil.&`, none, settings);
  const whole = (index: number) => lookup(index, `${label(20)}.t.evil.example`, none, settings);
  const worst = best(run(times(300, (index) => index % 10 === 0 ? whole(index) : cut(index))).results)!;
  assert.ok(worst.score >= 80, `score ${worst.score}`);
  assert.match(worst.title, /sends data in lookups below evil\.example$/);
  assert.deepEqual(worst.destinations, [{ ip: null, name: "evil.example", port: null }]);
  const alone = best(run(times(300, cut)).results)!;
  assert.match(alone.title, /below an unlogged domain$/);
  assert.deepEqual(alone.destinations, []);
});

Deno.test("dns-tunnel: the client is reported, not the resolver that forwards its names", () => {
  const label = labels(4);
  const both = times(400, (index) => {
    const name = `${label(50)}.t.evil.example`;
    const facts = { qtype: "TXT", answers: ["data"] };
    // A packet sensor logs the client's transaction last.
    return [
      lookup(index, name, facts, { client: { ip: INSIDE.ip, port: 5000 + index }, resolver: OUTSIDE }),
      lookup(index, name, facts),
    ];
  }).flat();
  assert.deepEqual([...new Set(run(both).results.map(({ deviceId }) => deviceId))], ["device 10.0.0.7"]);

  const only = both.filter(({ src }) => src.ip === INSIDE.ip);
  const reported = best(run(only).results)!;
  assert.equal(reported.deviceId, "device 10.0.0.53");
  assert.match(reported.explanation, /is a resolver, one of its clients is the origin/);
});

Deno.test("dns-tunnel: a content network whose answers are used stays low", () => {
  const label = labels(5);
  const names = times(300, (index) => {
    const ip = `203.0.113.${index % 40}`;
    return [
      lookup(index * 10, `rr${index % 9}---sn-${label(8)}.edge-video.example`, { answers: [ip] }),
      connection(index * 10 + 1, ip),
    ];
  }).flat();
  const worst = best(run(names).results);
  assert.ok(worst === null || worst.score < 40, `score ${worst?.score}`);
});

Deno.test("dns-tunnel: a resolver's unused answers are no evidence", () => {
  const label = labels(11);
  const client = { ip: INSIDE.ip, port: 6000 };
  const own = times(
    12,
    (index) =>
      sighting(index, client, OUTSIDE, { connection: { bytesOut: 60 }, observation: { proto: "udp" } }),
  );
  const asked = times(
    120,
    (index) =>
      lookup(index * 60, `host-${label(9)}.cdn-${index % 2 === 0 ? 0 : index % 20}.example`, {
        answers: [`203.0.113.${index}`],
      }, { client, resolver: OUTSIDE }),
  );
  const { results } = run([...own, ...asked]);
  for (const { subScores } of results) {
    assert.equal(subScores.find(({ name }) => name === "unreached")!.value, 0.5);
  }
  assert.ok(results.every(({ score }) => score < 50));
});

Deno.test("dns-tunnel: a domain that many devices use stays low", () => {
  const label = labels(6);
  const common = times(600, (index) =>
    lookup(index, `${label(30)}.telemetry.example`, {}, {
      client: { ip: `10.0.0.${1 + index % 12}`, port: 4000 },
    }));
  assert.deepEqual(run(common).results.filter(({ score }) => score >= 40), []);
});

Deno.test("dns-tunnel: services with many names by design stay low", () => {
  const label = labels(7);
  const harmless: Record<string, (index: number) => Sighting> = {
    "reputation of files": (i) => lookup(i, `${label(26)}.avts.mcafee.com`, { answers: ["127.0.0.1"] }),
    "an unknown company's reputation service": (i) =>
      lookup(i, `${label(26)}.rep.scanner.example`, { answers: ["127.0.0.8"] }),
    "block lists of senders": (i) =>
      lookup(i, `${i % 250}.2.0.192.bl.anything.example`, { rcode: "NXDOMAIN", answers: [] }),
    "reverse lookups": (i) => lookup(i, `${i % 250}.2.0.192.in-addr.arpa`, { qtype: "PTR" }),
    "DKIM keys": (i) => lookup(i, `${label(8)}._domainkey.mailing.example`, { qtype: "TXT" }),
    "DMARC policies": (i) => lookup(i, `_dmarc.${label(12)}.example`, { qtype: "TXT" }),
    "sites of one host": (i) => lookup(i, `shop-${i}.big-host.example`),
    "hosts of the network": (i) => lookup(i, `desktop-${label(7)}.corp.example`, { answers: ["10.1.2.3"] }),
    "a browser's probes with the search list": (i) =>
      lookup(i * 100, `${label(10)}.corp.example`, { rcode: "NXDOMAIN", answers: [] }),
    "one name repeatedly": (i) => lookup(i, `${"x7f9qk2".repeat(6)}.cdn.example`, { qtype: "TXT" }),
    "multicast DNS": (i) =>
      lookup(i, `${label(40)}.some.example`, { qtype: "TXT" }, {
        resolver: { ip: "224.0.0.251", port: 5353 },
      }),
  };
  for (const [name, make] of Object.entries(harmless)) {
    const worst = best(run(times(500, make)).results);
    assert.ok(worst === null || worst.score < 40, `${name}: ${worst?.score}`);
  }
});
