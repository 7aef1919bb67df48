import assert from "node:assert/strict";
import fc from "fast-check";
import { LATERAL_DETECTOR } from "./detector.ts";
import { ADMINISTRATION } from "./state.ts";
import { DAY, T0 } from "../../../../test/support/detect/detector-fixtures.ts";
import { playSeen as play, type Seen, sumOf, times } from "../../../../test/support/detect/play-fixtures.ts";

function use(at: number, port: number, out: number, back: number, more: Partial<Seen> = {}): Seen {
  return { at, dst: `10.0.0.9 ${port}`, out: [out, 40], in: [back, 40], ...more };
}

/** PsExec, DCOM and WinRM as in the APT29 evaluation, day 1. */
const TAKEOVER: Seen[] = [
  use(0, 5985, 24_430, 13_628),
  use(2, 5985, 16_130, 6585),
  use(100, 445, 4_261_160, 3871),
  use(101, 445, 527_368, 1617),
  use(150, 135, 496, 452),
  use(160, 445, 193_627, 30_239),
];

Deno.test("lateral movement: a host controlled in several ways within an hour is reported", () => {
  const { best, results } = play(LATERAL_DETECTOR, TAKEOVER, {
    names: { "10.0.0.5": "scranton", "10.0.0.9": "nashua" },
  });
  assert.equal(best!.title, "scranton takes control of nashua over SMB, Windows RPC and WinRM");
  assert.ok(best!.score >= 60, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  assert.deepEqual(best!.destinations, [{ ip: "10.0.0.9", name: null, port: 135 }]);
  assert.deepEqual(best!.deviceIds, ["device 10.0.0.5", "device 10.0.0.9"]);
  assert.match(best!.summary, /4\.79 MB of it written over SMB/);
  assert.ok(results.length <= 4);
  // A takeover needs no baseline.
  assert.ok(play(LATERAL_DETECTOR, TAKEOVER, { learned: false }).best!.score >= 55);
});

Deno.test("lateral movement: servers, by traffic or by confirmed type, score less", () => {
  const others = times(
    3,
    (index): Seen => ({ ...use(-50 + index, 445, 9000, 8000), src: `10.0.0.${20 + index} 50000` }),
  );
  assert.ok(play(LATERAL_DETECTOR, [...others, ...TAKEOVER]).best!.score < 45);
  const directory: Seen = {
    at: -60,
    src: "10.0.0.30 50000",
    dst: "10.0.0.9 88",
    out: [900, 5],
    in: [900, 5],
  };
  const files = TAKEOVER.filter(({ dst }) => !dst!.endsWith(" 5985"));
  assert.ok((play(LATERAL_DETECTOR, [directory, ...files]).best?.score ?? 0) < 45, "files and calls only");
  assert.ok(play(LATERAL_DETECTOR, TAKEOVER, { types: { "10.0.0.9": "file_server" } }).best!.score < 45);
});

Deno.test("lateral movement: a client that controls a directory server is reported, also while learning", () => {
  const kerberos = (server: string): Seen => ({
    at: -60,
    src: "10.0.0.30 50000",
    dst: `${server} 88`,
    out: [900, 5],
    in: [900, 5],
  });
  const shells = times(13, (index) => use(index * 40, 5985, 92_000, 30_000));
  const names = { "10.0.0.5": "WS-12", "10.0.0.9": "DC-1" };
  for (const learned of [true, false]) {
    const { best } = play(LATERAL_DETECTOR, [kerberos("10.0.0.9"), ...shells], { names, learned });
    assert.equal(best!.title, "WS-12 controls directory server DC-1 over WinRM");
    assert.ok(best!.score >= 40 && best!.score < 60, String(best!.score));
    assert.equal(sumOf(best!), best!.score);
    const all = play(LATERAL_DETECTOR, [kerberos("10.0.0.9"), ...TAKEOVER], { learned }).best!;
    assert.ok(all.score >= 60, String(all.score));
    assert.match(all.title, /takes control of/);
  }
  const confirmed = play(LATERAL_DETECTOR, shells, {
    types: { "10.0.0.9": "domain_controller" },
    learned: false,
  });
  assert.ok(confirmed.best!.score >= 40, "confirmed as a domain controller");
  const quiet = (seen: Seen[], types: Record<string, string> = {}) =>
    play(LATERAL_DETECTOR, seen, { learned: false, types }).best?.score ?? 0;
  assert.ok(quiet(shells) < 20, "a host that is no directory server, while learning");
  assert.ok(quiet([kerberos("10.0.0.9"), ...shells], { "10.0.0.5": "server" }) < 20, "a confirmed server");
  assert.ok(quiet([kerberos("10.0.0.9"), kerberos("10.0.0.5"), ...shells]) < 20, "another directory server");
  const policies = times(20, (index) => [
    use(index * 60, 445, 12_000, 300_000),
    use(index * 60 + 1, 135, 900, 800),
  ]).flat();
  assert.ok(quiet([kerberos("10.0.0.9"), ...policies]) < 20, "a workstation that reads policies");
  const daily = times(5, (day) => use(day * 86_400, 3389, 90_000, 2_000_000));
  const found = play(LATERAL_DETECTOR, [kerberos("10.0.0.9"), ...daily], { learned: false }).results;
  assert.equal(found.length, 1, "an administrator's daily session is reported once");
});

Deno.test("lateral movement: the same administration of a host on later days is no further finding", () => {
  const directory: Seen = {
    at: -60,
    src: "10.0.0.30 50000",
    dst: "10.0.0.9 88",
    out: [900, 5],
    in: [900, 5],
  };
  const session = (day: number, port = 3389) => [
    use(day * 86_400, 445, 5200, 11_000),
    use(day * 86_400 + 300, port, 300_000, 4_000_000),
  ];
  const days = times(5, (day) => session(day)).flat();
  for (const learned of [true, false]) {
    const { results } = play(LATERAL_DETECTOR, [directory, ...days], { learned });
    assert.ok(results.length > 0 && results.some(({ score }) => score >= 40), "the first day");
    assert.ok(results.every(({ at }) => at < T0 + DAY), "later days");
    const after = (seen: Seen[]) =>
      play(LATERAL_DETECTOR, [directory, ...days, ...seen], { learned }).results
        .filter(({ at }) => at >= T0 + 6 * DAY);
    assert.ok(after(session(6, 5985)).some(({ score }) => score >= 40), "another way of control");
    const written = [use(6 * 86_400 + 400, 445, 9_000_000, 30_000), use(6 * 86_400 + 500, 135, 4000, 3000)];
    assert.ok(after([...session(6), ...written]).some(({ score }) => score >= 40), "a program written");
  }
});

Deno.test("lateral movement: ordinary work stays low", () => {
  const setting = { learned: false };
  const share = times(40, (index) => use(index * 60, 445, 9000, 4_000_000));
  assert.equal(
    play(LATERAL_DETECTOR, [...share, use(30, 135, 300, 280)], setting).best,
    null,
    "reads from a share",
  );
  const print = [use(0, 135, 328, 280), use(1, 445, 6_000_000, 20_000)];
  assert.ok((play(LATERAL_DETECTOR, print, setting).best?.score ?? 0) < 40, "prints");
  const { title } = play(LATERAL_DETECTOR, print, setting).best!;
  assert.match(
    title,
    / writes to and calls 10\.0\.0\.9 over SMB and Windows RPC$/,
    "does not take control",
  );
  const controller = [use(0, 445, 12_000, 11_000), use(1, 135, 328, 280)];
  assert.equal(play(LATERAL_DETECTOR, controller, setting).best, null, "reads policies");
  const refused = [use(0, 445, 0, 0), use(1, 5985, 0, 0), use(2, 3389, 0, 20)];
  assert.equal(play(LATERAL_DETECTOR, refused, setting).best, null, "no host let it in");
  const outside = TAKEOVER.map((seen) => ({ ...seen, dst: seen.dst!.replace("10.0.0.9", "198.51.100.9") }));
  assert.equal(play(LATERAL_DETECTOR, outside, setting).best, null, "outside hosts are not considered");
  const spread = TAKEOVER.map((seen, index) => ({ ...seen, at: index * 7200 }));
  assert.ok((play(LATERAL_DETECTOR, spread, setting).best?.score ?? 0) < 40, "spread over a day");
});

Deno.test("lateral movement: the small program of PsExec is found", () => {
  const psexec = [use(0, 445, 180_000, 9000), use(1, 135, 900, 800)];
  const { best } = play(LATERAL_DETECTOR, psexec, { learned: false });
  assert.equal(best!.title, "10.0.0.5 writes to and calls 10.0.0.9 over SMB and Windows RPC");
  assert.ok(best!.score >= 20 && best!.score < 40, String(best!.score));
  const answered = [use(0, 445, 180_000, 120_000), use(1, 135, 900, 800)];
  assert.equal(play(LATERAL_DETECTOR, answered, { learned: false }).best, null, "works with files");
});

Deno.test("lateral movement: the version probes of a scanner do not take control", () => {
  const probe = (at: number, host: number, port: number, out: number, back: number): Seen => ({
    at,
    seconds: 0.6,
    dst: `10.0.0.${host} ${port}`,
    out: [out, 6],
    in: [back, 5],
  });
  // nmap -sV: a greeting or one request to each service, with frame headers 711 bytes at most.
  const probes = (host: number) => [
    probe(host, host, 135, 328, 280),
    probe(host + 0.2, host, 445, 371, 340),
    probe(host + 0.4, host, 22, 301, 410),
    probe(host + 0.6, host, 3389, 290, 280),
    probe(host + 0.8, host, 5985, 310, 401),
  ];
  for (const learned of [true, false]) {
    assert.equal(play(LATERAL_DETECTOR, probes(9), { learned }).best, null, "one host");
    const many = times(60, (index) => probes(index + 10).slice(1)).flat();
    assert.equal(play(LATERAL_DETECTOR, many, { learned }).best, null, "sixty hosts");
  }
  const exported = [22, 3389].map((port, index): Seen => ({
    ...probe(index, 9, port, 711, 0),
    exported: true,
  }));
  assert.equal(play(LATERAL_DETECTOR, exported).best, null, "seen by an exporter");
  // A session takes control afterwards, and a short one that carries as much as a command does, too.
  const after = play(LATERAL_DETECTOR, [...probes(9), ...TAKEOVER]).best!;
  assert.ok(after.score >= 60, String(after.score));
  const brief = [probe(0, 9, 22, 3200, 3900), probe(1, 9, 5985, 4100, 3700)];
  assert.match(play(LATERAL_DETECTOR, brief).best!.title, /takes control of 10\.0\.0\.9 over WinRM and SSH$/);
  const typed = [{ ...probe(0, 9, 23, 400, 900), seconds: 90 }, probe(1, 9, 22, 3200, 3900)];
  assert.match(play(LATERAL_DETECTOR, typed).best!.title, /takes control/);
});

Deno.test("lateral movement: a session that grows beyond a probe counts", () => {
  const start: Seen = { at: 0, dst: "10.0.0.9 22", out: [300, 4], in: [400, 4] };
  const grown: Seen = { ...start, seconds: 60, out: [90_000, 100], in: [60_000, 90], growth: 89_700 };
  assert.equal(play(LATERAL_DETECTOR, [start]).best, null);
  assert.match(
    play(LATERAL_DETECTOR, [start, grown]).best!.title,
    /uses SSH on 10\.0\.0\.9 for the first time/,
  );
});

Deno.test("lateral movement: assumed internal networks count", () => {
  const seen = TAKEOVER.map((one) => ({ ...one, src: "192.168.0.5 40000" }));
  const setting = { learned: false, networksAssumed: true };
  assert.ok(play(LATERAL_DETECTOR, seen, setting).best!.score >= 55);
});

Deno.test("lateral movement: the first remote control of a host is reported against the device's history", () => {
  const rdp = [use(0, 3389, 2_000_000, 30_000_000)];
  const { best } = play(LATERAL_DETECTOR, rdp, { names: { "10.0.0.9": "srv" } });
  assert.equal(best!.title, "10.0.0.5 uses RDP on srv for the first time");
  assert.ok(best!.score >= 20 && best!.score <= 40, String(best!.score));
  assert.equal(best!.technique, "T1021.001");
  const learning = play(LATERAL_DETECTOR, [...rdp, use(10, 3389, 9000, 9000)], { learned: false });
  assert.deepEqual(learning.results.map(({ score }) => score), [19]);
  // The next day the host is known.
  const again = play(LATERAL_DETECTOR, [...rdp, use(90_000, 3389, 2_000_000, 30_000_000)]);
  assert.equal(again.results.length, 1);
});

Deno.test("lateral movement: many hosts within an hour are reported", () => {
  const many = (start: number) =>
    times(60, (index) => ({ ...use(start + index * 10, 445, 9000, 8000), dst: `10.0.1.${index + 1} 445` }));
  const { best } = play(LATERAL_DETECTOR, many(0));
  assert.equal(best!.title, "10.0.0.5 logs on to many hosts within an hour");
  assert.ok(best!.score >= 50, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  const unlearned = play(LATERAL_DETECTOR, many(0), { learned: false }).best!;
  assert.ok(unlearned.score >= 20 && unlearned.score < best!.score);
  assert.equal(play(LATERAL_DETECTOR, many(0).slice(0, 9)).best, null);
  // A fan-out that repeats daily is not reported again.
  const daily = play(LATERAL_DETECTOR, [...many(0), ...many(86_400)]);
  assert.ok(daily.results.every(({ at }) => at < 1_600_080_000_000_000));
});

Deno.test("lateral movement: results do not depend on batches, and states survive storage", () => {
  const seen = [
    ...TAKEOVER,
    ...times(60, (index) => ({ ...use(200 + index, 22, 3000, 3000), dst: `10.0.2.${index + 1} 22` })),
  ];
  const whole = play(LATERAL_DETECTOR, seen);
  for (const round of [1, 5]) {
    const parts = play(LATERAL_DETECTOR, seen, {}, round);
    assert.deepEqual(parts.results, whole.results);
    assert.deepEqual(parts.states, whole.states);
  }
  for (const [id, bytes] of whole.states) {
    if (id.startsWith("11 ")) assert.deepEqual(ADMINISTRATION.encode(ADMINISTRATION.decode(bytes)), bytes);
  }
  assert.throws(() => ADMINISTRATION.decode(new Uint8Array([7])), RangeError);
});

Deno.test("lateral movement: floods and extreme values use bounded space and never throw", () => {
  const any = fc.record({
    at: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(-2e9, 6e9)),
    dst: fc.tuple(fc.ipV4(), fc.constantFrom(22, 23, 135, 445, 3389, 5985, 5900, 88)).map(([ip, port]) =>
      `${ip} ${port}`
    ),
    out: fc.tuple(fc.oneof(fc.constant(null), fc.bigInt(0n, 1n << 64n)), fc.constantFrom(null, 10)),
    in: fc.tuple(fc.oneof(fc.constant(null), fc.bigInt(0n, 1n << 64n)), fc.constantFrom(null, 10)),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 150 }), (seen) => {
      const { states } = play(LATERAL_DETECTOR, seen as Seen[], { isInternal: () => true }, 50);
      for (const bytes of states.values()) assert.ok(bytes.length < 4096);
    }),
    { numRuns: 60 },
  );
});
