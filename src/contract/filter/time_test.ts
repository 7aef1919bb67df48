import assert from "node:assert/strict";
import fc from "fast-check";
import { parseTimestamp } from "../../kit/time.ts";
import { canonicalTime, comparedSpan, resolveTime, takeWindow, TIME_WORDS } from "./time.ts";

const micros = (text: string) => parseTimestamp(text)!.micros;

function spanOf(text: string, now: string, zone: string): string[] | null {
  const span = resolveTime(text, { now: micros(now), zone });
  return span === null
    ? null
    : [span.from, span.to].map((at) => new Date(at / 1000).toISOString().replace(".000Z", "Z"));
}

Deno.test("filter time: days, weeks and months follow the zone's clock changes", () => {
  const cases: [zone: string, now: string, text: string, from: string, to: string][] = [
    // Forward at 01:00 UTC: the day has 23 hours.
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "today", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
    ["Europe/Berlin", "2026-03-30T05:00:00Z", "yesterday", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "this-week", "2026-03-22T23:00:00Z", "2026-03-29T22:00:00Z"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "this-month", "2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "sunday", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "monday", "2026-03-22T23:00:00Z", "2026-03-23T23:00:00Z"],
    // Back at 01:00 UTC: 25 hours.
    ["Europe/Berlin", "2026-10-25T12:00:00Z", "today", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
    ["Europe/Berlin", "2026-11-25T12:00:00Z", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
    ["Europe/Berlin", "2026-10-26T12:00:00Z", "last-week", "2026-10-18T22:00:00Z", "2026-10-25T23:00:00Z"],
    ["America/New_York", "2026-03-08T12:00:00Z", "today", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"],
    ["America/New_York", "2026-11-01T12:00:00Z", "today", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"],
    [
      "America/New_York",
      "2026-12-31T12:00:00Z",
      "last-month",
      "2026-11-01T04:00:00Z",
      "2026-12-01T05:00:00Z",
    ],
    // Half an hour.
    ["Australia/Lord_Howe", "2026-04-05T12:00:00Z", "today", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z"],
    ["Australia/Lord_Howe", "2026-10-04T12:00:00Z", "today", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z"],
    ["Asia/Kathmandu", "2026-11-25T20:00:00Z", "today", "2026-11-25T18:15:00Z", "2026-11-26T18:15:00Z"],
    ["Asia/Kathmandu", "2026-11-25T20:00:00Z", "this-week", "2026-11-22T18:15:00Z", "2026-11-29T18:15:00Z"],
    // Midnight was skipped, and a whole day.
    ["America/Sao_Paulo", "2018-11-04T12:00:00Z", "today", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"],
    ["Pacific/Apia", "2012-01-05T12:00:00Z", "2011-12-29", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"],
    ["Pacific/Apia", "2012-01-05T12:00:00Z", "2011-12-31", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"],
    // Midnight comes twice; the day begins with the first.
    ["America/Havana", "2026-11-01T12:00:00Z", "today", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"],
    ["UTC", "2026-01-01T00:00:00Z", "yesterday", "2025-12-31T00:00:00Z", "2026-01-01T00:00:00Z"],
  ];
  for (const [zone, now, text, from, to] of cases) {
    assert.deepEqual(spanOf(text, now, zone), [from, to], `${zone} ${now} ${text}`);
  }
});

Deno.test("filter time: an instant is elapsed time, a local time or UTC", () => {
  const cases: [zone: string, now: string, text: string, at: string][] = [
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "-1d", "2026-03-28T12:00:00Z"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "now", "2026-03-29T12:00:00Z"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "-90m", "2026-03-29T10:30:00Z"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-29T14:00", "2026-03-29T12:00:00Z"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-29T14:00:00Z", "2026-03-29T14:00:00Z"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-29T14:00:00+02:00", "2026-03-29T12:00:00Z"],
    // Skipped: the instant of the change. Repeated: the first.
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-29T02:30", "2026-03-29T01:00:00Z"],
    ["Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-25 02:30", "2026-10-25T00:30:00Z"],
    ["America/New_York", "2026-11-01T12:00:00Z", "2026-11-01T01:30", "2026-11-01T05:30:00Z"],
    ["Australia/Lord_Howe", "2026-10-04T12:00:00Z", "2026-10-04T02:15", "2026-10-03T15:30:00Z"],
    ["Australia/Lord_Howe", "2026-04-05T12:00:00Z", "2026-04-05T01:45", "2026-04-04T14:45:00Z"],
    ["Asia/Kathmandu", "2026-11-25T20:00:00Z", "2026-11-25T06:00", "2026-11-25T00:15:00Z"],
  ];
  for (const [zone, now, text, at] of cases) {
    assert.deepEqual(spanOf(text, now, zone), [at, at], `${zone} ${text}`);
  }
  assert.equal(
    resolveTime("2026-11-25T06:00:00.25", { now: 0, zone: "UTC" })!.from,
    micros("2026-11-25T06:00:00.25Z"),
  );
});

Deno.test("filter time: a time has one spelling", () => {
  const cases: [string, string | null][] = [
    ["-2h", "-2h"],
    ["-02 hours", "-2h"],
    ["now-2h", "-2h"],
    ["NOW - 3days", "-3d"],
    ["-1min", "-1m"],
    ["Today", "today"],
    ["last week", "last-week"],
    ["this_month", "this-month"],
    ["2026-1-5", "2026-01-05"],
    ["2026-11-01 9:05", "2026-11-01T09:05"],
    ["2026-11-01t14:00:00.500", "2026-11-01T14:00:00.5"],
    ["2026-11-01T14:00:00z", "2026-11-01T14:00:00Z"],
    ["2026-11-01 14:00:00+01:00", "2026-11-01T13:00:00Z"],
    ["2026-02-30", null],
    ["0099-01-01", null],
    ["2026-11-01T24:00", null],
    ["2h", null],
    ["+2h", null],
    ["-2y", null],
    ["tomorrow", null],
    ["", null],
  ];
  for (const [text, canonical] of cases) {
    assert.equal(canonicalTime(text), canonical, text);
    if (canonical !== null) assert.equal(canonicalTime(canonical), canonical);
  }
});

Deno.test("filter time: each operator is a span", () => {
  const context = { now: micros("2026-11-25T12:00:00Z"), zone: "UTC" };
  const cases: [
    op: "matches" | "<" | "<=" | ">" | ">=" | "range",
    value: string | string[],
    from: string | null,
    to: string | null,
  ][] = [
    ["matches", "today", "2026-11-25T00:00:00Z", "2026-11-26T00:00:00Z"],
    ["matches", "-2h", "2026-11-25T10:00:00Z", null],
    ["matches", "2026-11-25T08:00", "2026-11-25T08:00:00Z", "2026-11-25T08:01:00Z"],
    ["matches", "2026-11-25T08:00:05Z", "2026-11-25T08:00:05Z", "2026-11-25T08:00:06Z"],
    [">=", "yesterday", "2026-11-24T00:00:00Z", null],
    ["<", "yesterday", null, "2026-11-24T00:00:00Z"],
    [">", "yesterday", "2026-11-25T00:00:00Z", null],
    ["<=", "yesterday", null, "2026-11-25T00:00:00Z"],
    [">", "-2h", "2026-11-25T10:00:00.000001Z", null],
    ["<=", "-2h", null, "2026-11-25T10:00:00.000001Z"],
    ["range", ["2026-11-01", "2026-11-02"], "2026-11-01T00:00:00Z", "2026-11-03T00:00:00Z"],
    ["range", ["-2h", "now"], "2026-11-25T10:00:00Z", "2026-11-25T12:00:00Z"],
  ];
  for (const [op, value, from, to] of cases) {
    const expected = { from: from === null ? null : micros(from), to: to === null ? null : micros(to) };
    assert.deepEqual(comparedSpan({ op, value }, context), expected, `${op} ${value}`);
  }
});

Deno.test("filter time: the times at the top level narrow the window together", () => {
  const context = { now: micros("2026-11-25T12:00:00Z"), zone: "UTC" };
  const port = { field: "port", op: "matches", value: 443 } as const;
  const since = { field: "time", op: ">=", value: "-1d" } as const;
  const until = { field: "time", op: "<", value: "today" } as const;
  assert.deepEqual(takeWindow({ all: [since, port, until] }, context), {
    span: { from: micros("2026-11-24T12:00:00Z"), to: micros("2026-11-25T00:00:00Z") },
    where: port,
  });
  assert.deepEqual(takeWindow(since, context), {
    span: { from: micros("2026-11-24T12:00:00Z"), to: null },
    where: null,
  });
  for (const where of [port, { not: since }, { any: [since, port] }, { all: [{ not: since }, port] }, null]) {
    assert.deepEqual(takeWindow(where, context), { span: null, where });
  }
});

Deno.test("filter time: every word is resolved at any instant, within what a database stores", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      fc.constantFrom(...TIME_WORDS, "-999999w", "0100-01-01", "9999-12-31", "9999-12-31T23:59:59Z"),
      (now, text) => {
        const { from, to } = resolveTime(text, { now, zone: "America/New_York" })!;
        assert.ok(0 <= from && from <= to && to <= Number.MAX_SAFE_INTEGER, `${now} ${text}`);
      },
    ),
  );
});
