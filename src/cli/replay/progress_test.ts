import assert from "node:assert/strict";
import type { ReplayProgress, ReplayResult } from "./types.ts";
import { ProgressDisplay, progressLine } from "./progress.ts";
import { summaryOf } from "./summary.ts";

const HALF: ReplayProgress = {
  phase: "sending",
  bytes: 500,
  totalBytes: 1000,
  records: 12_345,
  accepted: 12_000,
  duplicates: 345,
  rejected: 0,
  skipped: 7,
  waiting: null,
};

Deno.test("the progress line shows share, counts, rate and remaining time", () => {
  assert.equal(
    progressLine(HALF, { bytesBefore: 0, elapsedMs: 10_000, bar: true }),
    "[############------------]  50%  12,000 accepted, 345 duplicates, 7 skipped  1,235 records/s, 10 s left",
  );
  // What an earlier run sent does not affect this one's rate.
  assert.match(progressLine(HALF, { bytesBefore: 400, elapsedMs: 10_000, bar: false }), /50 s left$/);
  const waiting = { reason: "answered 503", attempt: 3, delayMs: 2500 };
  assert.match(
    progressLine({ ...HALF, waiting }, { bytesBefore: 0, elapsedMs: 10_000, bar: false }),
    /50% {2}waiting 2\.5 s \(attempt 3\): answered 503$/,
  );
  assert.match(
    progressLine({ ...HALF, phase: "scanning" }, { bytesBefore: 0, elapsedMs: 1, bar: false }),
    /50% {2}reading record times/,
  );
  assert.match(
    progressLine({ ...HALF, totalBytes: 0 }, { bytesBefore: 0, elapsedMs: 1, bar: false }),
    /100%/,
  );
});

Deno.test("a terminal gets one redrawn line, anything else a line every few seconds", () => {
  for (const columns of [60, null]) {
    let now = 0;
    const written: string[] = [];
    const display = new ProgressDisplay({ write: (text) => written.push(text), columns, now: () => now });
    for (; now < 12_000; now += 50) display.update(HALF);
    display.note("a remark");
    display.finish();
    const text = written.join("");
    if (columns === null) {
      assert.equal(written.length, 4);
      assert.ok(!text.includes("\r") && !text.includes("\x1b"));
    } else {
      assert.ok(written.length > 100);
      assert.ok(
        written.filter((part) => part.startsWith("\r\x1b[K[")).every((part) => part.length <= columns + 3),
      );
      assert.ok(text.includes("\r\x1b[Ka remark\n"));
    }
    assert.ok(text.endsWith("\n"));
  }
});

Deno.test("a new reason to wait is shown at once", () => {
  const written: string[] = [];
  const display = new ProgressDisplay({ write: (text) => written.push(text), columns: null, now: () => 0 });
  display.update(HALF);
  for (const reason of ["answered 503", "answered 503", "connection refused"]) {
    display.update({ ...HALF, waiting: { reason, attempt: 1, delayMs: 10 } });
  }
  assert.equal(written.length, 3);
});

Deno.test("the summary accounts for everything", () => {
  const result: ReplayResult = {
    outcome: "complete",
    refusal: null,
    accepted: 1200,
    duplicates: 30,
    rejected: 4,
    rejections: [{ place: "eve.json:7", reason: "kind: expected a string" }],
    rejectedAlerts: 1,
    kinds: { "suricata.dns": 34, "zeek.conn": 1200 },
    skipped: [{ reason: "not a JSON object", count: 5, examples: ["eve.json:1", "eve.json:4"] }],
    filesWithoutRecords: ["day/conn-summary.log.gz", "day/stdout.log"],
    damaged: [{ file: "a.gz", message: "broken gzip: unexpected end of file" }],
    resumed: false,
    shiftSeconds: 86_400,
    stateFile: null,
  };
  assert.deepEqual(summaryOf(result, 2000), [
    "acknowledged  1,234  in 2 s, 617 records/s",
    "  accepted    1,200",
    "  duplicates     30  already stored by the service",
    "  rejected        4  kept by the service with a reason",
    "skipped           5  not sent",
    "",
    "By kind",
    "  suricata.dns     34",
    "  zeek.conn     1,200",
    "",
    "Skipped",
    "  not a JSON object  5  eve.json:1, eve.json:4, …",
    "",
    "Files without records, skipped: 2",
    "  day/conn-summary.log.gz",
    "  day/stdout.log",
    "",
    "Rejected",
    "  eve.json:7  kind: expected a string",
    "  and 3 more",
    "",
    "WARNING: 1 of the rejected lines are Suricata alerts.",
    "",
    "a.gz: broken gzip: unexpected end of file. Everything before it was sent.",
    "",
    "All times were shifted 86,400 s later.",
  ]);
});
