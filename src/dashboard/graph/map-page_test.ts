import assert from "node:assert/strict";
import type { GraphArc, GraphNode } from "../../contract/graph/graph.ts";
import { placelessText } from "./map-page.ts";

function state(kinds: [GraphNode["kind"], number | null][], placed: number, truncated = false) {
  const nodes = kinds.map(([kind, member_count], at) =>
    [String(at), { kind, member_count } as GraphNode] as const
  );
  const arcs = placed === 0 ? [] : [["arc", { member_count: placed } as GraphArc] as const];
  return { nodes: new Map(nodes), arcs: new Map(arcs), truncated };
}

Deno.test("the globe counts the external addresses without a place", () => {
  const outside: [GraphNode["kind"], number | null][] = [["external_endpoint", null], ["asn_cluster", 4]];
  const inside: [GraphNode["kind"], number | null][] = [["device", null], ["vlan_cluster", 9]];
  assert.equal(
    placelessText(state([...outside, ...inside], 2)),
    "3 of 5 external addresses have no known place and are not on the globe.",
  );
  assert.equal(
    placelessText(state(outside, 4)),
    "1 of 5 external addresses has no known place and is not on the globe.",
  );
  assert.equal(placelessText(state(outside, 5)), null);
  assert.equal(placelessText(state(outside, 2, true)), null, "what was left out may have places");
});
