import assert from "node:assert/strict";
import type { DetectorResult } from "../detect/kernel/result.ts";
import { apply, HOUR, opened, result, T0, told } from "../../../test/support/domain/incident-fixtures.ts";
import {
  continued,
  incidentToJoin,
  MAX_DEVICES,
  MAX_STORY_DEVICES,
  type Nearness,
  nearness as nearnessOf,
} from "./joining.ts";
import type { IncidentState } from "./lifecycle.ts";

const OTHER = { ip: "203.0.113.7", name: null, port: 8443 };
const SCAN: Partial<DetectorResult> = { modelId: "scan", groupKey: "d1|22", destinations: [OTHER] };

function nearness(incident: IncidentState, one: DetectorResult): Nearness | null {
  return nearnessOf(incident, one, told(one).marks);
}

function shifted(hours: number, more: Partial<DetectorResult> = {}): DetectorResult {
  const at = T0 + hours * HOUR;
  return result(50, { at, firstSeen: at, lastSeen: at, ...more });
}

Deno.test("joining: the same model and group, close in time, either order", () => {
  const incident = opened(50);
  assert.equal(nearness(incident, shifted(24)), "same thing");
  assert.equal(nearness(incident, shifted(24.01)), null);
  assert.equal(nearness(incident, shifted(-25)), "same thing");
  assert.equal(nearness(incident, shifted(-25.01)), null);
});

Deno.test("joining: whatever is about the same device is one story, however weak it is", () => {
  const incident = opened(50);
  assert.equal(nearness(incident, result(50, SCAN)), "same device");
  assert.equal(nearness(incident, result(5, SCAN)), "same device");
  assert.equal(nearness(incident, result(50, { modelId: "exfiltration" })), "same device and destination");
  assert.equal(nearness(incident, result(50, { ...SCAN, deviceId: "d2", deviceIds: ["d2", "d1"] })), null);
  const withTarget = opened(50, { deviceIds: ["d1", "gateway"] });
  assert.equal(
    nearness(withTarget, result(50, { ...SCAN, deviceId: "gateway", deviceIds: ["gateway"] })),
    null,
    "a device that is only named in it has stories of its own",
  );
});

Deno.test("joining: what a router does may be anybody's, unless it has the same destination", () => {
  const router: Partial<DetectorResult> = { deviceId: "r1", deviceIds: ["r1"] };
  const incident = opened(50, router);
  assert.equal(nearness(incident, result(50, { ...SCAN, ...router })), null);
  assert.equal(nearness(incident, result(50, router)), "same thing");
  assert.equal(
    nearness(incident, result(5, { ...router, modelId: "exfiltration" })),
    "same device and destination",
  );
});

Deno.test("joining: a campaign is a main destination outside, or what a detector says it is", () => {
  const incident = opened(50);
  const other = (more: Partial<DetectorResult>) =>
    result(50, { deviceId: "d2", deviceIds: ["d2"], groupKey: "d2|x", ...more });
  const to = (ip: string | null, name: string | null = null) => ({ destinations: [{ ip, name, port: 80 }] });
  assert.equal(nearness(incident, other({})), "same campaign");
  assert.equal(nearness(incident, other({ modelId: "exfiltration" })), "same campaign");
  assert.equal(nearness(incident, other({ destinations: [OTHER, ...result(1).destinations] })), null);
  assert.equal(nearness(incident, { ...other({}), score: 19 }), null, "a remark joins nobody else's story");
  assert.equal(nearness(incident, other(to("198.51.100.9", "cdn.example.com"))), null, "one of many names");
  assert.equal(nearness(opened(50, to("10.0.0.53")), other(to("10.0.0.53"))), null, "an inside service");

  const named = opened(50, to("198.51.100.9", "a.evil.example.com"));
  assert.equal(nearness(named, other(to("203.0.113.1", "B.Example.com."))), "same campaign");
  assert.equal(nearness(named, other(to("203.0.113.1", "example.net"))), null);
  const family = opened(50, { campaign: "Emotet" });
  assert.equal(nearness(family, other({ ...to("203.0.113.1"), campaign: "Emotet" })), "same campaign");
  assert.equal(nearness(family, other({ ...to("203.0.113.1"), campaign: "Qakbot" })), null);
});

Deno.test("joining: of many devices an incident is no longer each one's story, and it ends at some size", () => {
  let incident = opened(50);
  const add = (n: number) =>
    incident =
      apply(incident, result(50, { deviceId: `x${n}`, deviceIds: [`x${n}`], groupKey: `x${n}` })).incident;
  const next = result(50, { deviceId: "new", deviceIds: ["new"], groupKey: "new" });
  for (let n = 2; n <= MAX_STORY_DEVICES; n++) add(n);
  assert.equal(nearness(incident, result(50, SCAN)), "same device");
  add(MAX_STORY_DEVICES + 1);
  assert.equal(nearness(incident, result(50, SCAN)), null);
  assert.equal(nearness(incident, result(50, { modelId: "exfiltration" })), "same device and destination");
  assert.equal(nearness(incident, next), "same campaign");
  for (let n = MAX_STORY_DEVICES + 2; n <= MAX_DEVICES; n++) add(n);
  assert.equal(nearness(incident, next), null);
});

Deno.test("joining: a verdict ends it, and a resolved one only hears the same again", () => {
  const same = result(90);
  assert.equal(nearness({ ...opened(50), status: "false_positive" }, same), null);
  const resolved: IncidentState = { ...opened(50), status: "resolved" };
  assert.equal(nearness(resolved, same), "same thing");
  assert.equal(nearness(resolved, result(90, SCAN)), null);
});

Deno.test("joining: an incident becomes only so long, and the next one says which it continues", () => {
  let incident = opened(50);
  for (let day = 1; day <= 30; day++) incident = apply(incident, shifted(day * 24)).incident;
  assert.equal(nearness(incident, shifted(30 * 24)), "same thing");
  assert.equal(nearness(incident, shifted(30 * 24, SCAN)), null, "after a week nothing else joins");
  assert.equal(nearness(incident, shifted(30 * 24 + 1)), null);
  const state = { state: incident };
  const late = shifted(30 * 24 + 1);
  assert.equal(continued([state], late, told(late).marks), state);
  const paused = shifted(40 * 24);
  assert.equal(continued([state], paused, told(paused).marks), null);
  const closed = { state: { ...incident, status: "false_positive" as const } };
  assert.equal(continued([closed], late, told(late).marks), null);
});

Deno.test("joining: a wild clock opens an incident of its own and keeps nobody from theirs", () => {
  const wild = opened(50, { firstSeen: 0, lastSeen: 5 * T0, at: 5 * T0 });
  assert.equal(nearness(wild, result(50)), null);
  const early = opened(50, { firstSeen: 0 });
  assert.equal(nearness(early, shifted(3)), "same thing");
});

Deno.test("joining: the nearest in meaning, then in time, whatever the order of incidents", () => {
  const story = (from: number, to: number, more: Partial<DetectorResult> = {}) => ({
    state: {
      ...opened(50, { ...more, at: T0 + to * HOUR }),
      firstSeen: T0 + from * HOUR,
      lastSeen: T0 + to * HOUR,
    },
  });
  const at = (from: number, to: number) =>
    result(50, { at: T0 + to * HOUR, firstSeen: T0 + from * HOUR, lastSeen: T0 + to * HOUR });
  const join = (incidents: { state: IncidentState }[], one: DetectorResult) =>
    incidentToJoin(incidents, one, told(one).marks)?.incident ?? null;
  const early = story(0, 1);
  const late = story(30, 40);
  const scan = story(8, 9, SCAN);
  const other = story(9, 12, { deviceId: "d2", groupKey: "d2|x" });
  for (const incidents of [[early, late, scan, other], [other, scan, late, early]]) {
    assert.equal(join(incidents, at(10, 11)), early, "the same thing before the same device");
    assert.equal(join(incidents, at(22, 23)), late);
    assert.equal(join(incidents, at(1, 35)), late, "of two that it overlaps the one that goes on longer");
    assert.equal(join(incidents, at(100, 101)), null);
  }
  assert.equal(join([other, scan], at(10, 11)), scan, "the same device before the same campaign");
  assert.equal(join([other], at(10, 11)), other);
  const twin = story(0, 1);
  assert.equal(join([early, twin], at(2, 3)), twin, "the last one where nothing settles it");
  const resolved = { state: { ...twin.state, status: "resolved" as const } };
  assert.equal(join([early, resolved], at(2, 3)), early);
});
