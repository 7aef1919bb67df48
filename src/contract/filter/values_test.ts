import assert from "node:assert/strict";
import type { FieldName } from "./fields.ts";
import type { Operator } from "./field.ts";
import { parseValue, printValue } from "./values.ts";
import type { Scalar } from "./tree.ts";

const parse = (field: FieldName, text: string, op: Operator = "matches", quoted = false) =>
  parseValue(field, text, { op, quoted });

Deno.test("filter values: each type has one canonical form and its text", () => {
  const cases: [FieldName, text: string, value: Scalar, printed: string][] = [
    ["ip", "10.0.0.1", "10.0.0.1", "10.0.0.1"],
    ["ip", "10.1.2.3/8", "10.0.0.0/8", "10.0.0.0/8"],
    ["ip", "10.0.0.1/32", "10.0.0.1", "10.0.0.1"],
    ["ip", "10.1", "10.1.0.0/16", "10.1.0.0/16"],
    ["ip", "10.1.", "10.1.0.0/16", "10.1.0.0/16"],
    ["ip", "10.", "10.0.0.0/8", "10.0.0.0/8"],
    ["ip", "192.168.7", "192.168.7.0/24", "192.168.7.0/24"],
    ["ip", "10.1/12", "10.0.0.0/12", "10.0.0.0/12"],
    ["ip", "2001:DB8::0:1", "2001:db8::1", "2001:db8::1"],
    ["ip", "[2001:db8::1]", "2001:db8::1", "2001:db8::1"],
    ["ip", "2001:db8::1/32", "2001:db8::/32", "2001:db8::/32"],
    ["ip", "::ffff:10.0.0.1", "10.0.0.1", "10.0.0.1"],
    ["port", "0443", 443, "443"],
    ["server_name", "WWW.Example.COM.", "www.example.com", "www.example.com"],
    ["server_name", ".example.com", "*.example.com", "*.example.com"],
    ["server_name", "**mail*", "*mail*", "*mail*"],
    ["dns.answer", "2001:DB8::1", "2001:db8::1", "2001:db8::1"],
    ["dns.answer", "198.51.100.7/24", "198.51.100.*", "198.51.100.*"],
    ["dns.answer", "10.1.2.3/32", "10.1.2.3", "10.1.2.3"],
    [
      "ja3",
      "E7D705A3286E19EA42F587B344EE6865",
      "e7d705a3286e19ea42f587b344ee6865",
      "e7d705a3286e19ea42f587b344ee6865",
    ],
    [
      "certificate",
      "4E:A1:C7:F0:A3:B1:E0:C2:6D:0A:1D:4A:3F:6B:7C:8D:9E:0F:1A:2B",
      "4ea1c7f0a3b1e0c26d0a1d4a3f6b7c8d9e0f1a2b",
      "4ea1c7f0a3b1e0c26d0a1d4a3f6b7c8d9e0f1a2b",
    ],
    [
      "ja4",
      "t13d1516h2_8DAAF6152771_b186095e22b6",
      "t13d1516h2_8daaf6152771_b186095e22b6",
      "t13d1516h2_8daaf6152771_b186095e22b6",
    ],
    [
      "community_id",
      "1:wCb3OG7yAFWelaUydu0D+125CLM=",
      "1:wCb3OG7yAFWelaUydu0D+125CLM=",
      "1:wCb3OG7yAFWelaUydu0D+125CLM=",
    ],
    ["device", "*printer*", "printer", "printer"],
    ["service", "SSL", "tls", "tls"],
    ["proto", "17", "udp", "udp"],
    ["tls.version", "TLSv1.2", "1.2", "1.2"],
    ["severity", "MED", "medium", "medium"],
    ["status", "false positive", "false_positive", "false_positive"],
    ["country", "ro", "RO", "RO"],
    ["country", "UK", "GB", "GB"],
    ["country", "South  Korea", "KR", "KR"],
    ["country", "turkey", "TR", "TR"],
    ["country", "Cote d’Ivoire", "CI", "CI"],
    ["asn", "as13335", 13335, "AS13335"],
    ["asn", "13335", 13335, "AS13335"],
    ["packets", "1000", 1000, "1000"],
    ["packets", "10k", 10_000, "10000"],
    ["bytes", "1MB", 1_000_000, "1MB"],
    ["bytes", "1.5 GiB", 1_610_612_736, "1536MiB"],
    ["bytes", "100", 100, "100B"],
    ["bytes", "0", 0, "0B"],
    ["bytes", "10m", 10_000_000, "10MB"],
    ["rate", "1MB/s", 1_000_000, "1MB/s"],
    ["rate", "8 Mbit/s", 1_000_000, "1MB/s"],
    ["rate", "8Mbps", 1_000_000, "1MB/s"],
    ["rate", "1MBps", 1_000_000, "1MB/s"],
    ["rate", "KB/s", 0, ""],
    ["duration", "90s", 90_000, "90s"],
    ["duration", "1h30m", 5_400_000, "90m"],
    ["duration", "2 days", 172_800_000, "2d"],
    ["duration", "0.5s", 500, "500ms"],
    ["duration", "30", 30_000, "30s"],
    ["vlan", "020", 20, "20"],
    ["vlan", "office", "office", "office"],
    [
      "flow",
      "01A31F60-2C68-7001-8000-000000000001",
      "01a31f60-2c68-7001-8000-000000000001",
      "01a31f60-2c68-7001-8000-000000000001",
    ],
  ];
  for (const [field, text, value, printed] of cases) {
    const parsed = parse(field, text);
    if (printed === "") assert.equal(parsed.ok, false, text);
    else {
      assert.deepEqual(parsed, { ok: true, value }, `${field} ${text}`);
      assert.equal(printValue(field, value), printed);
      assert.deepEqual(parse(field, printed, "matches", true), { ok: true, value }, printed);
    }
  }
});

Deno.test("filter values: a value of another type is refused with what was expected and the nearest one", () => {
  const cases: [FieldName, text: string, message: RegExp, suggestion: string | null][] = [
    ["severity", "urgent", /`urgent` is not/, "critical"],
    ["ip", "10.0.0.300", /`10\.0\.0\.300` is not an IP address/, null],
    ["ip", "10", /not an IP address/, null],
    ["ip", "0:0:10::100:10.100", /not an IP address/, null],
    ["ip", "10.0.0.0/33", /not an IP address/, null],
    ["port", "65536", /not a port from 0 to 65535/, null],
    ["port", "-1", /not a port/, null],
    ["ja3", "xyz", /fingerprint of 32 hexadecimal digits/, null],
    ["severity", "hihg", /one of info, low, medium, high, critical/, "high"],
    ["country", "Romnia", /a country code/, "Romania"],
    ["country", "ZZ", /a country code/, null],
    ["country", "EU", /a country code/, null],
    ["asn", "AS4294967296", /autonomous system/, null],
    ["bytes", "1XB", /a size such as/, null],
    ["bytes", "-1", /a size such as/, null],
    ["bytes", "1e9", /a size such as/, null],
    ["bytes", "99999999999999TB", /a size such as/, null],
    ["duration", "1y", /a duration such as/, null],
    ["time", "2h ago", /a time such as/, "-2h"],
    ["time", "yesturday", /a time such as/, "yesterday"],
    ["vlan", "4095", /a VLAN number/, null],
    ["device.id", "1", /an identifier/, null],
    ["alert", "ET*MALWARE", /`\*` has no meaning in a text/, "ET*MALWARE"],
    ["title", "a\0b", /characters that no text has/, null],
    ["title", "\ud800", /characters that no text has/, null],
    ["title", "", /empty/, null],
    ["title", "x".repeat(513), /at most 512 characters/, null],
  ];
  for (const [field, text, message, suggestion] of cases) {
    const parsed = parse(field, text);
    assert.ok(!parsed.ok, `${field} ${text}`);
    assert.match(parsed.message, message);
    assert.equal(parsed.suggestion, suggestion, text);
    assert.ok(parsed.expected.length > 0);
  }
  assert.equal(parse("server_name", "*.example.com", "=").ok, false);
  assert.deepEqual(parse("alert", "*", "=", true), { ok: true, value: "*" });
});
