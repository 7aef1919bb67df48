import assert from "node:assert/strict";
import fc from "fast-check";
import { formatIp, parseCidr } from "../../kit/net/ip.ts";
import { type Destination, MAX_DESTINATIONS } from "../detect/kernel/result.ts";
import {
  compilePattern,
  coveringSuppression,
  matches,
  patternFaults,
  type SuppressionPattern,
  type SuppressionSubject,
} from "./suppression.ts";

const WS7 = "0190b2c3-0000-7000-8000-000000000007";
const WS8 = "0190b2c3-0000-7000-8000-000000000008";

function pattern(set: Partial<SuppressionPattern>): SuppressionPattern {
  return { source: null, destination: null, port: null, detector: null, ...set };
}

function to(ip: string | null, port: number | null = 443, name: string | null = null): Destination {
  return { ip, name, port };
}

function subject(set: Partial<SuppressionSubject> = {}): SuppressionSubject {
  return {
    modelId: "beacon",
    deviceIds: [WS7],
    deviceAddresses: ["10.0.0.7", "fe80::7"],
    destinations: [to("198.51.100.9")],
    ...set,
  };
}

function holds(set: Partial<SuppressionPattern>, about: Partial<SuppressionSubject> = {}): boolean {
  return matches(compilePattern(pattern(set)), subject(about));
}

const BEACON = { source: WS7, detector: "beacon" };

Deno.test("suppression: every field that is set must match", () => {
  const full = { source: WS7, destination: "198.51.100.0/24", port: 443, detector: "beacon" };
  assert.ok(holds(full));
  assert.equal(holds({ ...full, source: WS8 }), false);
  assert.equal(holds({ ...full, destination: "198.51.101.0/24" }), false);
  assert.equal(holds({ ...full, port: 8443 }), false);
  assert.equal(holds({ ...full, detector: "scan" }), false);
});

Deno.test("suppression: the source is the device a result is about, not another one in it", () => {
  assert.ok(holds(BEACON, { deviceIds: [WS7, WS8] }));
  assert.equal(holds(BEACON, { deviceIds: [WS8, WS7] }), false);
  assert.equal(holds(BEACON, { deviceIds: [] }), false);
  const merged = compilePattern(pattern(BEACON), [WS7, WS8]);
  assert.ok(matches(merged, subject({ deviceIds: [WS8] })), "a device merged with it");
});

Deno.test("suppression: a source network must contain one of the device's addresses", () => {
  for (const source of ["10.0.0.7", "10.0.0.0/24", "fe80::7"]) {
    assert.ok(holds({ ...BEACON, source }), source);
  }
  assert.equal(holds({ ...BEACON, source: "10.0.1.0/24" }), false);
  assert.equal(holds({ ...BEACON, source: "10.0.0.0/24" }, { deviceAddresses: [] }), false);
});

Deno.test("suppression: every destination of a result must match", () => {
  const set = { destination: "198.51.100.0/24", port: 443 };
  assert.ok(holds(set, { destinations: [to("198.51.100.9"), to("198.51.100.10")] }));
  assert.equal(holds(set, { destinations: [to("198.51.100.9"), to("203.0.113.1")] }), false);
  assert.equal(holds(set, { destinations: [to("198.51.100.9"), to("198.51.100.9", 80)] }), false);
  assert.equal(holds(set, { destinations: [to("198.51.100.9", null)] }), false);
  assert.equal(holds(set, { destinations: [to(null)] }), false);
  assert.equal(holds(set, { destinations: [] }), false);
  assert.ok(holds(BEACON, { destinations: [] }), "no destinations needed if the pattern names none");
});

Deno.test("suppression: a full list of destinations may be truncated, so it never matches", () => {
  const many = (count: number) => ({ destinations: Array.from({ length: count }, () => to("198.51.100.9")) });
  const set = { source: WS7, destination: "198.51.100.9" };
  assert.ok(holds(set, many(MAX_DESTINATIONS - 1)));
  assert.equal(holds(set, many(MAX_DESTINATIONS)), false);
  assert.equal(holds({ source: WS7, port: 443 }, many(MAX_DESTINATIONS)), false);
  assert.ok(holds(BEACON, many(MAX_DESTINATIONS)));
});

Deno.test("suppression: a domain covers itself and its subdomains", () => {
  const set = { destination: "update.example.com", detector: "beacon" };
  const named = (name: string | null) => ({ destinations: [to("198.51.100.9", 443, name)] });
  for (const name of ["update.example.com", "a.b.update.example.com", "Update.Example.COM."]) {
    assert.ok(holds(set, named(name)), name);
  }
  for (const name of ["example.com", "notupdate.example.com", "update.example.com.evil.net", null]) {
    assert.equal(holds(set, named(name)), false, String(name));
  }
});

Deno.test("suppression: a pattern that is too wide or invalid is rejected with the field", () => {
  const refused: [Partial<SuppressionPattern>, string, RegExp][] = [
    [{}, "source", /expected a source or a destination/],
    [{ port: 443, detector: "beacon" }, "source", /expected a source or a destination/],
    [{ source: WS7 }, "destination", /at least 2 fields/],
    [{ destination: "192.0.2.1" }, "source", /at least 2 fields/],
    [{ source: "10.0.0.0/15", port: 1 }, "source", /prefix of \/16 or longer/],
    [{ destination: "0.0.0.0/0", port: 1 }, "destination", /prefix of \/16 or longer/],
    [{ destination: "::ffff:10.0.0.0/104", port: 1 }, "destination", /canonical 10\.0\.0\.0\/8/],
    [{ destination: "2001:db8::/47", port: 1 }, "destination", /prefix of \/48 or longer/],
    [{ source: "10.0.0.1/24", port: 1 }, "source", /expected the canonical 10\.0\.0\.0\/24/],
    [{ source: "::ffff:10.0.0.1", port: 1 }, "source", /expected the canonical 10\.0\.0\.1/],
    [{ source: "2001:DB8::1", port: 1 }, "source", /expected the canonical 2001:db8::1/],
    [{ source: "laptop", port: 1 }, "source", /expected a device, a network or an address/],
    [{ source: "example.com", port: 1 }, "source", /expected a device, a network or an address/],
    [{ destination: "10.0.0.256", port: 1 }, "destination", /expected a network or an address/],
    [{ destination: "10.0.0.0/33", port: 1 }, "destination", /expected a network or an address/],
    [{ destination: "com", port: 1 }, "destination", /a registered domain/],
    [{ destination: "co.uk", port: 1 }, "destination", /a registered domain/],
    [{ destination: "github.io", port: 1 }, "destination", /a registered domain/],
    [{ destination: "*.example.com", port: 1 }, "destination", /a registered domain/],
    [{ destination: "Example.com", port: 1 }, "destination", /lower case/],
    [{ destination: "example.com.", port: 1 }, "destination", /lower case and no trailing dot/],
  ];
  for (const [set, field, message] of refused) {
    const faults = patternFaults(pattern(set));
    assert.equal(faults.length, 1, JSON.stringify([set, faults]));
    assert.equal(faults[0]!.field, field, JSON.stringify([set, faults]));
    assert.match(faults[0]!.message, message);
    assert.throws(() => compilePattern(pattern(set)), RangeError);
  }
  for (const destination of ["10.1.0.0/16", "2001:db8:1::/48", "corp.local", "a.github.io", "münchen.de"]) {
    assert.deepEqual(patternFaults(pattern({ destination, port: 1 })), [], destination);
  }
});

Deno.test("suppression: of several that cover a result the one that expires last applies", () => {
  const one = (expiresAt: number, set: Partial<SuppressionPattern>) => ({
    expiresAt,
    pattern: compilePattern(pattern(set)),
  });
  const all = [one(5, BEACON), one(9, BEACON), one(7, BEACON), one(99, { ...BEACON, source: WS8 })];
  assert.equal(coveringSuppression(all, subject()), all[1]);
  assert.equal(coveringSuppression(all, subject({ modelId: "scan" })), null);
  assert.equal(coveringSuppression([], subject()), null);
});

Deno.test("suppression: another field never widens a pattern", () => {
  const addresses = fc.constantFrom("10.0.0.7", "10.0.9.7", "198.51.100.9", "2001:db8::1", "not an address");
  const results = fc.record({
    modelId: fc.constantFrom("beacon", "scan"),
    deviceIds: fc.array(fc.constantFrom(WS7, WS8), { maxLength: 2 }),
    deviceAddresses: fc.array(addresses, { maxLength: 3 }),
    destinations: fc.array(
      fc.record({
        ip: fc.option(addresses),
        name: fc.option(fc.constantFrom("a.example.com", "example.com", "", "\u0000")),
        port: fc.option(fc.constantFrom(443, 80)),
      }),
      { maxLength: 3 },
    ),
  });
  const sources = fc.constantFrom(WS7, "10.0.0.0/16", "198.51.100.9");
  const destinations = fc.constantFrom("198.51.100.0/24", "example.com", "10.0.0.7");
  fc.assert(fc.property(results, sources, destinations, (result, source, destination) => {
    const wide = holds({ source, destination }, result);
    const narrow = holds({ source, destination, port: 443 }, result) ||
      holds({ source, destination, detector: "scan" }, result);
    assert.ok(wide || !narrow);
  }));
});

Deno.test("suppression: a network covers exactly its own addresses", () => {
  const prefixes = fc.integer({ min: 16, max: 32 });
  fc.assert(fc.property(fc.ipV4(), prefixes, fc.ipV4(), (address, prefix, other) => {
    const { first, last } = parseCidr(`${address}/${prefix}`)!;
    const set = { destination: `${formatIp(first)}/${prefix}`, port: 443 };
    for (const ip of [address, formatIp(first), formatIp(last)]) {
      assert.ok(holds(set, { destinations: [to(ip)] }));
    }
    const numberOf = (ip: string) => ip.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0);
    const within = Math.floor(numberOf(other) / 2 ** (32 - prefix)) ===
      Math.floor(numberOf(address) / 2 ** (32 - prefix));
    assert.equal(holds(set, { destinations: [to(other)] }), within);
  }));
});
