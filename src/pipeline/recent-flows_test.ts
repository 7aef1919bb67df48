import assert from "node:assert/strict";
import type { FlowState } from "../domain/correlate/flow.ts";
import { located, observation } from "../domain/correlate/flow_fixtures.ts";
import { newFlow } from "../domain/correlate/merge.ts";
import { RecentFlows, type RoundFlows } from "./recent-flows.ts";

let made = 0;
const flow = (end = 0): FlowState => ({ ...newFlow(located(observation(0, 1)), `flow ${++made}`, 0), end });

interface Made {
  flows: FlowState[];
  othersEnd?: number;
  /** Those of them that the round made or changed; all where nothing is given. */
  changed?: FlowState[];
}

/** A round that left these flows of these tuples. */
function round(tuples: Record<string, Made>): RoundFlows {
  const byTuple = new Map(
    Object.entries(tuples).map((
      [tuple, { flows, othersEnd = -Infinity }],
    ) => [tuple, { flows, shared: 0, othersEnd }]),
  );
  return {
    byTuple,
    created: Object.values(tuples).flatMap(({ flows, changed = flows }) => changed),
    updated: [],
  };
}

const idsOf = (recent: RecentFlows, tuple: string) =>
  recent.of(tuple)?.flows?.map((one) => one.flowId) ?? null;

Deno.test("what a round left is there for the next one, and stays should that fail", () => {
  const recent = new RecentFlows();
  recent.begin(4, null);
  assert.equal(recent.of("a"), null);
  const left = flow();
  recent.end(7, round({ a: { flows: [left], othersEnd: 50 } }));
  recent.begin(7, null);
  const known = recent.of("a")!;
  assert.deepEqual(known, { flows: [left], shared: 1, othersEnd: 50 });
  known.flows!.push(flow());
  assert.deepEqual(recent.of("a"), { flows: [left], shared: 1, othersEnd: 50 });
});

Deno.test("of a tuple not known in full it keeps what the last round changed, until the next one has ended", () => {
  const recent = new RecentFlows();
  const [old, changed] = [flow(), flow()];
  recent.begin(0, null);
  recent.end(1, round({ a: { flows: [old, changed], othersEnd: Infinity, changed: [changed] } }));
  recent.begin(1, null);
  assert.deepEqual(recent.of("a"), { flows: [changed], shared: 1, othersEnd: Infinity });
  recent.end(2, round({ b: { flows: [flow()] } }));
  assert.equal(recent.of("a"), null);
  assert.notEqual(recent.of("b"), null);
});

Deno.test("where a round was left out, or failed, it has what the round before left", () => {
  const before = round({ a: { flows: [flow(), flow()] }, b: { flows: [flow()], changed: [] } });
  const recent = new RecentFlows();
  recent.begin(3, before);
  const left = before.byTuple.get("a")!.flows!;
  assert.deepEqual(recent.of("a"), { flows: left, shared: 2, othersEnd: Infinity }, "others may be stored");
  assert.equal(recent.of("b"), null);
  recent.begin(3, null);
  assert.equal(recent.of("a"), null, "the round that began there never ended");
  recent.end(5, before);
  recent.begin(4, null);
  assert.equal(recent.count, 0);
});

Deno.test("a tuple that comes again and again is not kept in full", () => {
  const recent = new RecentFlows();
  const many = Array.from({ length: 33 }, () => flow());
  recent.begin(0, null);
  recent.end(
    1,
    round({ a: { flows: many, changed: [many[32]!] }, b: { flows: many.slice(1).map(() => flow()) } }),
  );
  recent.begin(1, null);
  assert.deepEqual(recent.of("a"), { flows: [many[32]], shared: 1, othersEnd: Infinity });
  assert.equal(recent.of("b")!.othersEnd, -Infinity);
  assert.equal(recent.count, 33);
});

Deno.test("beyond its bound the least recently used go, but none that the last round used", () => {
  const recent = new RecentFlows(3);
  let at = 0;
  const end = (...tuples: string[]) => {
    recent.begin(at, null);
    const known = tuples.map((tuple) => [tuple, recent.of(tuple) ?? { flows: [flow()] }]);
    recent.end(++at, round(Object.fromEntries(known)));
  };
  end("a");
  end("b");
  end("c");
  end("a");
  end("d");
  assert.deepEqual(["a", "b", "c", "d"].map((tuple) => idsOf(recent, tuple) !== null), [
    true,
    false,
    true,
    true,
  ]);
  end("e", "f", "g", "h");
  assert.equal(recent.count, 4);
  assert.notEqual(idsOf(recent, "e"), null);
  end("i");
  assert.equal(recent.count, 3);
});

Deno.test("the latest end is that of all flows here", () => {
  const recent = new RecentFlows();
  assert.equal(recent.latestEnd(), -Infinity);
  recent.begin(0, null);
  recent.end(
    1,
    round({
      a: { flows: [flow(5), flow(9)] },
      b: { flows: [flow(7)], othersEnd: Infinity },
      c: { flows: [flow(2)] },
    }),
  );
  assert.equal(recent.latestEnd(), 9);
  recent.begin(1, null);
  recent.end(2, round({ b: { flows: [flow(12)], othersEnd: Infinity } }));
  assert.equal(recent.latestEnd(), 12);
});
