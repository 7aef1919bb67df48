import assert from "node:assert/strict";
import fc from "fast-check";
import { readTime } from "./times.ts";
import {
  certificateTime,
  distinguishedName,
  hexFingerprint,
  ja4Fingerprint,
  serialNumber,
  tlsVersion,
} from "./tls.ts";
import { zeekTime } from "./zeek/envelope.ts";

Deno.test("tlsVersion: every sensor's spelling maps to the RFCs'", () => {
  const cases: [string, string][] = [
    ["SSLv2", "SSL 2.0"],
    ["SSLv3", "SSL 3.0"],
    ["TLSv1", "TLS 1.0"],
    ["TLSv10", "TLS 1.0"],
    ["TLS 1.1", "TLS 1.1"],
    ["TLSv12", "TLS 1.2"],
    ["TLSv1.2", "TLS 1.2"],
    ["TLS 1.3", "TLS 1.3"],
    ["TLSv13-draft28", "TLS 1.3 draft-28"],
    ["TLS 1.3 draft-28", "TLS 1.3 draft-28"],
    ["DTLSv10", "DTLS 1.0"],
    ["DTLSv12", "DTLS 1.2"],
    ["unknown-64282", "unknown-64282"],
    ["0x7f1c", "0x7f1c"],
  ];
  for (const [given, expected] of cases) assert.equal(tlsVersion(given), expected);
  for (const none of ["UNDETERMINED", "unknown", "", " ", null, undefined, 771, {}]) {
    assert.equal(tlsVersion(none), null);
  }
  assert.equal(tlsVersion("x".repeat(5000))?.length, 32);
});

Deno.test("hexFingerprint: lower case without colons, only in the lengths of hashes", () => {
  assert.equal(
    hexFingerprint("CC:AA:48:48:66:46:0E:91:53:2C:9C:7C:23:2A:B1:74:4D:29:9D:33"),
    "ccaa484866460e91532c9c7c232ab1744d299d33",
  );
  assert.equal(hexFingerprint("e0fe397a5edfba9a6facc7c7b341f4eb"), "e0fe397a5edfba9a6facc7c7b341f4eb");
  assert.equal(hexFingerprint("AB".repeat(32)), "ab".repeat(32));
  for (
    const bad of ["", "ab", "g".repeat(32), "a".repeat(33), "a:b".repeat(16), "ab".repeat(500), null, 7, []]
  ) {
    assert.equal(hexFingerprint(bad), null);
  }
});

Deno.test("serialNumber: one form for any leading zero octets and colons", () => {
  assert.equal(serialNumber("00:95:A4:FB:68:CD"), "95a4fb68cd");
  assert.equal(serialNumber("95A4FB68CD"), "95a4fb68cd");
  assert.equal(serialNumber("01"), "01");
  assert.equal(serialNumber("00"), "00");
  assert.equal(serialNumber("0000"), "00");
  for (const bad of ["", "xyz", "12 34", null, 12]) assert.equal(serialNumber(bad), null);
});

Deno.test("ja4Fingerprint: JA4 and JA4S, nothing else", () => {
  for (const sound of ["t13d1516h2_8daaf6152771_e5627efa2ab1", "q130200_1301_234ea6891581"]) {
    assert.equal(ja4Fingerprint(sound), sound);
  }
  assert.equal(
    ja4Fingerprint("T13D1516H2_8DAAF6152771_E5627EFA2AB1"),
    "t13d1516h2_8daaf6152771_e5627efa2ab1",
  );
  for (const bad of ["", "t13d1516h2", "x13d1516h2_8daaf6152771_e5627efa2ab1", "a_b_c", null, 1]) {
    assert.equal(ja4Fingerprint(bad), null);
  }
});

Deno.test("distinguishedName: two sensors' spellings of one name are equal", () => {
  const name = "CN=www.github.com,O=GitHub\\, Inc.,L=San Francisco,ST=California,C=US";
  assert.equal(distinguishedName(name), name);
  assert.equal(
    distinguishedName("C=US, ST=California, L=San Francisco, O=GitHub, Inc., CN=www.github.com"),
    name,
  );
  assert.equal(distinguishedName("CN=*.docker.io"), "CN=*.docker.io");
  assert.equal(distinguishedName('C=US, O=A "B" + C'), 'O=A \\"B\\" \\+ C,C=US');
  assert.equal(distinguishedName("C=US, 1.3.6.1.4.1.311.60.2.1.3=US"), "1.3.6.1.4.1.311.60.2.1.3=US,C=US");
  assert.equal(
    distinguishedName("O=New Dream Network\\, LLC, Inc=,C=US"),
    "O=New Dream Network\\, LLC, Inc=,C=US",
  );
  for (const none of ["", null, 7, []]) assert.equal(distinguishedName(none), null);
});

Deno.test("distinguishedName: bounded, keeping the last attribute", () => {
  const long = Array.from({ length: 60 }, (_, i) => `OU=unit ${i}`).join(", ") + ", CN=www.example.org";
  const name = distinguishedName(long);
  assert.ok(name?.startsWith("CN=www.example.org,OU=unit 59") && name.length <= 512);
});

Deno.test("any text gives a bounded value or null", () => {
  fc.assert(fc.property(fc.string({ maxLength: 3000, unit: "binary" }), (text) => {
    for (const read of [tlsVersion, hexFingerprint, serialNumber, ja4Fingerprint, distinguishedName]) {
      const result = read(text);
      assert.ok(result === null || (result.length > 0 && result.length <= 512 && !result.includes("\0")));
      assert.ok(result === null || result.isWellFormed() || !text.isWellFormed());
    }
  }));
});

Deno.test("certificateTime: parsed in the sensor's format; out of range warns, absent does not", () => {
  const warnings: string[] = [];
  const noon = 1_769_860_800_000_000;
  assert.equal(certificateTime("2026-01-31T12:00:00", readTime, "notbefore", warnings), noon);
  assert.equal(certificateTime(1_769_860_800_000, zeekTime, "not_valid_before", warnings), noon);
  for (const absent of [undefined, null]) {
    assert.equal(certificateTime(absent, readTime, "x", warnings), null);
  }
  assert.deepEqual(warnings, []);
  for (const bad of ["9999-12-31T23:59:59", "1950-01-01T00:00:00", -1, {}, ""]) {
    assert.equal(certificateTime(bad, readTime, "notafter", warnings), null);
  }
  assert.deepEqual(new Set(warnings), new Set(["notafter: expected a time from 1970 to 2255"]));
});
