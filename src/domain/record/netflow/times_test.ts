import assert from "node:assert/strict";
import type { Fields } from "../fields.ts";
import { flowReceived, flowTimes } from "./times.ts";
import { span } from "../times.ts";

function times(payload: Fields): (string | null)[] {
  const { start, end } = flowTimes(payload);
  return [start?.canonical ?? null, end?.canonical ?? null];
}

Deno.test("goflow2's units and rendered times, falling back to the next unit if unset", () => {
  const expected = ["2023-04-15T18:28:15.157626Z", "2023-04-15T18:28:16.5Z"];
  const ns = { time_flow_start_ns: 1681583295157626000n, time_flow_end_ns: "1681583296500000000" };
  assert.deepEqual(times(ns), expected);
  assert.deepEqual(
    times({ timeFlowStartNs: ns.time_flow_start_ns, timeFlowEndNs: ns.time_flow_end_ns }),
    expected,
  );
  assert.deepEqual(times({ time_flow_start_ns: expected[0]!, time_flow_end_ns: expected[1]! }), expected);
  assert.deepEqual(
    times({ TimeFlowStart: 0, TimeFlowEnd: 0, TimeFlowStartMs: 1681583295157, TimeFlowEndMs: 0 }),
    [
      "2023-04-15T18:28:15.157Z",
      null,
    ],
  );
  assert.deepEqual(times({ TimeFlowStart: 1681583295, TimeFlowEnd: 1681583296 }), [
    "2023-04-15T18:28:15Z",
    "2023-04-15T18:28:16Z",
  ]);
});

Deno.test("start and end come from the same pair", () => {
  const bin = { stamp_inserted: "2025-11-21 01:00:00", stamp_updated: "2026-11-21 19:25:45" };
  assert.deepEqual(times(bin), ["2025-11-21T01:00:00Z", "2026-11-21T19:25:45Z"]);
  const unset = {
    timestamp_start: "2025-11-21 01:03:20.005000",
    timestamp_end: "0000-00-00 00:00:00.000000",
  };
  assert.deepEqual(times({ ...unset, ...bin }), ["2025-11-21T01:03:20.005Z", null]);
  assert.deepEqual(
    times({ ...unset, timestamp_min: "2025-11-21 01:03:20", timestamp_max: "2026-11-21 20:25:35" }),
    [
      "2025-11-21T01:03:20.005Z",
      null,
    ],
  );
});

Deno.test("the first days of 1970 are an unset clock, in any time zone", () => {
  for (
    const zero of [
      0,
      "0.000000",
      "1970-01-01T00:00:00.000",
      "1970-01-01T01:00:00.000",
      "1970-01-01 13:00:00",
      "<unknown>.0",
    ]
  ) {
    assert.deepEqual(times({ first: zero, last: zero }), [null, null], String(zero));
  }
  assert.deepEqual(times({ first: "1970-01-03T00:00:00.000" }), ["1970-01-03T00:00:00Z", null]);
});

Deno.test("nfdump's milliseconds without leading zeros", () => {
  assert.deepEqual(times({ t_first: "2019-03-05T12:00:01.7", t_last: "2019-03-05T12:00:09.45" }), [
    "2019-03-05T12:00:01.007Z",
    "2019-03-05T12:00:09.045Z",
  ]);
  assert.deepEqual(times({ t_first: "2019-03-05T12:00:01.0", t_last: "2019-03-05T12:00:09.450" }), [
    "2019-03-05T12:00:01Z",
    "2019-03-05T12:00:09.45Z",
  ]);
  assert.equal(flowReceived({ t_received: "2019-03-05T12:00:10.3" })?.canonical, "2019-03-05T12:00:10.003Z");
  // Its newer times have three digits.
  assert.deepEqual(times({ first: "2025-11-21T01:03:20.007" }), ["2025-11-21T01:03:20.007Z", null]);
});

Deno.test("an event's time ends the flow it is about, and may be its only time", () => {
  const unset = "1970-01-01T00:00:00.000";
  assert.deepEqual(
    times({ first: "2025-11-21T01:03:20.007", last: unset, t_event: "2025-11-21T01:03:50.250" }),
    [
      "2025-11-21T01:03:20.007Z",
      "2025-11-21T01:03:50.25Z",
    ],
  );
  assert.deepEqual(times({ first: unset, last: unset, t_event: "2025-11-21T01:03:20.5" }), [
    null,
    "2025-11-21T01:03:20.005Z",
  ]);
});

Deno.test("a start 49.7 days after the envelope's time gives way to it, with a warning", () => {
  const wrapped = 4_294_967_296_000;
  const moment = 1_795_222_923_000_000;
  for (const length of [0, 1000]) {
    const warnings: string[] = [];
    const start = moment + wrapped;
    assert.deepEqual(span(start, start + length, moment, warnings), { start: moment, end: moment });
    assert.deepEqual(warnings, ["starts more than a day after the envelope's time"]);
  }
});
