import assert from "node:assert/strict";
import { FlowMatches, type KnownMatch } from "./flow-matches.ts";
import type { IndicatorKind } from "./indicator.ts";

function known(
  partyIp: string,
  kind: IndicatorKind,
  indicator: string,
  flowId = "other",
  exact = true,
): KnownMatch {
  const match = { list: "a.txt", indicator, kind, description: null, confidence: null, exact };
  return { partyIp, match, flowId };
}

const MATCHES = new FlowMatches([
  known("10.0.0.5", "ip", "198.51.100.7"),
  known("10.0.0.5", "cidr", "203.0.113.0/24"),
  known("10.0.0.5", "cidr", "2001:db8::/32"),
  known("10.0.0.5", "domain", "evil.example", "other", false),
  known("10.0.0.5", "domain", "host.example"),
  known("10.0.0.5", "ja3", "e7d705a3286e19ea42f587b344ee6865", "flow-1"),
  known("10.0.0.6", "ip", "198.51.100.8"),
]);

function matchesOf(srcIp: string, dstIp: string, names: string[] = [], flowId = "flow-0"): string[] {
  return MATCHES.of({ flowId, srcIp, dstIp, names }).map(({ partyIp, match }) =>
    `${partyIp} ${match.indicator}`
  );
}

Deno.test("a flow matches by its other end, in either direction", () => {
  assert.deepEqual(matchesOf("10.0.0.5", "198.51.100.7"), ["10.0.0.5 198.51.100.7"]);
  assert.deepEqual(matchesOf("198.51.100.7", "10.0.0.5"), ["10.0.0.5 198.51.100.7"]);
  assert.deepEqual(matchesOf("10.0.0.5", "203.0.113.200"), ["10.0.0.5 203.0.113.0/24"]);
  assert.deepEqual(matchesOf("10.0.0.5", "2001:db8::1"), ["10.0.0.5 2001:db8::/32"]);
  assert.deepEqual(matchesOf("10.0.0.5", "192.0.2.1"), []);
});

Deno.test("another device's match does not belong to this flow", () => {
  assert.deepEqual(matchesOf("10.0.0.6", "198.51.100.7"), []);
  assert.deepEqual(matchesOf("10.0.0.7", "198.51.100.8"), []);
});

Deno.test("a flow matches by its server's name, or a parent domain unless exact", () => {
  assert.deepEqual(matchesOf("10.0.0.5", "192.0.2.1", ["www.evil.example"]), ["10.0.0.5 evil.example"]);
  assert.deepEqual(matchesOf("10.0.0.5", "192.0.2.1", ["notevil.example", "a.host.example"]), []);
  assert.deepEqual(matchesOf("10.0.0.5", "192.0.2.1", ["x.example", "host.example"]), [
    "10.0.0.5 host.example",
  ]);
});

Deno.test("the flow of the evidence always matches", () => {
  assert.deepEqual(matchesOf("10.0.0.5", "192.0.2.1", [], "flow-1"), [
    "10.0.0.5 e7d705a3286e19ea42f587b344ee6865",
  ]);
  assert.deepEqual(new FlowMatches([]).of({ flowId: "a", srcIp: "x", dstIp: "x", names: [] }), []);
});
