import assert from "node:assert/strict";
import { type BeaconFlow, isBeaconCandidate } from "./candidate.ts";

function flow(dst: string, port: number | null, more: Partial<BeaconFlow> = {}): BeaconFlow {
  return {
    src: { ip: "192.168.1.102", port: 50_123 },
    dst: { ip: dst, port },
    proto: "tcp",
    srcInternal: true,
    dstInternal: false,
    internalAssumed: false,
    exporterDirection: false,
    ...more,
  };
}

Deno.test("candidate: TCP and UDP from an internal device to one external host", () => {
  assert.ok(isBeaconCandidate(flow("198.51.100.9", 443)));
  assert.ok(isBeaconCandidate(flow("2001:db8::9", 443, { proto: "udp" })));
  assert.equal(isBeaconCandidate(flow("198.51.100.9", 443, { srcInternal: false })), false);
  assert.equal(isBeaconCandidate(flow("198.51.100.9", null, { proto: "icmp" })), false);
  assert.equal(isBeaconCandidate(flow("198.51.100.9", 0)), false);
});

Deno.test("candidate: periodic services and addresses of several hosts are excluded", () => {
  for (const [ip, port] of [["192.168.1.255", 137], ["192.168.1.1", 67], ["198.51.100.1", 123]] as const) {
    assert.equal(isBeaconCandidate(flow(ip, port, { proto: "udp" })), false, `${ip}:${port}`);
  }
  for (
    const ip of [
      "224.0.0.251",
      "255.255.255.255",
      "0.0.0.0",
      "::",
      "127.0.0.1",
      "169.254.1.1",
      "fe80::1",
      "ff02::fb",
      "x",
    ]
  ) {
    assert.equal(isBeaconCandidate(flow(ip, 4000, { proto: "udp" })), false, ip);
  }
});

Deno.test("candidate: an internal peer counts only as a resolver or if internal is an assumption", () => {
  const inside = { dstInternal: true };
  assert.equal(isBeaconCandidate(flow("192.168.1.1", 139, inside)), false);
  assert.ok(isBeaconCandidate(flow("192.168.1.1", 53, { ...inside, proto: "udp" })));
  assert.equal(isBeaconCandidate(flow("10.0.5.13", 8443, inside)), false);
  const assumed = { dstInternal: true, internalAssumed: true };
  assert.ok(isBeaconCandidate(flow("10.0.5.13", 8443, assumed)));
  assert.ok(isBeaconCandidate(flow("172.16.0.9", 8443, assumed)));
  assert.equal(isBeaconCandidate(flow("192.168.7.1", 8443, assumed)), false);
});

Deno.test("candidate: the server's half of an exported conversation is excluded", () => {
  const half = { src: { ip: "192.168.1.10", port: 443 }, exporterDirection: true };
  assert.equal(isBeaconCandidate(flow("198.51.100.9", 51_234, half)), false);
  assert.ok(isBeaconCandidate(flow("198.51.100.9", 51_234, { ...half, exporterDirection: false })));
});
