import assert from "node:assert/strict";
import * as fc from "fast-check";
import { arrange, type LayoutLink, type LayoutNode, placeNewcomers, type Point } from "./layout.ts";

const anyGraph = fc.record({
  count: fc.integer({ min: 1, max: 40 }),
  pairs: fc.array(fc.tuple(fc.nat(39), fc.nat(39)), { maxLength: 80 }),
  seed: fc.nat(2 ** 32 - 1),
}).map(({ count, pairs, seed }) => {
  const nodes: LayoutNode[] = Array.from({ length: count }, (_, at) => ({
    id: `device:${at}`,
    radius: 8 + at % 5,
    group: `vlan:${at % 3}`,
    external: at % 4 === 0,
  }));
  const links: LayoutLink[] = pairs
    .filter(([a, b]) => a < count && b < count && a !== b)
    .map(([a, b]) => ({ source: `device:${Math.min(a, b)}`, target: `device:${Math.max(a, b)}`, weight: 1 }));
  return { nodes, links, seed };
});

const entries = (positions: ReadonlyMap<string, Point>) => [...positions].sort();

Deno.test("the same graph and seed give identical coordinates, in any order", () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const first = arrange({ ...graph, fixed: [] });
      const again = arrange({
        nodes: [...graph.nodes].reverse(),
        links: graph.links.map(({ source, target, weight }) => ({ source: target, target: source, weight }))
          .reverse(),
        seed: graph.seed,
        fixed: [],
      });
      assert.deepEqual(entries(first), entries(again));
      assert.equal(first.size, graph.nodes.length);
      for (const { x, y } of first.values()) assert.ok(Number.isFinite(x) && Number.isFinite(y));
    }),
    { numRuns: 25 },
  );
});

Deno.test("another seed gives another map", () => {
  const nodes = Array.from({ length: 5 }, (_, at) => ({
    id: `ip:192.0.2.${at}`,
    radius: 8,
    group: `asn:${at}`,
    external: true,
  }));
  const links = nodes.slice(1).map(({ id }, at) => ({ source: nodes[at]!.id, target: id, weight: 1 }));
  const one = arrange({ nodes, links, seed: 1, fixed: [] });
  assert.notDeepEqual(entries(one), entries(arrange({ nodes, links, seed: 2, fixed: [] })));
});

Deno.test("a full layout keeps moved nodes in their place", () => {
  fc.assert(
    fc.property(anyGraph, fc.record({ x: fc.integer(), y: fc.integer() }), (graph, at) => {
      const [first] = graph.nodes;
      const positions = arrange({ ...graph, fixed: [[first!.id, at]] });
      assert.deepEqual({ ...positions.get(first!.id) }, { ...at });
    }),
    { numRuns: 15 },
  );
});

Deno.test("newcomers take free places near their neighbours and move no other node", () => {
  fc.assert(
    fc.property(anyGraph, fc.integer({ min: 1, max: 20 }), ({ nodes, seed }, count) => {
      const placed = arrange({ nodes, links: [], seed, fixed: [] });
      const before = entries(placed);
      const newcomers = Array.from({ length: count }, (_, at) => ({
        id: `ip:192.0.2.${at}`,
        radius: 10,
        group: "asn:none",
        external: true,
        neighbours: [nodes[at % nodes.length]!.id],
        origins: [],
      }));
      const sizes = new Map(nodes.map(({ id, radius }) => [id, radius]));
      const result = placeNewcomers(newcomers, placed, new Map(), (id) => sizes.get(id) ?? 10, seed);
      assert.deepEqual(entries(placed), before);
      assert.equal(result.size, count);
      const all = [...placed, ...result];
      for (const [id, at] of result) {
        for (const [other, there] of all) {
          const least = (sizes.get(other) ?? 10) + 10;
          // Coordinates are rounded to hundredths.
          if (other !== id) {
            assert.ok(Math.hypot(at.x - there.x, at.y - there.y) > least - 0.02, `${id} ${other}`);
          }
        }
      }
      assert.deepEqual(
        entries(
          placeNewcomers([...newcomers].reverse(), placed, new Map(), (id) => sizes.get(id) ?? 10, seed),
        ),
        entries(result),
      );
    }),
    { numRuns: 25 },
  );
});

Deno.test("members of an expanded cluster appear where it was", () => {
  const member = (id: string) => ({
    id,
    radius: 8,
    group: "vlan:10",
    external: false,
    neighbours: ["ip:192.0.2.1"],
    origins: ["vlan:10"],
  });
  const result = placeNewcomers(
    [member("device:a"), member("device:b")],
    new Map([["ip:192.0.2.1", { x: 900, y: 0 }]]),
    new Map([["vlan:10", { x: -500, y: 40 }]]),
    () => 8,
    3,
  );
  for (const { x, y } of result.values()) assert.ok(Math.hypot(x + 500, y - 40) < 60);
});

Deno.test("newcomers linked only with each other are placed as well", () => {
  const newcomer = (id: string, other: string) => ({
    id,
    radius: 8,
    group: "vlan:10",
    external: false,
    neighbours: [other],
    origins: [],
  });
  const result = placeNewcomers(
    [newcomer("device:a", "device:b"), newcomer("device:b", "device:a")],
    new Map(),
    new Map(),
    () => 8,
    3,
  );
  assert.equal(result.size, 2);
});

Deno.test("no disc covers another after a full layout", () => {
  fc.assert(
    fc.property(anyGraph, ({ nodes, links, seed }) => {
      const positions = arrange({ nodes, links, seed, fixed: [] });
      for (const one of nodes) {
        for (const two of nodes) {
          if (one.id >= two.id) continue;
          const [a, b] = [positions.get(one.id)!, positions.get(two.id)!];
          assert.ok(
            Math.hypot(a.x - b.x, a.y - b.y) > (one.radius + two.radius) * 0.9,
            `${one.id} ${two.id}`,
          );
        }
      }
    }),
    { numRuns: 25 },
  );
});

Deno.test("the layout reports its progress up to the end, of several groups too", () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const shares: number[] = [];
      arrange({ ...graph, fixed: [] }, (share) => shares.push(share));
      assert.ok(shares.length >= 10);
      assert.deepEqual(shares, shares.toSorted((a, b) => a - b));
      assert.ok(shares[0]! > 0 && Math.abs(shares.at(-1)! - 1) < 1e-9);
    }),
    { numRuns: 25 },
  );
});
