import assert from "node:assert/strict";
import type { Activity } from "../activity.ts";
import { type AnchorClass, traitsOf } from "./anchors.ts";
import { group, type Sketch, slots } from "../../../../test/support/domain/identity-fixtures.ts";
import { MAX_MEMBERS, sameDevice, type Surroundings } from "./same-device.ts";

const MAC = "9c:b6:d0:1a:2b:3c";
const OTHER_MAC = "9c:b6:d0:44:55:66";
const RANDOM_MAC = "da:a1:19:00:11:22";
const ALONE: Surroundings = { shared: new Set(), activity: new Map() };

type Anchors = [AnchorClass, string][];

/** Monday morning at one address, Monday afternoon at another. */
function inTurn(first: Anchors, second: Anchors, surroundings = ALONE) {
  const a = group({ ip: "10.0.0.5", seen: [0, 4], anchors: first });
  const b = group({ ip: "10.0.0.6", seen: [5, 9], anchors: second });
  return sameDevice(a, b, surroundings);
}

/** All day at both addresses, with the given activity. */
function atOnce(
  first: Sketch["anchors"],
  second: Sketch["anchors"],
  ips = ["10.0.0.5", "10.0.0.6"],
  known = true,
) {
  const activity = new Map<string, Activity>(
    known
      ? ips.map((ip, i) => [`device ${ip}`, { since: 0, slots: slots(0, 9).filter((s) => s % 2 === i) }])
      : [],
  );
  const [a, b] = ips.map((ip, i) => group({ ip, seen: [0, 9], anchors: i === 0 ? first : second }));
  return sameDevice(a!, b!, { shared: new Set(), activity });
}

function both(...anchors: Anchors): [Anchors, Anchors] {
  return [anchors, anchors];
}

Deno.test("a MAC address that leases another address joins both", () => {
  const verdict = inTurn([["mac", MAC]], [["mac", MAC], ["dhcp_hostname", "ws-77"]]);
  assert.equal(verdict.same, true);
  assert.equal(verdict.weight, 0.9);
  assert.equal(verdict.reason, `same hardware address ${MAC}`);
});

Deno.test("a randomized MAC address is never enough alone, in any form", () => {
  const alone = inTurn(...both(["mac", RANDOM_MAC], ["dhcp_client_id", `01:${RANDOM_MAC}`]));
  assert.equal(alone.same, false);
  assert.equal(alone.weight, 0.4, "the client id is the same origin");
  const withDefaultName = inTurn(...both(["mac", RANDOM_MAC], ["dhcp_hostname", "iPhone"]));
  assert.equal(withDefaultName.same, false);
  const withModel = inTurn(
    ...both(["mac", RANDOM_MAC], ["dhcp_vendor_class", "android-dhcp-14"], ["tls_client", "t13"]),
  );
  assert.equal(withModel.same, false);
});

Deno.test("a randomized MAC address plus a distinctive name is enough", () => {
  const verdict = inTurn(...both(["mac", RANDOM_MAC], ["dhcp_hostname", "Annas-iPhone"]));
  assert.equal(verdict.same, true);
  assert.equal(verdict.reason, `same DHCP host name Annas-iPhone, randomized hardware address ${RANDOM_MAC}`);
});

Deno.test("a name alone, or the same name from two sources, is not enough", () => {
  assert.equal(inTurn(...both(["dhcp_hostname", "ws-77"])).same, false);
  const twice = inTurn([["dhcp_hostname", "ws-77.corp.example"], ["smb_host", "WS-77"]], [[
    "smb_host",
    "WS-77",
  ]]);
  assert.equal(twice.same, false);
  assert.equal(twice.weight, 0.5);
});

Deno.test("two confirming origins are enough without a MAC address", () => {
  const pairs: Anchors[] = [
    [["ssh_host_key", "SHA256:abc"], ["tls_certificate", "ab12"]],
    [["ssh_host_key", "SHA256:abc"], ["smb_host", "FILES-1"]],
    [["dhcp_client_id", "ff:00:00:00:01:00:02:00:00:ab:11"], ["dhcp_hostname", "ws-77"]],
  ];
  for (const pair of pairs) assert.equal(inTurn(...both(...pair)).same, true, JSON.stringify(pair));
});

Deno.test("one confirming origin is not enough, even with equal software", () => {
  for (const one of [["ssh_host_key", "SHA256:abc"], ["tls_certificate", "ab12"]] satisfies Anchors) {
    assert.equal(inTurn(...both(one)).same, false);
    assert.equal(
      inTurn(...both(one, ["tls_client", "t13d1516h2"], ["ssh_client", "92674389fa1e"])).same,
      false,
    );
  }
});

Deno.test("a machine account is enough, a person's account hardly counts", () => {
  assert.equal(inTurn(...both(["kerberos_principal", "ws-77$@CORP.EXAMPLE"])).same, true);
  const person = inTurn(...both(["kerberos_principal", "anna@CORP.EXAMPLE"], ["tls_certificate", "ab12"]));
  assert.equal(person.same, false);
});

Deno.test("a machine's client id is the same on each of its adapters", () => {
  const id = (adapter: string) => `ff:${adapter}:00:02:00:00:ab:11:22:33:44:55`;
  const verdict = inTurn(
    [["dhcp_client_id", id("00:00:00:01")], ["dhcp_hostname", "ws-77"]],
    [["dhcp_client_id", id("00:00:00:02")], ["dhcp_hostname", "ws-77"]],
  );
  assert.equal(verdict.same, true);
});

Deno.test("different MAC addresses are two machines, unless an account or the inventory joins them", () => {
  const rest: Anchors = [["dhcp_hostname", "ws-77"], ["ssh_host_key", "SHA256:abc"], [
    "tls_certificate",
    "ab12",
  ]];
  const clones = inTurn([["mac", MAC], ...rest], [["mac", OTHER_MAC], ...rest]);
  assert.equal(clones.contradicted, true);
  assert.equal(clones.reason, `different hardware addresses: ${MAC} and ${OTHER_MAC}`);
  for (
    const voucher of [["kerberos_principal", "ws-77$@CORP"], ["inventory", "Anna's laptop"]] satisfies Anchors
  ) {
    assert.equal(inTurn([["mac", MAC], voucher], [["mac", OTHER_MAC], voucher]).same, true);
  }
});

Deno.test("one adapter at two machines: the names separate them", () => {
  const verdict = inTurn([["mac", MAC], ["dhcp_hostname", "anna"]], [["mac", MAC], [
    "dhcp_hostname",
    "bob-2",
  ]]);
  assert.equal(verdict.contradicted, true);
  assert.equal(verdict.reason, "different host names: anna and bob-2");
  const renamed = inTurn([["mac", MAC], ["dhcp_hostname", "anna"]], [
    ["mac", MAC],
    ["dhcp_hostname", "anna"],
    ["dhcp_hostname", "anna-new"],
  ]);
  assert.equal(renamed.same, true, "a name that changed at the same address");
});

Deno.test("an address used by several MAC addresses identifies no machine", () => {
  const verdict = inTurn([["mac", MAC], ["mac", OTHER_MAC]], [["mac", MAC]]);
  assert.equal(verdict.contradicted, true);
  assert.match(verdict.reason, /^10\.0\.0\.5 was used by several hardware addresses/);
});

Deno.test("a value several machines have at once does not count", () => {
  const anchors: Anchors = [["ssh_host_key", "SHA256:abc"], ["tls_certificate", "ab12"]];
  const shared = new Set(["ssh SHA256:abc"]);
  assert.equal(inTurn(...both(...anchors), { ...ALONE, shared }).same, false);
});

Deno.test("two addresses in use at once are two machines, unless a strong anchor joins them", () => {
  const copied: Anchors = [["ssh_host_key", "SHA256:abc"], ["smb_host", "FILES-1"], [
    "tls_certificate",
    "ab12",
  ]];
  const clones = atOnce(...both(...copied));
  assert.equal(clones.contradicted, true);
  assert.equal(clones.reason, "both are active at the same time, under different addresses");
  for (const strong of [["mac", MAC], ["kerberos_principal", "ws-77$@CORP"]] satisfies Anchors) {
    assert.equal(atOnce(...both(strong)).same, true, strong[0]);
  }
});

Deno.test("IPv4 and IPv6 at the same time are one machine if enough else is equal", () => {
  const ips = ["10.0.0.5", "2001:db8:1::5"];
  assert.equal(atOnce(...both(["ssh_host_key", "SHA256:abc"], ["tls_certificate", "ab12"]), ips).same, true);
  assert.equal(atOnce(...both(["ssh_host_key", "SHA256:abc"]), ips).same, false);
  const twoOfSix = ["2001:db8:1::5", "2001:db8:1::6"];
  assert.equal(
    atOnce(...both(["ssh_host_key", "SHA256:abc"], ["tls_certificate", "ab12"]), twoOfSix).contradicted,
    true,
  );
});

Deno.test("nothing is decided until both activities are known", () => {
  const anchors: Anchors = [["ssh_host_key", "SHA256:abc"], ["tls_certificate", "ab12"]];
  const verdict = atOnce(...both(...anchors), undefined, false);
  assert.deepEqual([verdict.same, verdict.contradicted], [false, false]);
  const later = { since: slots(10, 11)[0]!, slots: slots(10, 11) };
  const [a, b] = ["10.0.0.5", "10.0.0.6"].map((ip) => group({ ip, seen: [0, 9], anchors }));
  const activity = new Map([["device 10.0.0.5", later], ["device 10.0.0.6", {
    since: 0,
    slots: slots(0, 9),
  }]]);
  assert.equal(
    sameDevice(a!, b!, { shared: new Set(), activity }).same,
    false,
    "activity is known only for a later time",
  );
});

Deno.test("two confirmed devices, and two inventory entries, stay separate", () => {
  const person = { seen: [0, 1] as [number, number], standing: "human_confirmed" as const };
  const people = sameDevice(
    group({ ip: "10.0.0.5", ...person, anchors: [["mac", MAC]] }),
    group({ ip: "10.0.0.6", ...person, anchors: [["mac", MAC]] }),
    ALONE,
  );
  assert.equal(people.contradicted, true);
  const entries = inTurn([["mac", MAC], ["inventory", "one"]], [["mac", MAC], ["inventory", "two"]]);
  assert.equal(entries.reason, "the inventory has two entries: one and two");
});

Deno.test("no device is created with too many addresses", () => {
  const sketch = (n: number): Sketch => ({ ip: `10.0.1.${n}`, seen: [n, n], anchors: [["mac", MAC]] });
  const many = group(sketch(0), ...Array.from({ length: MAX_MEMBERS - 1 }, (_, i) => sketch(i + 1)));
  const verdict = sameDevice(many, group({ ip: "10.0.0.6", seen: [90, 91], anchors: [["mac", MAC]] }), ALONE);
  assert.equal(verdict.reason, "too many addresses for one device");
});

Deno.test("virtual addresses and default names identify no machine", () => {
  for (const value of ["00:00:5e:00:01:0a", "02:42:ac:11:00:02"]) {
    assert.deepEqual(traitsOf({ class: "mac", value }).key, null);
  }
  assert.equal(traitsOf({ class: "dhcp_hostname", value: "localhost" }).key, null);
  assert.equal(traitsOf({ class: "dhcp_client_id", value: `01:${RANDOM_MAC}` }).randomized, true);
});
