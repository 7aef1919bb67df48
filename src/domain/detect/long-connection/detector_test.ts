import assert from "node:assert/strict";
import fc from "fast-check";
import { BEACON_DETECTOR } from "../beacon/detector.ts";
import { lookedUp } from "../../../../test/support/detect/client-fixtures.ts";
import type { Connection, Sighting } from "../kernel/detector.ts";
import {
  DAY,
  drive,
  type DriveOptions,
  HOUR,
  SECOND,
  sighting,
  type SightingParts,
  SITE,
  T0,
} from "../../../../test/support/detect/detector-fixtures.ts";
import { ASSUMED_POINTS, LONG_CONNECTION_DETECTOR, NAMED_POINTS } from "./detector.ts";
import type { DetectorResult } from "../kernel/result.ts";

const CLIENT = { ip: "10.0.0.7", port: 50_000 };

interface Held extends Partial<Connection> {
  port?: number;
  ip?: string;
  more?: SightingParts["sighting"];
}

/** A connection that starts `from` seconds after T0 and lasts `lasted` seconds. */
function held(
  from: number,
  lasted: number,
  { port = 4444, ip = "203.0.113.9", more, ...rest }: Held = {},
): Sighting {
  const start = T0 + from * SECOND;
  return sighting(from, CLIENT, { ip, port }, {
    observation: { start, end: start + lasted * SECOND },
    connection: { bytesOut: 90_000, bytesIn: 40_000, packetsOut: 900, packetsIn: 700, ...rest },
    ...(more === undefined ? {} : { sighting: more }),
  });
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function run(sightings: readonly Sighting[], options: DriveOptions = {}) {
  return drive([LONG_CONNECTION_DETECTOR], sightings, options).results;
}

function best(results: readonly DetectorResult[]): DetectorResult | null {
  return results.reduce<DetectorResult | null>((a, b) => a === null || b.score > a.score ? b : a, null);
}

const hours = (count: number) => count * 3600;

Deno.test("long-connection: an unknown protocol held open all day is reported", () => {
  const worst = best(run([held(0, hours(23.8))]))!;
  assert.ok(worst.score >= 60 && worst.score < 80, `score ${worst.score}`);
  assert.match(
    worst.title,
    /^Long connection from 10\.0\.0\.7 to 203\.0\.113\.9:4444 for at least (23 h \d+ min|1 d)$/,
  );
  assert.equal(worst.technique, "T1571");
  const sum = [...worst.subScores, ...worst.modifiers].reduce(
    (total, part) => total + part.value * part.weight,
    0,
  );
  assert.ok(Math.abs(sum - worst.score) < 0.06);
});

Deno.test("long-connection: chat, games and databases stay low", () => {
  // AIM, MSN, two games, a database, remote support.
  const unknown = [5190, 1863, 3724, 27_019, 5432, 5938].map((port) => [port, null] as const);
  for (const [port, service] of [...unknown, [6667, "irc"]] as const) {
    const score = best(run([held(0, hours(10), { port, service })]))?.score ?? 0;
    assert.ok(score < 40, `port ${port}: ${score}`);
  }
  // TLS is usual on 8443, an unknown protocol is not.
  const at8443 = (service: string | null) => best(run([held(0, hours(10), { port: 8443, service })]))!.score;
  assert.ok(at8443("ssl") + 15 < at8443(null), `${at8443("ssl")}, ${at8443(null)}`);
  // An unknown protocol on a web port is not exempt.
  assert.ok(best(run([held(0, hours(10), { port: 8088 })]))!.score >= 50);
});

Deno.test("long-connection: a host looked up by name scores less than a bare address", () => {
  const bare = best(run([held(0, hours(10))]))!;
  const answer = lookedUp(-1, "push.example.org", { from: CLIENT.ip, ip: "203.0.113.9" });
  const named = best(
    drive([BEACON_DETECTOR, LONG_CONNECTION_DETECTOR], [answer, held(0, hours(10))]).results,
  )!;
  assert.equal(named.score, bare.score + NAMED_POINTS);
});

Deno.test("long-connection: an assumed internal address scores less", () => {
  const bare = best(run([held(0, hours(10))]))!;
  const more = { site: { ...SITE, networksAssumed: true } };
  const assumed = best(run([held(0, hours(10), { ip: "192.168.10.9", more })]))!;
  assert.equal(assumed.score, bare.score + ASSUMED_POINTS);
});

Deno.test("long-connection: slices of one connection by an exporter count once", () => {
  const slices = times(
    24 * 30,
    (index) => held(0, 120 * (index + 1), { first: index === 0, exporterDirection: true }),
  );
  const results = run(slices);
  const worst = best(results)!;
  assert.ok(worst.score >= 60, `score ${worst.score}`);
  assert.match(worst.summary, /had at least 1 long connection to/);
  assert.ok(results.length <= 12, `${results.length} results`);
  let before = 0;
  for (const { score } of results) {
    assert.ok(score >= before);
    before = score;
  }
});

Deno.test("long-connection: a connection that lasts for days is reported twice a day", () => {
  const slices = times(24 * 5, (index) => held(0, hours(index + 1), { first: index === 0 }));
  const late = run(slices).filter(({ at }) => at > T0 + 2 * DAY);
  assert.ok(late.length >= 5 && late.length <= 7, `${late.length} results in three days`);
});

Deno.test("long-connection: reopened connections score more", () => {
  const again = best(run(times(40, (index) => held(index * 905, 900))))!;
  const apart = best(run(times(40, (index) => held(index * 1800, 900))))!;
  assert.ok(again.score >= 40, `score ${again.score}`);
  assert.ok(again.score > apart.score + 8, `${again.score} and ${apart.score}`);
  assert.match(again.summary, /\d+ connections opened within a minute/);
});

Deno.test("long-connection: services that hold connections are at most low", () => {
  const day = hours(23.8);
  const known: Record<string, Held> = {
    "TLS to a web server": { port: 443, service: "ssl" },
    "the same as an exporter sees it": { port: 443 },
    "a mailbox": { port: 993, service: "ssl" },
    "push notifications": { port: 5228, service: "ssl" },
    "a VPN": { port: 51_820, proto: "udp" },
    "a remote shell": { port: 22, service: "ssh" },
  };
  for (const [name, one] of Object.entries(known)) {
    const worst = best(run([held(0, day, one)]));
    assert.ok(worst === null || worst.score < 40, `${name}: ${worst?.score}`);
  }
  const router = { ...SITE, confirmedType: () => "router" };
  assert.equal(best(run([held(0, day, { port: 51_820, more: { site: router } })])), null);
});

Deno.test("long-connection: a host that many devices use scores less", () => {
  const common = times(8, (index) => {
    const one = held(index, hours(20));
    const src = { ...one.src, ip: `10.0.0.${index + 1}`, deviceId: `device 10.0.0.${index + 1}` };
    return { ...one, src, connection: { ...one.connection!, src } };
  });
  assert.ok(run(common).slice(3).every(({ score }) => score < 60));
  const last = run(common).at(-1);
  assert.ok(last === undefined || last.score < 50, `${last?.score}`);
});

/** Holds connections of UDP to an unknown port from one device; one packet of 60 bytes each way per `every` s. */
function kept(device: number, from: number, lasted: number, every: number, type: string | null): Sighting {
  const packets = Math.round(lasted / every);
  const more = { site: { ...SITE, confirmedType: () => type }, historySince: T0 };
  const counts = { bytesOut: packets * 60, bytesIn: packets * 60, packetsOut: packets, packetsIn: packets };
  const one = held(from, lasted, { port: 32_100, proto: "udp", more, ...counts });
  const src = { ...one.src, ip: `10.0.0.${device}`, deviceId: `device 10.0.0.${device}` };
  return { ...one, src, connection: { ...one.connection!, src } };
}

Deno.test("long-connection: what several devices of a single-purpose type hold open is low at most", () => {
  const all = (type: string | null, every = 25) =>
    times(4, (round) => times(3, (device) => kept(device + 1, round * 22_000 + device, 21_950, every, type)))
      .flat();
  const score = (seen: Sighting[]) => best(run(seen))?.score ?? 0;
  assert.ok(score(all("camera")) < 40, `cameras: ${score(all("camera"))}`);
  for (const type of [null, "workstation"]) {
    assert.ok(score(all(type)) > score(all("camera")), `${type}: ${score(all(type))}`);
    assert.ok(score(all(type, 2)) >= 55, `${type} that transfer: ${score(all(type, 2))}`);
  }
  const alone = all("camera").filter(({ src }) => src.ip === "10.0.0.1");
  assert.ok(score(alone) >= 40, `one camera: ${score(alone)}`);
  assert.ok(score(all("camera", 2)) >= 40, `cameras that transfer: ${score(all("camera", 2))}`);
});

Deno.test("long-connection: short, internal, unanswered and broadcast connections are ignored", () => {
  assert.deepEqual(run(times(500, (index) => held(index * 200, 190))), [], "short");
  assert.deepEqual(run([held(0, hours(20), { ip: "10.0.0.9" })]), [], "internal");
  assert.deepEqual(run([held(0, hours(20), { packetsIn: 0 })]), [], "unanswered");
  assert.deepEqual(run([held(0, hours(20), { ip: "239.1.2.3", proto: "udp" })]), [], "multicast");
  assert.deepEqual(run([held(0, hours(1.5))]), [], "an hour and a half");
  const reply = sighting(0, { ip: CLIENT.ip, port: 443 }, { ip: "203.0.113.9", port: 50_123 }, {
    observation: { end: T0 + 20 * HOUR },
    connection: { exporterDirection: true },
  });
  assert.deepEqual(run([reply]), [], "an answer of an internal server");
});

Deno.test("long-connection: wrong clocks neither cause nor hide a result", () => {
  assert.deepEqual(run([held(-1.5e9, 1.5e9)]), []);
  const wild = held(3e8, 400);
  const real = times(12, (index) => held(0, hours(1 + index * 2), { first: index === 0 }));
  assert.ok(best(run([wild, ...real]))!.score >= 50);
});

Deno.test("long-connection: results do not depend on rounds or storage, in bounded space", () => {
  const any = fc.record({
    from: fc.oneof(fc.nat(3 * DAY / SECOND), fc.constantFrom(-1e9, 1e9)),
    lasted: fc.nat(100_000),
    ip: fc.constantFrom("203.0.113.9", "198.51.100.3"),
    port: fc.constantFrom(443, 4444, 993),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 100, size: "max" }), (all) => {
      const made = all.map(({ from, lasted, ...rest }) => held(from, lasted, rest));
      const expected = drive([LONG_CONNECTION_DETECTOR], made);
      for (const options of [{ round: 9, stored: true }, { round: 100, stored: false }]) {
        const other = drive([LONG_CONNECTION_DETECTOR], made, options);
        assert.deepEqual(other.results, expected.results);
        assert.deepEqual(other.states, expected.states);
      }
      assert.ok(expected.largest < 1000);
    }),
    { numRuns: 60 },
  );
});
