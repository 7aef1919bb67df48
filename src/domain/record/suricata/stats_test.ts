import assert from "node:assert/strict";
import type { Fields } from "../fields.ts";
import { normalise, unparsedReason } from "../registry.ts";

const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };

function record(stats: Fields): Fields {
  return { timestamp: "2026-01-31T07:15:00.000001+0000", event_type: "stats", stats };
}

function sample(stats: Fields) {
  const result = normalise("suricata.anomaly", record(stats), context);
  assert.ok("capture" in result, "unparsed" in result ? result.unparsed : "an observation");
  assert.equal(unparsedReason("suricata.anomaly", record(stats), context), null);
  return result.capture;
}

Deno.test("suricata stats: kernel packets and drops since the start", () => {
  const capture = { kernel_packets: 2_000_000, kernel_drops: 50_000 };
  assert.deepEqual(sample({ uptime: 3600, capture, decoder: { pkts: 1 } }), {
    at: 1769843700_000001,
    interval: 3600_000_000,
    peer: null,
    packets: 2_000_000,
    dropped: 50_000,
    lossPercent: 2.5,
    warnings: [],
  });
});

Deno.test("suricata stats: deltas take precedence over totals", () => {
  const capture = {
    kernel_packets: 905_344_474,
    kernel_drops: 78_355_440,
    kernel_packets_delta: 1000,
    kernel_drops_delta: 250,
  };
  const { interval, packets, dropped, lossPercent } = sample({ uptime: 3600, capture });
  assert.deepEqual([interval, packets, dropped, lossPercent], [null, 1000, 250, 25]);
});

Deno.test("suricata stats: the loss is unknown for a file, an idle process or without counters", () => {
  assert.equal(sample({ uptime: 5 }).lossPercent, null);
  assert.equal(sample({ capture: { kernel_packets: 0, kernel_drops: 0 } }).lossPercent, null);
  assert.equal(sample({ capture: { kernel_packets: 7 } }).lossPercent, null);
  assert.equal(sample({ capture: { kernel_packets: 10, kernel_drops: 90 } }).lossPercent, 100);
  assert.deepEqual(normalise("suricata.anomaly", { event_type: "stats" }, context), {
    unparsed: "stats: expected an object",
  });
});

Deno.test("suricata stats: hostile counters stay in range", () => {
  for (const value of [-1, 1e30, "7", null, {}, 2n ** 64n]) {
    const { lossPercent } = sample({
      uptime: value,
      capture: { kernel_packets: value, kernel_drops: value },
    });
    assert.ok(lossPercent === null || (lossPercent >= 0 && lossPercent <= 100));
  }
});
