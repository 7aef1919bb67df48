import type { SubScore } from "../../contract/incident.ts";
import type { Micros } from "../records/observation.ts";

export type { SubScore };

/**
 * Silence (source time) that ends a stretch of activity: what comes later is another story, told by another
 * incident.
 */
export const STRETCH_GAP: Micros = 24 * 3600 * 1_000_000;

/** Detectors do not report below this score: it would be `info`, and nobody would see it. */
export const REPORT_SCORE = 20;

/** One observation a detector relied on: ids of the stored evidence item and of the flow it belongs to. */
export interface EvidenceRef {
  evidenceId: string;
  observedAt: Micros;
  flowId: string;
}

/** What a detector says once, in an analyst's words and with everything the score was made of. */
export interface DetectorResult {
  modelId: string;
  modelVersion: string;
  /** MITRE ATT&CK technique id, e.g. `T1071.001`; `null` where none fits. */
  technique: string | null;
  /** Source time of the newest evidence. */
  at: Micros;
  firstSeen: Micros;
  lastSeen: Micros;
  /** The internal device this is about; `null` where no endpoint is internal. */
  deviceId: string | null;
  /** Every internal device involved, the primary one first. */
  deviceIds: string[];
  /** Results with equal `modelId` and `groupKey` that are close in time join one incident. */
  groupKey: string;
  /** What was looked at, in words. */
  subject: string;
  title: string;
  summary: string;
  explanation: string;
  /** 0 to 100, one decimal. */
  score: number;
  /** 0 to 1, two decimals. */
  confidence: number;
  /** Shares: `value` 0 to 1, `weight` the points a full share is worth. */
  subScores: SubScore[];
  /** Points added or taken: `value` in points, `weight` 1. */
  modifiers: SubScore[];
  /** Newest last, bounded by the detector. */
  evidence: EvidenceRef[];
}

/** Facts about a detector that do not depend on any record. */
export interface DetectorInfo {
  modelId: string;
  /** Changes whenever the same records could give another result. */
  version: string;
  title: string;
  /** The technique it looks for in general; a result may name a narrower one. */
  technique: string | null;
  description: string;
}

/** Rounds a score to the one decimal the API shows, inside 0 to 100. */
export function roundScore(score: number): number {
  return Math.round(Math.min(100, Math.max(0, score)) * 10) / 10;
}
