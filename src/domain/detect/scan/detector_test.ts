import assert from "node:assert/strict";
import fc from "fast-check";
import { countOf } from "../kernel/detector.ts";
import { playSeen as play, type Seen, sumOf, times } from "../../../../test/support/detect/play-fixtures.ts";
import { OUTSIDE_STATES, SCAN_ATTEMPTS, SCAN_DETECTOR } from "./detector.ts";

/** An unanswered SYN, as Zeek counts it. */
const UNANSWERED: Partial<Seen> = { out: [0, 1], in: [0, 0] };
const REFUSED: Partial<Seen> = { out: [0, 1], in: [0, 1] };

function sweep(count: number, port: number, step: number, net: string, more = UNANSWERED): Seen[] {
  return times(count, (index) => ({
    at: index * step,
    src: `10.0.0.5 ${40_000 + index}`,
    dst: `${net}.${Math.floor(index / 250)}.${index % 250 + 1} ${port}`,
    ...more,
  }));
}

function ports(count: number, more: Partial<Seen> = REFUSED): Seen[] {
  return times(count, (index) => ({
    at: index * 0.1,
    src: `10.0.0.5 ${40_000 + index}`,
    dst: `10.0.0.9 ${index + 1}`,
    ...more,
  }));
}

Deno.test("scan: one port of many internal hosts is reported with its score parts", () => {
  const { results, best } = play(SCAN_DETECTOR, sweep(254, 445, 0.2, "10.0"), {
    names: { "10.0.0.5": "ws-5" },
  });
  assert.equal(best!.title, "ws-5 scans internal hosts for port 445 (SMB)");
  assert.ok(best!.score >= 60 && best!.score < 80, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  assert.deepEqual(best!.destinations, [{ ip: null, name: null, port: 445 }]);
  assert.equal(best!.technique, "T1046");
  assert.match(best!.summary, /without success between 2020-09-13 12:26 and/);
  // Reports again only when the score has risen.
  assert.ok(results.length >= 3 && results.length <= 8, String(results.length));
  for (const [at, result] of results.entries()) {
    if (at === 0) continue;
    const before = results[at - 1]!.score;
    const isSevere = Math.floor(result.score / 20) > Math.floor(before / 20);
    assert.ok(result.score >= before + 5 || isSevere, `${before} to ${result.score}`);
    assert.equal(result.groupKey, best!.groupKey);
  }
});

Deno.test("scan: unanswered UDP requests score less, but a full sweep is still reported", () => {
  const asked = (count: number) =>
    play(SCAN_DETECTOR, sweep(count, 161, 5, "10.0", { proto: "udp", out: [80, 1], in: [0, 0] })).best!.score;
  assert.ok(asked(25) < 40, `a rack of switches ${asked(25)}`);
  assert.ok(asked(254) >= 50, `a network ${asked(254)}`);
});

Deno.test("scan: Windows Delivery Optimization is not a scan", () => {
  assert.equal(play(SCAN_DETECTOR, sweep(35, 7680, 30, "10.0")).best, null);
  assert.ok(play(SCAN_DETECTOR, sweep(250, 7680, 10, "10.0")).best!.score < 40);
  assert.ok(play(SCAN_DETECTOR, sweep(35, 7681, 30, "10.0")).best!.score >= 40);
});

Deno.test("scan: an outbound SSH sweep is reported whether refused or unanswered", () => {
  const half = sweep(355, 22, 2, "198.51").map((seen, index) => ({
    ...seen,
    ...(index % 10 ? {} : REFUSED),
  }));
  const { best } = play(SCAN_DETECTOR, half);
  assert.equal(best!.title, "10.0.0.5 scans hosts outside for port 22 (SSH)");
  assert.ok(best!.score >= 60);
});

Deno.test("scan: many ports of one host are a port scan", () => {
  const { best } = play(SCAN_DETECTOR, ports(1000), { names: { "10.0.0.9": "srv" } });
  assert.equal(best!.title, "10.0.0.5 scans the ports of srv");
  assert.ok(best!.score >= 60, String(best!.score));
  assert.deepEqual(best!.deviceIds, ["device 10.0.0.5", "device 10.0.0.9"]);
  assert.match(best!.summary, /about \d+ ports of srv \(ports 1 to \d+\)/);
  assert.equal(play(SCAN_DETECTOR, ports(19)).best, null);
});

Deno.test("scan: a slow scan below the hourly threshold is found by the daily one", () => {
  const { best } = play(SCAN_DETECTOR, sweep(60, 3389, 600, "10.0"));
  assert.equal(best!.title, "10.0.0.5 slowly scans internal hosts for port 3389 (RDP)");
  assert.ok(best!.score >= 30, String(best!.score));
  // One dead host per hour is not a scan, however long it lasts.
  assert.equal(play(SCAN_DETECTOR, sweep(240, 445, 3600, "10.0")).best, null);
});

Deno.test("scan: a sweep of hosts and ports in random order is reported", () => {
  const seen = times(3000, (index) => {
    const mixed = Math.imul(index, 2_654_435_761) >>> 0;
    return {
      at: index * 0.05,
      src: `10.0.0.5 ${20_000 + index}`,
      dst: `10.0.${mixed % 2}.${(mixed >>> 8) % 250 + 1} ${(mixed >>> 16) % 4000 + 1}`,
      ...UNANSWERED,
    };
  });
  const { results } = play(SCAN_DETECTOR, seen);
  assert.ok(
    results.some(({ title }) => title === "10.0.0.5 sweeps the internal network: many ports of many hosts"),
  );
});

Deno.test("scan: one-way export records are classified by their TCP flags", () => {
  const exported = (tcpFlags: number | null): Partial<Seen> => ({
    exported: true,
    out: [44, 1],
    facts: {
      type: "export",
      nat: null,
      samplingRate: null,
      tcpFlags,
      inputInterface: null,
      outputInterface: null,
    },
  });
  const found = (seen: Seen[]) => play(SCAN_DETECTOR, seen).best?.title;
  const title = "10.0.0.5 scans the ports of 10.0.0.9";
  assert.equal(found(ports(200, exported(0x02))), title);
  assert.equal(found(ports(200, exported(0x06))), title, "half-open scan: answered, then reset");
  assert.equal(found(ports(200, { ...exported(0x02), growth: 44 })), title, "the refusal was exported first");
  assert.equal(found(ports(200, exported(0x1b))), undefined, "a whole connection");
  assert.equal(found(ports(200, exported(0x14))), undefined, "the refusals themselves");
  const opened = { ...exported(0x16), out: [148, 3] } as const;
  assert.equal(found(ports(200, opened)), title, "opened without payload");
  assert.equal(found(ports(200, { ...opened, out: [948, 4] })), undefined, "payload sent");
  assert.equal(found(ports(200, { ...exported(0x12), out: [44, 1] })), undefined, "a server's first answer");
  assert.equal(found(ports(200, exported(null))), title, "without flags");
  assert.equal(found(ports(200, { ...exported(null), out: [60_000, 50] })), undefined);
});

Deno.test("scan: ordinary traffic is not a scan", () => {
  const open = sweep(300, 445, 1, "10.0", { out: [1200, 9], in: [3400, 8] });
  assert.equal(play(SCAN_DETECTOR, open).best, null, "every port is open");
  const web = sweep(100, 443, 30, "198.51");
  assert.equal(play(SCAN_DETECTOR, web).best, null, "browsing");
  const quic = sweep(2000, 443, 1, "198.51", { ...UNANSWERED, proto: "udp", out: [1200, 3] });
  assert.equal(play(SCAN_DETECTOR, quic).best, null, "QUIC behind a firewall that drops it");
  const resolver = sweep(2000, 53, 1, "198.51", { ...UNANSWERED, proto: "udp", out: [60, 1] });
  assert.equal(play(SCAN_DETECTOR, resolver).best, null, "dead name servers");
  const retries = times(500, (index) => ({ at: index * 7, dst: "10.0.0.9 445", ...UNANSWERED }));
  assert.equal(play(SCAN_DETECTOR, retries).best, null, "retries to one dead host");
  const replies = times(500, (index) => ({
    at: index,
    src: "10.0.0.5 443",
    dst: `10.0.0.9 ${20_000 + index}`,
    ...UNANSWERED,
  }));
  assert.equal(play(SCAN_DETECTOR, replies).best, null, "late replies of a server");
  const half = sweep(300, 443, 1, "198.51", { out: [900, 6], in: [0, 0] });
  assert.equal(play(SCAN_DETECTOR, half).best, null, "a capture of one direction");
});

Deno.test("scan: peer-to-peer traffic and many dead web servers stay low", () => {
  for (const port of [6881, 443]) {
    const { best } = play(SCAN_DETECTOR, sweep(1000, port, 1, "198.51"));
    assert.ok(best !== null && best.score < 40, `${port}: ${best?.score}`);
  }
});

Deno.test("scan: scans from outside stay low, share one group and name no device", () => {
  const seen = (source: number) =>
    times(400, (index): Seen => ({
      at: source * 1000 + index,
      src: `198.51.100.${source} 50000`,
      dst: `10.0.${index >> 8}.${index % 250 + 1} ${index % 7 ? 22 : 23}`,
      ...UNANSWERED,
    }));
  const { results } = play(SCAN_DETECTOR, [...seen(1), ...seen(2)]);
  assert.equal(new Set(results.map(({ groupKey }) => groupKey)).size, 1);
  assert.deepEqual(new Set(results.map(({ title }) => title)).size, 2);
  for (const { score, deviceId, technique } of results) {
    assert.ok(score < 40);
    assert.deepEqual([deviceId, technique], [null, "T1595"]);
  }
});

Deno.test("scan: results do not depend on batches, and states survive storage", () => {
  const seen = [...sweep(300, 22, 3, "198.51"), ...ports(300), ...sweep(300, 445, 2, "10.0")]
    .toSorted((a, b) => a.at! - b.at!);
  const whole = play(SCAN_DETECTOR, seen);
  for (const round of [1, 7, 100]) {
    const parts = play(SCAN_DETECTOR, seen, {}, round);
    assert.deepEqual(parts.results, whole.results);
    assert.deepEqual(parts.states, whole.states);
  }
  for (const bytes of whole.states.values()) {
    assert.deepEqual(SCAN_ATTEMPTS.encode(SCAN_ATTEMPTS.decode(bytes)), bytes);
  }
  assert.throws(() => SCAN_ATTEMPTS.decode(new Uint8Array([9])), RangeError);
});

Deno.test("scan: random addresses and wrong clocks use bounded space and never throw", () => {
  const any = fc.record({
    at: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(-2e9, 6e9)),
    src: fc.ipV4().map((ip) => `${ip} ${ip.length * 3000}`),
    dst: fc.tuple(fc.ipV4(), fc.nat(65_535)).map(([ip, port]) => `${ip} ${port}`),
    out: fc.tuple(fc.oneof(fc.constant(null), fc.bigInt(0n, 1n << 64n)), fc.constantFrom(null, 0, 1, 3)),
    in: fc.constantFrom<[number | null, number | null]>([0, 0], [null, null], [0, 1]),
    proto: fc.constantFrom("tcp", "udp", "icmp", "sctp"),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 60 }), (seen) => {
      const { states } = play(SCAN_DETECTOR, seen as Seen[], {
        isInternal: (ip) => countOf(Number.parseInt(ip)) < 128,
      });
      for (const bytes of states.values()) assert.ok(bytes.length < 4600);
    }),
    { numRuns: 60 },
  );
  const flood = times(20_000, (index): Seen => {
    const mixed = Math.imul(index + 1, 2_654_435_761) >>> 0;
    return {
      at: index / 1000,
      src: `198.${mixed & 255}.${(mixed >>> 8) & 255}.${(mixed >>> 16) & 255} 1234`,
      dst: `10.0.0.${(mixed >>> 24) % 250 + 1} ${(mixed >>> 4) % 30_000 + 1}`,
      ...UNANSWERED,
    };
  });
  const { states } = play(SCAN_DETECTOR, flood);
  assert.ok(states.size <= OUTSIDE_STATES);
  const worst = play(
    SCAN_DETECTOR,
    times(30_000, (index): Seen => {
      const mixed = Math.imul(index + 1, 2_654_435_761) >>> 0;
      return {
        at: index / 100,
        dst: `10.${mixed & 3}.0.${(mixed >>> 8) % 250 + 1} ${(mixed >>> 16) % 3 + 21}`,
        ...UNANSWERED,
      };
    }),
  );
  for (const bytes of worst.states.values()) assert.ok(bytes.length < 4600, String(bytes.length));
  assert.equal(SCAN_ATTEMPTS.size(SCAN_ATTEMPTS.decode([...worst.states.values()][0]!)) < 20_000, true);
});

Deno.test("scan: 44 failed ports of one internal host are medium", () => {
  const { best } = play(
    SCAN_DETECTOR,
    times(44, (index): Seen => ({ at: index, dst: `10.0.0.9 ${20 + index * 7}`, out: [60, 1], in: [40, 1] })),
  );
  assert.ok(best!.score >= 40 && best!.score < 60, String(best!.score));
  assert.ok(
    (play(
      SCAN_DETECTOR,
      times(
        19,
        (index): Seen => ({ at: index, dst: `10.0.0.9 ${20 + index * 7}`, out: [60, 1], in: [40, 1] }),
      ),
    ).best?.score ?? 0) < 20,
    "19 ports",
  );
});
