import assert from "node:assert/strict";
import { exported, session } from "./flow_fixtures.ts";
import type { AlertFacts, DnsFacts } from "../records/facts.ts";
import { summarise, type SummaryInput } from "./summary.ts";
import { bytes } from "./units.ts";

const TCP: SummaryInput = {
  proto: "tcp",
  src: { ip: "10.0.0.5", port: 50_122 },
  dst: { ip: "192.0.2.7", port: 443 },
  service: "ssl",
  counters: session(1234, 3400),
  duration: 12_000_000,
  facts: null,
};

Deno.test("a connection: ends, service, volumes, duration", () => {
  assert.equal(summarise(TCP), "tcp 10.0.0.5:50122 → 192.0.2.7:443 (ssl), 1.2 kB out, 3.4 kB in, 12 s");
});

Deno.test("what was not measured is not mentioned", () => {
  assert.equal(
    summarise({ ...TCP, service: null, counters: exported(90), duration: 0 }),
    "tcp 10.0.0.5:50122 → 192.0.2.7:443, 90 B out",
  );
  assert.equal(
    summarise({ ...TCP, service: null, counters: null, duration: 0 }),
    "tcp 10.0.0.5:50122 → 192.0.2.7:443",
  );
  assert.match(summarise({ ...TCP, counters: session(0, 0) }), /, 0 B out, 0 B in,/, "zero is a measurement");
});

Deno.test("IPv6 ends are bracketed before a port, and an end without a port is an address", () => {
  const ends = { src: { ip: "2001:db8::5", port: 50_000 }, dst: { ip: "ff02::1", port: null } };
  assert.match(summarise({ ...TCP, ...ends }), /^tcp \[2001:db8::5\]:50000 → ff02::1 /);
});

const DNS: DnsFacts = {
  type: "dns",
  query: "a.example",
  qtype: "A",
  rcode: "NOERROR",
  answers: ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"],
  answered: true,
};

Deno.test("a DNS transaction: question and outcome", () => {
  const line = (more: Partial<DnsFacts>) => summarise({ ...TCP, facts: { ...DNS, ...more } });
  assert.equal(line({}), "A a.example → 192.0.2.1, 192.0.2.2, 192.0.2.3 and 1 more");
  assert.equal(line({ answers: ["192.0.2.1"] }), "A a.example → 192.0.2.1");
  assert.equal(line({ rcode: "NXDOMAIN", answers: [] }), "A a.example: NXDOMAIN");
  assert.equal(line({ answers: [] }), "A a.example: no answer data");
  assert.equal(line({ answered: false, rcode: null, answers: [] }), "query A a.example");
  assert.equal(line({ query: null, qtype: null, answered: false }), "query ? (no name)");
});

Deno.test("an alert: signature, category, priority, action", () => {
  const alert: AlertFacts = {
    type: "alert",
    gid: 1,
    signatureId: 2,
    revision: 3,
    signature: "ET MALWARE Beacon",
    category: "A Network Trojan was detected",
    priority: 1,
    action: "allowed",
    metadata: {},
  };
  const line = (more: Partial<AlertFacts>) => summarise({ ...TCP, facts: { ...alert, ...more } });
  assert.equal(line({}), "ET MALWARE Beacon (A Network Trojan was detected, priority 1, allowed)");
  assert.equal(line({ category: "", priority: null, action: null }), "ET MALWARE Beacon");
});

Deno.test("volumes round to what people read", () => {
  const written: [number | bigint, string][] = [
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 kB"],
    [99_940, "99.9 kB"],
    [99_960, "100 kB"],
    [999_499, "999 kB"],
    [999_500, "1.0 MB"],
    [1_500_000_000, "1.5 GB"],
    [2_000_000_000_000, "2.0 TB"],
    [2n ** 63n - 1n, "9223 PB"],
  ];
  for (const [count, text] of written) assert.equal(bytes(count), text);
});

Deno.test("durations round to what people read", () => {
  const written: [number, RegExp][] = [
    [1, /, 1 ms$/],
    [999_400, /, 999 ms$/],
    [999_600, /, 1 s$/],
    [119_400_000, /, 119 s$/],
    [119_600_000, /, 2 min$/],
    [7_199_000_000, /, 120 min$/],
    [7_200_000_000, /, 2 h$/],
  ];
  for (const [duration, text] of written) assert.match(summarise({ ...TCP, duration }), text);
});
