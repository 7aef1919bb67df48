import assert from "node:assert/strict";
import { RejectionReport } from "./rejections.ts";
import { summaryOf } from "./summary.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const good = '{"kind":"zeek.conn","observed_at":"2026-11-21T01:02:03Z","payload":{}}';

Deno.test("a rejected line is listed with its place and the ingest's reason, and alerts are counted", () => {
  const report = new RejectionReport();
  report.add([
    { bytes: encode(good), kind: "zeek.conn", place: "a:1" },
    { bytes: encode('{"kind":"suricata.alert"'), kind: null, place: "a:2" },
    { bytes: encode('{"kind":"zeek.conn"}'), kind: "zeek.conn", place: "a:3" },
    { bytes: Uint8Array.of(0xff), kind: null, place: "a:4" },
  ]);
  assert.deepEqual(report.listed.map(({ place }) => place), ["a:2", "a:3", "a:4"]);
  assert.match(report.listed[1]!.reason, /observed_at: expected/);
  assert.equal(report.listed[2]!.reason, "not UTF-8 text");
  assert.equal(report.alerts, 1);
});

Deno.test("the list of rejected lines is bounded, and the summary counts the rest", () => {
  const report = new RejectionReport();
  report.add(
    Array.from({ length: 50 }, (_, at) => ({ bytes: encode("{"), kind: null, place: `eve.json:${at}` })),
  );
  assert.equal(report.listed.length, 20);
  const lines = summaryOf({
    outcome: "complete",
    refusal: null,
    accepted: 0,
    duplicates: 0,
    rejected: 50,
    rejections: report.listed,
    rejectedAlerts: 3,
    kinds: {},
    skipped: [],
    filesWithoutRecords: [],
    damaged: [],
    resumed: false,
    shiftSeconds: 0,
    stateFile: null,
  }, 0);
  assert.ok(lines.some((line) => line.startsWith("  eve.json:0  not JSON: ")));
  assert.ok(lines.includes("  and 30 more"));
  assert.ok(lines.includes("WARNING: 3 of the rejected lines are Suricata alerts."));
});
