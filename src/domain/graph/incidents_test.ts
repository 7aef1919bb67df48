// What open incidents do to a graph: they mark nodes and links, and decide what is shown.

import assert from "node:assert/strict";
import { build, devices, nodeIds, pair, place } from "../../../test/support/domain/graph-fixtures.ts";
import type { Severity } from "../../contract/record/kinds.ts";

Deno.test("graph: incidents mark their devices, the addresses of their flows, and the links between", () => {
  const graph = build({
    devices: devices(3),
    pairs: [pair("10.0.0.1", "192.0.2.7"), pair("10.0.0.1", "10.0.0.2"), pair("10.0.0.3", "192.0.2.7")],
    incidents: [
      { incidentId: "i1", severity: "low", deviceIds: ["d1"], pairs: [["192.0.2.7", "10.0.0.1"]] },
      {
        incidentId: "i2",
        severity: "high",
        deviceIds: ["d1", "gone"],
        pairs: [["10.0.0.1", "192.0.2.7"], ["10.0.0.9", "10.0.0.1"]],
      },
      { incidentId: "i3", severity: "low", deviceIds: ["d1"], pairs: [] },
    ],
  });
  const shown = graph.nodes.map(({ nodeId, incidents, severity }) => [nodeId, incidents, severity]);
  assert.deepEqual(shown, [
    ["device:d1", 3, "high"],
    ["device:d2", 0, null],
    ["device:d3", 0, null],
    ["ip:192.0.2.7", 2, "high"],
  ]);
  const ofLinks = graph.links.map((
    { severity, incidents, incidentIds },
  ) => [severity, incidents, incidentIds]);
  assert.deepEqual(ofLinks, [[null, 0, []], ["high", 2, ["i1", "i2"]], [null, 0, []]]);
});

Deno.test("graph: a link of clusters has the incidents of their members, once each, and names the first five", () => {
  const incident = (n: number, pairs: [string, string][]) => ({
    incidentId: `i${n}`,
    severity: "low" as const,
    deviceIds: [],
    pairs,
  });
  const { links } = build({
    devices: devices(2),
    pairs: [
      pair("10.0.0.1", "192.0.2.7"),
      pair("10.0.0.1", "192.0.2.8"),
      pair("10.0.0.2", "192.0.2.9"),
      pair("10.0.0.2", "192.0.2.10"),
    ],
    placeOf: () => place({ asn: 64500 }),
    incidents: [
      incident(0, [["10.0.0.1", "192.0.2.7"], ["10.0.0.1", "192.0.2.8"]]),
      ...Array.from({ length: 6 }, (_, n) => incident(n + 1, [["10.0.0.2", "192.0.2.9"]])),
    ],
    limits: { nodes: 20, links: 20, arcs: 20, sight: 3 },
  });
  const shown = links.map(({ linkId, incidents, incidentIds }) => [linkId, incidents, incidentIds]);
  assert.deepEqual(shown, [
    ["asn:64500|vlan:none", 7, ["i0", "i1", "i2", "i3", "i4"]],
    ["ip:192.0.2.7|vlan:none", 1, ["i0"]],
  ]);
});

Deno.test("graph: clusters leave their places to ends with incidents of medium severity or higher", () => {
  const at = (n: number) => `198.51.${100 + Math.floor(n / 250)}.${n % 250}`;
  const shown = (severity: Severity, ends: number) => {
    const urgent = Array.from({ length: ends }, (_, n) => at(n));
    // Five in each of 100 networks; those without incidents are the busiest.
    const graph = build({
      devices: devices(1),
      pairs: Array.from({ length: 500 }, (_, n) => pair("10.0.0.1", at(n), { bytesUp: n, bytesDown: 0 })),
      placeOf: (ip) => place({ asn: 1 + (Number(ip.split(".")[2]) * 250 + Number(ip.split(".")[3])) % 100 }),
      incidents: [{
        incidentId: "i1",
        severity,
        deviceIds: ["d1"],
        pairs: urgent.map((ip) => ["10.0.0.1", ip] as const),
      }],
    });
    const ids = new Set(nodeIds(graph));
    return {
      nodes: ids.size,
      urgent: urgent.filter((ip) => ids.has(`ip:${ip}`)).length,
      clusters: graph.nodes.filter(({ kind }) => kind === "asn_cluster").length,
    };
  };
  // With the device.
  assert.deepEqual(shown("medium", 140), { nodes: 200, urgent: 140, clusters: 58 });
  assert.deepEqual(shown("low", 140), { nodes: 200, urgent: 99, clusters: 100 });
  // A quarter of the places is left to the clusters.
  assert.deepEqual(shown("high", 400), { nodes: 200, urgent: 150, clusters: 49 });
});
