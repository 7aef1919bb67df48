import assert from "node:assert/strict";
import type { EvidenceItem, Flow } from "../../../contract/flow/flow.ts";
import type { ModelResult } from "../../../contract/incident/incident.ts";
import { COLUMN_NODES, talkGraph } from "./talk-graph.ts";

type Source = Parameters<typeof talkGraph>[0];

function end(address: string): Flow["src"] {
  const [ip, device] = address.split(" ");
  return { ip: ip!, port: 443, device_id: device ?? null, geo: null };
}

function flow(id: string, src: string, dst: string, bytes: number | null = 100): Flow {
  const counted = { bytes, packets: null };
  return {
    flow_id: id,
    src: end(src),
    dst: end(dst),
    proto: "tcp",
    service: "tls",
    names: [],
    counters: { src_to_dst: counted, dst_to_src: { bytes: null, packets: null }, semantics: "total" },
  } as unknown as Flow;
}

function incident(
  devices: string[],
  evidence: [id: string, flow: string][],
  results: unknown[] = [],
): Source {
  return {
    device_ids: devices,
    device_names: Object.fromEntries(devices.map((id) => [id, id.toUpperCase()])),
    evidence: evidence.map(([evidence_id, flow_id]) => ({ evidence_id, flow_id }) as EvidenceItem),
    model_results: results as ModelResult[],
  };
}

Deno.test("graph: devices stand left, their destinations right, links carry the evidence", () => {
  const graph = talkGraph(incident(["a"], [["1", "f1"], ["2", "f1"], ["3", "f2"]]), [
    flow("f1", "10.0.0.1 a", "192.0.2.1"),
    flow("f2", "10.0.0.1 a", "192.0.2.2", null),
  ]);
  assert.deepEqual(graph.left.map(({ label, records }) => [label, records]), [["A", 3]]);
  assert.deepEqual(graph.right.map(({ label, records }) => [label, records]), [["192.0.2.1", 2], [
    "192.0.2.2",
    1,
  ]]);
  assert.deepEqual(graph.links.map(({ evidenceIds, bytes, services }) => [evidenceIds, bytes, services]), [
    [["1", "2"], 100, ["tls"]],
    [["3"], null, ["tls"]],
  ]);
});

Deno.test("graph: an outside source stands left of the device that it reaches", () => {
  const graph = talkGraph(incident(["a"], [["1", "f1"]]), [flow("f1", "198.51.100.9", "10.0.0.1 a")]);
  assert.deepEqual(graph.left.map(({ label }) => label), ["198.51.100.9"]);
  assert.deepEqual(graph.right.map(({ label }) => label), ["A"]);
});

Deno.test("graph: a device that only answers another device is a destination", () => {
  const graph = talkGraph(incident(["a", "b"], [["1", "f1"]]), [flow("f1", "10.0.0.1 a", "10.0.0.2 b")]);
  assert.deepEqual([graph.left.map(({ label }) => label), graph.right.map(({ label }) => label)], [["A"], [
    "B",
  ]]);
});

Deno.test("graph: the order of flows does not change the picture", () => {
  const flows = [
    flow("f1", "10.0.0.1 a", "192.0.2.1"),
    flow("f2", "10.0.0.2 b", "192.0.2.2"),
    flow("f3", "10.0.0.2 b", "192.0.2.1"),
  ];
  const source = incident(["a", "b"], [["1", "f1"], ["2", "f2"], ["3", "f3"]]);
  assert.deepEqual(talkGraph(source, flows), talkGraph(source, flows.toReversed()));
});

Deno.test("graph: a wide column ends with the sum of the others, and no evidence is lost", () => {
  const many = Array.from({ length: 30 }, (_, index) => index);
  const graph = talkGraph(
    incident(["a"], many.map((index) => [`e${index}`, `f${index}`])),
    many.map((index) => flow(`f${index}`, "10.0.0.1 a", `192.0.2.${index}`)),
  );
  assert.equal(graph.right.length, COLUMN_NODES);
  assert.equal(graph.right.at(-1)?.label, `${30 - COLUMN_NODES + 1} more`);
  assert.equal(graph.links.reduce((sum, { evidenceIds }) => sum + evidenceIds.length, 0), 30);
});

Deno.test("graph: a destination that only a result names is linked with the result's own evidence", () => {
  const result = {
    device_id: "a",
    destinations: [{ ip: null, name: "example.net", port: 53 }],
    evidence_ids: ["1", "gone"],
  };
  const graph = talkGraph(incident(["a"], [["1", "f1"]], [result]), []);
  assert.deepEqual(
    graph.links.map(({ evidenceIds, namedOnly, services }) => [evidenceIds, namedOnly, services]),
    [
      [["1"], true, ["port 53"]],
    ],
  );
});

Deno.test("graph: an address that a record does not state is the resolver, or no address", () => {
  const unstated = (id: string, source: string) => ({
    ...flow(id, "10.0.0.1 a", "0.0.0.0"),
    primary_evidence: { source, sensor_id: `main-${source}` },
  } as unknown as Flow);
  const graph = talkGraph(incident(["a"], [["1", "f1"], ["2", "f2"]]), [
    unstated("f1", "unbound"),
    unstated("f2", "netflow"),
  ]);
  assert.deepEqual(graph.right.map(({ kind, label }) => [kind, label]), [
    ["sensor", "main-unbound"],
    ["unstated", "not stated"],
  ]);
});
