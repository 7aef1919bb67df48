import assert from "node:assert/strict";
import type { AlertFacts } from "../records/facts.ts";
import { drive } from "./detector_fixtures.ts";
import { times, toSighting } from "./play_fixtures.ts";
import { decodeAlertGroup } from "./signature-codec.ts";
import { SIGNATURE_DETECTOR } from "./signature-detector.ts";

function alert(signature: string, category: string, priority: number, signatureId = 2_000_001): AlertFacts {
  return {
    type: "alert",
    gid: 1,
    signatureId,
    revision: 1,
    signature,
    category,
    priority,
    action: "allowed",
    metadata: {},
  };
}

const SCAN = alert("ET SCAN Potential SSH Scan", "Attempted Information Leak", 2);
const CNC = alert(
  "ET CNC Ransomware Tracker Reported CnC Server group 101",
  "A Network Trojan was detected",
  1,
);
const CHECKSUM = alert("SURICATA TCPv4 invalid checksum", "Generic Protocol Command Decode", 3, 2_200_074);

Deno.test("alerts: a signature that fires on most devices weighs less, unless it is malware", () => {
  const everywhere = (alert: AlertFacts) =>
    drive(
      [SIGNATURE_DETECTOR],
      times(20, (index) =>
        toSighting({ at: index, src: `10.0.1.${index} 4000`, dst: "203.0.113.9 80", facts: alert }, index)),
    ).results.map(({ score }) =>
      score
    );
  const policy = everywhere(alert("ET WEB_SERVER x", "Web Application Attack", 1));
  assert.ok(policy[0]! >= 40 && policy.length < 18, `${policy}`);
  assert.ok(policy.at(-1)! <= policy[0]! / 2 + 5);
  assert.deepEqual(new Set(everywhere(CNC)).size, 1);
});

Deno.test("alerts: the sensor's remarks leave no trace, a flood of one signature one small state", () => {
  const flood = (alert: AlertFacts) =>
    drive(
      [SIGNATURE_DETECTOR],
      times(3000, (index) => toSighting({ at: index / 100, dst: "203.0.113.9 80", facts: alert }, index)),
      { round: 1000 },
    );
  assert.equal(flood(CHECKSUM).states.size, 0);
  const { results, largest, states } = flood(SCAN);
  assert.ok(results.length > 5 && results.length < 15);
  assert.ok(largest < 1800, `${largest}`);
  assert.equal(states.size, 2);
});

Deno.test("alerts: a stored state of another version is refused", () => {
  assert.throws(() => decodeAlertGroup(new Uint8Array([1])), /expected version 2, got 1/);
  assert.throws(() => decodeAlertGroup(new Uint8Array()), RangeError);
});
