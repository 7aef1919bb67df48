import assert from "node:assert/strict";
import fc from "fast-check";
import { HEALTH_STATUSES, type HealthStatus } from "../../contract/record/kinds.ts";
import {
  compareHealth,
  type ComponentState,
  FORGET_AFTER,
  healthChanges,
  type Observation,
  sameHealth,
  type Transition,
} from "./transitions.ts";

const SECOND = 1_000_000;

function observed(at: number, statuses: Record<string, HealthStatus>): Observation {
  return {
    at,
    components: Object.entries(statuses).map(([id, status]) => ({
      id,
      kind: id.split(":")[0]!,
      status,
      message: status === "ok" ? null : `${id} is ${status}`,
    })),
  };
}

function follow(
  observations: readonly Observation[],
): { states: Map<string, ComponentState>; emitted: Transition[] } {
  let states = new Map<string, ComponentState>();
  const emitted: Transition[] = [];
  for (const observation of observations) {
    const compared = compareHealth(states, observation);
    states = compared.states;
    emitted.push(...compared.transitions);
  }
  return { states, emitted };
}

const texts = (emitted: readonly Transition[]) =>
  emitted.map(({ componentId, from, to }) => `${componentId}: ${from} > ${to}`);

Deno.test("health: the first observation of a tenant is a baseline and emits nothing", () => {
  const { states, emitted } = follow([observed(5, { appliance: "degraded", store: "ok", disk: "degraded" })]);
  assert.deepEqual(emitted, []);
  assert.deepEqual(
    [...states.values()].map(({ componentId, status, since }) => [componentId, status, since]),
    [
      ["store", "ok", 5],
      ["disk", "degraded", 5],
      ["appliance", "degraded", 5],
    ],
  );
});

Deno.test("health: a change emits a transition, also for the overall status, which comes last", () => {
  const { emitted } = follow([
    observed(1, { appliance: "ok", store: "ok", disk: "ok" }),
    observed(2, { appliance: "unavailable", store: "ok", disk: "unavailable" }),
  ]);
  assert.deepEqual(emitted, [
    {
      at: 2,
      componentId: "disk",
      kind: "disk",
      from: "ok",
      to: "unavailable",
      message: "disk is unavailable",
    },
    {
      at: 2,
      componentId: "appliance",
      kind: "appliance",
      from: "ok",
      to: "unavailable",
      message: "appliance is unavailable",
    },
  ]);
});

Deno.test("health: every change is a transition, however often it flaps", () => {
  const flapping = Array.from(
    { length: 50 },
    (_, at) => observed(at, { disk: at % 2 === 0 ? "ok" : "degraded" }),
  );
  assert.equal(follow(flapping).emitted.length, 49);
});

Deno.test("health: a component that appears later in another state than ok emits a transition from ok", () => {
  const { emitted } = follow([
    observed(1, { appliance: "ok", store: "ok" }),
    observed(2, { appliance: "stale", store: "ok", "sensor:new": "stale", "sensor:well": "ok" }),
    observed(3, { appliance: "ok", store: "ok", "sensor:new": "ok", "sensor:well": "ok" }),
  ]);
  assert.deepEqual(texts(emitted), [
    "sensor:new: ok > stale",
    "appliance: ok > stale",
    "sensor:new: stale > ok",
    "appliance: stale > ok",
  ]);
});

Deno.test("health: a component that disappears while not ok emits a transition to ok after ten minutes", () => {
  const present = { store: "ok", "sensor:a": "stale" } as const;
  const without = { store: "ok" } as const;
  const gone = follow([
    observed(0, present),
    observed(SECOND, without),
    observed(SECOND + FORGET_AFTER, without),
    observed(SECOND + FORGET_AFTER + 1, { store: "ok", "sensor:a": "ok" }),
  ]);
  assert.deepEqual(texts(gone.emitted), ["sensor:a: stale > ok"], "it returns as a new component");
  assert.deepEqual(
    follow([
      observed(0, { store: "ok", disk: "ok" }),
      observed(1, without),
      observed(FORGET_AFTER + 1, without),
    ]).emitted,
    [],
  );

  const back = follow([
    observed(0, present),
    observed(SECOND, without),
    observed(FORGET_AFTER, without),
    observed(FORGET_AFTER + 1, { store: "ok", "sensor:a": "ok" }),
    observed(3 * FORGET_AFTER, without),
  ]);
  assert.deepEqual(
    texts(back.emitted),
    ["sensor:a: stale > ok"],
    "a report after a start may be incomplete for a while",
  );
  assert.equal(back.states.get("sensor:a")!.missingSince, 3 * FORGET_AFTER, "counted again");
});

Deno.test("health: while the store is down nothing counts as missing", () => {
  const { emitted } = follow([
    observed(0, { store: "ok", "connector:siem": "unavailable" }),
    observed(SECOND, { store: "unavailable" }),
    observed(2 * FORGET_AFTER, { store: "unavailable" }),
    observed(2 * FORGET_AFTER + 1, { store: "ok", "connector:siem": "ok" }),
  ]);
  assert.deepEqual(texts(emitted), [
    "store: ok > unavailable",
    "store: unavailable > ok",
    "connector:siem: unavailable > ok",
  ]);
});

Deno.test("health: a clock jump moves times but neither adds nor loses a transition", () => {
  const day = 86_400 * SECOND;
  const statuses: HealthStatus[] = ["ok", "stale", "stale", "ok", "degraded"];
  const steady = follow(statuses.map((status, n) => observed(n, { disk: status, store: "ok" })));
  const jumps = [0, day, -day, 5 * day, 1];
  const jumping = follow(statuses.map((status, n) => observed(jumps[n]!, { disk: status, store: "ok" })));
  assert.deepEqual(texts(jumping.emitted), texts(steady.emitted));
});

const anyStatus = fc.constantFrom<HealthStatus>(...HEALTH_STATUSES);
const anyReport = fc.dictionary(fc.constantFrom("a", "b", "c", "appliance"), anyStatus);

Deno.test("health: consecutive transitions of a component are contiguous", () => {
  fc.assert(fc.property(fc.array(anyReport, { maxLength: 12 }), (reports) => {
    const { states, emitted } = follow(reports.map((report, at) => observed(at, report)));
    const last = new Map<string, HealthStatus>();
    for (const { componentId, from, to } of emitted) {
      assert.notEqual(from, to);
      const before = last.get(componentId);
      if (before !== undefined) assert.equal(from, before, "it starts at the previous status");
      last.set(componentId, to);
    }
    for (const [id, status] of last) {
      assert.equal(states.get(id)!.status, status, "it ends at the current status");
    }
    for (const [id, status] of Object.entries(reports.at(-1) ?? {})) {
      assert.equal(states.get(id)!.status, status, "the observed status is recorded");
    }
  }));
});

Deno.test("health: the changes are exactly the differences", () => {
  fc.assert(fc.property(anyReport, anyReport, fc.nat({ max: 2 * FORGET_AFTER }), (first, second, pause) => {
    const { states: before } = compareHealth(new Map(), observed(0, first));
    const { states: middle } = compareHealth(before, observed(1, second));
    const { states: after } = compareHealth(middle, observed(1 + pause, second));
    const { changed, forgotten } = healthChanges(before, after);
    const written = new Map(before);
    for (const state of changed) written.set(state.componentId, state);
    for (const id of forgotten) written.delete(id);
    const sorted = (states: ReadonlyMap<string, ComponentState>) =>
      [...states].sort(([a], [b]) => a < b ? -1 : 1);
    assert.deepEqual(sorted(written), sorted(after));
    assert.deepEqual(healthChanges(after, after), { changed: [], forgotten: [] });
  }));
});

Deno.test("health: observations with equal statuses are equal, whatever their messages", () => {
  const one = observed(1, { store: "ok", disk: "degraded" });
  const other = {
    at: 9,
    components: one.components.toReversed().map((part) => ({ ...part, message: "else" })),
  };
  assert.ok(sameHealth(one, other));
  assert.ok(!sameHealth(one, observed(1, { store: "ok", disk: "ok" })));
  assert.ok(!sameHealth(one, observed(1, { store: "ok" })));
});
