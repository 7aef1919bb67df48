import type { SubScore } from "../../../contract/incident/incident.ts";
import type { Micros } from "../../record/observation.ts";

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

/** The other side of what a result is about: an address, a name, a service, as far as it is one of these. */
export interface Destination {
  ip: string | null;
  /** Server name or registered domain. */
  name: string | null;
  port: number | null;
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
  /** The most important ones, at most MAX_DESTINATIONS; suppressions and earlier verdicts are matched against them. */
  destinations: Destination[];
  /** What this detector speaks of: its results with an equal key tell the same thing again, later or better. */
  groupKey: string;
  /**
   * What makes it the same campaign when other devices meet it, beside a main destination outside: an indicator, the
   * name of a malware. Nothing that many have in common for other reasons.
   */
  campaign?: string;
  /** What was looked at, in words. */
  subject: string;
  title: string;
  /**
   * What happened without the device's name, as it goes on after "WS-12: ": `beaconing to 203.0.113.7:443`. Where it is
   * missing it is taken from the title.
   */
  phrase?: string;
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

/**
 * Detectors of one kind look at the same traits of the same traffic: an incident counts only the best result of a kind,
 * because a rhythm found by address and by name is one observation.
 */
export type ScenarioKind = "callback" | "names" | "transport" | "sensor" | "reach" | "device";

/** Facts about a detector that do not depend on any record. */
export interface DetectorInfo {
  modelId: string;
  /** Without one, the detector is a kind of its own. */
  kind?: ScenarioKind;
  /** Changes whenever the same records could give another result. */
  version: string;
  title: string;
  /** The technique it looks for in general; a result may name a narrower one. */
  technique: string | null;
  description: string;
}

export const MAX_DESTINATIONS = 16;

/**
 * A result that rests on what is usual, while that is still being learned: it is kept, and nobody is called. Its score
 * stays `info`.
 */
export function whileLearning(result: DetectorResult, learned: boolean): DetectorResult {
  if (learned || result.score < REPORT_SCORE) return result;
  const score = REPORT_SCORE - 1;
  const held = {
    name: "learning",
    value: Math.round((score - result.score) * 10) / 10,
    weight: 1,
    detail: "what is usual here is still being learned, so this is only noted",
  };
  return { ...result, score, modifiers: [...result.modifiers, held] };
}

/**
 * Rounds a score to the one decimal the API shows, inside 0 to 100. A sum half-way between two of them is rounded up, in
 * whatever order its parts were added: that changes its last bits.
 */
export function roundScore(score: number): number {
  const tenths = Math.min(100, Math.max(0, score)) * 10;
  return Math.round(Math.round(tenths * 1e6) / 1e6) / 10;
}
