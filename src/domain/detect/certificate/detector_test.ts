import assert from "node:assert/strict";
import fc from "fast-check";
import { tlsFacts } from "../../../../test/support/domain/flow-fixtures.ts";
import { BEACON_DETECTOR } from "../beacon/detector.ts";
import { CERTIFICATE_DETECTOR } from "./detector.ts";
import {
  faultsOf,
  hasRandomNames,
  NO_NAME,
  SELF_SIGNED as SELF,
  UNKNOWN_AUTHORITY,
} from "../kernel/certificate-faults.ts";
import { ASSUMED_POINTS, NO_NAME_POINTS } from "./score.ts";
import { CERTIFICATES } from "./state.ts";
import type { Sighting } from "../kernel/detector.ts";
import {
  last,
  lookedUp,
  reportsOf,
  scores,
  SELF_SIGNED,
  times,
  tls,
  type To,
} from "../../../../test/support/detect/client-fixtures.ts";
import { DAY, drive, SITE, T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";

const GOOD = { subject: "CN=www.example.org,O=Example", issuer: "CN=Good CA,O=Good,C=US" };

Deno.test("certificate: a self-signed one at a bare address is reported at once and again as sessions grow", () => {
  const results = reportsOf(CERTIFICATE_DETECTOR, times(100, (at) => tls(at, SELF_SIGNED)));
  assert.equal(results.length, 5);
  assert.deepEqual(scores(results), scores(results).toSorted((a, b) => a - b));
  assert.ok(results[0]!.score >= 20 && results[0]!.score < 40);
  const { title, destinations, groupKey, score, summary } = last(results);
  assert.ok(score >= 40 && score < 60, `${score}`);
  assert.equal(title, "Self-signed certificate: 10.0.0.5 to 203.0.113.7:443");
  assert.deepEqual(destinations, [{ ip: "203.0.113.7", name: null, port: 443 }]);
  assert.equal(new Set(results.map((result) => result.groupKey)).size, 1);
  assert.ok(groupKey.includes("203.0.113.7"));
  assert.match(summary, /81 TLS sessions .*"srv\.test"/);
});

Deno.test("certificate: a session that two sensors record counts once", () => {
  const one = times(100, (at) => tls(at, SELF_SIGNED));
  const two = one.flatMap((sighting, index) => {
    const evidence = { ...sighting.evidence, evidenceId: uuid(index, "b") };
    return [sighting, { ...sighting, evidence }];
  });
  const summaries = (seen: readonly Sighting[]) =>
    reportsOf(CERTIFICATE_DETECTOR, seen).map(({ summary }) => summary);
  assert.deepEqual(summaries(two), summaries(one));
});

Deno.test("certificate: a client that looked the name up but omits it does not count as nameless", () => {
  const sessions = times(100, (at) => tls(at + 1, SELF_SIGNED));
  const scoreAfter = (first: readonly Sighting[]) =>
    last(drive([BEACON_DETECTOR, CERTIFICATE_DETECTOR], [...first, ...sessions]).results).score;
  const bare = scoreAfter([]);
  assert.ok(bare >= 40);
  assert.equal(scoreAfter([lookedUp(0, "mail.example.org")]), bare - NO_NAME_POINTS);
  assert.equal(scoreAfter([lookedUp(0, "mail.example.org", { ip: "203.0.113.8" })]), bare);
});

Deno.test("certificate: a private address of no configured network scores lower", () => {
  const more = { ip: "192.168.10.20", sighting: { site: { ...SITE, networksAssumed: true } } };
  const best = (to: To) =>
    last(reportsOf(CERTIFICATE_DETECTOR, times(100, (at) => tls(at, SELF_SIGNED, to)))).score;
  assert.equal(best(more), best({}) + ASSUMED_POINTS);
});

Deno.test("certificate: resumed sessions count for a server whose certificate was seen", () => {
  const [shown, ...resumed] = times(
    30,
    (at, index) => tls(at, index === 0 ? SELF_SIGNED : { resumed: true }),
  );
  assert.deepEqual(reportsOf(CERTIFICATE_DETECTOR, resumed), []);
  assert.equal(reportsOf(CERTIFICATE_DETECTOR, [shown!, ...resumed]).length, 4);
});

Deno.test("certificate: the same placeholder certificate on several servers scores high", () => {
  const subject = "CN=example.com,OU=IT Department,O=Global Security";
  const results = reportsOf(
    CERTIFICATE_DETECTOR,
    times(
      60,
      (at, index) => tls(at, { subject, issuer: subject }, { ip: `203.0.113.${index % 4}`, port: 8080 }),
    ),
  );
  assert.ok(last(results).score >= 55, `${last(results).score}`);
  assert.ok(last(results).destinations.length === 4);
});

Deno.test("certificate: a hosting panel's default certificate stays low", () => {
  const subject = "CN=Parallels Panel,O=Parallels";
  const panel = (names: boolean) =>
    last(reportsOf(
      CERTIFICATE_DETECTOR,
      times(60, (at, index) => {
        const serverName = names ? `shop${index % 4}.example.org` : "parallels panel";
        return tls(at, { subject, issuer: subject, serverName }, { ip: `203.0.113.${index % 4}` });
      }),
    )).score;
  assert.ok(panel(true) < 40, `${panel(true)}`);
  assert.ok(panel(false) >= 40, `${panel(false)}`);
});

Deno.test("certificate: sound, internal, mail and WebRTC certificates are not reported", () => {
  const silent = [
    times(50, (at) => tls(at, GOOD)),
    times(50, (at) => tls(at, { ...GOOD, validation: "ok" })),
    times(50, (at) => tls(at, {})),
    times(50, (at) => tls(at, SELF_SIGNED, { ip: "10.0.9.9" })),
    times(3, (at) => tls(at, SELF_SIGNED, { port: 587 })),
    times(
      50,
      (at) => tls(at, { validation: "unable to get local issuer certificate", serverName: "a.example.org" }),
    ),
    times(3, (at) => tls(at, { ...GOOD, serverName: "www.example.org", notAfter: T0 - 10 * DAY })),
    times(50, (at) => {
      const sighting = tls(at, SELF_SIGNED);
      return { ...sighting, observation: { ...sighting.observation, proto: "udp" } };
    }),
  ];
  for (const sightings of silent) assert.deepEqual(reportsOf(CERTIFICATE_DETECTOR, sightings), []);
});

Deno.test("certificate: an address only assumed to be inside counts as outside", () => {
  const site = { ...tls(0, {}).site, networksAssumed: true };
  const results = reportsOf(
    CERTIFICATE_DETECTOR,
    times(9, (at) => tls(at, SELF_SIGNED, { ip: "192.168.0.5", sighting: { site } })),
  );
  assert.ok(results.length > 0);
});

Deno.test("certificate: an expired or not yet valid one at a bare address is low", () => {
  for (
    const change of [{ notAfter: T0 - 10 * DAY }, { notBefore: T0 + 10 * DAY }, {
      validation: "certificate has expired",
    }]
  ) {
    const { score } = last(
      reportsOf(CERTIFICATE_DETECTOR, times(30, (at) => tls(at, { ...GOOD, ...change }))),
    );
    assert.ok(score >= 20 && score < 40, `${score}`);
  }
});

Deno.test("certificate: servers with random names are one incident", () => {
  const names = [
    "tl6ou6ap7fjroh2o",
    "vklxa6kzqpw",
    "5rthkzelyecfpir56",
    "dctpbbpif6zy54mspih",
    "icab4ctxldyqv7x",
    "qbboo7mcwzv7xk",
  ];
  const facts = (index: number) => ({
    subject: `CN=www.${names[index % names.length]}.net`,
    issuer: `CN=www.${names[(index + 1) % names.length]}.com`,
    validation: "unable to get local issuer certificate",
  });
  const results = reportsOf(
    CERTIFICATE_DETECTOR,
    times(60, (at, index) => tls(at, facts(index), { ip: `203.0.113.${index}`, port: 9001 })),
  );
  assert.deepEqual(results.map(({ groupKey }) => groupKey.endsWith("made up")), [true, true, true]);
  assert.equal(last(results).technique, "T1090.003");
  assert.ok(last(results).score >= 40 && last(results).score < 60);
  assert.deepEqual(reportsOf(CERTIFICATE_DETECTOR, times(50, (at) => tls(at, facts(0)))), []);
});

Deno.test("certificate: faults follow the sensor's verdict and the names", () => {
  const faults = (change: Parameters<typeof tlsFacts>[0]) => faultsOf(tlsFacts(change), T0);
  assert.equal(faults({ validation: "self signed certificate" }), SELF | NO_NAME);
  assert.equal(faults({ validation: "self-signed certificate", serverName: "192.0.2.1" }), SELF | NO_NAME);
  assert.equal(
    faults({ validation: "self signed certificate in certificate chain" }),
    UNKNOWN_AUTHORITY | NO_NAME,
  );
  assert.equal(faults({ ...SELF_SIGNED, validation: "ok" }), 0);
  assert.equal(
    hasRandomNames(tlsFacts({ subject: "CN=www.example.com", issuer: "CN=R3,O=Let's Encrypt" })),
    false,
  );
});

Deno.test("certificate: hostile texts never throw, states stay bounded, and a wrong clock has no lasting effect", () => {
  const text = fc.option(
    fc.oneof(fc.string({ unit: "binary", maxLength: 512 }), fc.constant("CN=" + "\\,".repeat(200))),
  );
  const one = fc.record({
    subject: text,
    issuer: text,
    serverName: text,
    validation: text,
    port: fc.nat(65_535),
    host: fc.nat(255),
    seconds: fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 40 }), (all) => {
      reportsOf(
        CERTIFICATE_DETECTOR,
        all.map(({ port, host, seconds, ...facts }) =>
          tls(seconds, facts, { ip: `203.0.113.${host}`, port })
        ),
      );
    }),
    { numRuns: 30 },
  );
  const [wild, ...rest] = times(30, (at, index) => tls(index === 0 ? 3e9 : at, SELF_SIGNED));
  assert.equal(
    reportsOf(CERTIFICATE_DETECTOR, [wild!, ...rest]).length,
    1 + reportsOf(CERTIFICATE_DETECTOR, rest).length,
  );
  const flood = times(
    300,
    (at, index) => tls(at, SELF_SIGNED, { ip: `203.${index >> 8}.${index & 255}.9`, port: 7443 }),
  );
  assert.ok(reportsOf(CERTIFICATE_DETECTOR, flood).length <= 300);
  assert.throws(() => CERTIFICATES.decode(new Uint8Array([9])), RangeError);
});
