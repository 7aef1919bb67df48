import assert from "node:assert/strict";
import { dhcpFacts, observation } from "../../../test/support/domain/flow-fixtures.ts";
import type { DhcpFacts } from "../record/facts.ts";
import { leasedAddress, leaseMessage } from "./lease.ts";

const MAC = "9c:b6:d0:1a:2b:3c";

function message(more: Partial<DhcpFacts>) {
  return observation(0, 0, { counters: null, facts: dhcpFacts({ clientMac: MAC, ...more }) });
}

Deno.test("an acknowledgement assigns an address to a client, with the server's details", () => {
  const ack = message({
    messageType: "ack",
    assignedIp: "10.0.0.77",
    leaseSeconds: 3600,
    serverIp: "10.0.0.1",
    hostName: "ws-77",
  });
  assert.deepEqual(leaseMessage(ack), {
    ip: "10.0.0.77",
    mac: MAC,
    granted: true,
    leaseSeconds: 3600,
    serverIp: "10.0.0.1",
    clientId: null,
    hostName: "ws-77",
    vendorClass: null,
  });
  assert.equal(leasedAddress(ack), "10.0.0.77");
});

Deno.test("a request names the client and assigns nothing", () => {
  const request = message({
    messageType: "request",
    requestedIp: "10.0.0.77",
    hostName: "localhost",
    vendorClass: "MSFT 5.0",
    clientId: `01:${MAC}`,
    serverIp: "10.0.0.1",
    leaseSeconds: 3600,
  });
  assert.deepEqual(leaseMessage(request), {
    ip: "10.0.0.77",
    mac: MAC,
    granted: false,
    leaseSeconds: null,
    serverIp: null,
    clientId: `01:${MAC}`,
    hostName: null,
    vendorClass: "MSFT 5.0",
  });
  assert.equal(leasedAddress(request), null);
});

Deno.test("no other message binds a client to an address", () => {
  const others: Partial<DhcpFacts>[] = [
    { messageType: "discover", requestedIp: "10.0.0.77" },
    { messageType: "offer", assignedIp: "10.0.0.77" },
    { messageType: "nak", assignedIp: "10.0.0.77" },
    { messageType: "ack" },
    { messageType: "ack", requestedIp: "10.0.0.77" },
    { messageType: "request", assignedIp: "10.0.0.77" },
    { messageType: null, assignedIp: "10.0.0.77" },
    { messageType: "ack", assignedIp: "10.0.0.77", clientMac: null },
    ...["0.0.0.0", "255.255.255.255", "224.0.0.1", "127.0.0.1"].map((assignedIp) => ({
      messageType: "ack",
      assignedIp,
    })),
  ];
  for (const facts of others) {
    assert.equal(leaseMessage(message(facts)), null, JSON.stringify(facts));
    assert.equal(leasedAddress(message(facts)), null);
  }
  assert.equal(leaseMessage(observation(0, 0)), null);
});
