import assert from "node:assert/strict";
import fc from "fast-check";
import { tlsFacts } from "../../../../test/support/domain/flow-fixtures.ts";
import { INTEL_VIAS, type IntelVia, type PartyHit } from "../../intel/hits.ts";
import type { Match } from "../../intel/indicator.ts";
import type { DnsFacts, ExportFacts } from "../../record/facts.ts";
import { drive } from "../../../../test/support/detect/detector-fixtures.ts";
import {
  playSeen,
  type Seen,
  type Setting,
  sumOf,
  times,
  toSighting,
} from "../../../../test/support/detect/play-fixtures.ts";
import { THREAT_INTEL_DETECTOR } from "./detector.ts";
import { MATCHED_INDICATORS } from "./state.ts";
import { MAX_VISITORS, VISITS } from "./visits.ts";

const LISTED = "203.0.113.7";
const DEVICE = "10.0.0.5";

function match(change: Partial<Match> = {}): Match {
  return {
    list: "feodo.csv",
    indicator: LISTED,
    kind: "ip",
    description: "Emotet",
    confidence: null,
    exact: true,
    ...change,
  };
}

function hit(vias: IntelVia[] = ["peer"], change: Partial<Match> = {}, partyIp = DEVICE): PartyHit {
  return { partyIp, match: match(change), vias };
}

function dns(rcode: string, answers: string[] = []): DnsFacts {
  return { type: "dns", query: "evil.example", qtype: "A", rcode, answers, answered: true };
}

/** An answered connection from the device to the listed host. */
function talk(at: number, more: Partial<Seen> = {}): Seen {
  return { at, dst: `${LISTED} 443`, out: [2000, 12], in: [5000, 14], hits: [hit()], ...more };
}

const inward = (at: number, ip: string, more: Partial<Seen> = {}): Seen => ({
  at,
  src: `${ip} 40000`,
  dst: `${DEVICE} 443`,
  out: [500, 6],
  in: [3000, 8],
  hits: [hit(["peer"], { indicator: ip })],
  ...more,
});

function play(seen: readonly Seen[], setting: Setting = {}, round = 1000) {
  const played = playSeen(THREAT_INTEL_DETECTOR, seen, setting, round);
  for (const result of played.results) assert.equal(sumOf(result), result.score, "adds up");
  return played;
}

Deno.test("threat-intel: an answered connection with a listed host is medium at once and high if it continues", () => {
  const { results } = play(times(120, (index) => talk(index * 60)));
  const [first] = results;
  assert.equal(first!.title, "10.0.0.5 communicated with 203.0.113.7, listed by feodo.csv");
  assert.match(first!.explanation, /names this indicator "Emotet"/);
  assert.ok(first!.score >= 40 && first!.score < 60, `${first!.score}`);
  assert.deepEqual(first!.destinations, [{ ip: LISTED, name: null, port: 443 }]);
  assert.equal(first!.campaign, `indicator ip ${LISTED}`);
  assert.deepEqual(results.map(({ evidence }) => evidence.length), [1, 2, 5, 8, 8, 8, 8]);
  const sure = play(times(120, (index) => talk(index * 60, { hits: [hit(["peer"], { confidence: 1 })] })))
    .best!;
  assert.ok(sure.score >= 60, `${sure.score}`);
});

Deno.test("threat-intel: lookups, attempts and fingerprints score lower; an address in an answer is ignored", () => {
  const domain = { kind: "domain", indicator: "evil.example", exact: false } as const;
  const lookup: Seen = {
    dst: "10.0.0.1 53",
    proto: "udp",
    facts: dns("NOERROR"),
    hits: [hit(["dns_query"], domain)],
  };
  const cases: [Seen, RegExp][] = [
    [lookup, /^10\.0\.0\.5 looked up evil\.example, listed by/],
    [talk(0, { out: [0, 3], in: [0, 0] }), /tried to contact 203\.0\.113\.7/],
    [talk(0, { out: [0, 1], in: [0, 1] }), /tried to contact 203\.0\.113\.7/],
    [
      {
        dst: "198.51.100.1 443",
        facts: tlsFacts({ ja3: "ab" }),
        hits: [hit(["ja3"], { kind: "ja3", indicator: "ab".repeat(16) })],
      },
      /presents the client fingerprint abab/,
    ],
  ];
  for (const [seen, title] of cases) {
    const [result] = play([seen]).results;
    assert.match(result!.title, title);
    assert.ok(result!.score >= 20 && result!.score < 35, `${title} ${result!.score}`);
  }
  assert.deepEqual(play([lookup]).results[0]!.destinations, [{ ip: null, name: "evil.example", port: null }]);
  // A resolver's log without the resolver's address.
  const [logged] = play([{ ...lookup, dst: "0.0.0.0" }]).results;
  assert.match(logged!.summary, /^10\.0\.0\.5 looked up evil\.example: 1 record/);
  const answer = { ...lookup, facts: dns("NOERROR", [LISTED]), hits: [hit(["dns_answer"])] };
  assert.deepEqual(play([answer]).results, []);
});

Deno.test("threat-intel: a name in an answered handshake is a contact", () => {
  const domain = { kind: "domain", indicator: "evil.example", exact: false } as const;
  const [result] = play([{
    dst: "198.51.100.1 443",
    facts: tlsFacts({ serverName: "evil.example", version: "TLS 1.3" }),
    hits: [hit(["tls_server_name"], domain)],
  }]).results;
  assert.equal(result!.title, "10.0.0.5 communicated with evil.example, listed by feodo.csv");
  assert.deepEqual(result!.destinations, [{ ip: "198.51.100.1", name: "evil.example", port: 443 }]);
});

Deno.test("threat-intel: a contact that goes further is reported again, never with a lower score", () => {
  const { results } = play([
    talk(0, { out: [0, 3], in: [0, 0] }),
    talk(1, { out: [100, 3], in: [null, null] }),
    talk(2),
    talk(3, { growth: 40_000_000, out: [40_000_000, 40_000] }),
  ]);
  assert.deepEqual(results.map(({ title }) => title.split(" ")[1]), [
    "tried",
    "contacted",
    "communicated",
    "communicated",
  ]);
  const scores = results.map(({ score }) => score);
  assert.deepEqual(scores, scores.toSorted((a, b) => a - b));
  assert.equal(new Set(results.map(({ groupKey }) => groupKey)).size, 1);
  assert.match(results[3]!.summary, /3 records .* 40\.0 MB sent/);
});

Deno.test("threat-intel: an indicator that many devices match scores lower", () => {
  const all = times(12, (index) => {
    const ip = `10.0.1.${index}`;
    return talk(index, { src: `${ip} 40000`, hits: [hit(["peer"], {}, ip)] });
  });
  const { results } = play(all);
  assert.ok(results.at(-1)!.score <= results[0]!.score - 10);
});

Deno.test("threat-intel: a wrong clock does not start a new stretch with every record", () => {
  for (const wild of [-1e9, 5e9]) {
    assert.ok(play(times(200, (index) => talk(index % 2 === 0 ? index : wild))).results.length < 12);
  }
  const { results } = play([talk(0), talk(2 * 86_400)]);
  assert.deepEqual(results.map(({ firstSeen }) => firstSeen), results.map(({ at }) => at));
});

Deno.test("threat-intel: a low list confidence lowers the score", () => {
  const score = (confidence: number | null) =>
    play([talk(0, { hits: [hit(["peer"], { confidence })] })]).best!.score;
  assert.ok(score(0.1) < score(null) && score(null) < score(1));
});

Deno.test("threat-intel: a listed scanner is low if it is answered, else not reported", () => {
  assert.deepEqual(
    play(times(500, (index) => inward(index, `198.51.${index >> 8}.${index & 255}`, { in: [0, 1] }))).results,
    [],
  );
  assert.deepEqual(play([inward(0, LISTED, { facts: tlsFacts(), out: undefined })]).results, []);
  const { results, states, largest } = play(
    times(500, (index) => inward(index, `198.51.${index >> 8}.${index & 255}`)),
  );
  assert.equal(results[0]!.title, "10.0.0.5 answered 1 listed host");
  assert.ok(results.every(({ score }) => score >= 20 && score < 40));
  assert.ok(results.length < 12);
  assert.deepEqual([...states.keys()], [`${VISITS.id} device ${DEVICE}`]);
  assert.ok(largest < 3500);
  const admin = play([inward(0, LISTED, { dst: `${DEVICE} 22`, in: [20_000_000, 20_000] })]).best!;
  assert.equal(admin.title, "10.0.0.5 answered 1 listed host on SSH");
  assert.ok(admin.score >= 35, `${admin.score}`);
});

Deno.test("threat-intel: flags, ports and bytes of exporter records show who answered", () => {
  const flags = (tcpFlags: number | null): ExportFacts => ({
    type: "export",
    nat: null,
    samplingRate: null,
    tcpFlags,
    inputInterface: null,
    outputInterface: null,
  });
  const out = { exported: true, in: undefined, facts: flags(0x1b) };
  const back = { ...out, src: `${LISTED} 443`, dst: `${DEVICE} 40000` };
  const activity = (seen: Seen[]) => play(seen).best?.title.split(" ").slice(1, 3).join(" ");
  assert.equal(activity([talk(0, out)]), "contacted 203.0.113.7,");
  assert.equal(activity([talk(0, { ...out, facts: flags(0x02), out: [60, 1] })]), "tried to");
  assert.equal(activity([talk(0, out), talk(1, back)]), "communicated with");
  assert.equal(activity([talk(0, { ...out, src: `${DEVICE} 443`, dst: `${LISTED} 50000` })]), "answered 1");
  assert.equal(activity([inward(0, LISTED, out)]), undefined);
});

Deno.test("threat-intel: two indicators in one record are both reported in turn", () => {
  const both = (at: number) =>
    talk(at, { hits: [hit(), hit(["url"], { kind: "url", indicator: "evil.example/x" })] });
  const keys = play([both(0), both(1)]).results.map(({ groupKey }) => groupKey.split("|")[1]);
  assert.deepEqual(keys.sort(), ["ip 203.0.113.7", "url evil.example/x"]);
});

Deno.test("threat-intel: without a device the address is the subject", () => {
  const [result] = play([talk(0, { src: "192.0.2.8 4000", hits: [hit(["peer"], {}, "192.0.2.8")] })]).results;
  assert.equal(result!.deviceId, null);
  assert.match(result!.title, /^192\.0\.2\.8 communicated with/);
});

Deno.test("threat-intel: states and texts stay bounded for hostile lists", () => {
  const long = {
    list: "l".repeat(5000),
    description: "d\ud800".repeat(5000),
    indicator: `${"é".repeat(2000)}/x`,
    kind: "url",
  } as const;
  const { results, largest } = play([
    talk(0, { hits: [hit(["url"], long)] }),
    ...times(MAX_VISITORS + 30, (index) =>
      inward(index, `198.51.100.${index}`, {
        hits: [hit(["peer"], { ...long, indicator: `198.51.100.${index}` })],
      })),
  ]);
  assert.ok(largest < 4096, `${largest}`);
  for (const { title, summary, explanation } of results) {
    assert.ok(
      title.length < 300 && summary.length < 700 && explanation.length < 900,
      `${summary.length} ${explanation.length}`,
    );
  }
  assert.throws(() => MATCHED_INDICATORS.decode(new Uint8Array([9])), RangeError);
  assert.throws(() => VISITS.decode(new Uint8Array([9])), RangeError);
});

const anySeen: fc.Arbitrary<Seen> = fc.record({
  at: fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.constantFrom(-1.5e9, 6e9)),
  outward: fc.boolean(),
  vias: fc.uniqueArray(fc.constantFrom(...INTEL_VIAS), { minLength: 1, maxLength: 4 }),
  confidence: fc.option(fc.double()),
  counters: fc.option(
    fc.tuple(fc.constantFrom(null, 0, 10, 1e6, 2n ** 70n), fc.constantFrom(null, 0, 2, 900)),
  ),
  exported: fc.boolean(),
  growth: fc.option(fc.nat(1e6), { nil: undefined }),
  other: fc.boolean(),
}).map(({ at, outward, vias, confidence, counters, exported, growth, other }) => {
  const hits = [hit(vias, { confidence }), ...(other ? [hit(["ja3"], { kind: "ja3", indicator: "x" })] : [])];
  const seen = outward
    ? talk(at, { hits, exported, growth })
    : inward(at, LISTED, { hits, exported, growth });
  seen.out = counters ?? undefined;
  seen.in = counters ?? undefined;
  return seen;
});

Deno.test("threat-intel: results do not depend on batches, and points add up", () => {
  fc.assert(
    fc.property(fc.array(anySeen, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (seen, round) => {
      const sightings = seen.map((one, index) => toSighting(one, index));
      const whole = drive([THREAT_INTEL_DETECTOR], sightings, { round: 1000, stored: false });
      const pieces = drive([THREAT_INTEL_DETECTOR], sightings, { round, stored: true });
      assert.deepEqual(pieces.results, whole.results);
      assert.deepEqual(pieces.states, whole.states);
      for (const result of whole.results) assert.equal(sumOf(result), result.score);
    }),
    { numRuns: 150 },
  );
});
