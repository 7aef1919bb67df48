import assert from "node:assert/strict";
import fc from "fast-check";
import { FLOOD_DETECTOR } from "./detector.ts";
import { FLOODS, MAX_TARGETS } from "./state.ts";
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
    /sent 270000 packets \(135 MB\) to 198\.51\.100\.9 on about \d+ ports .* none came back/,
  );
  assert.ok(results.length <= 4);
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
        for (const bytes of play(FLOOD_DETECTOR, any).states.values()) assert.ok(bytes.length < 1800);
      },
    ),
    { numRuns: 50 },
  );
});
