import assert from "node:assert/strict";
import { flowVlan, taggedVlan, vlanFinder } from "./vlan.ts";

const VLANS = [
  { vlan_id: 1, name: "Everything", cidrs: ["10.0.0.0/8", "2001:db8::/32"] },
  { vlan_id: 20, name: "Staff", cidrs: ["10.2.0.0/16", "2001:db8:2::/48"] },
  { vlan_id: 21, name: "Printers", cidrs: ["10.2.3.0/24", "10.2.4.9/32"] },
  { vlan_id: 22, name: "Spare", cidrs: [] },
  { vlan_id: 23, name: "Same as staff", cidrs: ["10.2.0.0/16", "not a network"] },
];

Deno.test("the longest prefix wins, ties go to the first", () => {
  const vlanOf = vlanFinder(VLANS);
  const expected: [string, number | null][] = [
    ["10.9.9.9", 1],
    ["10.2.0.1", 20],
    ["10.2.3.0", 21],
    ["10.2.3.255", 21],
    ["10.2.4.9", 21],
    ["10.2.4.8", 20],
    ["2001:db8:2::1", 20],
    ["2001:db8:3::1", 1],
    ["11.0.0.1", null],
    ["2001:db9::1", null],
    ["10.2.03.1", null],
    ["", null],
  ];
  for (const [ip, vlan] of expected) assert.equal(vlanOf(ip), vlan, ip);
  // The order in the file matters only for ties.
  const turned = vlanFinder(VLANS.toReversed());
  for (const [ip, vlan] of expected) {
    assert.equal(turned(ip), vlan === 20 && !ip.includes(":") ? 23 : vlan, ip);
  }
});

Deno.test("a site without VLANs knows none", () => {
  assert.equal(vlanFinder([])("10.0.0.1"), null);
});

Deno.test("a flow is in the VLAN of its tag, else of its source, else of its destination", () => {
  const vlanOf = vlanFinder(VLANS);
  const vlan = (tag: number | null, src: string, dst: string) =>
    flowVlan({ vlan: tag, src: { ip: src }, dst: { ip: dst } }, vlanOf);
  assert.equal(vlan(7, "10.2.0.1", "10.2.3.1"), 7);
  assert.equal(vlan(null, "10.2.0.1", "10.2.3.1"), 20);
  assert.equal(vlan(null, "203.0.113.5", "10.2.3.1"), 21);
  assert.equal(vlan(null, "203.0.113.5", "203.0.113.6"), null);
});

Deno.test("a tag belongs to an end unless the site's networks assign it to the other", () => {
  const vlanOf = vlanFinder(VLANS);
  const tags = (tag: number | null, src: string, dst: string) => {
    const flow = { vlan: tag, src: { ip: src }, dst: { ip: dst } };
    return [taggedVlan(flow, "src", vlanOf), taggedVlan(flow, "dst", vlanOf)];
  };
  assert.deepEqual(tags(20, "10.2.0.1", "10.2.0.2"), [20, 20]);
  assert.deepEqual(tags(20, "10.2.0.1", "10.2.3.1"), [20, null], "routed, seen before the router");
  assert.deepEqual(tags(21, "10.2.0.1", "10.2.3.1"), [null, 21], "routed, seen after the router");
  assert.deepEqual(tags(99, "10.2.0.1", "10.2.3.1"), [99, 99], "an unconfigured tag");
  assert.deepEqual(tags(20, "10.2.0.1", "11.0.0.1"), [20, 20], "an unconfigured address");
  assert.deepEqual(tags(null, "10.2.0.1", "10.2.3.1"), [null, null]);
});
