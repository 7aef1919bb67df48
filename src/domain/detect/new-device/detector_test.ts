import assert from "node:assert/strict";
import fc from "fast-check";
import type { DhcpFacts } from "../../record/facts.ts";
import { reportsOf } from "../../../../test/support/detect/client-fixtures.ts";
import { sighting } from "../../../../test/support/detect/detector-fixtures.ts";
import { NEW_DEVICE_DETECTOR } from "./detector.ts";
import { NEW_DEVICES } from "./state.ts";

const DAY_SECONDS = 86_400;

function appears(
  seconds: number,
  ip: string,
  change: { inInventory?: boolean; learned?: boolean; facts?: DhcpFacts } = {},
) {
  const { inInventory = false, learned = true, facts = null } = change;
  return sighting(seconds, { ip, port: 40_000 }, { ip: "203.0.113.7", port: 443 }, {
    observation: { facts },
    sighting: { learned, newDevices: [{ deviceId: `device ${ip}`, ip, inInventory }] },
  });
}

function crowd(count: number, first = 0) {
  return Array.from({ length: count }, (_, index) => appears(first + index * 60, `10.0.5.${index}`));
}

function lease(hostName: string, vendorClass: string): DhcpFacts {
  return {
    type: "dhcp",
    messageType: "ack",
    clientMac: null,
    clientId: null,
    hostName,
    vendorClass,
    requestedIp: null,
    assignedIp: null,
    leaseSeconds: null,
    serverIp: null,
    routers: [],
    dnsServers: [],
    subnetMask: null,
  };
}

Deno.test("new-device: one is low and reported with its description of itself", () => {
  const facts = lease("raspberrypi", "dhcpcd-9.4.1");
  const [result] = reportsOf(NEW_DEVICE_DETECTOR, [appears(0, "10.0.5.7", { facts })]);
  assert.equal(result?.score, 20);
  assert.equal(result?.title, "New device: 10.0.5.7");
  assert.match(
    result?.summary ?? "",
    /: 10\.0\.5\.7, host name "raspberrypi" and vendor class "dhcpcd-9\.4\.1"\. No inventory lists it\.$/,
  );
  assert.deepEqual(result?.deviceIds, ["device 10.0.5.7"]);
});

Deno.test("new-device: nothing is reported while learning, nor of devices in the inventory", () => {
  assert.deepEqual(reportsOf(NEW_DEVICE_DETECTOR, [appears(0, "10.0.5.7", { learned: false })]), []);
  assert.deepEqual(reportsOf(NEW_DEVICE_DETECTOR, [appears(0, "10.0.5.7", { inInventory: true })]), []);
});

Deno.test("new-device: many devices on one network are one low incident per day", () => {
  const results = reportsOf(NEW_DEVICE_DETECTOR, crowd(100));
  assert.equal(results.length, 5);
  assert.equal(new Set(results.map(({ groupKey }) => groupKey)).size, 1);
  assert.ok(results.every(({ score }) => score >= 20 && score <= 25));
  assert.equal(results[3]?.title, "At least 27 new devices in 10.0.5.0/24");
  const elsewhere = reportsOf(NEW_DEVICE_DETECTOR, [
    appears(0, "10.0.5.1"),
    appears(1, "10.0.6.1"),
    appears(2, "fd00:0:0:1::7"),
  ]);
  assert.deepEqual(elsewhere.map(({ groupKey }) => groupKey.split("|")[0]), [
    "10.0.5.0/24",
    "10.0.6.0/24",
    "fd00:0:0:1::/64",
  ]);
  const [first, second] = reportsOf(NEW_DEVICE_DETECTOR, [
    appears(0, "10.0.5.1"),
    appears(DAY_SECONDS, "10.0.5.2"),
  ]);
  assert.notEqual(first?.groupKey, second?.groupKey);
});

Deno.test("new-device: hostile names and times never throw, and states stay bounded", () => {
  const one = fc.record({
    host: fc.nat(255),
    name: fc.string({ unit: "binary", maxLength: 300 }),
    seconds: fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 60 }), (all) => {
      reportsOf(
        NEW_DEVICE_DETECTOR,
        all.map(({ host, name, seconds }) =>
          appears(seconds, `10.0.5.${host}`, { facts: lease(name, name) })
        ),
        4500,
      );
    }),
    { numRuns: 30 },
  );
  assert.throws(() => NEW_DEVICES.decode(new Uint8Array([9])), RangeError);
});
