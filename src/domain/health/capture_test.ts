import assert from "node:assert/strict";
import { CAPTURE_CURRENT_SECONDS } from "../../contract/health/conditions.ts";
import { type CaptureCounters, captureLoss, type CaptureWord, lossSince } from "./capture.ts";

const NOW = 1_769_843_700_000_000;
const SECOND = 1_000_000;

function word(more: Partial<CaptureWord>): CaptureWord {
  return {
    sensorId: "zeek-1",
    peer: "worker-1",
    recordKind: "zeek.capture_loss",
    receivedAt: NOW - 60 * SECOND,
    lossPercent: 1,
    ...more,
  };
}

const lossOf = (...words: CaptureWord[]) => captureLoss(words, ["zeek-1", "zeek-2"], NOW);

Deno.test("the capture is as good as its worst process", () => {
  const at = NOW - 300 * SECOND;
  assert.deepEqual(
    lossOf(
      word({ lossPercent: 0.5 }),
      word({ peer: "worker-2", lossPercent: 7.5, receivedAt: at }),
      word({ sensorId: "zeek-2", lossPercent: 2 }),
    ),
    { lossPercent: 7.5, sampledAt: at },
  );
  assert.deepEqual(lossOf(word({ lossPercent: 0 })), { lossPercent: 0, sampledAt: NOW - 60 * SECOND });
});

Deno.test("of one process, what is missing in the traffic goes before what its driver dropped", () => {
  const dropped = word({ recordKind: "zeek.stats", lossPercent: 40 });
  for (const words of [[dropped, word({})], [word({}), dropped]]) {
    assert.equal(lossOf(...words).lossPercent, 1);
  }
  assert.equal(lossOf(dropped, word({ lossPercent: null })).lossPercent, 40, "unless that is not known");
  assert.equal(lossOf(dropped, word({ peer: "worker-2" })).lossPercent, 40, "another process");
  assert.equal(lossOf(dropped, word({ peer: null })).lossPercent, 40, "one without a name");
});

Deno.test("what is old, not known, or of a sensor that is gone says nothing", () => {
  const nothing = { lossPercent: null, sampledAt: null };
  assert.deepEqual(lossOf(), nothing);
  assert.deepEqual(lossOf(word({ lossPercent: null })), nothing);
  assert.deepEqual(lossOf(word({ sensorId: "zeek-9" })), nothing);
  const limit = NOW - CAPTURE_CURRENT_SECONDS * SECOND;
  assert.deepEqual(lossOf(word({ receivedAt: limit - 1 })), nothing);
  assert.equal(lossOf(word({ receivedAt: limit })).lossPercent, 1);
  const old = word({ receivedAt: limit - 1 });
  assert.equal(lossOf(old, word({ recordKind: "zeek.stats", lossPercent: 3 })).lossPercent, 3);
});

function total(interval: number, packets: number, dropped: number): CaptureCounters {
  const lossPercent = 100 * dropped / packets;
  return { recordKind: "suricata.anomaly", interval: interval * SECOND, packets, dropped, lossPercent };
}

Deno.test("Suricata drops: what was lost since the last word counts, not the sum since the start", () => {
  const quiet = total(86_400, 1_000_000, 0);
  assert.equal(lossSince(null, quiet).lossPercent, 0);
  const now = lossSince(quiet, total(86_408, 1_001_000, 300));
  assert.equal(now.lossPercent, 30);
  assert.deepEqual([now.packets, now.dropped], [1_001_000, 300], "the next word is compared with these");
  assert.equal(lossSince(now, total(86_416, 1_002_000, 300)).lossPercent, 0, "and it is over");
  assert.equal(lossSince(now, total(86_416, 1_001_000, 300)).lossPercent, null, "nothing came: not known");
});

Deno.test("Suricata drops: after a restart, and without the time of the start, its own word stands", () => {
  const before = total(86_400, 1_000_000, 10_000);
  for (const sample of [total(8, 100, 50), total(90_000, 100, 50), { ...before, interval: null }]) {
    assert.equal(lossSince(before, sample), sample);
  }
  const zeek = { ...before, recordKind: "zeek.stats" as const };
  assert.equal(lossSince(zeek, zeek), zeek, "Zeek says what came since its last word");
});
