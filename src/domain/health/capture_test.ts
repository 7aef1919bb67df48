import assert from "node:assert/strict";
import { CAPTURE_CURRENT_SECONDS } from "../../contract/health/conditions.ts";
import { type CaptureCounters, captureLoss, type CaptureReport, lossSince } from "./capture.ts";

const NOW = 1_769_843_700_000_000;
const SECOND = 1_000_000;

function report(more: Partial<CaptureReport>): CaptureReport {
  return {
    sensorId: "zeek-1",
    peer: "worker-1",
    recordKind: "zeek.capture_loss",
    receivedAt: NOW - 60 * SECOND,
    lossPercent: 1,
    ...more,
  };
}

const lossOf = (...reports: CaptureReport[]) => captureLoss(reports, ["zeek-1", "zeek-2"], NOW);

Deno.test("the capture is as good as its worst process", () => {
  const at = NOW - 300 * SECOND;
  assert.deepEqual(
    lossOf(
      report({ lossPercent: 0.5 }),
      report({ peer: "worker-2", lossPercent: 7.5, receivedAt: at }),
      report({ sensorId: "zeek-2", lossPercent: 2 }),
    ),
    { lossPercent: 7.5, sampledAt: at },
  );
  assert.deepEqual(lossOf(report({ lossPercent: 0 })), { lossPercent: 0, sampledAt: NOW - 60 * SECOND });
});

Deno.test("for one process, Zeek's missing traffic takes precedence over driver drops", () => {
  const dropped = report({ recordKind: "zeek.stats", lossPercent: 40 });
  for (const reports of [[dropped, report({})], [report({}), dropped]]) {
    assert.equal(lossOf(...reports).lossPercent, 1);
  }
  assert.equal(lossOf(dropped, report({ lossPercent: null })).lossPercent, 40, "unless that is unknown");
  assert.equal(lossOf(dropped, report({ peer: "worker-2" })).lossPercent, 40, "another process");
  assert.equal(lossOf(dropped, report({ peer: null })).lossPercent, 40, "an unnamed process");
});

Deno.test("old, unknown and foreign reports are ignored", () => {
  const nothing = { lossPercent: null, sampledAt: null };
  assert.deepEqual(lossOf(), nothing);
  assert.deepEqual(lossOf(report({ lossPercent: null })), nothing);
  assert.deepEqual(lossOf(report({ sensorId: "zeek-9" })), nothing);
  const limit = NOW - CAPTURE_CURRENT_SECONDS * SECOND;
  assert.deepEqual(lossOf(report({ receivedAt: limit - 1 })), nothing);
  assert.equal(lossOf(report({ receivedAt: limit })).lossPercent, 1);
  const old = report({ receivedAt: limit - 1 });
  assert.equal(lossOf(old, report({ recordKind: "zeek.stats", lossPercent: 3 })).lossPercent, 3);
});

function total(interval: number, packets: number, dropped: number): CaptureCounters {
  const lossPercent = 100 * dropped / packets;
  return { recordKind: "suricata.anomaly", interval: interval * SECOND, packets, dropped, lossPercent };
}

Deno.test("Suricata drops: the loss since the last report counts, not the total since the start", () => {
  const quiet = total(86_400, 1_000_000, 0);
  assert.equal(lossSince(null, quiet).lossPercent, 0);
  const now = lossSince(quiet, total(86_408, 1_001_000, 300));
  assert.equal(now.lossPercent, 30);
  assert.deepEqual([now.packets, now.dropped], [1_001_000, 300], "the next report is compared with these");
  assert.equal(lossSince(now, total(86_416, 1_002_000, 300)).lossPercent, 0, "the loss has ended");
  assert.equal(lossSince(now, total(86_416, 1_001_000, 300)).lossPercent, null, "no packets: unknown");
});

Deno.test("Suricata drops: after a restart, or without a start time, the report stands as it is", () => {
  const before = total(86_400, 1_000_000, 10_000);
  for (const sample of [total(8, 100, 50), total(90_000, 100, 50), { ...before, interval: null }]) {
    assert.equal(lossSince(before, sample), sample);
  }
  const zeek = { ...before, recordKind: "zeek.stats" as const };
  assert.equal(lossSince(zeek, zeek), zeek, "Zeek already reports per interval");
});
