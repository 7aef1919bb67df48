import assert from "node:assert/strict";
import fc from "fast-check";
import {
  broadcastsOf,
  canonicalIp,
  cidrContains,
  compareIp,
  formatIp,
  isBroadcastIp,
  isLinkLocalIp,
  isLoopbackIp,
  isMulticastIp,
  isPrivateIp,
  isUnstatedIp,
  packV4,
  parseCidr,
  parseIp,
} from "./ip.ts";

function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  assert.ok(bytes !== null, text);
  return bytes;
}

Deno.test("IPv4 is four decimal numbers and nothing else", () => {
  assert.equal(canonicalIp("192.0.2.1"), "192.0.2.1");
  assert.deepEqual(parseIp("0.0.0.0"), new Uint8Array(4));
  assert.deepEqual(parseIp("255.255.255.255"), new Uint8Array(4).fill(255));
  for (
    const text of [
      "",
      "1",
      "127.1",
      "1.2.3",
      "1.2.3.4.5",
      "1.2.3.4.",
      ".1.2.3.4",
      "1..3.4",
      "010.0.0.1",
      "10.0.0.01",
      "00.0.0.0",
      "256.0.0.1",
      "1.2.3.1000",
      "0x7f.0.0.1",
      "-1.2.3.4",
      "+1.2.3.4",
      " 1.2.3.4",
      "1.2.3.4 ",
      "1.2.3.4\n",
      "1,2,3,4",
      "1.2.3.a",
      "１.2.3.4",
      "example.org",
    ]
  ) assert.equal(parseIp(text), null, JSON.stringify(text));
});

Deno.test("IPv6 is read in any spelling and written in one", () => {
  const cases: [string, string][] = [
    ["::", "::"],
    ["::1", "::1"],
    ["1::", "1::"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:0db8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
    ["0:0:1::", "0:0:1::"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
    ["::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"],
    ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
    ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"],
    ["::1.2.3.4", "::102:304"],
    ["fe80::200:86ff:fe05:80da", "fe80::200:86ff:fe05:80da"],
  ];
  for (const [text, canonical] of cases) assert.equal(canonicalIp(text), canonical, text);
});

Deno.test("an IPv4-mapped address is the IPv4 address", () => {
  assert.equal(canonicalIp("::ffff:192.0.2.1"), "192.0.2.1");
  assert.equal(canonicalIp("::FFFF:c000:0201"), "192.0.2.1");
  assert.equal(canonicalIp("0:0:0:0:0:ffff:0:0"), "0.0.0.0");
  assert.equal(canonicalIp("::fffe:192.0.2.1"), "::fffe:c000:201");
  assert.equal(formatIp(new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 1])), "192.0.2.1");
});

Deno.test("invalid IPv6 addresses are refused", () => {
  for (
    const text of [
      ":",
      ":::",
      "1:",
      ":1",
      "1::2::3",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1:2:3:4:5:6:7::8",
      "1:2:3:4:5:6:7:8::",
      "::1:2:3:4:5:6:7:8",
      "12345::",
      "g::",
      "::1%eth0",
      "fe80::1%25eth0",
      "[::1]",
      " ::1",
      "::1 ",
      "1.2.3.4::",
      "::1.2.3",
      "::1.2.3.4:5",
      "::01.2.3.4",
      "1:2:3:4:5:6:7:1.2.3.4",
      "::1/128",
      "1:2:3:4:5:6:7:8:".repeat(100),
    ]
  ) assert.equal(parseIp(text), null, JSON.stringify(text));
});

Deno.test("IPv6 agrees with the WHATWG URL parser", () => {
  const group = fc.oneof(
    fc.constantFrom("0", "0", "0000", "ffff", "1"),
    fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16)),
  );
  const groups = (max: number) => fc.array(group, { maxLength: max }).map((list) => list.join(":"));
  const text = fc.oneof(
    fc.array(group, { minLength: 7, maxLength: 9 }).map((list) => list.join(":")),
    fc.tuple(groups(7), groups(7)).map(([left, right]) => `${left}::${right}`),
    fc.tuple(groups(6), fc.ipV4()).map(([left, v4]) => `${left}::${v4}`),
    fc.array(fc.constantFrom(":", "::", ".", "0", "1", "ff", "g", "1.2.3.4", "255"), { maxLength: 12 }).map((
      list,
    ) => list.join("")),
    fc.ipV6(),
  );
  fc.assert(
    fc.property(text, (text) => {
      if (text.indexOf(":") === -1) return;
      const bytes = parseIp(text);
      const host = URL.canParse(`http://[${text}]/`)
        ? new URL(`http://[${text}]/`).hostname.slice(1, -1)
        : null;
      if (bytes === null || host === null) assert.equal(bytes, host, text);
      else if (bytes.length === 16) assert.equal(formatIp(bytes), host);
      else assert.deepEqual(bytes, parseIp(host));
    }),
    { numRuns: 3000 },
  );
});

Deno.test("IPv4 accepts exactly the canonical texts that the WHATWG URL parser leaves alone", () => {
  const part = fc.oneof(
    fc.integer({ min: 0, max: 300 }).map(String),
    fc.constantFrom("00", "01", "0x1", "", "256"),
  );
  fc.assert(fc.property(fc.array(part, { minLength: 3, maxLength: 5 }), (parts) => {
    const text = parts.join(".");
    const url = `http://${text}/`;
    const unchanged = URL.canParse(url) && new URL(url).hostname === text && /^\d+(\.\d+){3}$/.test(text);
    const bytes = parseIp(text);
    assert.equal(bytes !== null, unchanged, text);
    assert.equal(canonicalIp(text), unchanged ? text : null);
    const packed = bytes === null ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    assert.equal(packV4(text), packed, text);
  }));
});

Deno.test("bytes and text are each other's inverse", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
  );
  fc.assert(fc.property(bytes, (bytes) => {
    const read = parseIp(formatIp(bytes));
    assert.ok(read !== null);
    assert.equal(formatIp(read), formatIp(bytes));
    if (read.length === bytes.length) assert.deepEqual(read, bytes);
  }));
  assert.throws(() => formatIp(new Uint8Array(5)), RangeError);
});

Deno.test("networks", () => {
  const cidr = parseCidr("10.1.2.3/20");
  assert.deepEqual(cidr, { first: ip("10.1.0.0"), last: ip("10.1.15.255"), prefix: 20, version: 4 });
  const v6 = parseCidr("2001:db8::/33");
  assert.ok(cidr && v6);
  assert.equal(formatIp(v6.last), "2001:db8:7fff:ffff:ffff:ffff:ffff:ffff");
  assert.equal(v6.version, 6);
  assert.deepEqual(parseCidr("::ffff:10.0.0.0/104"), parseCidr("10.0.0.0/8"));
  assert.deepEqual(parseCidr("0.0.0.0/0")?.last, new Uint8Array(4).fill(255));
  assert.deepEqual(parseCidr("192.0.2.1/32")?.first, parseCidr("192.0.2.1/32")?.last);
  for (
    const text of [
      "10.0.0.0",
      "10.0.0.0/",
      "10.0.0.0/33",
      "10.0.0.0/08",
      "10.0.0.0/-1",
      "10.0.0.0/+8",
      "10.0.0.0/8/8",
    ]
      .concat("::/129", "10/8", "/8", "10.0.0.0/8 ", "::ffff:10.0.0.0/95", "010.0.0.0/8")
  ) assert.equal(parseCidr(text), null, text);
  assert.ok(cidrContains(cidr, ip("10.1.15.255")));
  assert.ok(!cidrContains(cidr, ip("10.1.16.0")));
  assert.ok(!cidrContains(cidr, ip("10.0.255.255")));
  assert.ok(!cidrContains(cidr, ip("::1")));
  assert.ok(cidrContains(v6, ip("2001:db8:7000::1")));
});

Deno.test("broadcast addresses of networks", () => {
  const texts = [
    "10.0.1.0/24",
    "10.0.0.0/8",
    "192.0.2.4/30",
    "192.0.2.8/31",
    "192.0.2.9/32",
    "2001:db8::/64",
  ];
  const broadcasts = broadcastsOf(texts.map((text) => parseCidr(text)!));
  assert.deepEqual([...broadcasts], ["10.0.1.255", "10.255.255.255", "192.0.2.7"]);
});

Deno.test("the two addresses that stand for one that is not stated", () => {
  const texts = ["0.0.0.0", "::", "::ffff:0.0.0.0", "0.0.0.1", "::1", ""];
  assert.deepEqual(texts.filter(isUnstatedIp), ["0.0.0.0", "::"]);
});

Deno.test("addresses are ordered as numbers, IPv4 first", () => {
  const sorted = ["0.0.0.1", "9.255.0.0", "10.0.0.0", "255.0.0.0", "::", "::1", "ff00::"];
  const shuffled = [4, 0, 6, 2, 5, 1, 3].map((index) => ip(sorted[index] ?? ""));
  assert.deepEqual(shuffled.sort(compareIp).map(formatIp), sorted);
  assert.equal(compareIp(ip("10.0.0.1"), ip("10.0.0.1")), 0);
});

Deno.test("address classes", () => {
  const table: [(ip: Uint8Array) => boolean, string[], string[]][] = [
    [
      isPrivateIp,
      ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1", "fc00::", "fdff::1"],
      [
        "9.255.255.255",
        "11.0.0.0",
        "172.15.0.1",
        "172.32.0.0",
        "192.169.0.0",
        "100.64.0.1",
        "fe00::",
        "fbff::",
      ],
    ],
    [isMulticastIp, ["224.0.0.0", "239.255.255.255", "ff02::1"], ["223.255.255.255", "240.0.0.0", "fe80::"]],
    [isLoopbackIp, ["127.0.0.1", "127.255.255.255", "::1"], ["126.0.0.1", "128.0.0.1", "::", "::2", "1::1"]],
    [isLinkLocalIp, ["169.254.0.1", "fe80::1", "febf::1"], [
      "169.253.0.1",
      "169.255.0.0",
      "fec0::",
      "fe7f::",
    ]],
    [isBroadcastIp, ["255.255.255.255"], ["255.255.255.254", "10.255.255.255", "ffff::"]],
  ];
  for (const [test, inside, outside] of table) {
    for (const text of inside) assert.ok(test(ip(text)), `${test.name} ${text}`);
    for (const text of outside) assert.ok(!test(ip(text)), `${test.name} ${text}`);
  }
});
