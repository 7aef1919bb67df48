import assert from "node:assert/strict";
import { tlsFacts } from "../../../../test/support/domain/flow-fixtures.ts";
import type { HttpFacts } from "../../record/facts.ts";
import { random } from "../../../../test/support/detect/beacon-fixtures.ts";
import { BEACON_DETECTOR } from "../beacon/detector.ts";
import { BEACON_NAME_DETECTOR } from "./detector.ts";
import type { Sighting } from "../kernel/detector.ts";
import {
  drive,
  type DriveOptions,
  sighting,
  type SightingParts,
} from "../../../../test/support/detect/detector-fixtures.ts";
import type { DetectorResult } from "../kernel/result.ts";

const CLIENT = "10.0.0.7";
const HTTP: HttpFacts = {
  type: "http",
  method: "POST",
  host: null,
  uri: "/",
  userAgent: null,
  referrer: null,
  version: "1.1",
  status: 200,
  contentType: null,
  requestBytes: 120,
  responseBytes: 80,
  username: null,
};

interface Call {
  ip?: string;
  port?: number;
  client?: string;
  http?: Partial<HttpFacts>;
  more?: SightingParts["sighting"];
}

let lastPort = 1024;

function call(
  seconds: number,
  name: string,
  { ip = "203.0.113.7", port, client = CLIENT, http, more }: Call = {},
): Sighting {
  const facts = http === undefined ? tlsFacts({ serverName: name }) : { ...HTTP, host: name, ...http };
  const dstPort = port ?? (http === undefined ? 443 : 80);
  const src = { ip: client, port: 1024 + lastPort++ % 60_000 };
  return sighting(seconds, src, { ip, port: dstPort }, {
    observation: { facts },
    ...(more === undefined ? {} : { sighting: more }),
  });
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function run(sightings: readonly Sighting[], options: DriveOptions = {}) {
  return drive([BEACON_NAME_DETECTOR], sightings, options).results;
}

function best(results: readonly DetectorResult[]): DetectorResult | null {
  return results.reduce<DetectorResult | null>((a, b) => a === null || b.score > a.score ? b : a, null);
}

/** A minute's sleep with a fifth of jitter. */
function rhythm(count: number, make: (seconds: number, index: number) => Sighting): Sighting[] {
  const next = random(count);
  let at = 0;
  return times(count, (index) => make(at += 60 * (0.8 + 0.4 * next()), index));
}

Deno.test("beacon-name: finds a rhythm to one name on many addresses, which beacon does not see", () => {
  const calls = rhythm(200, (at, index) => call(at, "cdn.evil.example", { ip: `203.0.113.${index % 40}` }));
  const worst = best(run(calls))!;
  assert.ok(worst.score >= 40 && worst.score < 80, `score ${worst.score}`);
  assert.equal(worst.modelId, "beacon-name");
  assert.equal(worst.title, "Beaconing from 10.0.0.7 to cdn.evil.example:443");
  assert.match(worst.summary, /at [89]|at \d\d addresses\./);
  assert.equal(worst.groupKey, "device 10.0.0.7|cdn.evil.example");
  assert.equal(worst.destinations[0]!.name, "cdn.evil.example");
  const sum = [...worst.subScores, ...worst.modifiers].reduce(
    (total, part) => total + part.value * part.weight,
    0,
  );
  assert.ok(Math.abs(sum - worst.score) < 0.06);
  const flows = calls.map(({ observation: { start, src, dst } }) =>
    sighting((start - calls[0]!.observation.start) / 1e6, src, dst, { connection: { bytesOut: 500 } })
  );
  assert.deepEqual(drive([BEACON_DETECTOR], flows).results, []);
});

Deno.test("beacon-name: requests through the site's proxy count, other internal servers do not", () => {
  const proxy = { ip: "10.0.0.99", port: 3128, http: {} };
  const worst = best(run(rhythm(120, (at) => call(at, "news.evil.example", proxy))))!;
  assert.ok(worst.score >= 40, `score ${worst.score}`);
  assert.match(worst.summary, /through the proxy/);
  assert.equal(worst.destinations[0]!.ip, null);
  const inside = { ip: "10.0.0.99", port: 80, http: {} };
  assert.deepEqual(run(rhythm(120, (at) => call(at, "wiki.corp.example", inside))), []);
});

Deno.test("beacon-name: CONNECT and the TLS handshake of one connection are one callback", () => {
  const proxy = { ip: "10.0.0.99", port: 3128 };
  const name = "news.evil.example";
  const handshakes = rhythm(120, (at) => call(at, name, proxy));
  const connects = handshakes.map((handshake) => {
    const { observation } = handshake;
    const start = observation.start - 200_000;
    const facts = { ...HTTP, method: "CONNECT", host: name, uri: `${name}:443`, requestBytes: 0 };
    return { ...handshake, observation: { ...observation, start, end: start, facts } };
  });
  const both = times(120, (index) => [connects[index]!, handshakes[index]!]).flat();
  const swapped = times(120, (index) => [handshakes[index]!, connects[index]!]).flat();
  const alone = run(handshakes);
  const counted = (results: DetectorResult[]) =>
    results.map(({ summary }) => / has opened at least (\d+) connections /.exec(summary)?.[1]);
  assert.ok(alone.length > 0);
  for (const order of [both, swapped]) {
    const results = run(order);
    assert.deepEqual(counted(results), counted(alone));
    for (const { summary } of results) assert.doesNotMatch(summary, /each of about|some of several/);
  }
});

Deno.test("beacon-name: Zeek and Suricata on the same packets count a request or a handshake once", () => {
  const proxy = { ip: "10.0.0.99", port: 3128 };
  const name = "news.evil.example";
  const handshakes = rhythm(397, (at) => call(at, name, proxy));
  /** What the second kind of sensor writes of the same connection, a moment or most of an hour later. */
  const ofSuricata = ({ observation, ...rest }: Sighting): Sighting => ({
    ...rest,
    observation: { ...observation, source: "suricata", start: observation.start + 300_000 },
  });
  const connectOf = (sighting: Sighting): Sighting => {
    const facts = { ...HTTP, method: "CONNECT", host: name, uri: `${name}:443`, requestBytes: 0 };
    return { ...sighting, observation: { ...sighting.observation, facts } };
  };
  const requests = rhythm(397, (at) => call(at, name, { http: {} }));
  const bare = rhythm(397, (at) => call(at, "203.0.113.7", { http: {} }));
  const direct = rhythm(397, (at) => call(at, name));
  const merged = (late: number, ...lists: Sighting[][]) =>
    lists.map((list, index) => list.map((one) => ({ one, at: one.observation.start + index * late }))).flat()
      .sort((a, b) => a.at - b.at).map(({ one }) => one);
  const counts = (seen: Sighting[]) =>
    run(seen).map(({ summary }) =>
      / (?:opened|sent) at least (\d+) (?:connection|request)s /.exec(summary)?.[1]
    );
  for (const [kind, alone] of Object.entries({ handshakes, requests, bare, direct })) {
    const expected = counts(alone);
    assert.ok(expected.length > 0 && Number(expected.at(-1)) > 250, `${kind}: ${expected}`);
    for (const late of [1, 3_000_000_000]) {
      assert.deepEqual(counts(merged(late, alone, alone.map(ofSuricata))), expected, kind);
    }
  }
  const both = merged(1, handshakes, handshakes.map(connectOf), handshakes.map(ofSuricata));
  assert.deepEqual(counts(both), counts(handshakes), "CONNECT, TLS and the second sensor's TLS");
});

Deno.test("beacon-name: another sensor counts once the first has been silent for an hour", () => {
  const first = rhythm(40, (at) => call(at, "news.evil.example"));
  const later = rhythm(160, (at) => call(at + 3 * 3600, "news.evil.example"))
    .map(({ observation, ...rest }) => ({
      ...rest,
      observation: { ...observation, source: "suricata" as const },
    }));
  assert.ok(best(run([...first, ...later]))!.score > (best(run(first))?.score ?? 0));
});

Deno.test("beacon-name: a rhythm that beacon reports is not reported twice", () => {
  const next = random(9);
  let at = 0;
  const both = times(120, () => {
    const seconds = at += 60 * (0.9 + 0.2 * next());
    const tls = call(seconds, "one.evil.example");
    const { src, dst } = tls.observation;
    return [tls, sighting(seconds, src, dst, { connection: { bytesOut: 700 } })];
  }).flat();
  const { results } = drive([BEACON_DETECTOR, BEACON_NAME_DETECTOR], both);
  assert.deepEqual([...new Set(results.map(({ modelId }) => modelId))], ["beacon"]);
  // Its result has the name and the score of a named peer, whether the name or the connection arrives first.
  const reported = best(results)!;
  assert.equal(reported.title, "Beaconing from 10.0.0.7 to one.evil.example:443");
  assert.match(reported.summary, / The address of one\.evil\.example is 203\.0\.113\.7\./);
  assert.deepEqual(reported.destinations[0], { ip: "203.0.113.7", name: "one.evil.example", port: 443 });
  const late = times(both.length / 2, (index) => [both[2 * index + 1]!, both[2 * index]!]).flat();
  assert.equal(best(drive([BEACON_DETECTOR, BEACON_NAME_DETECTOR], late).results)!.score, reported.score);
  const nameless = both.filter((_, index) => index % 2 === 1);
  const bare = best(drive([BEACON_DETECTOR], nameless).results)!;
  assert.ok(bare.score > reported.score + 10, `${bare.score}, by name ${reported.score}`);
  assert.equal(bare.title, "Beaconing from 10.0.0.7 to 203.0.113.7:443");
});

/** Requests 20 s apart in three connections that stay open; Zeek records a connection when it ends. */
function keptAlive(http: Partial<HttpFacts>, count = 90): Sighting[] {
  return times(count, (index) => {
    const src = { ip: CLIENT, port: 50_000 + Math.floor(index / 30) };
    const facts = { ...HTTP, host: "203.0.113.7", requestBytes: 180, ...http };
    const dst = { ip: "203.0.113.7", port: 80 };
    const request = sighting(index * 20 + (index % 3) / 10, src, dst, { observation: { facts } });
    const ended = index % 30 === 29
      ? [sighting(index * 20 - 580, src, dst, { connection: { bytesOut: 9000, service: "http" } })]
      : [];
    return [request, ...ended];
  }).flat();
}

Deno.test("beacon-name: requests to a bare address within connections that stay open are callbacks", () => {
  const both = [BEACON_DETECTOR, BEACON_NAME_DETECTOR];
  const { results } = drive(both, keptAlive({}));
  const worst = best(results)!;
  assert.ok(worst.score >= 40 && worst.score < 80, `score ${worst.score}`);
  assert.equal(worst.title, "Beaconing from 10.0.0.7 to 203.0.113.7:80");
  assert.match(
    worst.summary,
    /^10\.0\.0\.7 has sent at least \d\d requests to 203\.0\.113\.7:80\/tcp since /,
  );
  assert.equal(worst.groupKey, "device 10.0.0.7|203.0.113.7");
  assert.ok(worst.subScores.some(({ detail }) => detail.includes("sent per request")));
  // Without a Host header, and with a server that holds each request until it has a command.
  assert.ok(best(run(keptAlive({ host: null, method: "GET", requestBytes: 0 })))!.score >= 40);
  for (const round of [7, 1000]) {
    assert.deepEqual(drive(both, keptAlive({}), { round }).results.map(({ score }) => score), [
      ...results.map(({ score }) => score),
    ]);
  }
});

Deno.test("beacon-name: pages, players, people and shared addresses are not callbacks", () => {
  assert.deepEqual(run(keptAlive({ referrer: "http://203.0.113.7/status" })), [], "a page refreshes itself");
  assert.deepEqual(run(keptAlive({ method: "GET", responseBytes: 900_000 })), [], "a media player");
  assert.deepEqual(run(keptAlive({}, 9)), [], "too few");
  const next = random(5);
  let at = 0;
  const person = times(200, () => call(at += Math.exp(1 + 6 * next()), "203.0.113.7", { http: {} }));
  assert.deepEqual(run(person), [], "a person");
  const inside = times(90, (index) => call(index * 20, "10.0.0.9", { ip: "10.0.0.9", http: {} }));
  assert.deepEqual(run(inside), [], "an internal server");
  const shared = times(
    400,
    (index) => call(index * 20, "203.0.113.7", { client: `10.0.0.${1 + index % 12}`, http: {} }),
  );
  assert.ok((best(run(shared))?.score ?? 0) < 40, "an address that many devices use");
});

Deno.test("beacon-name: a connection for each request is reported once, by beacon", () => {
  const each = times(90, (index) => {
    const request = call(index * 20, "203.0.113.7", { http: {} });
    const { src, dst } = request.observation;
    const flow = sighting(index * 20, src, dst, { connection: { bytesOut: 500, service: "http" } });
    return [flow, request];
  }).flat();
  const { results } = drive([BEACON_DETECTOR, BEACON_NAME_DETECTOR], each);
  assert.deepEqual([...new Set(results.map(({ modelId }) => modelId))], ["beacon"]);
});

Deno.test("beacon-name: finds one name among many on a shared address", () => {
  const next = random(10);
  const names = [
    ...times(120, (index): [number, string] => [index * 60 + 6 * next(), "one.evil.example"]),
    ...times(1500, (): [number, string] => [7200 * next() ** 2, `site-${Math.floor(next() * 50)}.example`]),
  ].sort(([a], [b]) => a - b);
  const both = names.flatMap(([seconds, name]) => {
    const tls = call(seconds, name);
    const { src, dst } = tls.observation;
    return [tls, sighting(seconds, src, dst, { connection: { bytesOut: Math.round(300 + 9000 * next()) } })];
  });
  const reported = drive([BEACON_DETECTOR, BEACON_NAME_DETECTOR], both, { round: 100 }).results.filter((
    { score },
  ) => score >= 40);
  assert.deepEqual([...new Set(reported.map(({ subject }) => subject))], [
    "10.0.0.7 to one.evil.example:443/tcp",
  ]);
});

Deno.test("beacon-name: common software, self-refreshing pages and people are low at most", () => {
  const common = rhythm(
    600,
    (at, index) =>
      call(at, "telemetry.vendor.example", {
        client: `10.0.0.${1 + index % 12}`,
        ip: `203.0.113.${index % 9}`,
      }),
  );
  assert.deepEqual(run(common), []);
  const alone = { deviceCount: 2 };
  const ips = (index: number) => `203.0.113.${index % 9}`;
  const page = rhythm(90, (at, index) =>
    call(at, "scores.sport.example", {
      ip: ips(index),
      http: { method: "GET", requestBytes: 0, referrer: "http://sport.example/" },
      more: alone,
    }));
  const worst = best(run(page));
  assert.ok(worst === null || worst.score < 40, `page ${worst?.score}`);
  const next = random(11);
  let at = 0;
  const person = times(
    300,
    (index) => call(at += Math.exp(1 + 6 * next()), "shop.example", { ip: ips(index) }),
  );
  assert.equal(best(run(person)), null);
});

Deno.test("beacon-name: addresses, single labels and hostile texts are not names", () => {
  for (const name of ["203.0.113.7", "printer", "", "x".repeat(400), "a b.example", "\u0000.example"]) {
    assert.deepEqual(run(rhythm(60, (at) => call(at, name))), [], name);
  }
});

Deno.test("beacon-name: round size and storage do not change the results, and states stay small", () => {
  const calls = rhythm(
    300,
    (at, index) =>
      call(at, `n${index % 2}.evil.example`, {
        ip: `203.0.113.${index % 30}`,
        ...(index % 3 ? {} : { http: {} }),
      }),
  );
  const expected = drive([BEACON_NAME_DETECTOR], calls);
  for (const options of [{ round: 17, stored: true }, { round: 300, stored: false }]) {
    const other = drive([BEACON_NAME_DETECTOR], calls, options);
    assert.deepEqual(other.results, expected.results);
    assert.deepEqual(other.states, expected.states);
  }
  assert.ok(expected.largest < 4000);
});
