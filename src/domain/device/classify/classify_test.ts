import assert from "node:assert/strict";
import fc from "fast-check";
import { DEVICE_TYPES } from "../../../contract/device/device.ts";
import type { DeviceBehaviour } from "./behaviour.ts";
import { classifyDevice, MAX_CONFIDENCE, MIN_CONFIDENCE } from "./classify.ts";
import { behaviour, service } from "../../../../test/support/domain/classify-fixtures.ts";

const DAY = 86_400_000_000;
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";
const SAFARI_MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Safari/605.1.15";
const SAFARI_PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";

function typeOf(more: Partial<DeviceBehaviour>): string {
  return classifyDevice(behaviour(more)).type;
}

function serving(...services: string[]): string {
  return typeOf({ serves: services.map((text) => service(text)) });
}

Deno.test("a device without evidence has no type and no confidence", () => {
  assert.deepEqual(classifyDevice(behaviour()), { type: "unknown", confidence: 0, reasons: [] });
});

Deno.test("a domain controller answers Kerberos and LDAP, whatever else it does", () => {
  const serves = [
    "tcp/88 krb_tcp 1",
    "tcp/389 - 1",
    "udp/53 dns 1",
    "tcp/445 gssapi,smb,krb 1",
    "tcp/135 dce_rpc 1",
  ]
    .map((text) => service(text));
  const bare = classifyDevice(behaviour({ serves }));
  assert.equal(bare.type, "domain_controller");
  assert.equal(bare.confidence, 0.85);
  assert.deepEqual(bare.reasons, ["answers Kerberos, LDAP, SMB and DNS, like a domain controller"]);
  const busy = behaviour({
    serves,
    uses: [service("tcp/445 smb 3"), service("tcp/88 krb_tcp 1")],
    userAgents: [CHROME],
  });
  assert.equal(classifyDevice(busy).type, "domain_controller");
  assert.equal(serving("tcp/389 ldap_tcp 4", "tcp/445 smb 1"), "unknown", "LDAP alone is not a domain");
  assert.equal(
    serving("tcp/445 gssapi,smb,krb 2", "tcp/389 - 1"),
    "unknown",
    "a ticket in SMB is not a Kerberos service",
  );
});

Deno.test("a single service gives a server of its kind, with more confidence for more clients", () => {
  assert.equal(serving("udp/53 dns 4"), "dns_server");
  assert.equal(serving("udp/67 dhcp 3"), "dhcp_server");
  assert.equal(serving("tcp/443 ssl 9"), "web_server");
  assert.equal(serving("tcp/8123 http 9"), "web_server");
  assert.equal(serving("tcp/25 smtp 4", "tcp/993 ssl 12"), "mail_server");
  assert.equal(serving("tcp/5432 - 3"), "database_server");
  assert.equal(serving("tcp/33060 mysql 3"), "database_server");
  assert.equal(serving("tcp/445 smb 12"), "file_server");
  assert.equal(serving("tcp/22 ssh 3"), "server");
  assert.equal(serving("tcp/27015 - 8"), "server", "an unknown service with many clients");
  const confidence = (peers: number) =>
    classifyDevice(behaviour({ serves: [service(`udp/53 dns ${peers}`)] })).confidence;
  assert.deepEqual([confidence(1), confidence(2), confidence(5)], [0.5, 0.6, 0.65]);
});

Deno.test("services every machine offers to a neighbour do not count", () => {
  assert.equal(serving("tcp/445 smb 2"), "unknown");
  assert.equal(serving("tcp/3389 rdp 2"), "unknown");
  assert.equal(serving("tcp/5985 http 4"), "unknown", "remote management is not a website");
  assert.equal(serving("tcp/22 ssh 1"), "unknown");
  assert.equal(serving("udp/5353 dns 9"), "unknown", "multicast DNS is not a name server");
  assert.equal(serving("tcp/53 ssh 1"), "unknown", "the protocol outweighs the port");
  assert.equal(serving("tcp/49667 dce_rpc 2"), "unknown");
});

Deno.test("several services indicate a server; DNS and DHCP alone a gateway", () => {
  const office = ["udp/53 dns 4", "udp/67 - 4", "tcp/25 smtp 4", "tcp/139 - 3"];
  assert.equal(serving(...office), "server");
  assert.equal(serving("udp/53 dns 4", "udp/67 - 4", "tcp/80 http 1"), "router");
  assert.equal(serving("udp/53 dns 1", "udp/67 dhcp 1"), "router");
});

Deno.test("printers, cameras and desk phones", () => {
  assert.equal(serving("tcp/9100 - 3"), "printer");
  assert.equal(serving("tcp/631 http 2", "tcp/80 http 1"), "printer");
  assert.equal(serving("tcp/9100 http 3"), "web_server", "a metrics exporter, not a printer");
  assert.equal(serving("tcp/554 rtsp 1", "tcp/80 http 1"), "camera");
  const phone = { uses: [service("udp/5060 sip 1")], serves: [service("udp/5060 sip 1")] };
  assert.equal(typeOf(phone), "voip_phone");
  assert.equal(typeOf({ serves: [service("udp/5060 sip 30")] }), "server", "the exchange");
  assert.equal(typeOf({ hostNames: ["NPI3A41D7"] }), "printer");
  assert.equal(typeOf({ vendorClasses: ["Cisco Systems, Inc. IP Phone CP-7960G"] }), "voip_phone");
});

Deno.test("a workstation browses from a desktop and authenticates", () => {
  const member = {
    uses: ["tcp/88 krb_tcp 1", "tcp/389 - 1", "tcp/445 smb 2", "udp/138 - 1"].map((text) => service(text)),
  };
  assert.equal(typeOf(member), "workstation");
  const browsing = classifyDevice(behaviour({ ...member, userAgents: [CHROME, "Microsoft-CryptoAPI/10.0"] }));
  assert.equal(browsing.type, "workstation");
  assert.equal(browsing.confidence, MAX_CONFIDENCE);
  assert.deepEqual(browsing.reasons, [
    "a user agent of a browser on Windows: " +
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)…",
    "authenticates to a domain",
    "a user agent of a Windows component: Microsoft-CryptoAPI/10.0",
    "announces itself over NetBIOS, like Windows",
  ]);
  assert.equal(typeOf({ userAgents: [SAFARI_MAC] }), "workstation");
  assert.equal(typeOf({ uses: [service("tcp/443 ssl 40")] }), "workstation");
  assert.equal(typeOf({ hostNames: ["DESKTOP-4F7K2Q1"] }), "workstation");
  assert.equal(
    typeOf({ ...member, serves: [service("tcp/8500 - 9")] }),
    "server",
    "a member with many clients",
  );
});

Deno.test("phones and IoT devices", () => {
  assert.equal(typeOf({ userAgents: [SAFARI_PHONE] }), "phone");
  assert.equal(typeOf({ userAgents: ["Dalvik/2.1.0 (Linux; U; Android 13; SM-S911B)"] }), "phone");
  assert.equal(
    typeOf({ userAgents: ["Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36"] }),
    "iot",
  );
  assert.equal(typeOf({ uses: [service("tcp/8883 ssl 1")] }), "iot");
  const sensor = { uses: [service("tcp/443 ssl 1", 300)], domains: ["example.com"] };
  assert.equal(typeOf({ ...sensor, to: 2 * DAY }), "iot", "contacts one destination for days");
  assert.equal(typeOf(sensor), "unknown", "an hour is too short to tell");
  assert.equal(typeOf({ ...sensor, to: 2 * DAY, uses: [service("tcp/443 ssl 8", 300)] }), "unknown");
});

Deno.test("user agents of three systems indicate several machines", () => {
  const agents = [CHROME, SAFARI_MAC, SAFARI_PHONE];
  assert.equal(typeOf({ userAgents: agents }), "router");
  assert.notEqual(typeOf({ userAgents: agents.slice(0, 2) }), "router");
});

const TEXT = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom(CHROME, SAFARI_PHONE, "NPI3A41D7"),
);
const SERVICE = fc.record({
  proto: fc.constantFrom("tcp", "udp", "icmp", "47"),
  port: fc.option(fc.oneof(fc.constantFrom(53, 67, 80, 88, 389, 443, 445, 9100), fc.nat(65_535)), {
    nil: null,
  }),
  service: fc.option(
    fc.oneof(fc.constantFrom("dns", "ssl", "smb,gssapi", "krb_tcp"), fc.string({ maxLength: 40 })),
    {
      nil: null,
    },
  ),
  flowCount: fc.integer({ min: 1, max: 2000 }),
  peerCount: fc.integer({ min: 1, max: 2000 }),
  outsideCount: fc.nat(2000),
});
const BEHAVIOUR: fc.Arbitrary<DeviceBehaviour> = fc.record({
  from: fc.constant(0),
  to: fc.nat(10 * DAY),
  serves: fc.array(SERVICE, { maxLength: 12 }),
  uses: fc.array(SERVICE, { maxLength: 12 }),
  userAgents: fc.array(TEXT, { maxLength: 6 }),
  hostNames: fc.array(TEXT, { maxLength: 3 }),
  vendorClasses: fc.array(TEXT, { maxLength: 3 }),
  domains: fc.array(TEXT, { maxLength: 5 }),
  sshSoftware: fc.array(TEXT, { maxLength: 3 }),
});

Deno.test("any behaviour gives a known type, a bounded confidence and reasons", () => {
  fc.assert(fc.property(BEHAVIOUR, (any) => {
    const { type, confidence, reasons } = classifyDevice(any);
    assert.ok(DEVICE_TYPES.includes(type));
    if (type === "unknown") return assert.deepEqual([confidence, reasons], [0, []]);
    assert.ok(confidence >= MIN_CONFIDENCE && confidence <= MAX_CONFIDENCE);
    assert.ok(reasons.length >= 1 && reasons.length <= 8);
    assert.ok(reasons.every((reason) => reason.length < 250));
  }));
});

Deno.test("the order of observations does not matter", () => {
  fc.assert(fc.property(BEHAVIOUR, (any) => {
    const turned = { ...any, serves: any.serves.toReversed(), uses: any.uses.toReversed() };
    const [one, other] = [classifyDevice(any), classifyDevice(turned)];
    assert.deepEqual([one.type, one.confidence], [other.type, other.confidence]);
  }));
});
