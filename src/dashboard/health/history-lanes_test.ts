import assert from "node:assert/strict";
import type { HealthTransition } from "../../contract/health/health.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import { lanesOf, observedTime, stateOf, troubledTime } from "./history-lanes.ts";

const WINDOW = { from: 0, to: 1000 };

const present = (id: string, status: HealthStatus, since: number | null = 0) => ({
  id,
  kind: id,
  status,
  message: null,
  since: since === null ? null : new Date(since).toISOString(),
});

function transition(id: string, at: number, from: HealthStatus, to: HealthStatus): HealthTransition {
  return {
    transition_id: `${id} ${at}`,
    at: new Date(at).toISOString(),
    component_id: id,
    kind: id,
    from,
    to,
    message: `became ${to}`,
  };
}

const shapes = (lanes: ReturnType<typeof lanesOf>) =>
  lanes.map(({ id, spans }) => [id, ...spans.map(({ from, to, status }) => `${from}-${to} ${status}`)]);

Deno.test("health history: the status before, between and after transitions", () => {
  const lanes = lanesOf(
    [present("disk", "degraded"), present("store", "ok")],
    // The API lists the newest first.
    [
      transition("disk", 700, "unavailable", "degraded"),
      transition("disk", 300, "ok", "unavailable"),
    ],
    WINDOW,
  );
  assert.deepEqual(shapes(lanes), [
    ["disk", "0-300 ok", "300-700 unavailable", "700-1000 degraded"],
    ["store", "0-1000 ok"],
  ]);
  assert.equal(lanes[0]!.spans[1]!.message, "became unavailable");
  assert.deepEqual(lanes.map(troubledTime), [700, 0]);
});

Deno.test("health history: nothing is known before the first observation", () => {
  const lanes = lanesOf([present("store", "ok", 900), present("disk", "degraded", null)], [], WINDOW);
  assert.deepEqual(shapes(lanes), [["store", "900-1000 ok"], ["disk"]]);
  assert.deepEqual(lanes.map(observedTime), [100, 0]);
});

Deno.test("health history: a lane has no span without observations", () => {
  const lanes = lanesOf([present("disk", "ok"), present("store", "ok", -9000)], [
    transition("observation", 100, "unavailable", "ok"),
    transition("disk", 300, "ok", "degraded"),
    transition("observation", 400, "ok", "unavailable"),
    transition("observation", 600, "unavailable", "ok"),
    transition("disk", 600, "degraded", "ok"),
  ], WINDOW);
  assert.deepEqual(shapes(lanes), [
    ["disk", "100-300 ok", "300-400 degraded", "600-1000 ok"],
    ["store", "100-400 ok", "600-1000 ok"],
  ]);
});

Deno.test("health history: a component that is gone keeps its lane", () => {
  const lanes = lanesOf([], [transition("networks", 400, "degraded", "ok")], WINDOW);
  assert.deepEqual(shapes(lanes), [["networks", "0-400 degraded", "400-1000 ok"]]);
});

Deno.test("health history: transitions at the edges leave no empty span", () => {
  const lanes = lanesOf([present("store", "ok")], [
    transition("store", 0, "unavailable", "ok"),
    transition("store", 1000, "ok", "degraded"),
  ], WINDOW);
  assert.deepEqual(shapes(lanes), [["store", "0-1000 ok"]]);
});

Deno.test("health history: what is switched off is not in trouble", () => {
  const [lane] = lanesOf([{ ...present("telemetry", "unavailable"), message: "off" }], [], WINDOW);
  assert.deepEqual(lane!.spans.map(stateOf), ["off"]);
  assert.equal(troubledTime(lane!), 0);
});
