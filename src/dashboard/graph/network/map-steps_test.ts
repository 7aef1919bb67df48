import assert from "node:assert/strict";
import { nearestIn } from "./map-steps.ts";

const RIGHT = { x: 1, y: 0 };
const FROM = { x: 0, y: 0 };

Deno.test("a step takes the nearest node straight ahead", () => {
  const nodes = [
    { id: "behind", x: -5, y: 0 },
    { id: "aside", x: 10, y: 9 },
    { id: "ahead", x: 20, y: 1 },
    { id: "far", x: 90, y: 0 },
    { id: "above", x: 2, y: -40 },
  ];
  assert.equal(nearestIn(RIGHT, FROM, nodes), "ahead");
  assert.equal(nearestIn({ x: 0, y: -1 }, FROM, nodes), "above");
  assert.equal(nearestIn({ x: 0, y: 1 }, FROM, [nodes[0]!, nodes[2]!]), null);
});
