import assert from "node:assert/strict";
import fc from "fast-check";
import {
  at,
  exported,
  httpFacts,
  located,
  observation,
  session,
  tlsFacts,
} from "../../../test/support/domain/flow-fixtures.ts";
import { addObservation, isCounted, type Located, newFlow } from "./merge.ts";

const NOTHING = { bytes: null, packets: null };

function flowOf(first: Located, ...others: Located[]) {
  const flow = newFlow(first, "flow", first.observation.start);
  for (const other of others) addObservation(flow, other);
  return flow;
}

const zeek = (start = 0, end = 1000) => located(observation(start, end, { counters: session(100, 200) }));
const suricata = (start = 0, end = 1000) =>
  located(
    observation(start, end, { source: "suricata", kind: "suricata.flow", counters: session(110, 220) }),
    {
      sensorId: "suricata-1",
    },
  );
const netflow = (bytes: number) =>
  located(observation(0, 1000, { source: "netflow", kind: "netflow.flow", counters: exported(bytes) }), {
    sensorId: "exporter-1",
    trust: "exporter",
  });
const dns = (at = 0) =>
  located(observation(at, at, {
    kind: "zeek.dns",
    evidenceKind: "dns",
    counters: null,
    service: "dns",
    facts: { type: "dns", query: "a.example", qtype: "A", rcode: null, answers: [], answered: false },
  }));

Deno.test("counters come from the preferred observation, never from a sum", () => {
  for (const order of [[zeek(), suricata(), netflow(90)], [netflow(90), suricata(), zeek()]]) {
    const flow = flowOf(order[0]!, ...order.slice(1));
    assert.deepEqual(flow.counters, session(100, 200));
    assert.equal(flow.primary.recordKind, "zeek.conn");
    assert.equal(flow.observationCount, 3);
    assert.deepEqual([...flow.sources].sort(), ["netflow", "suricata", "zeek"]);
  }
});

Deno.test("of equally good observations the first one stays", () => {
  const first = zeek();
  assert.equal(flowOf(first, zeek(), zeek()).primary.evidenceId, first.evidenceId);
});

Deno.test("an unmeasured direction stays null", () => {
  const flow = flowOf(netflow(90), netflow(80));
  assert.deepEqual(flow.counters.dstToSrc, NOTHING);
  assert.deepEqual(flowOf(dns()).counters, { srcToDst: NOTHING, dstToSrc: NOTHING, semantics: "unknown" });
});

Deno.test("an exporter's direction holds until an observation of both directions is preferred", () => {
  const reverse = {
    src: { ip: "203.0.113.7", port: 443 },
    dst: { ip: "10.0.0.5", port: 50_000 },
  };
  const answer = located(
    observation(0, 1000, { ...reverse, source: "netflow", counters: exported(500) }),
    { trust: "exporter" },
  );
  const flow = flowOf(answer);
  flow.srcDeviceId = "server";
  flow.dstDeviceId = "laptop";
  assert.deepEqual(flow.src, reverse.src);

  addObservation(flow, netflow(90));
  assert.deepEqual(flow.src, reverse.src, "a second exporter's opposite direction changes nothing");

  addObservation(flow, zeek());
  assert.deepEqual(flow.src, reverse.dst);
  assert.deepEqual([flow.srcDeviceId, flow.dstDeviceId], ["laptop", "server"], "devices swap with the ends");
  assert.equal(flow.counters.semantics, "session");
});

Deno.test("a flow spans all its observations and its identity does not change", () => {
  const flow = flowOf(zeek(500, 1000), suricata(0, 2000));
  assert.deepEqual([flow.start, flow.end], [at(0), at(2000)]);
  assert.deepEqual([flow.flowId, flow.anchor], ["flow", at(500)]);
  assert.equal(flow.receivedAt, at(3000), "the latest receipt");
});

Deno.test("a flow counts as a connection once, when it first gets counters", () => {
  const flow = flowOf(dns());
  assert.equal(isCounted(flow), false);
  assert.equal(addObservation(flow, dns()), false);
  assert.equal(addObservation(flow, netflow(1)), true);
  assert.equal(addObservation(flow, zeek()), false);
  assert.equal(isCounted(flowOf(zeek())), true);
});

Deno.test("a service and a VLAN known only to a lower-ranked observation are kept", () => {
  const tagged = located(observation(0, 0, { vlan: 20, service: "ssl", counters: null }));
  assert.equal(flowOf(zeek(), tagged).service, "ssl");
  assert.equal(flowOf(tagged, zeek()).service, "ssl");
  assert.equal(flowOf(tagged, zeek()).vlan, 20);
});

const tls = (serverName: string | null) =>
  located(observation(0, 0, { counters: null, facts: tlsFacts({ serverName }) }));
const http = (host: string) => located(observation(0, 0, { counters: null, facts: httpFacts({ host }) }));

Deno.test("a flow keeps the first server name its client asked for, with its evidence", () => {
  const first = tls("a.example");
  const { evidenceId } = first;
  const flow = flowOf(zeek(), tls(null), first, http("b.example"));
  assert.deepEqual(flow.serverName, { name: "a.example", via: "tls", end: "dst", evidenceId });
  assert.equal(flowOf(http("b.example"), zeek(), tls("a.example")).serverName?.via, "http");
  assert.equal(flowOf(zeek(), tls(null)).serverName, null);
});

Deno.test("the name belongs to the server, whichever end that is", () => {
  const reverse = { src: { ip: "203.0.113.7", port: 443 }, dst: { ip: "10.0.0.5", port: 50_000 } };
  const answer = () =>
    located(observation(0, 1000, { ...reverse, source: "netflow", counters: exported(500) }), {
      trust: "exporter",
    });
  assert.equal(flowOf(answer(), tls("a.example")).serverName?.end, "src");
  assert.equal(flowOf(answer(), tls("a.example"), zeek()).serverName?.end, "dst", "it swaps with the ends");
  assert.equal(flowOf(tls("a.example"), answer()).serverName?.end, "src");
});

Deno.test("a flow keeps the 16 newest sensor flow ids", () => {
  const numbered = (id: number) => located(observation(0, 1), { nativeHash: BigInt(id) });
  const flow = flowOf(numbered(1), numbered(1), ...Array.from({ length: 20 }, (_, i) => numbered(i + 2)));
  assert.equal(flow.nativeHashes.length, 16);
  assert.deepEqual([flow.nativeHashes[0], flow.nativeHashes.at(-1)], [6n, 21n]);
});

Deno.test("span, count, sources and preferred rank do not depend on arrival order", () => {
  const pool = [zeek(0, 100), suricata(50, 400), netflow(7), dns(20), suricata(10, 60)];
  const summary = (order: Located[]) => {
    const { start, end, observationCount, sources, primary } = flowOf(order[0]!, ...order.slice(1));
    return { start, end, observationCount, sources: [...sources].sort(), rank: primary.rank };
  };
  fc.assert(fc.property(
    fc.shuffledSubarray(pool, { minLength: pool.length }),
    (order) => assert.deepEqual(summary(order), summary(pool)),
  ));
});

Deno.test("the primary observation stays folded while the flow reproduces it", () => {
  const conn = zeek();
  assert.deepEqual(flowOf(conn).folded, placeOf(conn));
  assert.deepEqual(
    flowOf(dns(), conn).folded,
    placeOf(conn),
    "the first one has facts, so it needs its own row",
  );
  const received = conn.receivedAt;
  const asWell = { ...netflow(90), receivedAt: received };
  assert.deepEqual(flowOf(conn, asWell).folded, placeOf(conn), "a lower-ranked one changes nothing");
  assert.equal(flowOf(conn, { ...asWell, receivedAt: received + 1 }).folded, null, "received later");
  const later = zeek(0, 2000);
  assert.deepEqual(flowOf(conn, later).folded, placeOf(later), "of equals, the one that ends later");
  const longer = located(observation(0, 2000, { counters: null }));
  assert.equal(flowOf(conn, longer).folded, null, "the flow ends later");
  assert.equal(
    flowOf(located(observation(-5, 0, { counters: null })), conn).folded,
    null,
    "it starts earlier",
  );
  assert.equal(flowOf(dns()).folded, null, "facts");
  assert.equal(flowOf(located(observation(0, 1000, { warnings: ["odd"] }))).folded, null, "a warning");
  assert.equal(flowOf(located(observation(0, 1000, { counters: null }))).folded, null, "no counters");
  assert.deepEqual(flowOf(netflow(90), conn).folded, placeOf(conn), "a better one replaces it");
});

Deno.test("a folded record can always be reproduced from the flow", () => {
  const times = fc.tuple(
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 3, max: 5 }),
    fc.integer({ min: 6, max: 8 }),
  );
  const some = fc.tuple(fc.constantFrom(zeek, suricata, () => netflow(90), dns), times, fc.boolean());
  fc.assert(fc.property(fc.array(some, { minLength: 1, maxLength: 6 }), (made) => {
    const all = made.map(([make, [start, end, receivedAt], warned]) => {
      const one = make();
      const warnings = warned ? ["odd"] : [];
      return { ...one, receivedAt, observation: { ...one.observation, start, end, warnings } };
    });
    const flow = flowOf(all[0]!, ...all.slice(1));
    if (flow.folded === null) return;
    const { observation, receivedAt } = all.find(({ position }) => position === flow.folded!.position)!;
    const { start, end, src, dst, counters, facts, warnings, kind } = observation;
    assert.deepEqual(
      {
        start: flow.start,
        end: flow.end,
        receivedAt: flow.receivedAt,
        counters: flow.counters,
        kind: flow.primary.recordKind,
      },
      { start, end, receivedAt, counters, kind },
    );
    assert.deepEqual([flow.src, flow.dst, facts, warnings], [src, dst, null, []]);
  }));
});

function placeOf({ observation: { observedAt }, batchNo, position }: Located) {
  return { observedAt, batchNo, position };
}

Deno.test("of equal observations the one that ends last gives the counters, in any order of arrival", () => {
  const update = (seconds: number, bytes: number) =>
    observation(0, seconds * 1000, { counters: exported(bytes) });
  const updates = [update(60, 1000), update(120, 2000), update(180, 2588), update(180, 2557)];
  const orders = [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]];
  for (const order of orders) {
    const [first, ...rest] = order.map((index) => located(updates[index]!));
    const merged = newFlow(first!, "flow", at(0));
    for (const one of rest) addObservation(merged, one);
    assert.equal(merged.counters.srcToDst.bytes, 2588, order.join());
  }
});

Deno.test("a lower-ranked observation that ends later does not decide which update gives the counters", () => {
  const update = (seconds: number, bytes: number) =>
    located(observation(0, seconds * 1000, { counters: exported(bytes) }));
  const all = [
    update(60, 1000),
    update(120, 2000),
    located(observation(0, 300_000, { counters: null })),
  ];
  for (const order of [[0, 1, 2], [0, 2, 1], [2, 0, 1], [2, 1, 0], [1, 2, 0], [1, 0, 2]]) {
    const [first, ...rest] = order.map((index) => all[index]!);
    const merged = newFlow(first!, "flow", at(0));
    for (const one of rest) addObservation(merged, one);
    assert.equal(merged.counters.srcToDst.bytes, 2000, order.join());
  }
});
