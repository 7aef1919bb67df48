import assert from "node:assert/strict";
import fc from "fast-check";
import {
  point,
  SECOND,
  series,
  T0,
  times,
  uuid,
} from "../../../../../test/support/detect/beacon-fixtures.ts";
import {
  addConnection,
  type ChannelPoint,
  type ChannelState,
  emptyChannel,
  isDue,
  markEvaluated,
  MAX_POINTS,
  MAX_REFS,
  nameChannel,
  STALE_LIMIT,
} from "./channel.ts";
import { decodeChannel, encodeChannel } from "./codec.ts";
import { CONTEXT } from "../../../../../test/support/detect/beacon-fixtures.ts";
import { evaluateBeacon } from "./score.ts";
import type { DetectorResult } from "../result.ts";

const HOUR = 3600;

/** What deepEqual can look into. */
function listed(state: ChannelState) {
  return { ...state, points: state.points.list(), refs: state.refs.list() };
}

function fill(points: readonly ChannelPoint[]): ChannelState {
  return points.reduce(addConnection, emptyChannel());
}

const anyPoint = fc.record({
  seconds: fc.double({ min: 0, max: 20 * HOUR, noNaN: true }),
  length: fc.nat(1_000_000_000),
  srcPort: fc.option(fc.integer({ min: 0, max: 65_535 })),
  bytesOut: fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  fruitless: fc.boolean(),
});
const anyPoints = (max: number) =>
  fc.array(anyPoint, { minLength: 1, maxLength: max, size: "max" }).map((all) =>
    all.map(({ seconds, length, ...rest }, index) => {
      const made = point(index, seconds, rest);
      return { ...made, end: made.start + length };
    })
  );

Deno.test("channel: any order of a day's connections gives the same state", () => {
  fc.assert(
    fc.property(
      anyPoints(200).chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))
      ),
      ([a, b]) => {
        assert.deepEqual(encodeChannel(fill(b)), encodeChannel(fill(a)));
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("channel: batches of any size, stored between them, give the same state and results", () => {
  const run = (points: readonly ChannelPoint[], cuts: ReadonlySet<number>) => {
    let state = emptyChannel();
    const results: (DetectorResult | null)[] = [];
    points.forEach((next, index) => {
      if (cuts.has(index)) state = decodeChannel(encodeChannel(state));
      state = addConnection(state, next);
      if (!isDue(state)) return;
      results.push(evaluateBeacon(state, CONTEXT));
      state = markEvaluated(state);
    });
    return { state: encodeChannel(state), results };
  };
  fc.assert(
    fc.property(anyPoints(150), fc.uniqueArray(fc.nat(150)), (points, cuts) => {
      assert.deepEqual(run(points, new Set(cuts)), run(points, new Set()));
    }),
    { numRuns: 60 },
  );
  const beacon = series(times(140, (index) => 55 + index % 7));
  assert.deepEqual(run(beacon, new Set([3, 50, 51, 120])), run(beacon, new Set()));
});

Deno.test("channel: encoding keeps every state", () => {
  fc.assert(
    fc.property(anyPoints(200), fc.array(fc.domain(), { maxLength: 2 }), (points, names) => {
      const state = fill(points);
      for (const name of names) nameChannel(state, name, T0);
      const bytes = encodeChannel(state);
      const decoded = decodeChannel(bytes);
      assert.deepEqual(listed(decoded), listed(state));
      assert.ok(bytes.length < 6000);
    }),
    { numRuns: 60 },
  );
  assert.deepEqual(decodeChannel(encodeChannel(emptyChannel())), emptyChannel());
  assert.ok(encodeChannel(fill(series(times(500, () => 60)))).length < 2600);
});

Deno.test("channel: bytes of another version or length are refused", () => {
  const bytes = encodeChannel(fill(series([60, 60])));
  assert.throws(() => decodeChannel(Uint8Array.from([9, ...bytes.slice(1)])), /expected version 3, got 9/);
  assert.throws(() => decodeChannel(bytes.slice(0, -1)), RangeError);
  assert.throws(() => decodeChannel(Uint8Array.from([...bytes, 0])), RangeError);
  assert.throws(() => fill([point(0, 0, { flowId: "flow-1" })]), /expected a lower-case UUID/);
});

Deno.test("channel: those stored by the versions before are read", () => {
  const state = fill(series([60, 60]));
  const whole = encodeChannel(state);
  // The third wrote how many came to nothing, whether there are several names, since when, and the name: none of it here.
  const bytes = whole.slice(0, -11);
  assert.deepEqual(encodeChannel(decodeChannel(Uint8Array.from([2, ...bytes.slice(1)]))), whole);
  const { length } = state.refs;
  // It had no newest time, and each distance before its ids; the distances are two minutes, one, and none.
  const ids = bytes.slice(-32 * length);
  const distances = [varint(120 * SECOND), varint(60 * SECOND), [0]];
  const refs = distances.flatMap((
    distance,
    index,
  ) => [...distance, ...ids.slice(index * 32, index * 32 + 32)]);
  const head = bytes.slice(1, -32 * length - distances.flat().length - 8);
  assert.deepEqual(encodeChannel(decodeChannel(Uint8Array.from([1, ...head, ...refs]))), whole);
});

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}

Deno.test("channel: stays bounded and keeps the newest", () => {
  const state = fill(series(times(999, () => 1)));
  assert.equal(state.count, 1000);
  assert.equal(state.points.length, MAX_POINTS);
  assert.equal(state.refs.length, MAX_REFS);
  assert.equal(state.points.list().at(-1)?.start, T0 + 999 * SECOND);
  assert.equal(state.refs.list()[0]?.evidenceId, uuid(1000 - MAX_REFS));
  assert.equal(state.hours.reduce((sum, count) => sum + count, 0), 1000);
});

Deno.test("channel: forgets what is older than a day before the newest", () => {
  const state = fill([point(0, 0), point(1, 10 * HOUR), point(2, 30 * HOUR)]);
  assert.equal(state.points.length, 2);
  assert.equal(state.hours.reduce((sum, count) => sum + count, 0), 2);
  assert.equal(state.firstSeen, T0);
  const before = encodeChannel(state);
  addConnection(state, point(3, HOUR));
  assert.equal(state.stale, 1);
  assert.deepEqual(encodeChannel({ ...state, stale: 0 }), before, "one that is too late changes nothing");
});

Deno.test("channel: a day of silence begins a new stretch", () => {
  const state = fill([...series(times(20, () => 60)), point(50, 60 * HOUR)]);
  assert.equal(state.count, 1);
  assert.equal(state.firstSeen, T0 + 60 * HOUR * SECOND);
  assert.equal(state.lastEvaluatedCount, 0);
});

Deno.test("channel: recovers from one record of a wild clock", () => {
  const wild = fill([point(0, 0), point(1, 1e9)]);
  const after = series(times(STALE_LIMIT + 20, () => 60)).reduce(addConnection, wild);
  assert.equal(after.lastSeen, T0 + (STALE_LIMIT + 20) * 60 * SECOND);
  assert.ok(after.count > 20);
});

Deno.test("channel: is judged at counts that grow, whatever the batches", () => {
  const due: number[] = [];
  let state = emptyChannel();
  for (const next of series(times(250, () => 60))) {
    state = addConnection(state, next);
    if (!isDue(state)) continue;
    due.push(state.count);
    state = markEvaluated(state);
  }
  assert.deepEqual(due, [12, 18, 27, 41, 62, 93, 125, 157, 189, 221]);
});

Deno.test("channel: hours count what began in each, and a stored channel has the same ones", () => {
  const every = (hours: readonly number[]) => {
    const state = fill(hours.map((hour) => point(0, hour * HOUR)));
    assert.deepEqual(decodeChannel(encodeChannel(state)).hours, state.hours);
    return state.hours;
  };
  assert.deepEqual(every([5]), [1]);
  assert.deepEqual(every([5, 5, 8]), [2, 0, 0, 1]);
  assert.deepEqual(every([8, 5, 5, 8]), [2, 0, 0, 2]);
  // The first ones leave the window, and the hours without any behind them.
  assert.deepEqual(every([0, 10, 30, 40]), [1, ...Array<number>(9).fill(0), 1]);
  assert.deepEqual(every([0, 30]), [1]);
});
