import type { SubScore } from "../../../contract/incident/incident.ts";
import type { Micros } from "../../record/observation.ts";

export type { SubScore };

/** Silence (source time) that ends a stretch of activity: later activity belongs to another incident. */
export const STRETCH_GAP: Micros = 24 * 3600 * 1_000_000;

/** Detectors report nothing below this score, which would be an invisible `info`. */
export const REPORT_SCORE = 20;

/** One observation that a detector relied on: ids of the stored evidence item and of its flow. */
export interface EvidenceRef {
  evidenceId: string;
  observedAt: Micros;
  flowId: string;
}

/** The other side of what a result is about: an address, a name, a service, as far as known. */
export interface Destination {
  ip: string | null;
  /** Server name or registered domain. */
  name: string | null;
  port: number | null;
}

/** One report of a detector, with texts for an analyst and all parts of the score. */
export interface DetectorResult {
  modelId: string;
  modelVersion: string;
  /** MITRE ATT&CK technique id, e.g. `T1071.001`; null if none fits. */
  technique: string | null;
  /** Source time of the newest evidence. */
  at: Micros;
  firstSeen: Micros;
  lastSeen: Micros;
  /** The internal device this is about; null if no endpoint is internal. */
  deviceId: string | null;
  /** Every internal device involved, the primary one first. */
  deviceIds: string[];
  /**
   * The most important ones, at most MAX_DESTINATIONS, which suppressions and verdicts are matched against.
   */
  destinations: Destination[];
  /** Results of a detector with the same key report the same activity again, later or with more detail. */
  groupKey: string;
  /**
   * What makes it the same campaign on other devices, besides the main external destination: an indicator,
   * the name of a malware. Nothing that devices have in common for other reasons.
   */
  campaign?: string;
  /** What was evaluated, such as `WS-12 to 203.0.113.7:443/tcp`. */
  subject: string;
  title: string;
  /**
   * The activity without the device's name, to follow "WS-12: ", such as `beaconing to 203.0.113.7:443`.
   * Default: from the title.
   */
  phrase?: string;
  summary: string;
  explanation: string;
  /** 0 to 100, one decimal. */
  score: number;
  /** 0 to 1, two decimals. */
  confidence: number;
  /** Shares: `value` 0 to 1, `weight` the points of a full share. */
  subScores: SubScore[];
  /** Points added or subtracted: `value` in points, `weight` 1. */
  modifiers: SubScore[];
  /** Newest last, bounded by the detector. */
  evidence: EvidenceRef[];
}

/**
 * Detectors of one kind look at the same traits of the same traffic: an incident counts only the best result
 * of a kind, because a rhythm found by address and by name is one observation.
 */
export type ScenarioKind = "callback" | "names" | "transport" | "sensor" | "reach" | "device";

/** Describes a detector. */
export interface DetectorInfo {
  modelId: string;
  /** Without one, the detector is a kind of its own. */
  kind?: ScenarioKind;
  /** Changes whenever the same records could give other results. */
  version: string;
  title: string;
  /** The technique it looks for in general; a result may name a narrower one. */
  technique: string | null;
  description: string;
  /** What a result means for the site, and what else looks alike. */
  meaning: string;
  /** What to check next, each a noun clause. */
  checks: readonly string[];
  /** Records that it evaluates. */
  sources: string;
  /** What must be known of the site first; `none` if the records alone decide. */
  baseline: string;
  /** What it reports. */
  reports: readonly string[];
  /** What it deliberately does not report, or scores lower. */
  ignores: readonly string[];
}

export const MAX_DESTINATIONS = 16;

/** Holds a result that depends on what is usual at `info` during the learning phase. */
export function whileLearning(result: DetectorResult, learned: boolean): DetectorResult {
  if (learned || result.score < REPORT_SCORE) return result;
  const score = REPORT_SCORE - 1;
  const held = {
    name: "learning",
    value: Math.round((score - result.score) * 10) / 10,
    weight: 1,
    detail: "the learning phase is not over, so this is only recorded",
  };
  return { ...result, score, modifiers: [...result.modifiers, held] };
}

/**
 * Rounds a score to one decimal within 0 to 100. A sum half-way between two values is rounded up even if the
 * order of its parts changed its last bits.
 */
export function roundScore(score: number): number {
  const tenths = Math.min(100, Math.max(0, score)) * 10;
  return Math.round(Math.round(tenths * 1e6) / 1e6) / 10;
}
