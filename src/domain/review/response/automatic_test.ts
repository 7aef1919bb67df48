import assert from "node:assert/strict";
import fc from "fast-check";
import { SEVERITIES } from "../../../contract/record/kinds.ts";
import { RESPONSE_STATUSES } from "../../../contract/review/response.ts";
import { severityOf } from "../../incident/severity.ts";
import { candidates, type EarlierAction } from "./automatic.ts";

const GATES = { quarantine_device: { minScore: 80 } } as const;

function incident(score: number, mainDevices = ["a"]) {
  return { score, severity: severityOf(score), mainDevices };
}

function earlier(more: Partial<EarlierAction>): EarlierAction {
  return { kind: "quarantine_device", deviceId: "a", status: "rejected", severity: "high", ...more };
}

Deno.test("automatic: nothing is proposed without a gate", () => {
  assert.deepEqual(candidates(incident(100), {}, []), []);
});

Deno.test("automatic: each main device is proposed from the gate's score on", () => {
  assert.deepEqual(candidates(incident(79.9), GATES, []), []);
  assert.deepEqual(candidates(incident(80, ["a", "b"]), GATES, []), [
    { kind: "quarantine_device", deviceId: "a" },
    { kind: "quarantine_device", deviceId: "b" },
  ]);
  const both = { ...GATES, notify_only: { minScore: 60 } };
  assert.deepEqual(candidates(incident(60), both, []), [{ kind: "notify_only", deviceId: "a" }]);
  assert.equal(candidates(incident(80), both, []).length, 2);
  assert.deepEqual(candidates(incident(80, []), both, []), []);
});

Deno.test("automatic: an open action is not proposed again, even if the incident worsens", () => {
  for (const status of ["proposed", "approved"] as const) {
    assert.deepEqual(candidates(incident(100), GATES, [earlier({ status, severity: "info" })]), []);
  }
});

Deno.test("automatic: a rejected action is proposed again only if the incident worsens", () => {
  for (const status of ["rejected", "cancelled"] as const) {
    assert.equal(candidates(incident(100), GATES, [earlier({ status, severity: "critical" })]).length, 0);
    assert.equal(candidates(incident(100), GATES, [earlier({ status, severity: "high" })]).length, 1);
  }
  const twice = [earlier({ severity: "high" }), earlier({ severity: "critical" })];
  for (const order of [twice, twice.toReversed()]) {
    assert.equal(candidates(incident(100), GATES, order).length, 0);
  }
});

Deno.test("automatic: another kind or device does not block a proposal", () => {
  const others = [earlier({ kind: "block_destination", severity: "critical" }), earlier({ deviceId: "b" })];
  assert.equal(candidates(incident(80), GATES, others).length, 1);
});

Deno.test("automatic: a proposal is never repeated immediately", () => {
  fc.assert(fc.property(
    fc.integer({ min: 0, max: 100 }),
    fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 }),
    fc.array(fc.record({
      kind: fc.constantFrom("quarantine_device", "notify_only"),
      deviceId: fc.constantFrom("a", "b", null),
      status: fc.constantFrom(...RESPONSE_STATUSES),
      severity: fc.constantFrom(...SEVERITIES),
    })),
    (score, devices, before) => {
      const one = incident(score, [...new Set(devices)]);
      const found = candidates(one, GATES, before);
      const now = found.map((candidate) => earlier({ ...candidate, status: "proposed" }));
      assert.deepEqual(candidates(one, GATES, [...before, ...now]), []);
    },
  ));
});
