import assert from "node:assert/strict";
import fc from "fast-check";
import type { AnomalyFacts } from "../../record/facts.ts";
import { drive } from "../../../../test/support/detect/detector-fixtures.ts";
import {
  playSeen,
  type Seen,
  sumOf,
  times,
  toSighting,
} from "../../../../test/support/detect/play-fixtures.ts";
import { ANOMALY_DETECTOR } from "./detector.ts";
import { levelOf } from "./events.ts";
import { ANOMALIES } from "./state.ts";

function anomaly(event: string, anomalyType = "applayer"): AnomalyFacts {
  return { type: "anomaly", anomalyType, event, layer: "proto_parser", appProto: "http" };
}

function seen(at: number, event: string, more: Partial<Seen> = {}): Seen {
  return { at, dst: "203.0.113.9 80", facts: anomaly(event), ...more };
}

function play(all: readonly Seen[], setting = {}) {
  const played = playSeen(ANOMALY_DETECTOR, all, setting);
  for (const result of played.results) assert.equal(sumOf(result), result.score);
  return played;
}

const MISMATCH = "APPLAYER_MISMATCH_PROTOCOL_BOTH_DIRECTIONS";

Deno.test("sensor-anomaly: events that the capture causes are ignored", () => {
  for (const type of ["decode", "stream", "unknown"]) {
    assert.equal(levelOf(anomaly("IPV4_TRUNC_PKT", type)), "noise");
  }
  for (
    const event of [
      "APPLAYER_DETECT_PROTOCOL_ONLY_ONE_DIRECTION",
      "APPLAYER_PROTO_DETECTION_SKIPPED",
      "APPLAYER_NEW",
    ]
  ) {
    assert.equal(levelOf(anomaly(event)), "noise");
    assert.deepEqual(play(times(2000, (index) => seen(index, event))).states.size, 0);
  }
  assert.equal(levelOf(anomaly(MISMATCH)), "suspicious");
  assert.equal(levelOf(anomaly("invalid_reply")), "odd");
});

Deno.test("sensor-anomaly: suspicious events are a hint and never an incident, whatever their number", () => {
  const { results } = play(times(5000, (index) => seen(index, MISMATCH)));
  assert.deepEqual(results.map(({ summary }) => / (\d+) event/.exec(summary)?.[1]), [
    "1",
    "10",
    "100",
    "1000",
  ]);
  assert.ok(results.every(({ score }) => score >= 10 && score < 20));
  assert.match(results[0]!.summary, /client and server use different protocols/);
});

Deno.test("sensor-anomaly: odd events count from ten on", () => {
  assert.deepEqual(play(times(9, (index) => seen(index, "INVALID_REPLY"))).results, []);
  assert.equal(play(times(99, (index) => seen(index, "INVALID_REPLY"))).results.length, 1);
});

Deno.test("sensor-anomaly: a memory leak is an incident", () => {
  const [result] =
    play([seen(0, "DATALEAK_HEARTBEAT_MISMATCH", { src: "203.0.113.9 443", dst: "10.0.0.5 5000" })]).results;
  assert.ok(result!.score >= 20 && result!.score < 40);
  assert.equal(result!.deviceId, "device 10.0.0.5");
});

Deno.test("sensor-anomaly: events of many devices are a capture problem", () => {
  const flood = times(4000, (index) => seen(index, MISMATCH, { src: `10.1.${index % 200}.1 4000` }));
  const { results } = play(flood, { deviceCount: 200 });
  assert.ok(results.length < 45, `${results.length}`);
  assert.equal(
    play(times(10, (index) => seen(index, MISMATCH, { src: "203.0.113.8 80" }))).results.length,
    0,
  );
});

const anySeen = fc.record({
  at: fc.oneof(fc.nat(200_000), fc.constantFrom(-1.5e9, 6e9)),
  event: fc.oneof(
    fc.constantFrom(MISMATCH, "DATALEAK_HEARTBEAT_MISMATCH", "x\ud800"),
    fc.string({ maxLength: 200 }),
  ),
  src: fc.constantFrom("10.0.0.5 1", "10.0.0.6 1", "203.0.113.1 1"),
  dst: fc.nat(20).map((host) => `203.0.113.${host} 80`),
}).map(({ event, ...rest }): Seen => ({ ...rest, facts: anomaly(event) }));

Deno.test("sensor-anomaly: results do not depend on batches, and states stay bounded", () => {
  fc.assert(
    fc.property(fc.array(anySeen, { maxLength: 120 }), fc.integer({ min: 1, max: 40 }), (all, round) => {
      const sightings = all.map((one, index) => toSighting(one, index));
      const whole = drive([ANOMALY_DETECTOR], sightings, { round: 1000, stored: false });
      const pieces = drive([ANOMALY_DETECTOR], sightings, { round, stored: true });
      assert.deepEqual(pieces.results, whole.results);
      assert.deepEqual(pieces.states, whole.states);
      assert.ok(pieces.largest < 2200, `${pieces.largest}`);
      for (const result of whole.results) assert.equal(sumOf(result), result.score);
    }),
    { numRuns: 100 },
  );
  assert.throws(() => ANOMALIES.decode(new Uint8Array([9])), RangeError);
});
