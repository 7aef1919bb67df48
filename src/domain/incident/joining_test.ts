import assert from "node:assert/strict";
import type { DetectorResult } from "../detect/kernel/result.ts";
import {
  apply,
  attributed,
  HOUR,
  opened,
  result,
  T0,
} from "../../../test/support/domain/incident-fixtures.ts";
import {
  continuedIncident,
  incidentToJoin,
  MAX_DEVICES,
  MAX_DEVICES_TO_JOIN_BY,
  type Nearness,
  nearness as nearnessOf,
} from "./joining.ts";
import type { IncidentState } from "./lifecycle.ts";

const OTHER = { ip: "203.0.113.7", name: null, port: 8443 };
const SCAN: Partial<DetectorResult> = { modelId: "scan", groupKey: "d1|22", destinations: [OTHER] };

function nearness(incident: IncidentState, one: DetectorResult): Nearness | null {
  return nearnessOf(incident, one, attributed(one).marks);
}

function shifted(hours: number, more: Partial<DetectorResult> = {}): DetectorResult {
  const at = T0 + hours * HOUR;
  return result(50, { at, firstSeen: at, lastSeen: at, ...more });
}

Deno.test("joining: the same model and group, close in time, in either order", () => {
  const incident = opened(50);
  assert.equal(nearness(incident, shifted(24)), "same thing");
  assert.equal(nearness(incident, shifted(24.01)), null);
  assert.equal(nearness(incident, shifted(-25)), "same thing");
  assert.equal(nearness(incident, shifted(-25.01)), null);
});

Deno.test("joining: everything about the same device joins, however weak", () => {
  const incident = opened(50);
  assert.equal(nearness(incident, result(50, SCAN)), "same device");
  assert.equal(nearness(incident, result(5, SCAN)), "same device");
  assert.equal(nearness(incident, result(50, { modelId: "exfiltration" })), "same device and destination");
  assert.equal(nearness(incident, result(50, { ...SCAN, deviceId: "d2", deviceIds: ["d2", "d1"] })), null);
  const withTarget = opened(50, { deviceIds: ["d1", "gateway"] });
  assert.equal(
    nearness(withTarget, result(50, { ...SCAN, deviceId: "gateway", deviceIds: ["gateway"] })),
    null,
    "a device that is only named has its own incidents",
  );
});

Deno.test("joining: results about a router join only with the same destination", () => {
  const router: Partial<DetectorResult> = { deviceId: "r1", deviceIds: ["r1"] };
  const incident = opened(50, router);
  assert.equal(nearness(incident, result(50, { ...SCAN, ...router })), null);
  assert.equal(nearness(incident, result(50, router)), "same thing");
  assert.equal(
    nearness(incident, result(5, { ...router, modelId: "exfiltration" })),
    "same device and destination",
  );
});

Deno.test("joining: a campaign is a common external destination, or one the detector names", () => {
  const incident = opened(50);
  const other = (more: Partial<DetectorResult>) =>
    result(50, { deviceId: "d2", deviceIds: ["d2"], groupKey: "d2|x", ...more });
  const to = (ip: string | null, name: string | null = null) => ({ destinations: [{ ip, name, port: 80 }] });
  assert.equal(nearness(incident, other({})), "same campaign");
  assert.equal(nearness(incident, other({ modelId: "exfiltration" })), "same campaign");
  assert.equal(nearness(incident, other({ destinations: [OTHER, ...result(1).destinations] })), null);
  assert.equal(
    nearness(incident, { ...other({}), score: 19 }),
    null,
    "a weak result does not join another device's incident",
  );
  assert.equal(
    nearness(incident, other(to("198.51.100.9", "cdn.example.com"))),
    null,
    "one of many names behind the address",
  );
  assert.equal(nearness(opened(50, to("10.0.0.53")), other(to("10.0.0.53"))), null, "an internal service");

  const named = opened(50, to("198.51.100.9", "a.evil.example.com"));
  assert.equal(nearness(named, other(to("203.0.113.1", "B.Example.com."))), "same campaign");
  assert.equal(nearness(named, other(to("203.0.113.1", "example.net"))), null);
  const family = opened(50, { campaign: "Emotet" });
  assert.equal(nearness(family, other({ ...to("203.0.113.1"), campaign: "Emotet" })), "same campaign");
  assert.equal(nearness(family, other({ ...to("203.0.113.1"), campaign: "Qakbot" })), null);
});

Deno.test("joining: with many devices, results no longer join by device, and the number of devices is bounded", () => {
  let incident = opened(50);
  const add = (n: number) =>
    incident =
      apply(incident, result(50, { deviceId: `x${n}`, deviceIds: [`x${n}`], groupKey: `x${n}` })).incident;
  const next = result(50, { deviceId: "new", deviceIds: ["new"], groupKey: "new" });
  for (let n = 2; n <= MAX_DEVICES_TO_JOIN_BY; n++) add(n);
  assert.equal(nearness(incident, result(50, SCAN)), "same device");
  add(MAX_DEVICES_TO_JOIN_BY + 1);
  assert.equal(nearness(incident, result(50, SCAN)), null);
  assert.equal(nearness(incident, result(50, { modelId: "exfiltration" })), "same device and destination");
  assert.equal(nearness(incident, next), "same campaign");
  for (let n = MAX_DEVICES_TO_JOIN_BY + 2; n <= MAX_DEVICES; n++) add(n);
  assert.equal(nearness(incident, next), null);
});

Deno.test("joining: a false positive accepts nothing, and a resolved incident only repeats", () => {
  const same = result(90);
  assert.equal(nearness({ ...opened(50), status: "false_positive" }, same), null);
  const resolved: IncidentState = { ...opened(50), status: "resolved" };
  assert.equal(nearness(resolved, same), "same thing");
  assert.equal(nearness(resolved, result(90, SCAN)), null);
});

Deno.test("joining: incidents have a maximum length, and the next one names the one it continues", () => {
  let incident = opened(50);
  for (let day = 1; day <= 30; day++) incident = apply(incident, shifted(day * 24)).incident;
  assert.equal(nearness(incident, shifted(30 * 24)), "same thing");
  assert.equal(nearness(incident, shifted(30 * 24, SCAN)), null, "after a week nothing else joins");
  assert.equal(nearness(incident, shifted(30 * 24 + 1)), null);
  const state = { state: incident };
  const late = shifted(30 * 24 + 1);
  assert.equal(continuedIncident([state], late, attributed(late).marks), state);
  const paused = shifted(40 * 24);
  assert.equal(continuedIncident([state], paused, attributed(paused).marks), null);
  const closed = { state: { ...incident, status: "false_positive" as const } };
  assert.equal(continuedIncident([closed], late, attributed(late).marks), null);
});

Deno.test("joining: a result with a wrong clock opens its own incident and does not affect others", () => {
  const wild = opened(50, { firstSeen: 0, lastSeen: 5 * T0, at: 5 * T0 });
  assert.equal(nearness(wild, result(50)), null);
  const early = opened(50, { firstSeen: 0 });
  assert.equal(nearness(early, shifted(3)), "same thing");
});

Deno.test("joining: the closest in meaning wins, then in time, in any order of incidents", () => {
  const span = (from: number, to: number, more: Partial<DetectorResult> = {}) => ({
    state: {
      ...opened(50, { ...more, at: T0 + to * HOUR }),
      firstSeen: T0 + from * HOUR,
      lastSeen: T0 + to * HOUR,
    },
  });
  const at = (from: number, to: number) =>
    result(50, { at: T0 + to * HOUR, firstSeen: T0 + from * HOUR, lastSeen: T0 + to * HOUR });
  const join = (incidents: { state: IncidentState }[], one: DetectorResult) =>
    incidentToJoin(incidents, one, attributed(one).marks)?.incident ?? null;
  const early = span(0, 1);
  const late = span(30, 40);
  const scan = span(8, 9, SCAN);
  const other = span(9, 12, { deviceId: "d2", groupKey: "d2|x" });
  for (const incidents of [[early, late, scan, other], [other, scan, late, early]]) {
    assert.equal(join(incidents, at(10, 11)), early, "the same thing before the same device");
    assert.equal(join(incidents, at(22, 23)), late);
    assert.equal(join(incidents, at(1, 35)), late, "of two that it overlaps, the one that ends later");
    assert.equal(join(incidents, at(100, 101)), null);
  }
  assert.equal(join([other, scan], at(10, 11)), scan, "the same device before the same campaign");
  assert.equal(join([other], at(10, 11)), other);
  const twin = span(0, 1);
  assert.equal(join([early, twin], at(2, 3)), twin, "the last one on a tie");
  const resolved = { state: { ...twin.state, status: "resolved" as const } };
  assert.equal(join([early, resolved], at(2, 3)), early);
});
