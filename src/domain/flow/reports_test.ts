import assert from "node:assert/strict";
import fc from "fast-check";
import { at, exported } from "../../../test/support/domain/flow-fixtures.ts";
import { leadingReport, type Report, seriesCounters, withReport } from "./reports.ts";

function report(seconds: number, bytes: number, series = 1): Report {
  return { series, end: at(seconds * 1000), counters: exported(bytes) };
}

function bytesOf(reports: readonly Report[]): unknown {
  let known: readonly Report[] = reports.slice(0, 1);
  for (const one of reports.slice(1)) known = withReport(known, one) ?? known;
  return seriesCounters(known, leadingReport(known)).srcToDst.bytes;
}

Deno.test("reports of one series add up in any order, those of two are never added", () => {
  const reports = [report(60, 10), report(120, 20), report(180, 30), report(60, 11, 2), report(120, 19, 2)];
  fc.assert(fc.property(fc.shuffledSubarray(reports, { minLength: reports.length }), (order) => {
    assert.equal(bytesOf(order), 60);
  }));
});

Deno.test("reports of a series less than a second apart are one, of which the more complete counts", () => {
  const reports = [report(60, 10), report(60.4, 12), report(60, 11), report(120, 5)];
  fc.assert(fc.property(fc.shuffledSubarray(reports, { minLength: reports.length }), (order) => {
    assert.equal(bytesOf(order), 17);
  }));
});

Deno.test("a series of any length keeps its sum in 64 reports", () => {
  let known: readonly Report[] = [report(0, 1)];
  for (let minute = 1; minute < 500; minute++) known = withReport(known, report(minute * 60, 1))!;
  assert.equal(known.length, 64);
  assert.equal(seriesCounters(known, leadingReport(known)).srcToDst.bytes, 500);
});

Deno.test("a sum stays exact beyond 2^53 and ends at 2^63 - 1", () => {
  const large = (seconds: number, bytes: bigint) => {
    const one = report(seconds, 0);
    return { ...one, counters: { ...one.counters, srcToDst: { bytes, packets: null } } };
  };
  assert.equal(bytesOf([large(60, 2n ** 53n), large(120, 1n)]), 2n ** 53n + 1n);
  assert.equal(bytesOf([large(60, 2n ** 63n - 1n), large(120, 2n ** 62n)]), 2n ** 63n - 1n);
});
