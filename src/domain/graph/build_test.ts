import assert from "node:assert/strict";
import fc from "fast-check";
import {
  BERLIN,
  build,
  device,
  devices,
  NO_PLACE,
  nodeIds,
  pair,
  type PairInput,
  place,
  WINDOW,
} from "../../../test/support/domain/graph-fixtures.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import { SEVERITIES } from "../../contract/record/kinds.ts";
import type { Count } from "../record/observation.ts";
import { buildGraph } from "./build.ts";
import type { Graph } from "./graph.ts";
import type { GraphLimits } from "./input.ts";
import { MINUTE, plus } from "./traffic.ts";

Deno.test("graph: a small one shows every device and address", () => {
  const graph = build({
    devices: devices(2, () => 20),
    pairs: [
      pair("10.0.0.1", "10.0.0.2", { bytesUp: 1, bytesDown: 2 }),
      pair("10.0.0.1", "192.0.2.7", { intel: true, firstSeen: -5, lastSeen: 99 * MINUTE }),
    ],
    placeOf: () => place({ asn: 64500, country: "RO", asOrganisation: "Example" }),
    site: { vlans: [{ vlan_id: 20, name: "Clients", cidrs: ["10.0.0.0/24"] }], home_coordinates: null },
  });
  assert.deepEqual(nodeIds(graph), ["device:d1", "device:d2", "ip:192.0.2.7"]);
  assert.deepEqual(graph.links.map(({ linkId }) => linkId), [
    "device:d1|device:d2",
    "device:d1|ip:192.0.2.7",
  ]);
  const [inside, outside] = graph.links;
  assert.deepEqual([inside!.bytesOut, inside!.bytesIn, inside!.bytes, inside!.intel], [1, 2, 3, false]);
  // Times lie in the window.
  assert.deepEqual([outside!.firstSeen, outside!.lastSeen, outside!.intel], [0, 15 * MINUTE, true]);
  const external = graph.nodes[2]!;
  assert.deepEqual([external.kind, external.asn, external.country], ["external_endpoint", 64500, "RO"]);
  assert.deepEqual(graph.omitted, { nodes: 0, links: 0, arcs: 0 });
});

Deno.test("graph: the addresses of one device are one node, and its traffic with itself no link", () => {
  const one = device(1);
  const graph = build({
    devices: new Map([["10.0.0.1", one], ["fd00::1", one]]),
    pairs: [
      pair("10.0.0.1", "fd00::1", { bytesUp: 7, bytesDown: 0 }),
      pair("10.0.0.1", "192.0.2.7", { bytesUp: 1, bytesDown: 2 }),
      pair("fd00::1", "192.0.2.7", { bytesUp: 30, bytesDown: 40 }),
    ],
  });
  assert.deepEqual(nodeIds(graph), ["device:d1", "ip:192.0.2.7"]);
  assert.equal(graph.nodes[0]!.bytes, 80);
  // From the device to the address: 1 of the first address, 40 of the second, whose text is the higher one.
  assert.deepEqual([graph.links[0]!.bytesOut, graph.links[0]!.bytesIn], [41, 32]);
});

Deno.test("graph: an address of no host is no node, and its traffic belongs to the other end", () => {
  const input = {
    devices: devices(2),
    pairs: [
      pair("10.0.0.1", "0.0.0.0", { bytesUp: 1, bytesDown: 2 }),
      pair("10.0.0.1", "10.0.0.2", { bytesUp: 10, bytesDown: 20 }),
      pair("10.0.0.2", "10.0.0.255", { bytesUp: 100, bytesDown: 200 }),
      pair("10.0.0.255", "0.0.0.0"),
      pair("::", "192.0.2.7"),
    ],
    broadcasts: new Set(["10.0.0.255"]),
    incidents: [{
      incidentId: "i1",
      severity: "high" as const,
      deviceIds: ["d1"],
      pairs: [["0.0.0.0", "10.0.0.1"] as const],
    }],
  };
  for (const limits of [undefined, { nodes: 20, links: 20, arcs: 20, sight: 2 }]) {
    const graph = build({ ...input, limits, expand: ["vlan:none", "asn:none"] });
    assert.deepEqual(graph.nodes.map(({ nodeId, bytes, incidents }) => [nodeId, bytes, incidents]), [
      ["device:d1", 33, 1],
      ["device:d2", 330, 0],
      ["ip:192.0.2.7", 1100, 0],
    ]);
    assert.deepEqual(graph.links.map(({ linkId }) => linkId), ["device:d1|device:d2"]);
  }
});

Deno.test("graph: a large one is clustered by VLAN and network, and keeps what is important", () => {
  const { input, graph } = large();
  assert.equal(graph.nodes.length, 200);
  assert.deepEqual(graph.omitted, { nodes: 0, links: 0, arcs: 0 });
  const ids = nodeIds(graph);
  for (const id of ["device:d7", "ip:203.0.113.1", "vlan:1", "vlan:none", "asn:64501", "asn:none"]) {
    assert.ok(ids.includes(id), id);
  }
  const labels = new Map(graph.nodes.map(({ nodeId, label }) => [nodeId, label]));
  assert.equal(labels.get("vlan:1"), "Clients");
  assert.equal(labels.get("vlan:none"), "No VLAN");
  assert.equal(labels.get("asn:64501"), "Network 1");
  assert.equal(labels.get("asn:none"), "Unknown network");
  const members = graph.nodes.reduce((sum, { memberCount }) => sum + (memberCount ?? 1), 0);
  assert.equal(members, 250 + 1000 + 1);
  assert.deepEqual(build({ ...input, pairs: input.pairs!.toReversed() }), graph);
});

Deno.test("graph: an expanded cluster shows its members and changes no other node", () => {
  const { input, graph } = large();
  const cluster = graph.nodes.find(({ nodeId }) => nodeId === "asn:64501")!;
  const expanded = build({ ...input, expand: ["asn:64501", "vlan:99"] });
  const before = new Set(nodeIds(graph));
  const added = nodeIds(expanded).filter((id) => !before.has(id));
  assert.equal(added.length, cluster.memberCount);
  assert.deepEqual([...before].filter((id) => !nodeIds(expanded).includes(id)), ["asn:64501"]);
  // All clusters at once do not fit: the rest stays in its clusters.
  const all = build({ ...input, expand: graph.nodes.map(({ nodeId }) => nodeId) });
  assert.equal(all.nodes.length, 500);
  assert.equal(all.omitted.nodes, 0);
});

/** 250 devices in VLANs, 1,000 addresses in networks, one incident and one match. */
function large() {
  const hosts = devices(250, (n) => n % 5 === 0 ? null : n % 4);
  const external = Array.from(
    { length: 1000 },
    (_, at) => `198.51.${100 + Math.floor(at / 250)}.${at % 250}`,
  );
  const input: Partial<PairInput> = {
    devices: hosts,
    pairs: [
      ...external.map((ip, at) =>
        pair(`10.0.0.${at % 250 + 1}`, ip, { bytesUp: 10 + at, bytesDown: 100 * at })
      ),
      pair("10.0.0.7", "203.0.113.1", { bytesUp: 1, bytesDown: 1, intel: true }),
    ],
    placeOf: (ip) => {
      const network = Number(ip.split(".")[3]) % 20;
      return network === 0 ? NO_PLACE : place({ asn: 64500 + network, asOrganisation: `Network ${network}` });
    },
    incidents: [{ incidentId: "i1", severity: "medium", deviceIds: ["d7"], pairs: [] }],
    site: { vlans: [{ vlan_id: 1, name: "Clients", cidrs: [] }], home_coordinates: null },
  };
  return { input, graph: build(input) };
}

Deno.test("graph: more networks than places leave out the least, and say how many", () => {
  const pairs = Array.from(
    { length: 900 },
    (_, at) => pair("10.0.0.1", `198.51.${Math.floor(at / 250)}.${at % 250}`, { bytesUp: at, bytesDown: 0 }),
  );
  const asns = new Map(pairs.map(({ high }, at) => [high, at + 1]));
  const graph = build({ devices: devices(1), pairs, placeOf: (ip) => place({ asn: asns.get(ip) ?? null }) });
  assert.equal(graph.nodes.length, 200);
  assert.deepEqual(graph.omitted, { nodes: 701, links: 701, arcs: 0 });
  const shown = new Set(nodeIds(graph));
  // The busiest 199.
  for (const { high, bytesUp } of pairs) assert.equal(shown.has(`ip:${high}`), Number(bytesUp) >= 701, high);
});

Deno.test("graph around a device: as far as the given number of links", () => {
  const chain = [1, 2, 3, 4, 5].map((n) => pair(`10.0.0.${n}`, `10.0.0.${n + 1}`));
  const around = (hops: number) =>
    nodeIds(
      build({ devices: devices(6), pairs: [...chain, pair("10.0.0.2", "10.0.0.4")], focus: "d1", hops }),
    );
  assert.deepEqual(around(1), ["device:d1", "device:d2"]);
  assert.deepEqual(around(2), ["device:d1", "device:d2", "device:d3", "device:d4"]);
  assert.deepEqual(around(3), ["device:d1", "device:d2", "device:d3", "device:d4", "device:d5"]);
  const silent = build({ devices: devices(6), pairs: chain, focus: "d9" });
  assert.deepEqual([silent.nodes, silent.focusNodeId], [[], "device:d9"]);
});

Deno.test("globe: one arc for each network and place; none without a home", () => {
  const places = new Map([
    [
      "192.0.2.1",
      place({ asn: 64500, asOrganisation: "Example", country: "RO", latitude: 44, longitude: 26 }),
    ],
    [
      "192.0.2.2",
      place({ asn: 64500, asOrganisation: "Example", country: "RO", latitude: 44, longitude: 26 }),
    ],
    ["192.0.2.3", place({ country: "FR", latitude: 48.8, longitude: 2.3 })],
    ["192.0.2.4", place({ country: "FR" })],
  ]);
  const input: Partial<PairInput> = {
    scene: "globe",
    devices: devices(2),
    pairs: [...places.keys()].map((ip, at) => pair(`10.0.0.${at % 2 + 1}`, ip)),
    placeOf: (ip) => places.get(ip) ?? NO_PLACE,
    incidents: [{ incidentId: "i1", severity: "high", deviceIds: [], pairs: [["10.0.0.2", "192.0.2.2"]] }],
  };
  assert.deepEqual(build(input).arcs, []);
  const site = { vlans: [], home_coordinates: BERLIN };
  const { arcs, omitted } = build({ ...input, site });
  assert.equal(omitted.arcs, 0);
  const shown = arcs.map(({ arcId, label, memberCount, bytes, severity, source }) => ({
    arcId,
    label,
    memberCount,
    bytes,
    severity,
    source,
  }));
  assert.deepEqual(shown, [
    {
      arcId: "arc:64500:RO:44,26",
      label: "Example, RO",
      memberCount: 2,
      bytes: 2200,
      severity: "high",
      source: BERLIN,
    },
    {
      arcId: "arc:none:FR:48.8,2.3",
      label: "Unknown network, FR",
      memberCount: 1,
      bytes: 1100,
      severity: null,
      source: BERLIN,
    },
  ]);
  assert.deepEqual(build({ ...input, site, scene: "network" }).arcs, []);
});

Deno.test("graph: the label of an address never names a place that is not known", () => {
  const graph = build({ devices: devices(1), pairs: [pair("10.0.0.1", "192.0.2.7")] });
  const { label, country, asn, coordinates } = graph.nodes[1]!;
  assert.deepEqual({ label, country, asn, coordinates }, {
    label: "192.0.2.7",
    country: null,
    asn: null,
    coordinates: null,
  });
});

const SMALL: GraphLimits = { nodes: 25, links: 60, arcs: 8, sight: 10 };
const HOME = { vlans: [{ vlan_id: 1, name: "one", cidrs: ["10.0.1.0/24"] }], home_coordinates: BERLIN };

const ADDRESS = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 25 }))
  .map(([net, host]) => net === 2 ? `198.51.100.${host}` : `10.0.${net}.${host}`);
const COUNTER = fc.oneof(fc.nat(1_000_000).map(BigInt), fc.bigInt(0n, 2n ** 62n)).map((value): Count =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value
);
const PAIRS = fc.uniqueArray(
  fc.record({
    a: ADDRESS,
    b: ADDRESS,
    up: COUNTER,
    down: COUNTER,
    intel: fc.boolean(),
    flows: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 120, selector: ({ a, b }) => [a, b].sort().join(" ") },
).map((pairs) =>
  pairs.map(({ a, b, up, down, intel, flows }) =>
    pair(a, b, { bytesUp: up, bytesDown: down, flows, intel: intel && flows === 9 })
  )
);
const INCIDENTS = fc.array(
  fc.record({
    incidentId: fc.uuid(),
    severity: fc.constantFrom<Severity>(...SEVERITIES),
    deviceIds: fc.array(fc.integer({ min: 1, max: 25 }).map((n) => `d${n}`), { maxLength: 2 }),
    pairs: fc.array(fc.tuple(ADDRESS, ADDRESS), { maxLength: 2 }),
  }),
  { maxLength: 4 },
);
const INPUT = fc.record({
  pairs: PAIRS,
  incidents: INCIDENTS,
  expand: fc.subarray(["vlan:1", "vlan:none", "asn:1", "asn:2", "asn:none"]),
  focus: fc.option(fc.integer({ min: 1, max: 25 }).map((n) => `d${n}`), { nil: null }),
  hops: fc.integer({ min: 1, max: 3 }),
}).map((change): PairInput => ({
  ...change,
  scene: "globe",
  window: WINDOW,
  // 10.0.0.n are devices, half of them in a VLAN; 10.0.1.n lie in a configured network without being devices.
  devices: devices(25, (n) => n % 2 === 0 ? 1 : null),
  placeOf: (ip) => {
    const host = Number(ip.split(".")[3]);
    if (!ip.startsWith("198.")) return NO_PLACE;
    const asn = host % 12 === 0 ? null : host % 12;
    return place({ asn, country: "FR", latitude: host % 10, longitude: host % 3 });
  },
  site: HOME,
  limits: SMALL,
}));

Deno.test("graph: bounds hold, ids are unique, and every link has its nodes", () => {
  fc.assert(fc.property(INPUT, (input) => {
    const { nodes, links, arcs } = buildGraph(input);
    assert.ok(nodes.length <= SMALL.nodes && links.length <= SMALL.links && arcs.length <= SMALL.arcs);
    const ids = new Set(nodes.map(({ nodeId }) => nodeId));
    assert.equal(ids.size, nodes.length);
    assert.equal(new Set(links.map(({ linkId }) => linkId)).size, links.length);
    for (const { source, target } of links) {
      assert.ok(ids.has(source) && ids.has(target) && source < target);
    }
  }));
});

Deno.test("graph: the same traffic in any order gives the same graph", () => {
  fc.assert(fc.property(INPUT, fc.infiniteStream(fc.nat()), (input, keys) => {
    const order = input.pairs.map((one) => ({ one, key: keys.next().value! })).sort((a, b) => a.key - b.key);
    assert.deepEqual(buildGraph({ ...input, pairs: order.map(({ one }) => one) }), buildGraph(input));
  }));
});

Deno.test("graph: no byte and no flow is lost or counted twice while nothing is left out", () => {
  fc.assert(fc.property(INPUT, (input) => {
    const { nodes, links, omitted } = buildGraph({ ...input, focus: null });
    if (omitted.nodes + omitted.links > 0) return;
    const sum = (counts: readonly Count[]) => counts.reduce(plus, 0);
    const sent = sum(input.pairs.flatMap(({ bytesUp, bytesDown }) => [bytesUp, bytesDown]));
    const linked = sum(links.map(({ bytes }) => bytes));
    // A node counts what its links carry, and what its own members exchange.
    assert.equal(sum(nodes.map(({ bytes }) => bytes)), plus(sent, linked));
    for (const { bytes, bytesOut, bytesIn } of links) assert.equal(bytes, plus(bytesOut, bytesIn));
    const flows = sum(input.pairs.map((one) => one.flows));
    assert.equal(sum(nodes.map((one) => one.flows)), plus(flows, sum(links.map((one) => one.flows))));
  }));
});

Deno.test("graph: expanding and collapsing keeps the traffic between what remains", () => {
  fc.assert(fc.property(INPUT, (input) => {
    const wide = { ...SMALL, nodes: 1000, links: 100_000 };
    const bytes = (expand: string[], sight: number) =>
      buildGraph({ ...input, focus: null, expand, limits: { ...wide, sight } }).links
        .reduce((total, link) => plus(total, link.bytes), 0 as Count);
    const all = bytes([], 1000);
    // Clusters hide what their members exchange, never more.
    assert.ok(bytes([], 10) <= all);
    assert.ok(bytes(input.expand as string[], 10) >= bytes([], 10));
  }));
});

Deno.test("graph: the focus, incidents and matches are always shown, by themselves while there is room", () => {
  fc.assert(fc.property(INPUT, (input) => {
    const graph = buildGraph(input);
    const shown = new Map(graph.nodes.map((node) => [node.nodeId, node]));
    // With room for everything, no end is hidden.
    const limits = { nodes: 1000, links: 100_000, arcs: 1000, sight: 1000 };
    const ends = buildGraph({ ...input, limits }).nodes;
    if (input.focus !== null && ends.length > 0) assert.ok(shown.has(`device:${input.focus}`));
    const important = ends.filter(({ nodeId, incidents, intel }) =>
      nodeId === graph.focusNodeId || incidents > 0 || intel
    );
    const clusters = Math.floor(SMALL.sight * 0.75);
    // Fewer clusters find a place if incidents need theirs, so that this is the least room there is.
    if (important.length + clusters > SMALL.sight) return;
    for (const end of important) {
      const node = shown.get(end.nodeId);
      assert.deepEqual(
        [node?.severity, node?.intel, node?.bytes],
        [end.severity, end.intel, end.bytes],
        end.nodeId,
      );
    }
  }));
});

Deno.test("graph: at first sight a large one has few nodes, however many incidents and matches it has", () => {
  fc.assert(fc.property(INPUT, (input) => {
    const incidents = [{
      incidentId: "i1",
      severity: "high" as const,
      deviceIds: [],
      pairs: input.pairs.map(({ low, high }): [string, string] => [low, high]),
    }];
    const { nodes } = buildGraph({ ...input, incidents, expand: [] });
    assert.ok(nodes.length <= SMALL.sight, `${nodes.length} nodes`);
  }));
});

Deno.test("graph: what is left out is less important than what is shown", () => {
  fc.assert(fc.property(INPUT, (input) => {
    const limits = { ...SMALL, links: 12 };
    const graph = buildGraph({ ...input, limits });
    const whole = buildGraph({ ...input, limits: { ...limits, links: 100_000 } });
    assert.equal(graph.links.length, Math.min(12, whole.links.length));
    const shown = new Set(graph.links.map(({ linkId }) => linkId));
    const weight = ({ severity, intel }: Graph["links"][number]) =>
      2 * (severity === null ? 0 : 1 + SEVERITIES.indexOf(severity)) + Number(intel);
    const least = Math.min(...graph.links.map(weight));
    for (const link of whole.links) if (!shown.has(link.linkId)) assert.ok(weight(link) <= least);
  }));
});
