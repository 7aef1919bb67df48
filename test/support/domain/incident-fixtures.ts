// Results and incidents for tests of the incident engine.
import type { DetectorResult } from "../../../src/domain/detect/kernel/result.ts";
import { type Importance, ORDINARY } from "../../../src/domain/incident/importance.ts";
import { marksOf } from "../../../src/domain/incident/joining.ts";
import {
  type Applied,
  applyResult,
  type AttributedResult,
  type IncidentState,
} from "../../../src/domain/incident/lifecycle.ts";

export const HOUR = 3_600_000_000;
export const DAY = 24 * HOUR;
export const T0 = 1_600_000_000_000_000;

export function result(score: number, more: Partial<DetectorResult> = {}): DetectorResult {
  const at = more.lastSeen ?? T0;
  return {
    modelId: "beacon",
    modelVersion: "1",
    technique: "T1071",
    at,
    firstSeen: Math.min(at, T0) - HOUR,
    lastSeen: at,
    deviceId: "d1",
    deviceIds: ["d1"],
    destinations: [{ ip: "198.51.100.9", name: null, port: 443 }],
    groupKey: "d1|198.51.100.9",
    subject: "ws-7",
    title: "Beaconing from ws-7 to 198.51.100.9:443",
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

/** Attributes a result. Private addresses are internal; `d1` is named ws-7, and `r1` is a router. */
export function attributed(one: DetectorResult, importance: Importance = ORDINARY): AttributedResult {
  const marks = marksOf(one, {
    isInternal: (ip) => ip.startsWith("10."),
    confirmedType: (deviceId) => deviceId === "r1" ? "router" : null,
  });
  return { result: one, marks, deviceName: one.deviceId === "d1" ? "ws-7" : one.deviceId ?? "", importance };
}

export function apply(incident: IncidentState | null, one: DetectorResult, importance?: Importance): Applied {
  return applyResult(incident, attributed(one, importance));
}

export function opened(score: number, more: Partial<DetectorResult> = {}): IncidentState {
  return apply(null, result(score, more)).incident;
}
