import assert from "node:assert/strict";
import type { FlowState } from "../../domain/flow/flow.ts";
import { located, observation } from "../../../test/support/domain/flow-fixtures.ts";
import { newFlow } from "../../domain/flow/merge.ts";
import { RecentFlows, type RoundFlows } from "./recent-flows.ts";

const MINUTE = 60_000_000;
let made = 0;
const flow = (end = 0): FlowState => ({ ...newFlow(located(observation(0, 1)), `flow ${++made}`, 0), end });

interface Made {
  flows: FlowState[];
  othersEnd?: number;
  /** Flows that the round created or changed; all by default. */
  changed?: FlowState[];
}

/** A round that ends with these flows. */
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

Deno.test("recent flows: the next round sees the last round's flows, and again after it fails", () => {
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

Deno.test("recent flows: after a missed or failed round only the changes of the round before are known", () => {
  const before = round({ a: { flows: [flow(), flow()] }, b: { flows: [flow()], changed: [] } });
  const recent = new RecentFlows();
  recent.begin(3, before);
  const left = before.byTuple.get("a")!.flows!;
  assert.deepEqual(recent.of("a"), { flows: left, shared: 2, othersEnd: Infinity }, "others may be stored");
  assert.equal(recent.of("b"), null);
  recent.end(4, round({ c: { flows: [flow()] } }));
  recent.begin(4, null);
  assert.equal(recent.of("a"), null, "the next round has ended");
  assert.notEqual(recent.of("c"), null);
  recent.begin(3, before);
  recent.begin(3, null);
  assert.equal(recent.of("a"), null, "the round that began there never ended");
  recent.end(5, before);
  recent.begin(4, null);
  assert.equal(recent.count, 0);
});

Deno.test("recent flows: the newest flows of a repeating tuple are kept, with the end of the others", () => {
  const recent = new RecentFlows();
  const [few, many] = [8, 40].map((count) => Array.from({ length: count }, (_, at) => flow(at * MINUTE)));
  const after = (flows: FlowState[], changed: FlowState[]) => {
    recent.begin(0, null);
    recent.end(1, round({ a: { flows, othersEnd: -5, changed } }));
    recent.begin(1, null);
    const { flows: kept, othersEnd } = recent.of("a")!;
    recent.clear();
    return { kept, othersEnd };
  };
  assert.deepEqual(after(few!, []), { kept: few, othersEnd: -5 });
  assert.deepEqual(after(many!, []), { kept: many!.slice(8).reverse(), othersEnd: 7 * MINUTE });
  // What is not in the database yet cannot be read from there.
  assert.deepEqual(after(many!, [many![7]!, many![2]!]), {
    kept: [...many!.slice(7).reverse(), many![2]],
    othersEnd: 6 * MINUTE,
  });
});

Deno.test("recent flows: of many flows of a tuple, those that ended long before are dropped", () => {
  const recent = new RecentFlows();
  const flows = Array.from({ length: 24 }, (_, at) => flow(at * 6 * MINUTE));
  recent.begin(0, null);
  recent.end(1, round({ a: { flows, changed: [] } }));
  recent.begin(1, null);
  const { flows: kept, othersEnd } = recent.of("a")!;
  assert.deepEqual(kept, flows.filter(({ end }) => end >= (23 * 6 - 75) * MINUTE).reverse());
  assert.equal(othersEnd, 10 * 6 * MINUTE);
  assert.equal(recent.count, kept!.length);
});

Deno.test("recent flows: the least recently used tuples are evicted, but none of the last round", () => {
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

Deno.test("recent flows: one-time tuples do not evict repeating ones", () => {
  const recent = new RecentFlows(8);
  let at = 0;
  const end = (...tuples: string[]) => {
    recent.begin(at, null);
    recent.end(
      ++at,
      round(
        Object.fromEntries(
          tuples.map((tuple) => [tuple, { flows: tuple.startsWith("often") ? [flow(), flow()] : [flow()] }]),
        ),
      ),
    );
  };
  end("often 1");
  end("often 2");
  for (let n = 1; n <= 20; n++) end(`once ${n}`);
  const kept = ["often 1", "often 2", "once 16", "once 17", "once 20"].map((one) =>
    idsOf(recent, one)?.length
  );
  assert.deepEqual(kept, [2, 2, undefined, 1, 1]);
  // Repeating tuples exceed their half only while there are few others; their least recently used are evicted too.
  end("often 3", "often 4");
  assert.equal(idsOf(recent, "often 1"), null);
  assert.equal(idsOf(recent, "often 3")?.length, 2);
  assert.equal(recent.count, 8);
  // The last round's tuples stay, at the cost of the others.
  end("often 5", "often 6", "often 7");
  assert.equal(idsOf(recent, "often 5")?.length, 2);
  assert.equal(idsOf(recent, "once 18"), null);
  assert.equal(idsOf(recent, "once 19")?.length, 1);
  assert.equal(recent.count, 8);
});

Deno.test("recent flows: the latest end covers all flows", () => {
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
