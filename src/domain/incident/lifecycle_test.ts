import assert from "node:assert/strict";
import fc from "fast-check";
import { INCIDENT_STATUSES } from "../../contract/kinds.ts";
import type { DetectorResult } from "../detect/result.ts";
import { applyResult, changeStatus, type IncidentState, incidentToJoin, joins, opens } from "./lifecycle.ts";
import { incidentScore } from "./score.ts";
import { INCIDENT_THRESHOLD, severityOf } from "./severity.ts";
import { StatusChangeError } from "./status.ts";

const HOUR = 3_600_000_000;
const T0 = 1_600_000_000_000_000;

function result(score: number, more: Partial<DetectorResult> = {}): DetectorResult {
  return {
    modelId: "beacon",
    modelVersion: "1",
    technique: "T1071",
    at: T0,
    firstSeen: T0 - HOUR,
    lastSeen: T0,
    deviceId: "d1",
    deviceIds: ["d1"],
    groupKey: "d1|198.51.100.9",
    subject: "ws-7",
    title: "Beaconing",
    summary: `score ${score}`,
    explanation: "",
    score,
    confidence: 0.5,
    subScores: [],
    modifiers: [],
    evidence: [],
    ...more,
  };
}

function opened(score: number): IncidentState {
  return applyResult(null, result(score)).incident;
}

Deno.test("incident: a result opens one at revision 1", () => {
  const applied = applyResult(null, result(45.5));
  assert.deepEqual([applied.created, applied.escalated, applied.previousScore], [true, false, null]);
  assert.deepEqual(applied.scoreEntry, { at: T0, score: 45.5, reason: "Opened: Beaconing" });
  assert.deepEqual([applied.incident.status, applied.incident.revision, applied.incident.severity], [
    "open",
    1,
    "medium",
  ]);
  assert.equal(opens(result(INCIDENT_THRESHOLD)), true);
  assert.equal(opens(result(INCIDENT_THRESHOLD - 0.1)), false);
  assert.throws(() => applyResult(null, result(10)), /expected a result of at least 20 .* got 10/);
});

Deno.test("incident: a higher score escalates, a closed one too, and never changes the status", () => {
  const closed: IncidentState = { ...opened(45), status: "false_positive", revision: 4 };
  const applied = applyResult(closed, result(62, { at: T0 + HOUR, lastSeen: T0 + HOUR }));
  assert.deepEqual([applied.created, applied.escalated, applied.previousScore], [false, true, 45]);
  assert.deepEqual(applied.scoreEntry, {
    at: T0 + HOUR,
    score: 62,
    reason: "Beaconing: now 62, best before 45",
  });
  const { status, revision, severity, score, lastSeen } = applied.incident;
  assert.deepEqual({ status, revision, severity, score, lastSeen }, {
    status: "false_positive",
    revision: 5,
    severity: "high",
    score: 62,
    lastSeen: T0 + HOUR,
  });
});

Deno.test("incident: evidence at an unchanged or lower score moves the times and the words, nothing else", () => {
  const before = opened(45);
  for (const score of [45, 45.9, 30]) {
    const applied = applyResult(before, result(score, { lastSeen: T0 + 1, summary: "news" }));
    assert.deepEqual([applied.escalated, applied.scoreEntry, applied.incident.revision], [false, null, 1]);
    assert.deepEqual([applied.incident.score, applied.incident.lastSeen], [45, T0 + 1]);
    assert.equal(applied.incident.summary, "news");
  }
});

Deno.test("incident: small rises add up, and one that changes the severity counts at once", () => {
  let incident = opened(45);
  const escalated = [45.4, 45.8, 46.1, 46.3].map((score) => {
    const applied = applyResult(incident, result(score));
    incident = applied.incident;
    return applied.escalated;
  });
  assert.deepEqual(escalated, [false, false, true, false]);
  const edge = applyResult(opened(59.7), result(60));
  assert.deepEqual([edge.escalated, edge.incident.severity], [true, "high"]);
});

Deno.test("incident: the strongest result gives the words", () => {
  const other = applyResult(opened(60), result(30, { title: "Another port", summary: "weaker" })).incident;
  assert.deepEqual([other.title, other.summary], ["Beaconing", "score 60"]);
  const stronger =
    applyResult(opened(60), result(70, { title: "Another port", summary: "stronger" })).incident;
  assert.deepEqual([stronger.title, stronger.summary], ["Another port", "stronger"]);
});

Deno.test("incident: another device or model is a visible change", () => {
  const applied = applyResult(opened(60), result(30, { deviceIds: ["d1", "d2"] }));
  assert.deepEqual([applied.incident.deviceIds, applied.incident.revision], [["d1", "d2"], 2]);
  const both = applyResult(opened(60), result(50, { modelId: "dns-tunnel" }));
  assert.deepEqual([both.incident.score, both.escalated, both.scoreEntry?.reason], [
    80,
    true,
    "Also: Beaconing",
  ]);
});

Deno.test("incident: joins by model, group and closeness in time, either order", () => {
  const incident = opened(50);
  const shifted = (hours: number, more: Partial<DetectorResult> = {}) =>
    result(50, { firstSeen: T0 + hours * HOUR, lastSeen: T0 + hours * HOUR, ...more });
  assert.ok(joins(incident, result(50)));
  assert.ok(joins(incident, shifted(24)));
  assert.equal(joins(incident, shifted(24.01)), false);
  assert.ok(joins(incident, shifted(-25)));
  assert.equal(joins(incident, shifted(-25.01)), false);
  assert.equal(joins(incident, shifted(0, { groupKey: "other" })), false);
  assert.equal(joins(incident, shifted(0, { modelId: "other" })), false);
});

Deno.test("incident: of several the nearest in time is joined, whatever their order", () => {
  const story = (from: number, to: number) => ({
    state: { ...opened(50), firstSeen: T0 + from * HOUR, lastSeen: T0 + to * HOUR },
  });
  const early = story(0, 1);
  const late = story(30, 40);
  const at = (from: number, to: number) =>
    result(50, { firstSeen: T0 + from * HOUR, lastSeen: T0 + to * HOUR });
  for (const incidents of [[early, late], [late, early]]) {
    assert.equal(incidentToJoin(incidents, at(10, 11)), early);
    assert.equal(incidentToJoin(incidents, at(22, 23)), late);
    assert.equal(
      incidentToJoin(incidents, at(1, 35)),
      late,
      "of two that it overlaps the one that goes on longer",
    );
    assert.equal(incidentToJoin(incidents, at(100, 101)), null);
  }
  const twin = story(0, 1);
  assert.equal(incidentToJoin([early, twin], at(2, 3)), twin, "the last one where time does not settle it");
});

Deno.test("score: noisy-or, never below its best, never lowered by more", () => {
  assert.equal(incidentScore({ a: 64.8 }), 64.8);
  assert.equal(incidentScore({ a: 50, b: 50 }), 75);
  assert.equal(incidentScore({}), 0);
  const scores = fc.dictionary(
    fc.string({ minLength: 1 }),
    fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
  );
  fc.assert(fc.property(scores, fc.integer({ min: 0, max: 1000 }), (all, tenths) => {
    const score = incidentScore(all);
    assert.ok(score <= 100 && score >= Math.max(0, ...Object.values(all)));
    const name = Object.keys(all)[0] ?? "new";
    assert.ok(incidentScore({ ...all, [name]: Math.max(all[name] ?? 0, tenths / 10) }) >= score);
    assert.ok(incidentScore({ ...all, "another model": tenths / 10 }) >= score);
  }));
});

Deno.test("incident: no order of results ever lowers a score or moves it without an entry", () => {
  const results = fc.array(fc.integer({ min: 0, max: 1000 }).map((tenths) => result(tenths / 10)), {
    maxLength: 40,
  });
  fc.assert(fc.property(results, (all) => {
    let incident = opened(20);
    for (const next of all) {
      const applied = applyResult(incident, next);
      assert.ok(applied.incident.score >= incident.score);
      assert.equal(applied.escalated, applied.incident.score > incident.score);
      assert.equal(applied.scoreEntry !== null, applied.escalated);
      assert.ok(applied.incident.revision >= incident.revision);
      assert.equal(applied.incident.severity, severityOf(applied.incident.score));
      incident = applied.incident;
    }
  }));
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

Deno.test("status: closing needs a comment, reopening does not", () => {
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
