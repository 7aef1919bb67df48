import assert from "node:assert/strict";
import fc from "fast-check";
import { INCIDENT_STATUSES } from "../../contract/record/kinds.ts";
import type { DetectorResult } from "../detect/kernel/result.ts";
import { importanceOf } from "./importance.ts";
import { apply, DAY, HOUR, opened, result, T0 } from "../../../test/support/domain/incident-fixtures.ts";
import { MAX_DEVICES, MAX_MARKS } from "./joining.ts";
import { type IncidentState, MAX_NAMED_DEVICES, opens } from "./lifecycle.ts";
import { INCIDENT_THRESHOLD, severityOf } from "./severity.ts";
import { changeStatus, StatusChangeError } from "./status.ts";
import { MAX_PARTS } from "./narrative.ts";

Deno.test("incident: a result opens one at revision 1", () => {
  const applied = apply(null, result(45.5));
  assert.deepEqual([applied.created, applied.escalated, applied.previousScore], [true, false, null]);
  assert.deepEqual(applied.scoreEntry, {
    at: T0,
    score: 45.5,
    reason: "Opened: Beaconing from ws-7 to 198.51.100.9:443",
  });
  const { status, revision, severity, openedAt, mainDevices } = applied.incident;
  assert.deepEqual({ status, revision, severity, openedAt, mainDevices }, {
    status: "open",
    revision: 1,
    severity: "medium",
    openedAt: T0,
    mainDevices: ["d1"],
  });
  assert.equal(opens(result(INCIDENT_THRESHOLD)), true);
  assert.equal(opens(result(INCIDENT_THRESHOLD - 0.1)), false);
  assert.throws(() => apply(null, result(10)), /expected a result of at least 20 .* got 10/);
});

Deno.test("incident: a higher score escalates, even if closed, and never changes the status", () => {
  const closed: IncidentState = { ...opened(45), status: "resolved", revision: 4 };
  const applied = apply(closed, result(62, { lastSeen: T0 + HOUR }));
  assert.deepEqual([applied.created, applied.escalated, applied.previousScore], [false, true, 45]);
  assert.deepEqual(applied.scoreEntry, {
    at: T0 + HOUR,
    score: 62,
    reason: "Beaconing from ws-7 to 198.51.100.9:443: 62, previous peak 45",
  });
  const { status, revision, severity, score, lastSeen } = applied.incident;
  assert.deepEqual({ status, revision, severity, score, lastSeen }, {
    status: "resolved",
    revision: 5,
    severity: "high",
    score: 62,
    lastSeen: T0 + HOUR,
  });
});

Deno.test("incident: evidence at an unchanged or lower score updates times and text, nothing else", () => {
  const before = opened(45);
  for (const score of [45, 45.9, 30]) {
    const applied = apply(before, result(score, { lastSeen: T0 + 1, summary: "news" }));
    assert.deepEqual([applied.escalated, applied.scoreEntry, applied.incident.revision], [false, null, 1]);
    assert.deepEqual([applied.incident.score, applied.incident.lastSeen], [45, T0 + 1]);
    assert.match(applied.incident.summary, /^news/);
  }
});

Deno.test("incident: small rises add up, and a change of severity applies at once", () => {
  let incident = opened(45);
  const escalated = [45.4, 45.8, 46.1, 46.3].map((score) => {
    const applied = apply(incident, result(score));
    incident = applied.incident;
    return applied.escalated;
  });
  assert.deepEqual(escalated, [false, false, true, false]);
  const edge = apply(opened(59.7), result(60));
  assert.deepEqual([edge.escalated, edge.incident.severity], [true, "high"]);
});

Deno.test("incident: another model at an unchanged score, title and device set does not raise the revision", () => {
  const before = opened(60);
  const { incident, escalated } = apply(before, result(1, { modelId: "sensor-anomaly" }));
  assert.deepEqual([incident.score, incident.title, incident.revision], [60, before.title, 1]);
  assert.deepEqual([escalated, incident.modelScores["sensor-anomaly"]], [false, 1]);
});

Deno.test("incident: another device or a higher score is a visible change, and the history explains the score", () => {
  const applied = apply(opened(60), result(30, { deviceIds: ["d1", "d2"] }));
  assert.deepEqual([applied.incident.deviceIds, applied.incident.revision], [["d1", "d2"], 2]);
  const both = apply(opened(60), result(50, { modelId: "dns-tunnel", title: "DNS tunnel of ws-7" }));
  assert.deepEqual([both.incident.score, both.escalated], [70, true]);
  assert.equal(
    both.scoreEntry?.reason,
    "Also: DNS tunnel of ws-7 (50). Score 70 = 60 (best score of beacon) + 10 (other kinds of detection agree: " +
      "dns-tunnel 50)",
  );
  assert.equal(both.incident.scoreParts.reduce((sum, { value }) => sum + value, 0), both.incident.score);
});

Deno.test("incident: an important device raises the score, also when it joins later, for good", () => {
  const server = importanceOf("dc-1", { owner: null, tags: ["Crown Jewel"] });
  const first = apply(null, result(40), server);
  assert.deepEqual([first.incident.score, first.incident.severity], [50, "medium"]);
  assert.match(
    first.scoreEntry!.reason,
    / Score 50 = 40 \(best score of beacon\) \+ 10 \(dc-1 is tagged crown-jewel\)$/,
  );
  const later = apply(first.incident, result(40));
  assert.deepEqual([later.incident.score, later.escalated], [50, false]);
  const joins = apply(opened(60), result(20, { modelId: "scan", deviceId: "d2", deviceIds: ["d2"] }), server);
  assert.deepEqual([joins.incident.score, joins.escalated], [79, true]);
});

Deno.test("incident: a duration of days raises the score twice, not with every result", () => {
  let incident = opened(50);
  const rises: number[] = [];
  for (let hour = 1; hour < 200; hour++) {
    const applied = apply(incident, result(50, { lastSeen: T0 + hour * HOUR }));
    incident = applied.incident;
    if (applied.escalated) rises.push(incident.score);
  }
  assert.deepEqual(rises, [52, 55]);
});

Deno.test("incident: a weak result about something else does not extend the time span", () => {
  const incident =
    apply(opened(50), result(15, { modelId: "sensor-anomaly", lastSeen: T0 + 5 * HOUR })).incident;
  assert.equal(incident.lastSeen, T0);
  assert.equal(apply(opened(50), result(15, { lastSeen: T0 + 5 * HOUR })).incident.lastSeen, T0 + 5 * HOUR);
});

const anyResult: fc.Arbitrary<DetectorResult> = fc.record({
  modelId: fc.constantFrom("beacon", "beacon-name", "scan", "exfiltration", "threat-intel", "new-device"),
  score: fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
  device: fc.constantFrom("d1", "d2", "d3", null),
  hours: fc.integer({ min: -50, max: 200 }),
  group: fc.integer({ min: 0, max: 5 }),
  wild: fc.constantFrom(0, 0, 0, -T0, 5 * T0),
}).map(({ modelId, score, device, hours, group, wild }) =>
  result(score, {
    modelId,
    deviceId: device,
    deviceIds: device === null ? [] : [device],
    groupKey: `g${group}`,
    title: `${modelId} of ${device}`,
    firstSeen: T0 + hours * HOUR + Math.min(0, wild),
    lastSeen: T0 + hours * HOUR + Math.max(0, wild),
  })
);

Deno.test("incident: no order of results lowers a score or moves it without a history line", () => {
  const important = fc.constantFrom([], ["server"], ["critical"]);
  const steps = fc.array(fc.tuple(anyResult, important), { maxLength: 40 });
  fc.assert(fc.property(steps, (all) => {
    let incident = opened(20);
    for (const [next, tags] of all) {
      const applied = apply(incident, next, importanceOf("x", { owner: null, tags }));
      assert.ok(applied.incident.score >= incident.score && applied.incident.score <= 100);
      assert.equal(applied.escalated, applied.incident.score > incident.score);
      assert.equal(applied.scoreEntry !== null, applied.escalated);
      assert.ok(applied.incident.revision >= incident.revision);
      assert.equal(applied.incident.revision > incident.revision || !applied.escalated, true);
      assert.equal(applied.incident.severity, severityOf(applied.incident.score));
      const sum = applied.incident.scoreParts.reduce((total, { value, weight }) => total + value * weight, 0);
      assert.ok(Math.abs(sum - applied.incident.score) < 0.05, "the parts add up");
      incident = applied.incident;
    }
  }));
});

Deno.test("incident: replaying the same results gives the same incident, with or without a store round trip", () => {
  fc.assert(fc.property(fc.array(anyResult, { maxLength: 20 }), (all) => {
    let [kept, read] = [opened(20), opened(20)];
    for (const next of all) {
      kept = apply(kept, next).incident;
      const { marks, ...rest } = apply(read, next).incident;
      read = { ...JSON.parse(JSON.stringify(rest)), marks: new Set([...marks].sort()) };
    }
    assert.deepEqual({ ...read, marks: [...read.marks].sort() }, { ...kept, marks: [...kept.marks].sort() });
  }));
});

Deno.test("incident: the stored row stays bounded", () => {
  let incident = opened(50);
  const long = "x".repeat(5000);
  for (let n = 0; n < 600; n++) {
    const deviceId = `d${n}`;
    incident = apply(
      incident,
      result(50 + n / 100, {
        modelId: "signature-alert",
        groupKey: `${n} ${long}`,
        deviceId,
        deviceIds: [deviceId, `t${n}`],
        destinations: [{ ip: null, name: `${n}.${long}.example`, port: null }],
        title: `Alerts ${n} ${long}`,
        summary: long,
        phrase: long,
      }),
    ).incident;
  }
  assert.equal(incident.deviceIds.length, MAX_NAMED_DEVICES);
  assert.equal(incident.mainDevices.length, MAX_DEVICES);
  assert.equal(incident.marks.size, MAX_MARKS);
  assert.equal(incident.narrative.length, MAX_PARTS);
  assert.ok([...incident.marks].every((mark) => mark.length < 250));
  assert.ok(incident.title.length <= 300 && incident.summary.length <= 2500);
  assert.ok(JSON.stringify(incident.narrative).length < 60_000);
  assert.ok(incident.lastSeen - incident.firstSeen < DAY);
});

Deno.test("severity: bands", () => {
  assert.deepEqual([0, 19.9, 20, 39.9, 40, 59.9, 60, 79.9, 80, 100].map(severityOf), [
    "info",
    "info",
    "low",
    "low",
    "medium",
    "medium",
    "high",
    "high",
    "critical",
    "critical",
  ]);
});

Deno.test("status: every pair of statuses", () => {
  const open = ["open", "investigating"];
  for (const from of INCIDENT_STATUSES) {
    for (const to of INCIDENT_STATUSES) {
      if (from === to) {
        assert.throws(
          () => changeStatus(from, to, "why"),
          (error) => error instanceof StatusChangeError && error.reason === "same_status",
        );
        continue;
      }
      assert.deepEqual(changeStatus(from, to, "why"), {
        closing: !open.includes(to),
        reopening: !open.includes(from) && open.includes(to),
        emitsClosed: open.includes(from) && !open.includes(to),
      });
    }
  }
});

Deno.test("status: closing requires a comment, reopening does not", () => {
  for (const comment of [null, "", "  \n"]) {
    for (const to of ["resolved", "false_positive"] as const) {
      assert.throws(
        () => changeStatus("open", to, comment),
        (error) =>
          error instanceof StatusChangeError && error.reason === "comment_required" &&
          /expected a comment/.test(error.message),
      );
    }
  }
  assert.throws(() => changeStatus("resolved", "false_positive", null), StatusChangeError);
  assert.equal(changeStatus("resolved", "investigating", null).reopening, true);
  assert.equal(changeStatus("open", "investigating", null).closing, false);
});
