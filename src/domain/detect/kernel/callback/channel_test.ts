import assert from "node:assert/strict";
import fc from "fast-check";
import {
  anyChannel,
  anyPoints,
  channelOf,
  CONTEXT,
  point,
  sampleChannel,
  SECOND,
  series,
  T0,
  times,
  uuid,
} from "../../../../../test/support/detect/beacon-fixtures.ts";
import { checkStored } from "../../../../../test/support/detect/stored-state.ts";
import { BEACON } from "../../beacon/detector.ts";
import { CHANNELS, decodeChannel, encodeChannel } from "./channel-state.ts";
import {
  addConnection,
  type ChannelPoint,
  type ChannelState,
  emptyChannel,
  isDue,
  markEvaluated,
  MAX_POINTS,
  MAX_REFS,
  STALE_LIMIT,
  WINDOW_HOURS,
} from "./channel.ts";
import type { DetectorResult } from "../result.ts";
import { evaluateBeacon } from "./score.ts";

const HOUR = 3600;

/** A form that deepEqual can compare. */
function listed(state: ChannelState) {
  return { ...state, points: state.points.list(), refs: state.refs.list() };
}

Deno.test("channel: the order of a day's connections does not matter", () => {
  fc.assert(
    fc.property(
      anyPoints(200).chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))
      ),
      ([a, b]) => {
        // Only whether some arrived late does.
        const stored = (points: ChannelPoint[]) => encodeChannel({ ...channelOf(points), late: false });
        assert.deepEqual(stored(b), stored(a));
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("channel: records of counted connections move the window without lengthening the stored hours", () => {
  // A telephone that registers from one port: its first record counts, the others continue it for two days.
  let state = emptyChannel();
  for (let index = 0; index < 48; index++) {
    state = addConnection(state, { ...point(index, index * HOUR), counted: index > 0 });
    assert.ok(state.hours.length <= WINDOW_HOURS, `${state.hours.length} hours`);
    assert.deepEqual(listed(decodeChannel(encodeChannel(state))), listed(state));
  }
});

Deno.test("channel: storing the state at any point changes neither state nor results", () => {
  const run = (points: readonly ChannelPoint[], cuts: ReadonlySet<number>) => {
    let state = emptyChannel();
    const results: (DetectorResult | null)[] = [];
    points.forEach((next, index) => {
      if (cuts.has(index)) state = decodeChannel(encodeChannel(state));
      state = addConnection(state, next);
      if (!isDue(state)) return;
      results.push(evaluateBeacon(BEACON, state, CONTEXT));
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

Deno.test("channel: states survive storage, and the format does not change", () => {
  checkStored(
    CHANNELS,
    anyChannel,
    sampleChannel(),
    "030302004316bcc41e9000004316bcc43b2c3800411b2014000000000000000000000000000000000000000000000000" +
      "00000003034316bcc41e90000000e807c1b802cc04808ece1ce80700cc04808ece1ce807c3b80200034316bcc43b2c38" +
      "00809c9c39808ece1c000000000000004000800000000000000000000000000040009000000000000000000000000000" +
      "400080000000000000010000000000004000900000000000000100000000000040008000000000000002000000000000" +
      "4000900000000000000201024316b920cbfbc000126e6577732e6d616b65722e6578616d706c65",
  );
  fc.assert(
    fc.property(anyChannel, (state) => {
      assert.deepEqual(listed(CHANNELS.decode(CHANNELS.encode(state))), listed(state));
    }),
    { numRuns: 60 },
  );
  assert.deepEqual(decodeChannel(encodeChannel(emptyChannel())), emptyChannel());
  assert.ok(encodeChannel(channelOf(series(times(500, () => 60)))).length < 2600);
});

Deno.test("channel: bytes of another version or length are rejected", () => {
  const bytes = encodeChannel(channelOf(series([60, 60])));
  assert.throws(() => decodeChannel(Uint8Array.from([9, ...bytes.slice(1)])), /expected version 3, got 9/);
  assert.throws(() => decodeChannel(bytes.slice(0, -1)), RangeError);
  assert.throws(() => decodeChannel(Uint8Array.from([...bytes, 0])), RangeError);
  assert.throws(() => channelOf([point(0, 0, { flowId: "flow-1" })]), /expected a lower-case UUID/);
});

Deno.test("channel: states of earlier versions are read", () => {
  const state = channelOf(series([60, 60]));
  const whole = encodeChannel(state);
  // Version 3 added the failed connections, the bits and time of the name, and the name, which are all empty
  // here.
  const bytes = whole.slice(0, -11);
  assert.deepEqual(encodeChannel(decodeChannel(Uint8Array.from([2, ...bytes.slice(1)]))), whole);
  const { length } = state.refs;
  // Version 1 had no newest time, and each distance before its ids. The distances are two minutes, one minute
  // and zero.
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

Deno.test("channel: stays bounded and keeps the newest connections", () => {
  const state = channelOf(series(times(999, () => 1)));
  assert.equal(state.count, 1000);
  assert.equal(state.points.length, MAX_POINTS);
  assert.equal(state.refs.length, MAX_REFS);
  assert.equal(state.points.list().at(-1)?.start, T0 + 999 * SECOND);
  assert.equal(state.refs.list()[0]?.evidenceId, uuid(1000 - MAX_REFS));
  assert.equal(state.hours.reduce((sum, count) => sum + count, 0), 1000);
});

Deno.test("channel: drops connections more than a day before the newest", () => {
  const state = channelOf([point(0, 0), point(1, 10 * HOUR), point(2, 30 * HOUR)]);
  assert.equal(state.points.length, 2);
  assert.equal(state.hours.reduce((sum, count) => sum + count, 0), 2);
  assert.equal(state.firstSeen, T0);
  const before = encodeChannel(state);
  addConnection(state, point(3, HOUR));
  assert.equal(state.stale, 1);
  assert.deepEqual(encodeChannel({ ...state, stale: 0 }), before, "a late connection changes nothing else");
});

Deno.test("channel: a day of silence begins a new stretch", () => {
  const state = channelOf([...series(times(20, () => 60)), point(50, 60 * HOUR)]);
  assert.equal(state.count, 1);
  assert.equal(state.firstSeen, T0 + 60 * HOUR * SECOND);
  assert.equal(state.lastEvaluatedCount, 0);
});

Deno.test("channel: recovers from one record of a wild clock", () => {
  const wild = channelOf([point(0, 0), point(1, 1e9)]);
  const after = series(times(STALE_LIMIT + 20, () => 60)).reduce(addConnection, wild);
  assert.equal(after.lastSeen, T0 + (STALE_LIMIT + 20) * 60 * SECOND);
  assert.ok(after.count > 20);
});

Deno.test("channel: is evaluated at growing counts", () => {
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

Deno.test("channel: hours count the connections started in each, also after storage", () => {
  const every = (hours: readonly number[]) => {
    const state = channelOf(hours.map((hour) => point(0, hour * HOUR)));
    assert.deepEqual(decodeChannel(encodeChannel(state)).hours, state.hours);
    return state.hours;
  };
  assert.deepEqual(every([5]), [1]);
  assert.deepEqual(every([5, 5, 8]), [2, 0, 0, 1]);
  assert.deepEqual(every([8, 5, 5, 8]), [2, 0, 0, 2]);
  // The first connections leave the window, and so do the empty hours after them.
  assert.deepEqual(every([0, 10, 30, 40]), [1, ...Array<number>(9).fill(0), 1]);
  assert.deepEqual(every([0, 30]), [1]);
});
