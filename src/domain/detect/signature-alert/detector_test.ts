import assert from "node:assert/strict";
import type { AlertFacts } from "../../record/facts.ts";
import { drive } from "../../../../test/support/detect/detector-fixtures.ts";
import { times, toSighting } from "../../../../test/support/detect/play-fixtures.ts";
import { SIGNATURE_DETECTOR } from "./detector.ts";
import { ALERT_GROUPS } from "./state.ts";

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

Deno.test("signature-alert: a signature that fires on most devices scores lower, except malware", () => {
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

Deno.test("signature-alert: noise leaves no state, and a flood of one signature a small one", () => {
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

Deno.test("signature-alert: a peer has a port only if all its alerts agree on the service port", () => {
  const destinations = (...ways: [src: string, dst: string][]) =>
    drive([SIGNATURE_DETECTOR], ways.map(([src, dst], at) => toSighting({ at, src, dst, facts: CNC }, at)))
      .results.map((result) => result.destinations[0]);
  const to = (port: number | null) => ({ ip: "203.0.113.9", name: null, port });
  const [mine, theirs] = ["10.0.1.5", "203.0.113.9"];
  assert.deepEqual(destinations([`${mine} 4000`, `${theirs} 443`], [`${mine} 4001`, `${theirs} 443`]), [
    to(443),
    to(443),
  ]);
  const mixed = times(5, (n): [string, string] => [`${mine} 4000`, `${theirs} ${n === 1 ? 8443 : 443}`]);
  assert.deepEqual(destinations(...mixed), [to(443), to(null), to(null)]);
  assert.deepEqual(destinations([`${theirs} 40000`, `${mine} 22`]), [to(22)]);
  assert.deepEqual(destinations([`${theirs} 443`, `${mine} 4000`]), [to(443)]);
});

Deno.test("signature-alert: an address that the record does not state is no peer", () => {
  const { results } = drive(
    [SIGNATURE_DETECTOR],
    [toSighting({ at: 0, src: "10.0.1.1 4000", dst: "0.0.0.0 80", facts: CNC }, 0)],
  );
  assert.deepEqual(results[0]!.destinations, []);
  assert.match(results[0]!.summary, /The sensor does not state the other end\.$/);
  const parts = results[0]!.subScores.map(({ name, value }) => [name, value]);
  assert.deepEqual(parts.find(([name]) => name === "peers"), ["peers", 0]);
});

Deno.test("signature-alert: a stored state of another version is rejected", () => {
  assert.throws(() => ALERT_GROUPS.decode(new Uint8Array([1])), /expected version 3, got 1/);
  assert.throws(() => ALERT_GROUPS.decode(new Uint8Array()), RangeError);
});
