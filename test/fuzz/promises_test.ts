// Each check detects its violation: an observation of a real record passes, and fails with one thing wrong.

import assert from "node:assert/strict";
import type { RecordKind } from "../../src/contract/record/kinds.ts";
import type { CaptureSample, ReadObservation } from "../../src/domain/record/observation.ts";
import { normalise } from "../../src/domain/record/registry.ts";
import { Counted, sizeOf } from "./counted.ts";
import { checkCapture, checkObservation, checkReason } from "./promises.ts";
import { StatedValues } from "./stated-values.ts";
import { type Payload, samplesOf } from "./samples.ts";

function first(kind: RecordKind, wanted: (observation: ReadObservation) => boolean = () => true) {
  for (const { payload, observedAt } of samplesOf(kind)) {
    const result = normalise(kind, payload, { observedAt, expectedExporters: null });
    if ("observation" in result && wanted(result.observation)) return { payload, ...result };
  }
  return assert.fail(`no such record of ${kind}`);
}

function bites(
  { observation, payload }: { observation: ReadObservation; payload: Payload },
  message: RegExp,
  damage: (observation: ReadObservation) => void,
): void {
  const stated = new StatedValues(payload);
  checkObservation(observation, stated);
  const damaged = structuredClone(observation);
  damage(damaged);
  assert.throws(() => checkObservation(damaged, stated), message);
}

Deno.test("an invented counter, address, port, VLAN or flow id", () => {
  const conn = first("zeek.conn", ({ counters }) => typeof counters?.srcToDst.bytes === "number");
  bites(
    conn,
    /counter that the record does not state/,
    ({ counters }) => counters!.srcToDst.bytes = 987_654_321,
  );
  bites(
    conn,
    /counter that the record does not state/,
    ({ counters }) => counters!.dstToSrc.packets = 123_457,
  );
  bites(conn, /counter -1/, ({ counters }) => counters!.srcToDst.bytes = -1);
  bites(
    conn,
    /Expected values/,
    ({ counters }) => counters!.srcToDst.bytes = BigInt(counters!.srcToDst.bytes!),
  );
  bites(conn, /address that the record does not state/, ({ src }) => src.ip = "203.0.113.77");
  bites(conn, /address that the record does not state/, ({ dst }) => dst.ip = "0.0.0.0");
  bites(conn, /not canonical/, ({ dst }) => dst.ip = `::ffff:${dst.ip}`);
  bites(conn, /number that the record does not state/, ({ src }) => src.port = 64_999);
  bites(conn, /number that the record does not state/, (observation) => observation.vlan = 4001);
  bites(conn, /flow id that the record does not state/, (observation) => observation.nativeId = "Cxyz");
  bites(conn, /tuple/, (observation) => observation.tuple = "6|10.0.0.1|1|10.0.0.2|2");
});

Deno.test("an invented fact", () => {
  const nat = first("netflow.flow", ({ facts }) => facts?.type === "export" && facts.nat !== null);
  bites(
    nat,
    /address/,
    ({ facts }) => assert.ok(facts?.type === "export" && (facts.nat!.src.ip = "203.0.113.77")),
  );
  bites(nat, /number/, ({ facts }) => assert.ok(facts?.type === "export" && (facts.nat!.dst.port = 64_999)));
  bites(
    nat,
    /number/,
    ({ facts }) => assert.ok(facts?.type === "export" && (facts.outputInterface = 64_999)),
  );
  const lease = first("suricata.dhcp", ({ facts }) => facts?.type === "dhcp" && facts.assignedIp !== null);
  bites(
    lease,
    /address/,
    ({ facts }) => assert.ok(facts?.type === "dhcp" && facts.routers.push("203.0.113.77")),
  );
  bites(lease, /number/, ({ facts }) => assert.ok(facts?.type === "dhcp" && (facts.leaseSeconds = 64_999)));
  const page = first("zeek.http", ({ facts }) => facts?.type === "http" && facts.responseBytes !== null);
  bites(
    page,
    /counter/,
    ({ facts }) => assert.ok(facts?.type === "http" && (facts.responseBytes = 987_654_321)),
  );
});

Deno.test("a product with a sampling rate stated in the record, for netflow.flow only", () => {
  const sampled = first(
    "netflow.flow",
    ({ facts }) => facts?.type === "export" && facts.samplingRate === 100,
  );
  bites(
    sampled,
    /counter that/,
    ({ counters }) => counters!.srcToDst.bytes = Number(counters!.srcToDst.bytes) + 1,
  );
  bites(sampled, /counter that/, (observation) => observation.kind = "suricata.flow");
  bites(sampled, /without any count/, ({ counters }) => counters!.srcToDst = { bytes: null, packets: null });
});

Deno.test("the unspecified address stands for an endpoint that an Unbound line does not name", () => {
  const query = first("unbound.query", ({ dst }) => dst.ip === "0.0.0.0");
  bites(query, /address that/, ({ dst }) => dst.ip = "203.0.113.77");
  bites(query, /address that/, ({ src }) => src.ip = "0.0.0.0");
});

Deno.test("times, texts, lists and characters out of bounds", () => {
  const dns = first("zeek.dns", ({ facts }) => facts?.type === "dns" && facts.answers.length > 0);
  bites(dns, /from/, (observation) => observation.end = observation.start - 1);
  bites(dns, /from/, (observation) => observation.end = observation.start + 367 * 86_400e6);
  bites(dns, /time 0.5/, (observation) => observation.start = 0.5);
  bites(dns, /NUL/, ({ facts }) => assert.ok(facts?.type === "dns" && (facts.query = "a\0b")));
  bites(
    dns,
    /surrogate/,
    ({ facts }) => assert.ok(facts?.type === "dns" && (facts.query = "\ud800")),
  );
  bites(
    dns,
    /a text of/,
    ({ facts }) => assert.ok(facts?.type === "dns" && (facts.query = "a".repeat(2049))),
  );
  bites(
    dns,
    /65 members/,
    ({ facts }) => assert.ok(facts?.type === "dns" && (facts.answers = Array(65).fill("a"))),
  );
  bites(dns, /warnings/, ({ warnings }) => warnings.push("w".repeat(101)));
  bites(dns, /protocol/, (observation) => observation.proto = "UDP");
  assert.throws(() => checkReason(""));
  assert.throws(() => checkReason("a".repeat(201)));
  assert.throws(() => checkReason("a\0"));
});

Deno.test("a capture sample", () => {
  const payload = { ts: 1, peer: "a", pkts_proc: 10, pkts_dropped: 2 };
  const result = normalise("zeek.stats", payload, { observedAt: 0, expectedExporters: null });
  assert.ok("capture" in result);
  const holds = (capture: CaptureSample) => checkCapture(capture, new StatedValues(payload));
  holds(result.capture);
  assert.throws(() => holds({ ...result.capture, packets: 11 }), /counter that/);
  assert.throws(() => holds({ ...result.capture, lossPercent: 101 }));
  assert.throws(() => holds({ ...result.capture, interval: -1 }));
});

Deno.test("the values in a payload, in every spelling", () => {
  const stated = new StatedValues({
    a: ["::ffff:192.0.2.1", { b: "wAACAg==" }],
    c: "c0000203",
    d: "192.0.2.4@5353 info: [2001:DB8::5]",
    e: "17",
    f: 2n ** 64n,
    sampling_rate: "100",
  });
  for (const ip of ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"]) {
    assert.ok(stated.addresses.has(ip), ip);
  }
  assert.deepEqual([...stated.numbers].sort(), [100n, 17n, 2n ** 64n, 5353n].sort());
  assert.deepEqual(stated.rates, new Set([1n, 100n]));
});

Deno.test("member reads are counted at every level, and values are unchanged", () => {
  const payload: Payload = { a: { b: [1, 2, { c: 3 }] } };
  const counted = new Counted(payload);
  assert.deepEqual(counted.payload, payload);
  const before = counted.reads;
  assert.ok(before > 0);
  const a = counted.payload.a as Payload;
  assert.equal((a.b as Payload[])[2]!.c, 3);
  assert.equal(counted.reads, before + 4);
  assert.ok(Array.isArray(a.b));
  assert.equal(sizeOf(payload), 6);
});
