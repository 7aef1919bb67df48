import assert from "node:assert/strict";
import type { RecordKind } from "../../../contract/record/kinds.ts";
import type { Fields } from "../fields.ts";
import type { CaptureSample } from "../observation.ts";
import { normalise } from "../registry.ts";

const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };

function sample(kind: RecordKind, payload: Fields): CaptureSample {
  const result = normalise(kind, payload, context);
  assert.ok("capture" in result, "unparsed" in result ? result.unparsed : "an observation");
  return result.capture;
}

Deno.test("zeek.stats: packets are the link's, including dropped ones", () => {
  const live = sample("zeek.stats", {
    ts: 1795222923.25,
    peer: "worker-1",
    pkts_proc: 750,
    pkts_dropped: 250,
    pkts_link: 1000,
  });
  assert.deepEqual(live, {
    at: 1795222923_250000,
    interval: null,
    peer: "worker-1",
    packets: 1000,
    dropped: 250,
    lossPercent: 25,
    warnings: [],
  });
});

Deno.test("zeek.stats: the loss is a share of all packets, whatever the driver counts", () => {
  const loss = (payload: Fields) => sample("zeek.stats", payload).lossPercent;
  assert.equal(loss({ pkts_proc: 750, pkts_dropped: 250 }), 25);
  assert.equal(loss({ pkts_proc: 750, pkts_dropped: 250, pkts_link: 750 }), 25);
  assert.equal(loss({ pkts_proc: 0, pkts_dropped: 1000, pkts_link: 10 }), 100);
  assert.equal(loss({ pkts_proc: 0, pkts_dropped: 0, pkts_link: 0 }), null);
  assert.equal(loss({ pkts_proc: 1000 }), null);
  assert.equal(loss({ pkts_dropped: 5 }), null);
  assert.equal(loss({ pkts_dropped: 2n ** 62n, pkts_link: 2n ** 62n }), 100);
});

Deno.test("zeek.stats: a record without counts, and invalid counts", () => {
  const nothing = { unparsed: "pkts_proc: expected a count" };
  assert.deepEqual(normalise("zeek.stats", { ts: 1, peer: "zeek", mem: 5 }, context), nothing);
  assert.deepEqual(normalise("zeek.stats", { pkts_proc: "many" }, context), nothing);
  // A counter that ran backwards, as Zeek's unsigned difference shows it.
  const backwards = sample("zeek.stats", { pkts_proc: 10, pkts_dropped: 2n ** 64n - 5n });
  assert.equal(backwards.dropped, null);
  assert.equal(backwards.lossPercent, null);
  assert.deepEqual(backwards.warnings, ["pkts_dropped: above 2^63 - 1"]);
});

Deno.test("zeek.capture_loss: the sensor's own percentage over its interval", () => {
  const loss = { ts: "2018-03-24T17:16:20.600725Z", ts_delta: 60, peer: "zeek", gaps: 254, acks: 181765 };
  const measured = sample("zeek.capture_loss", { ...loss, percent_lost: 0.14 });
  assert.equal(measured.lossPercent, 0.14);
  assert.equal(measured.interval, 60_000_000);
  assert.equal(measured.packets, null);
  assert.equal(sample("zeek.capture_loss", { ...loss, percent_lost: "0.140%" }).lossPercent, 0.14);
  const blind = sample("zeek.capture_loss", { ...loss, gaps: 0, acks: 0, percent_lost: 0 });
  assert.equal(blind.lossPercent, null);
  assert.deepEqual(blind.warnings, ["acks: none seen, capture loss unknown"]);
});

Deno.test("zeek.capture_loss: invalid percentages and intervals", () => {
  for (const percent_lost of [101, -1, 1e300, "1e2", "lots", "1000%", null, {}, 5n]) {
    const result = normalise("zeek.capture_loss", { acks: 5, percent_lost }, context);
    assert.deepEqual(result, { unparsed: "percent_lost: expected a percentage" });
  }
  for (const ts_delta of [-1, 1e300, "soon", {}]) {
    const odd = sample("zeek.capture_loss", { acks: 5, percent_lost: 1, ts_delta });
    assert.equal(odd.interval, null);
    assert.deepEqual(odd.warnings, ["ts_delta: expected seconds"]);
  }
  const bare = sample("zeek.capture_loss", { percent_lost: 1 });
  assert.equal(bare.at, context.observedAt);
  assert.equal(bare.interval, null);
  assert.deepEqual(bare.warnings, []);
});
