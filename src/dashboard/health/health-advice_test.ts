import assert from "node:assert/strict";
import type { HealthComponent } from "../../contract/health/health.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import { CORE, membersOf, SENSORS, shortName, troubles } from "../entity/health/health-labels.ts";
import { headline, remedy } from "./health-advice.ts";

function component(id: string, status: HealthStatus, more: Partial<HealthComponent> = {}): HealthComponent {
  return {
    id,
    kind: id.split(":")[0]!,
    status,
    last_event_at: null,
    lag_seconds: 0,
    message: null,
    since: null,
    expected_within_seconds: null,
    events_last_5m: null,
    connector: null,
    ...more,
  };
}

const AT = { last_event_at: "2026-03-01T10:00:00.000Z" };
const STORE = component("store", "ok");
const EDGE = component("sensor:edge", "ok", AT);
const SILENT = component("sensor:branch", "stale", AT);
const ids = (components: HealthComponent[]) => components.map(({ id }) => id);

Deno.test("the headline says whether the appliance is blind, and why", () => {
  const cases: [string, HealthStatus, HealthComponent[]][] = [
    ["All components work and records arrive.", "ok", [STORE, EDGE]],
    [
      "Records arrive, but networks that look local are not configured.",
      "ok",
      [STORE, EDGE, component("networks", "degraded")],
    ],
    ["Partly blind: 1 of 2 sensors is silent.", "stale", [STORE, EDGE, SILENT]],
    ["Blind: the only sensor is silent.", "stale", [STORE, SILENT]],
    ["Blind: all 2 sensors are silent.", "stale", [STORE, SILENT, component("sensor:b", "stale")]],
    ["Blind: no sensor has sent a record yet.", "stale", [STORE, component("sensor:new", "stale")]],
    ["Blind: no sensor is configured.", "ok", [STORE]],
    [
      "Blind: the database does not answer, so records are not accepted.",
      "unavailable",
      [component("store", "unavailable"), component("sensor:edge", "unavailable")],
    ],
    [
      "Blind: the disk is full, so records are not accepted.",
      "unavailable",
      [STORE, EDGE, component("disk", "unavailable")],
    ],
    [
      "Blind: records are stored but not processed.",
      "unavailable",
      [STORE, EDGE, component("pipeline", "unavailable")],
    ],
    [
      "Records arrive, but 1 component does not work as it should.",
      "degraded",
      [STORE, EDGE, component("connector:siem", "unavailable")],
    ],
    [
      "Records arrive, but 2 components do not work as they should.",
      "degraded",
      [STORE, component("sensor:lossy", "degraded", AT), component("disk", "degraded")],
    ],
  ];
  for (const [text, status, components] of cases) assert.equal(headline({ status, components }), text);
});

Deno.test("what needs attention comes worst first, without what is switched off", () => {
  const off = component("connector:old", "unavailable", { message: "disabled" });
  const components = [
    component("telemetry", "degraded"),
    SILENT,
    off,
    component("disk", "degraded"),
    component("connector:siem", "unavailable"),
    EDGE,
    STORE,
  ];
  assert.deepEqual(ids(troubles(components)), ["connector:siem", "disk", "sensor:branch"]);
});

Deno.test("without the store only the store needs attention", () => {
  const components = ["sensor:edge", "pipeline", "connector:siem", "store"].map((id) =>
    component(id, "unavailable")
  );
  assert.deepEqual(ids(troubles([...components, component("disk", "degraded")])), ["store", "disk"]);
});

Deno.test("every component but the appliance is in one group, unknown kinds too", () => {
  const components = [component("appliance", "ok"), component("novelty", "ok"), EDGE, SILENT, STORE];
  assert.deepEqual(ids(membersOf(SENSORS, components)), ["sensor:branch", "sensor:edge"]);
  assert.deepEqual(ids(membersOf(CORE, components)), ["novelty", "store"]);
});

Deno.test("a name leaves out the kind that is shown beside it", () => {
  assert.equal(shortName(EDGE), "edge");
  assert.equal(shortName(STORE), "Store");
  assert.equal(shortName({ id: "else", kind: "sensor" }), "else");
});

Deno.test("the next step depends on the failure and names the command with the instance", () => {
  const counters = { delivered: 0, failed: 1, rejected: 0, dropped: 0, pending: 1 };
  const connector = component("connector:siem", "unavailable", {
    connector: {
      connector: "webhook",
      state: "error",
      failure_class: "tls",
      consecutive_failures: 1,
      counters,
    },
  });
  assert.match(remedy(connector)!, /certificate.*`ndr connectors test siem --live`/);
  assert.match(remedy(component("sensor:new", "stale"))!, /token/);
  assert.match(remedy(SILENT)!, /link/);
  assert.match(remedy(component("sensor:lossy", "degraded", AT))!, /drops traffic/);
  assert.equal(remedy(component("disk", "degraded")), null, "the message says it");
});
