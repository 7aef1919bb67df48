import assert from "node:assert/strict";
import fc from "fast-check";
import { FLOOD_DETECTOR } from "./detector.ts";
import { FLOODS, INSIDE_STATES, MAX_TARGETS } from "./state.ts";
import { playSeen as play, type Seen, sumOf, times } from "../../../../test/support/detect/play-fixtures.ts";

const VICTIM = "198.51.100.9";

/** Flows of one second with 1000 packets each. */
function packets(flows: number, more: (index: number) => Partial<Seen> = () => ({})): Seen[] {
  return times(flows, (index) => ({
    at: index,
    seconds: 1,
    src: `10.0.0.5 ${20_000 + index}`,
    dst: `${VICTIM} 80`,
    proto: "udp",
    out: [500_000, 1000],
    in: [0, 0],
    ...more(index),
  }));
}

const toPorts = (index: number) => ({ dst: `${VICTIM} ${1000 + index}` });
const ping = (back = 0): () => Partial<Seen> => () => ({
  src: "10.0.0.5",
  dst: VICTIM,
  proto: "icmp",
  in: [0, back],
});

Deno.test("flood: UDP to random ports of one host is reported with its score parts", () => {
  const { best, results } = play(FLOOD_DETECTOR, packets(300, toPorts));
  assert.equal(best!.title, "10.0.0.5 floods 198.51.100.9 with UDP packets");
  assert.ok(best!.score >= 40 && best!.score < 80, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  assert.match(
    best!.summary,
    /sent at least \d+ UDP packets \([\d.]+ MB\) to 198\.51\.100\.9 on about \d+ ports .* none came back/,
  );
  assert.ok(results.length <= 12);
});

Deno.test("flood: ICMP is a flood whether answered or not, and inside", () => {
  for (const back of [0, 1000]) {
    const { best } = play(FLOOD_DETECTOR, packets(100, ping(back)));
    assert.equal(best!.title, "10.0.0.5 floods 198.51.100.9 with ICMP packets");
    assert.ok(best!.score >= 40, String(best!.score));
  }
  const inside = packets(100, () => ({ ...ping()(), dst: "10.0.0.9" }));
  assert.ok(play(FLOOD_DETECTOR, inside).best !== null);
});

Deno.test("flood: ordinary traffic is not a flood", () => {
  const found = (seen: Seen[]) => play(FLOOD_DETECTOR, seen).best;
  assert.equal(found(packets(300, () => ({ in: [90_000, 300] }))), null, "a call");
  assert.equal(found(packets(300, () => ({ dst: `${VICTIM} 443` }))), null, "QUIC, seen in one direction");
  assert.equal(found(packets(300, () => ({ dst: "10.0.0.9 40000" }))), null, "a camera and its recorder");
  assert.equal(found(packets(9, toPorts)), null, "too few packets");
  assert.equal(
    found(packets(300, (index) => ({ dst: `198.51.100.${index % 250} 53`, out: [700, 10] }))),
    null,
  );
  assert.equal(
    found(packets(300, (index) => ({ ...toPorts(index), at: index * 600 }))),
    null,
    "spread over days",
  );
  assert.equal(found(packets(300, () => ({ proto: "tcp" }))), null, "an upload");
  const watch = packets(300, (index) => ({ ...ping(48)(), at: index * 10, out: [2688, 48] }));
  assert.equal(found(watch), null, "a router monitoring its neighbour");
});

const SERVER = "10.0.0.9";

/** One SYN each from ever new addresses. */
function syns(count: number, perSecond: number, more: (index: number) => Partial<Seen> = () => ({})): Seen[] {
  return times(count, (index) => ({
    at: index / perSecond,
    src: `203.0.${(index >> 8) & 255}.${index & 255} ${1024 + (index * 7919) % 60_000}`,
    dst: `${SERVER} 443`,
    proto: "tcp",
    out: [60, 1],
    in: [0, 0],
    ...more(index),
  }));
}

/** Connections that carry data. */
function visits(
  count: number,
  perSecond: number,
  more: (index: number) => Partial<Seen> = () => ({}),
): Seen[] {
  return syns(
    count,
    perSecond,
    (index) => ({ out: [2000, 8], in: [20_000, 18], seconds: 1, ...more(index) }),
  );
}

function byTime(...series: Seen[][]): Seen[] {
  return series.flat().sort((a, b) => a.at! - b.at!);
}

Deno.test("flood: SYNs from thousands of addresses to one internal port are one finding about the target", () => {
  const seen = syns(28_000, 39);
  const { best, results, largest } = play(FLOOD_DETECTOR, seen);
  assert.match(best!.title, /^10\.0\.0\.9 is flooded with TCP connections from about \d+ addresses$/);
  assert.ok(best!.score >= 45 && best!.score < 80, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  assert.equal(best!.technique, "T1499.001");
  assert.equal(new Set(results.map(({ groupKey }) => groupKey)).size, 1);
  assert.deepEqual(best!.destinations, [{ ip: SERVER, name: null, port: 443 }]);
  assert.ok(largest < 3500, String(largest));
  const answered = syns(9000, 39, () => ({ out: [60, 1], in: [360, 6] }));
  assert.ok(play(FLOOD_DETECTOR, answered).best!.score >= 40, "a server that repeats its SYN-ACK");
  const inside = syns(5000, 39, (index) => ({ src: `10.8.${(index >> 8) & 255}.${index & 255} 4000` }));
  assert.equal(new Set(play(FLOOD_DETECTOR, inside).results.map(({ groupKey }) => groupKey)).size, 1);
});

Deno.test("flood: connections without packets, or refused, are a flood of the device that opens them", () => {
  const from = (out: [number, number], back: [number, number], dst: string) =>
    syns(5000, 467, (index) => ({ src: `10.0.0.5 ${1024 + index}`, dst, out, in: back }));
  for (
    const [out, back] of [[[0, 0], [0, 0]], [[60, 1], [0, 0]], [[120, 2], [60, 1]]] as [
      [number, number],
      [number, number],
    ][]
  ) {
    for (const dst of ["198.51.100.9 80", "10.0.0.9 80"]) {
      const { best, results } = play(FLOOD_DETECTOR, from(out, back, dst));
      assert.equal(best!.title, `10.0.0.5 floods ${dst.split(" ")[0]} with TCP connections`);
      assert.ok(best!.score >= 40, String(best!.score));
      assert.equal(new Set(results.map(({ groupKey }) => groupKey)).size, 1);
    }
  }
});

Deno.test("flood: unanswered UDP to one internal port", () => {
  const udp = (src: (index: number) => string) =>
    syns(16_000, 800, (index) => ({ src: src(index), dst: `${SERVER} 7000`, proto: "udp", out: [1500, 1] }));
  const forged = play(FLOOD_DETECTOR, udp((index) => `203.0.${(index >> 8) & 255}.${index & 255} 4000`));
  assert.match(forged.best!.title, /^10\.0\.0\.9 is flooded with UDP packets from about \d+ addresses$/);
  assert.ok(forged.best!.score >= 40, String(forged.best!.score));
  const device = play(FLOOD_DETECTOR, udp((index) => `10.0.0.5 ${1024 + index % 60_000}`));
  assert.equal(device.best!.title, "10.0.0.5 floods 10.0.0.9 with UDP packets");
  assert.ok(device.best!.score >= 40, String(device.best!.score));
  const oneFlow: Seen[] = times(10, (index) => ({
    at: index * 3,
    seconds: 3,
    src: "203.0.113.7 4000",
    dst: `${SERVER} 7000`,
    proto: "udp",
    out: [17_200_000, 11_500],
    in: [0, 0],
  }));
  const outside = play(FLOOD_DETECTOR, oneFlow);
  assert.equal(outside.best!.title, "10.0.0.9 is flooded with UDP packets from 203.0.113.7");
  assert.ok(outside.best!.score >= 40, String(outside.best!.score));
});

Deno.test("flood: busy servers, load tests, NAT and recorders are no targets of floods", () => {
  const found = (...series: Seen[][]) => play(FLOOD_DETECTOR, byTime(...series)).best?.title ?? null;
  assert.equal(found(visits(20_000, 100), syns(4000, 20)), null, "a busy web server and its failed visits");
  const tester = (index: number) => ({ src: `10.0.0.5 ${1024 + index % 60_000}` });
  assert.equal(found(visits(14_000, 100, tester), syns(4000, 27, tester)), null, "a load test");
  const check = syns(4000, 4, (index) => ({ ...tester(index), out: [120, 2], in: [60, 1] }));
  assert.equal(found(check), null, "half-open health checks");
  const gateway = syns(6000, 100, (index) => ({
    src: `10.0.0.1 ${1024 + index % 60_000}`,
    dst: `198.51.${index % 200}.${(index >> 3) % 250} 443`,
  }));
  assert.equal(found(gateway), null, "a gateway in front of many clients");
  assert.equal(
    play(FLOOD_DETECTOR, syns(4000, 50, (index) => ({ ...tester(index), dst: "198.51.100.9 443" })), {
      types: { "10.0.0.5": "router" },
    }).best,
    null,
    "a confirmed router",
  );
  const ports = syns(6000, 467, (index) => ({ src: "10.0.0.5 4000", dst: `${SERVER} ${1 + index}` }));
  assert.equal(found(ports), null, "a port scan");
  const hosts = syns(6000, 100, (index) => ({
    ...tester(index),
    dst: `10.1.${(index >> 8) & 255}.${index & 255} 445`,
  }));
  assert.equal(found(hosts), null, "a scan for one port");
  const lookups = (answered: boolean) =>
    syns(14_000, 300, (index) => ({
      src: `10.0.${index % 4}.${index % 200} ${1024 + (index * 31) % 60_000}`,
      dst: `${SERVER} 53`,
      proto: "udp",
      out: [75, 1],
      in: answered ? [180, 1] : [0, 0],
    }));
  assert.equal(found(lookups(true)), null, "a name server");
  assert.equal(found(lookups(false)), null, "a name server of which the sensor sees one direction");
  const cameras = times(100, (minute) =>
    times(64, (camera): Seen => ({
      at: minute * 2,
      seconds: 2,
      src: `10.0.1.${camera + 1} ${20_000 + camera}`,
      dst: `${SERVER} ${30_000 + camera}`,
      proto: "udp",
      out: [500_000, 400],
      in: [0, 0],
    }))).flat();
  assert.equal(found(cameras), null, "a recorder with 64 cameras");
});

Deno.test("flood: a flood on top of a recorder's streams is found", () => {
  const SECONDS = 3600;
  const streamsOf = (hours: number) =>
    times(hours, (hour) =>
      times(3, (camera): Seen => ({
        at: hour * SECONDS,
        seconds: SECONDS - 10,
        src: `10.0.1.${camera + 1} ${20_000 + 3 * hour + camera}`,
        dst: `${SERVER} 8554`,
        proto: "udp",
        out: [2_000_000_000, 2_000_000],
        in: [0, 0],
      }))).flat();
  assert.equal(play(FLOOD_DETECTOR, streamsOf(240)).best, null, "three cameras and their recorder for days");
  const streams = streamsOf(4);
  for (const after of [60, SECONDS]) {
    const flood = times(5000, (index): Seen => ({
      at: 3 * SECONDS + after + index / 80,
      src: `192.0.2.93 ${1024 + (index * 37) % 60_000}`,
      dst: `${SERVER} 7000`,
      proto: "udp",
      out: [7360, 5],
      in: [0, 0],
    }));
    const { best } = play(FLOOD_DETECTOR, byTime(streams, flood));
    assert.ok(best !== null && best.score >= 40, `${best?.score} ${after} s after a record of the streams`);
  }
});

Deno.test("flood: a scan of the network does not push out the target, and adds no rows", () => {
  const scan = times(16_384, (index): Seen => ({
    at: index / 100,
    src: "203.0.113.99 4000",
    dst: `10.1.${index >> 8}.${index & 255} 445`,
    proto: "tcp",
    out: [60, 1],
    in: [0, 0],
  }));
  const { best, states } = play(FLOOD_DETECTOR, byTime(scan, syns(6000, 39)));
  assert.ok(best!.score >= 40, String(best!.score));
  assert.ok(states.size <= INSIDE_STATES);
});

Deno.test("flood: results do not depend on which of two sensors comes first", () => {
  const seen = syns(6000, 30);
  const of = (rest: number) => seen.filter((_, index) => index % 2 === rest);
  const last = (order: Seen[]) => play(FLOOD_DETECTOR, order).results.at(-1)!;
  const [mixed, apart] = [last(seen), last([...of(0), ...of(1)])];
  assert.equal(apart.groupKey, mixed.groupKey);
  assert.ok(Math.abs(apart.score - mixed.score) < 3, `${apart.score} and ${mixed.score}`);
});

Deno.test("flood: exported flows count once no answer has arrived", () => {
  const exported = { exported: true, out: [500_000, 1000] } as const;
  const flood = packets(300, (index) => ({ ...toPorts(index), ...exported }));
  assert.ok(play(FLOOD_DETECTOR, flood).best!.score >= 40);
  const call = times(40, (index): Seen[] => [
    { at: index, src: "10.0.0.5 40000", dst: `${VICTIM} 9000`, proto: "udp", ...exported },
    { at: index, src: `${VICTIM} 9000`, dst: "10.0.0.5 40000", proto: "udp", ...exported },
  ]).flat();
  assert.equal(play(FLOOD_DETECTOR, call).best, null);
});

Deno.test("flood: results do not depend on batches, and states are bounded and survive storage", () => {
  const seen = packets(200, toPorts);
  const whole = play(FLOOD_DETECTOR, seen);
  for (const round of [1, 13]) {
    assert.deepEqual(play(FLOOD_DETECTOR, seen, {}, round).results, whole.results);
  }
  for (const bytes of whole.states.values()) assert.deepEqual(FLOODS.encode(FLOODS.decode(bytes)), bytes);
  assert.throws(() => FLOODS.decode(new Uint8Array([7, 0])), RangeError);
  const many = packets(500, (index) => ({ dst: `198.51.${index % 200}.7 ${index + 1000}` }));
  for (const bytes of play(FLOOD_DETECTOR, many).states.values()) {
    assert.ok(FLOODS.decode(bytes).targets.length <= MAX_TARGETS);
  }
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          at: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(-2e9, 6e9)),
          dst: fc.tuple(fc.ipV4(), fc.constantFrom(80, 4711)).map(([ip, port]) => `${ip} ${port}`),
          proto: fc.constantFrom("udp", "icmp", "tcp"),
          out: fc.constantFrom<[number | null, number | null]>([null, null], [0, 9e15], [9e15, 30_000]),
          exported: fc.boolean(),
        }),
        { maxLength: 100 },
      ),
      (any) => {
        for (const bytes of play(FLOOD_DETECTOR, any).states.values()) assert.ok(bytes.length < 3500);
      },
    ),
    { numRuns: 50 },
  );
});
