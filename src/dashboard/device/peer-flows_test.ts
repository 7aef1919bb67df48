import assert from "node:assert/strict";
import { peerFlows } from "./peer-flows.ts";

Deno.test("flows lead from clients to the device and on by service to servers", () => {
  const { nodes, links } = peerFlows("desk", [{ peer: "10.0.0.9", service: "ssh", bytes: 5 }], [
    { peer: "198.51.100.7", service: "tls", bytes: 30 },
    { peer: "198.51.100.8", service: "tls", bytes: 10 },
    { peer: "198.51.100.9", service: null, bytes: 0 },
  ]);
  assert.deepEqual(nodes.map(({ text }) => text), [
    "desk",
    "10.0.0.9",
    "tls",
    "198.51.100.7",
    "198.51.100.8",
  ]);
  assert.deepEqual(links, [
    { source: "in 10.0.0.9", target: "device", value: 5 },
    { source: "device", target: "service tls", value: 40 },
    { source: "service tls", target: "out 198.51.100.7", value: 30 },
    { source: "service tls", target: "out 198.51.100.8", value: 10 },
  ]);
});

Deno.test("a peer on both sides makes no circle, and the smallest peers are one node", () => {
  const many = Array.from(
    { length: 12 },
    (_, at) => ({ peer: `10.0.0.${at}`, service: "dns", bytes: 100 - at }),
  );
  const { nodes, links } = peerFlows("desk", many, many);
  const ids = nodes.map(({ id }) => id);
  assert.ok(ids.includes("in 10.0.0.0") && ids.includes("out 10.0.0.0"));
  assert.equal(ids.filter((id) => id.startsWith("out ")).length, 9);
  assert.equal(links.find(({ target }) => target === "out others")?.value, 92 + 91 + 90 + 89);
});
