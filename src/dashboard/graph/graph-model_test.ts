import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { GraphDelta, GraphLink, GraphNode, GraphSnapshot } from "../../contract/graph/graph.ts";
import {
  applyDelta,
  applyHeartbeat,
  compare,
  comparisonOf,
  isOtherMap,
  neighbours,
  stateOf,
} from "./graph-model.ts";

const TIMES = { first_seen: "2026-03-01T10:00:00Z", last_seen: "2026-03-01T10:05:00Z" };

function node(node_id: string, more: Partial<GraphNode> = {}): GraphNode {
  const kind = node_id.startsWith("device:")
    ? "device"
    : node_id.startsWith("ip:")
    ? "external_endpoint"
    : node_id.startsWith("vlan:")
    ? "vlan_cluster"
    : "asn_cluster";
  return {
    node_id,
    kind,
    label: node_id,
    member_count: kind.endsWith("cluster") ? 2 : null,
    device_id: null,
    device_type: null,
    ip: null,
    vlan_id: null,
    asn: null,
    country: null,
    coordinates: null,
    incidents: 0,
    bytes: 1,
    flows: 1,
    severity: null,
    intel: false,
    ...TIMES,
    ...more,
  };
}

function link(source: string, target: string, bytes = 1): GraphLink {
  return {
    link_id: `${source}|${target}`,
    source,
    target,
    bytes_out: bytes,
    bytes_in: 0,
    packets: 1,
    services: [],
    incidents: 0,
    incident_ids: [],
    bytes,
    flows: 1,
    severity: null,
    intel: false,
    ...TIMES,
  };
}

function snapshot(nodes: GraphNode[], links: GraphLink[], cursor = "c0"): GraphSnapshot {
  return {
    scene: "network",
    window: { from: "2026-03-01T10:00:00Z", to: "2026-03-01T11:00:00Z" },
    focus_node_id: null,
    layout_seed: 7,
    watermark: "2026-03-01T11:00:00Z",
    cursor,
    truncated: false,
    omitted: { nodes: 0, links: 0, arcs: 0 },
    nodes,
    links,
    arcs: [],
  };
}

const IDS = ["device:a", "device:b", "device:c", "ip:192.0.2.1", "ip:192.0.2.2", "vlan:10", "asn:64500"];

/** A snapshot: each node and link is absent or has one of a few contents. */
const anySnapshot = fc.record({
  nodes: fc.tuple(...IDS.map(() => fc.option(fc.nat(3)))),
  links: fc.tuple(...IDS.flatMap((_, at) => IDS.slice(at + 1).map(() => fc.option(fc.nat(3))))),
  cursor: fc.nat(1000).map((n) => `c${n}`),
}).map(({ nodes, links, cursor }) => {
  const pairs = IDS.flatMap((source, at) => IDS.slice(at + 1).map((target) => [source, target] as const));
  return snapshot(
    nodes.flatMap((bytes, at) => bytes === null ? [] : [node(IDS[at]!, { bytes })]),
    links.flatMap((bytes, at) => bytes === null ? [] : [link(pairs[at]![0], pairs[at]![1], bytes)]),
    cursor,
  );
});

function difference<T>(before: T[], after: T[], idOf: (item: T) => string) {
  const old = new Map(before.map((item) => [idOf(item), JSON.stringify(item)]));
  const next = new Set(after.map(idOf));
  return {
    upserted: after.filter((item) => old.get(idOf(item)) !== JSON.stringify(item)),
    removed: [...old.keys()].filter((id) => !next.has(id)),
  };
}

function deltaOf(before: GraphSnapshot, after: GraphSnapshot): GraphDelta {
  return {
    complete: false,
    cursor: after.cursor ?? "",
    watermark: after.watermark,
    window: after.window,
    nodes: difference(before.nodes, after.nodes, ({ node_id }) => node_id),
    links: difference(before.links, after.links, ({ link_id }) => link_id),
    arcs: difference(before.arcs, after.arcs, ({ arc_id }) => arc_id),
    truncated: after.truncated,
    omitted: after.omitted,
  };
}

Deno.test("a snapshot and the deltas after it give the later snapshot", () => {
  fc.assert(fc.property(fc.array(anySnapshot, { minLength: 2, maxLength: 6 }), (snapshots) => {
    let state = stateOf(snapshots[0]!);
    for (let at = 1; at < snapshots.length; at++) {
      state = applyDelta(state, deltaOf(snapshots[at - 1]!, snapshots[at]!));
      const expected = stateOf(snapshots[at]!);
      assert.deepEqual(new Map([...state.nodes].sort()), new Map([...expected.nodes].sort()));
      assert.deepEqual(new Map([...state.links].sort()), new Map([...expected.links].sort()));
      assert.equal(state.cursor, expected.cursor);
    }
  }));
});

Deno.test("a heartbeat moves only the cursor and the watermark", () => {
  const state = stateOf(snapshot([node("device:a")], []));
  const next = applyHeartbeat(state, { cursor: "c9", watermark: "2026-03-01T12:00:00Z" });
  assert.deepEqual(next, { ...state, cursor: "c9", watermark: "2026-03-01T12:00:00Z" });
});

Deno.test("links without both ends are not drawn", () => {
  const state = stateOf(
    snapshot([node("device:a"), node("device:b")], [
      link("device:a", "device:b"),
      link("device:a", "ip:192.0.2.1"),
    ]),
  );
  const byNode = neighbours(state);
  assert.deepEqual(byNode.get("device:a")?.map(({ link_id }) => link_id), ["device:a|device:b"]);
  assert.equal(byNode.get("device:b")?.length, 1);
});

Deno.test("a comparison finds new and gone nodes and links", () => {
  const before = stateOf(snapshot([node("device:a"), node("device:b"), node("ip:192.0.2.1")], [
    link("device:a", "device:b"),
    link("device:a", "ip:192.0.2.1"),
  ]));
  const now = stateOf(snapshot([node("device:a"), node("device:b"), node("ip:192.0.2.2")], [
    link("device:b", "ip:192.0.2.2"),
  ]));
  const { newNodes, newLinks, goneNodes, goneLinks } = compare(now, before);
  assert.deepEqual([...newNodes], ["ip:192.0.2.2"]);
  assert.deepEqual([...newLinks], ["device:b|ip:192.0.2.2"]);
  assert.deepEqual(goneNodes.map(({ node_id }) => node_id), ["ip:192.0.2.1"]);
  assert.deepEqual(goneLinks.map(({ link_id }) => link_id).sort(), [
    "device:a|device:b",
    "device:a|ip:192.0.2.1",
  ]);
});

Deno.test("what the other map may hold in a cluster is neither new nor gone", () => {
  const device = node("device:a", { vlan_id: 10 });
  const clustered = stateOf(snapshot([node("vlan:10"), node("asn:none")], [link("asn:none", "vlan:10")]));
  const expanded = stateOf(
    snapshot([device, node("ip:192.0.2.1")], [link("device:a", "ip:192.0.2.1")]),
  );
  for (const [now, before] of [[expanded, clustered], [clustered, expanded]] as const) {
    const { newNodes, newLinks, goneNodes, goneLinks } = compare(now, before);
    assert.deepEqual([newNodes.size, newLinks.size, goneNodes.length, goneLinks.length], [0, 0, 0, 0]);
  }
});

Deno.test("an empty earlier map is nothing to compare with", () => {
  const now = stateOf(snapshot([node("device:a"), node("device:b")], [link("device:a", "device:b")]));
  const empty = stateOf(snapshot([], []));
  assert.equal(comparisonOf(now, empty), null);
  assert.equal(comparisonOf(now, null), null);
  assert.deepEqual(comparisonOf(empty, now), compare(empty, now));
});

Deno.test("a map compared with itself has no difference", () => {
  fc.assert(fc.property(anySnapshot, (one) => {
    const { newNodes, newLinks, goneNodes, goneLinks } = compare(stateOf(one), stateOf(one));
    assert.deepEqual([newNodes.size, newLinks.size, goneNodes.length, goneLinks.length], [0, 0, 0, 0]);
  }));
});

Deno.test("another filter, window or focus is another map; later snapshots and deltas of the same are not", () => {
  const first = snapshot([node("device:a")], []);
  const state = stateOf(first, "24h severity>=high");
  assert.ok(isOtherMap(null, state));
  const later = { from: "2026-03-01T10:05:00Z", to: "2026-03-01T11:05:00Z" };
  assert.ok(!isOtherMap(state, stateOf({ ...first, window: later }, "24h severity>=high")));
  assert.ok(!isOtherMap(state, { ...state, nodes: new Map(), watermark: "later" }));
  assert.ok(isOtherMap(state, stateOf(first, "24h ")));
  assert.ok(isOtherMap(state, stateOf(first, "1h severity>=high")));
  assert.ok(isOtherMap(state, stateOf({ ...first, focus_node_id: "device:a" }, "24h severity>=high")));
});
