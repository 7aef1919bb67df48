// Feeds every kind of private data through every input of the payload: none gets through. No payload the
// table allows is refused.

import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { CONNECTOR_IDS } from "../../../contract/connector/connector.ts";
import { Heartbeat, SOURCE_CATEGORIES } from "../../../contract/telemetry/heartbeat.ts";
import type { RecordKind } from "../../../contract/record/kinds.ts";
import { formatIp } from "../../../kit/net/ip.ts";
import { buildHeartbeat, prepareHeartbeat } from "./build.ts";
import { checkHeartbeat, violationText } from "./check.ts";
import type { HeartbeatFacts } from "./facts.ts";
import { heartbeatFacts, tenantFacts } from "../../../../test/support/domain/heartbeat-fixtures.ts";

const RUNS = { numRuns: 2000 };

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const word = fc.stringMatching(/^[a-z]{3,9}$/);
const joined = (between: string, ...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((texts) => texts.join(between));
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

const hostName = joined("-", fc.constantFrom("srv", "fw", "nas", "laptop"), word);
const domain = joined(".", word, word, fc.constantFrom("example", "com", "internal"));
const ipv4 = bytes(4).map(formatIp);
const ipv6 = bytes(16).map(formatIp);
const ipv6Full = bytes(16).map((octets) => octets.toHex().match(/.{4}/g)!.join(":"));
const mac = bytes(6).map((octets) => octets.toHex().match(/../g)!);

/** SPEC's list of what is never sent, each in a recognisable form. */
const NEVER_SENT: Record<string, fc.Arbitrary<string>> = {
  "an IPv4 address": ipv4,
  "an IPv6 address": fc.oneof(ipv6, ipv6Full, ipv6.map((text) => `${text.toUpperCase()}%eth0`)),
  "a hash of an address": hex(64),
  "a CIDR": fc.oneof(ipv4.map((text) => `${text}/24`), ipv6.map((text) => `${text}/64`)),
  "a MAC address": fc.oneof(mac.map((octets) => octets.join(":")), mac.map((octets) => octets.join("-"))),
  "a host name": hostName,
  "a domain": domain,
  "a device name": joined(" ", word, fc.constantFrom("printer", "phone")),
  "a user name": joined("_", fc.constantFrom("usr", "adm"), word),
  "an e-mail address": joined("@", word, domain),
  "a tenant identifier": joined("-", fc.constant("tenant"), word),
  "a sensor identifier": joined("-", fc.constant("zeek"), word),
  "a site name": joined(" ", fc.constant("Plant"), word),
  "coordinates": fc.tuple(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: 0, max: 180, noNaN: true }),
  )
    .map(([latitude, longitude]) => `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`),
  "a VLAN name": joined(" ", fc.constant("VLAN"), word),
  "an incident's title": joined(" ", fc.constant("Beaconing from"), hostName),
  "a flow": fc.tuple(ipv4, ipv6).map(([src, dst]) => `{"src":"${src}","dst":"${dst}"}`),
  "evidence": domain.map((name) => `{"query":"${name}","rcode":"NOERROR"}`),
  "analyst text": hostName.map((name) => `I have looked at ${name}: it is an update.`),
  "a model name": joined(":", fc.constantFrom("llama", "gpt"), word),
  "a token": fc.stringMatching(/^[A-Za-z0-9_-]{24}$/),
  "a licence key in clear": fc.stringMatching(/^([A-Z0-9]{5}-){4}[A-Z0-9]{5}$/),
  "a path of the configuration": word.map((text) => `/etc/ndr/secrets/${text}`),
};

/** How external text may wrap a datum. */
const disguises: ((datum: string) => string)[] = [
  (datum) => datum,
  (datum) => datum.toUpperCase(),
  (datum) => `1.2.3-${datum}`,
  (datum) => `1.2.3+${datum}`,
  (datum) => `${datum}\n`,
  (datum) => `"${datum}"`,
  (datum) => `12 (${datum})`,
  (datum) => `6.1.0-${datum}`,
  (datum) => `ID=debian\nVERSION_ID="${datum}"`,
  (datum) => `ID="${datum}"\nVERSION_ID=12`,
  (datum) => `ID=${datum}`,
  (datum) => `ID=debian\nVERSION_ID=12.${datum}\nPRETTY_NAME="${datum}"\n${datum}=1`,
];

/** Every input text that does not come from the product's own code. */
const inputs: Record<string, (facts: HeartbeatFacts, text: string) => HeartbeatFacts> = {
  "the product's version": (facts, text) => ({ ...facts, productVersion: text }),
  "the bundle's version": (facts, text) => ({ ...facts, bundleVersion: text }),
  "the installation identifier": (facts, text) => ({ ...facts, installId: text }),
  "the OS release file": (facts, text) => ({ ...facts, machine: { ...facts.machine, osRelease: text } }),
  "the kernel's release": (facts, text) => ({ ...facts, machine: { ...facts.machine, kernelRelease: text } }),
  "the architecture": (facts, text) => ({ ...facts, machine: { ...facts.machine, arch: text } }),
  "a connector's type": (facts, text) => ({
    ...facts,
    tenants: [tenantFacts({ connectors: new Map([[text, 1], ["webhook", 2]]) })],
  }),
  "a record kind": (facts, text) => ({ ...facts, recordKinds: [text as RecordKind, "zeek.conn"] }),
  "the licence key identifier on pro": (facts, text) => ({
    ...facts,
    license: { plan: "pro", keyIdHash: text },
  }),
  "the licence key identifier on free": (facts, text) => ({
    ...facts,
    license: { plan: "free", keyIdHash: text },
  }),
};

function contains(text: string, datum: string): boolean {
  return text.toLowerCase().includes(datum.toLowerCase());
}

for (const [what, datum] of Object.entries(NEVER_SENT)) {
  Deno.test(`never sent: ${what}, in any input`, () => {
    const input = fc.constantFrom(...Object.values(inputs));
    fc.assert(
      fc.property(datum, fc.constantFrom(...disguises), input, (mark, disguise, put) => {
        const { text, violations } = prepareHeartbeat(put(heartbeatFacts(), disguise(mark)));
        assert.ok(violations.length > 0 || !contains(text, mark), text);
        assert.ok(!contains(violations.map(violationText).join("\n"), mark), "a violation leaks it");
      }),
      { numRuns: RUNS.numRuns / 5 },
    );
  });
}

Deno.test("never sent: several of them in several inputs at once", () => {
  const putting = fc.record({
    mark: fc.oneof(...Object.values(NEVER_SENT)),
    disguise: fc.constantFrom(...disguises),
    put: fc.constantFrom(...Object.values(inputs)),
  });
  fc.assert(
    fc.property(fc.array(putting, { minLength: 2, maxLength: 8 }), (all) => {
      const facts = all.reduce(
        (made, { mark, disguise, put }) => put(made, disguise(mark)),
        heartbeatFacts(),
      );
      const { text, violations } = prepareHeartbeat(facts);
      for (const { mark } of all) assert.ok(violations.length > 0 || !contains(text, mark), text);
    }),
    RUNS,
  );
});

Deno.test("a payload tampered with before sending is refused, in any field and at any depth", () => {
  const good = buildHeartbeat(heartbeatFacts());
  const wrapped = fc.constantFrom<(datum: string) => unknown>(
    (datum) => datum,
    (datum) => [datum],
    (datum) => ({ [datum]: 1 }),
    (datum) => ({ webhook: datum }),
    (datum) => ({ webhook: { name: datum } }),
    (datum) => ["zeek", { a: [datum] }],
  );
  const field = fc.constantFrom(...Object.keys(good), "extra", "__proto__", "constructor");
  fc.assert(
    fc.property(fc.oneof(...Object.values(NEVER_SENT)), wrapped, field, (datum, wrap, name) => {
      const entries = Object.entries(good).filter(([key]) => key !== name);
      const changed = Object.fromEntries([...entries, ["changed", wrap(datum)]]);
      // A literal `__proto__` would set the prototype; in JSON text it is an ordinary key.
      const text = JSON.stringify(changed).replace('"changed":', `"${name}":`);
      assert.ok(text.includes(`"${name}":`));
      assert.ok(checkHeartbeat(text).length > 0, text);
      const violations = checkHeartbeat(text).map(violationText).join("\n");
      assert.ok(!contains(violations, datum), violations);
    }),
    RUNS,
  );
});

Deno.test("no payload the table allows is refused", () => {
  const { properties } = z.toJSONSchema(Heartbeat);
  const pattern = (field: keyof Heartbeat, of = properties![field]) => {
    assert.ok(typeof of === "object" && of.pattern !== undefined, field);
    return fc.stringMatching(new RegExp(of.pattern));
  };
  const option = <F extends keyof typeof Heartbeat.shape>(field: F) => {
    const { enum: options } = properties![field] as { enum: string[] };
    return fc.constantFrom(...options);
  };
  const payload = fc.record({
    schema_version: fc.constant(1),
    install_id: pattern("install_id"),
    product_version: pattern("product_version"),
    bundle_version: pattern("bundle_version"),
    os_id: option("os_id"),
    os_version_major: pattern("os_version_major"),
    kernel_major: pattern("kernel_major"),
    arch: option("arch"),
    plan: fc.constant("pro"),
    license_key_id_hash: fc.option(hex(16)),
    tenant_count: fc.integer({ min: 0, max: 1_000_000 }),
    device_bucket: option("device_bucket"),
    source_kinds: fc.shuffledSubarray([...SOURCE_CATEGORIES]),
    connector_counts: fc.dictionary(
      fc.constantFrom(...CONNECTOR_IDS),
      fc.integer({ min: 0, max: 1_000_000 }),
    ),
    uptime_bucket: option("uptime_bucket"),
    learning_phase: option("learning_phase"),
    ingest_error_bucket: option("ingest_error_bucket"),
    sent_at: pattern("sent_at"),
  }, { noNullPrototype: true });
  fc.assert(
    fc.property(payload, fc.boolean(), (made, isFree) => {
      const legal = isFree ? { ...made, plan: "free", license_key_id_hash: null } : made;
      assert.deepEqual(checkHeartbeat(JSON.stringify(legal)), []);
    }),
    RUNS,
  );
});

Deno.test("no heartbeat of a realistic installation is refused", () => {
  const facts = fc.record({
    devices: fc.nat(),
    ingestErrors: fc.nat(),
    webhooks: fc.nat(1000),
    uptimeSeconds: fc.double({ min: 0, max: 1e10, noNaN: true }),
    osRelease: fc.option(fc.string({ unit: "binary" })),
    kernelRelease: fc.option(fc.string()),
    arch: fc.string(),
    now: fc.date({ min: new Date("2025-01-01"), max: new Date("2099-12-31"), noInvalidDate: true }),
  });
  fc.assert(
    fc.property(facts, ({ devices, ingestErrors, webhooks, now, ...machine }) => {
      const tenants = [tenantFacts({ devices, ingestErrors, connectors: new Map([["webhook", webhooks]]) })];
      const made = prepareHeartbeat(heartbeatFacts({ machine, tenants, now: now.getTime() * 1000 }));
      assert.deepEqual(made.violations, []);
    }),
    RUNS,
  );
});
