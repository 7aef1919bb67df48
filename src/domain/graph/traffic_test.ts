import assert from "node:assert/strict";
import fc from "fast-check";
import type { FlowState } from "../flow/flow.ts";
import { MAX_FLOW_COUNT, minus, MINUTE, plus, trafficChanges } from "./traffic.ts";

const ADDRESSES = ["10.0.0.1", "10.0.0.2", "192.0.2.7", "2001:db8::1"];

/** The fields of a flow that its traffic is made of. */
function flow(change: Partial<FlowState> & { anchor: number }): FlowState {
  const counters: FlowState["counters"] = {
    srcToDst: { bytes: 10, packets: 1 },
    dstToSrc: { bytes: 20, packets: 2 },
    semantics: "session",
  };
  const { anchor } = change;
  const end = anchor + 1000;
  const ends = { src: { ip: "10.0.0.1", port: 1 }, dst: { ip: "192.0.2.7", port: 2 } };
  return {
    flowId: `f${anchor}`,
    start: anchor,
    end,
    service: null,
    counters,
    ...ends,
    ...change,
  } as FlowState;
}

const NOTHING = { created: [], updated: [], before: [] };

Deno.test("traffic of a flow counts in its minute, between its addresses in code point order", () => {
  const anchor = 5 * MINUTE + 1;
  const ends = { src: { ip: "192.0.2.7", port: 1 }, dst: { ip: "10.0.0.1", port: 2 } };
  const [change, ...others] = trafficChanges({
    ...NOTHING,
    created: [flow({ anchor, ...ends, service: "dns" })],
  });
  assert.deepEqual(others, []);
  assert.deepEqual(change, {
    minute: 5 * MINUTE,
    low: "10.0.0.1",
    high: "192.0.2.7",
    service: "dns",
    bytesUp: 20,
    bytesDown: 10,
    packets: 3,
    flows: 1,
    firstSeen: anchor,
    lastSeen: anchor + 1000,
  });
});

Deno.test("traffic: an updated flow replaces what it counted, and one that only gained facts writes nothing", () => {
  const before = flow({ anchor: 0 });
  const more = { srcToDst: { bytes: 15, packets: 1 }, dstToSrc: { bytes: null, packets: null } };
  const after = flow({ anchor: 0, end: 5000, counters: { ...more, semantics: "session" } });
  const [change] = trafficChanges({ ...NOTHING, updated: [after], before: [before] });
  const { bytesUp, bytesDown, packets, flows, lastSeen } = change!;
  assert.deepEqual({ bytesUp, bytesDown, packets, flows, lastSeen }, {
    bytesUp: 5,
    bytesDown: -20,
    packets: -2,
    flows: 0,
    lastSeen: 5000,
  });
  const same = { ...before, vlan: 5 };
  assert.deepEqual(trafficChanges({ ...NOTHING, updated: [same], before: [before] }), []);
});

Deno.test("traffic: a counter beyond what a flow can have is limited, so that sums fit the store", () => {
  const huge = { bytes: 2n ** 63n - 1n, packets: 2n ** 62n };
  const counters: FlowState["counters"] = { srcToDst: huge, dstToSrc: huge, semantics: "session" };
  const created = Array.from({ length: 100 }, () => flow({ anchor: 0, counters }));
  const [change] = trafficChanges({ ...NOTHING, created });
  assert.equal(change!.bytesUp, 100n * BigInt(MAX_FLOW_COUNT));
});

/** The state of a flow in a series of updates: counters, end and service change freely. */
const STATES = fc.array(
  fc.record({
    id: fc.integer({ min: 0, max: 5 }),
    bytes: fc.option(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), { nil: null }),
    longer: fc.nat(1_000_000),
    service: fc.constantFrom(null, "dns", "http"),
    turned: fc.boolean(),
  }),
  { maxLength: 40 },
);

Deno.test("traffic: the changes of any division into rounds add up to the traffic of the final flows", () => {
  fc.assert(fc.property(STATES, fc.array(fc.nat(40)), (states, cuts) => {
    const rounds = divided(states, new Set(cuts));
    const flows = new Map<number, FlowState>();
    const changes = rounds.flatMap((round) => {
      const earlier = new Map(flows);
      for (const state of round) flows.set(state.id, next(flows.get(state.id) ?? null, state));
      const touched = [...new Set(round.map(({ id }) => id))];
      const updated = touched.filter((id) => earlier.has(id));
      return trafficChanges({
        created: touched.filter((id) => !earlier.has(id)).map((id) => flows.get(id)!),
        updated: updated.map((id) => flows.get(id)!),
        before: updated.map((id) => earlier.get(id)!),
      });
    });
    const whole = trafficChanges({ ...NOTHING, created: [...flows.values()] });
    assert.deepEqual(totals(changes), totals(whole));
  }));
});

function divided<T>(items: readonly T[], cuts: ReadonlySet<number>): T[][] {
  const rounds: T[][] = [[]];
  for (const [at, item] of items.entries()) {
    if (cuts.has(at)) rounds.push([]);
    rounds.at(-1)!.push(item);
  }
  return rounds;
}

type State = { id: number; bytes: bigint | null; longer: number; service: string | null; turned: boolean };

function next(before: FlowState | null, { id, bytes, longer, service, turned }: State): FlowState {
  const anchor = id * 40_000_000;
  const ends = [{ ip: ADDRESSES[id % 2]!, port: 1 }, { ip: ADDRESSES[2 + id % 2]!, port: 2 }] as const;
  const [src, dst] = turned ? [ends[1], ends[0]] : ends;
  const counters = {
    srcToDst: { bytes, packets: 1 },
    dstToSrc: { bytes: 7, packets: null },
    semantics: "session",
  } as const;
  const start = Math.min(before?.start ?? anchor, anchor - longer);
  const end = Math.max(before?.end ?? anchor, anchor + longer);
  return flow({ anchor, start, end, service, src, dst, counters });
}

/** As the store adds up rows: counters of each minute, pair and service, times of each minute and pair. */
function totals(changes: ReturnType<typeof trafficChanges>) {
  const counts = new Map<string, (number | bigint)[]>();
  const times = new Map<string, [number, number]>();
  for (
    const { minute, low, high, service, bytesUp, bytesDown, packets, flows, firstSeen, lastSeen } of changes
  ) {
    const pair = `${minute} ${low} ${high}`;
    const key = `${pair} ${service}`;
    const sum = counts.get(key) ?? [0, 0, 0, 0];
    counts.set(key, [bytesUp, bytesDown, packets, flows].map((value, at) => plus(sum[at]!, value)));
    const span = times.get(pair) ?? [Infinity, -Infinity];
    times.set(pair, [Math.min(span[0], firstSeen), Math.max(span[1], lastSeen)]);
  }
  const shown = [...counts].filter(([, sum]) => sum.some((value) => value !== 0));
  return { counts: new Map(shown), times };
}

Deno.test("traffic: sums and differences are exact beyond 2^53", () => {
  fc.assert(fc.property(fc.bigInt(-(2n ** 70n), 2n ** 70n), fc.bigInt(-(2n ** 70n), 2n ** 70n), (a, b) => {
    const count = (value: bigint) => Number.isSafeInteger(Number(value)) ? Number(value) : value;
    assert.equal(plus(count(a), count(b)), count(a + b));
    assert.equal(minus(count(a), count(b)), count(a - b));
  }));
});
