import assert from "node:assert/strict";
import { CAPTURE_CURRENT_SECONDS, captureLoss, type CaptureWord } from "./capture.ts";

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
