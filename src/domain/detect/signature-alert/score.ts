// Scores the alerts of one device and one signature family together.
//
// Score = points of the worst alert, plus up to GROWTH of them for number, variety and peers, at most 100. Further
// evidence never lowers a score, except that a signature which fires on most devices loses points. Noise is never
// reported, and a single alert about policy or "potentially bad traffic" stays below REPORT_SCORE.
import {
  type DetectorInfo,
  type DetectorResult,
  MAX_DESTINATIONS,
  REPORT_SCORE,
  type SubScore,
} from "../kernel/result.ts";
import { extra, logShare, share, total } from "../kernel/score.ts";
import { clamp01 } from "../kernel/stats.ts";
import { percent, plural } from "../../../kit/text.ts";
import { isNoise, metadata, type SignatureFamily, signatureTechnique } from "./family.ts";
import { type AlertGroupState, MAX_PEERS, MAX_SIGNATURES, type WorstAlert } from "./state.ts";
import { describeAlerts } from "./text.ts";

export const SIGNATURE_ALERT: DetectorInfo = {
  modelId: "signature-alert",
  version: "1",
  title: "Signature alerts",
  technique: null,
  kind: "sensor",
  description: "Alerts of a signature sensor, grouped by device and signature family, without noise.",
  meaning:
    "A rule of the sensor matched. Its class says how serious that is: malware and successful attacks above attempts, attempts above policy. Rules also match harmless traffic.",
  checks: [
    "what the rule looks for, and the payload that it matched: open the record",
    "which side started the connection, and whether the target answered",
    "whether the target runs the software that the rule is about",
    "whether the rule suits the site: otherwise disable it at the sensor or suppress it here",
  ],
  sources: "Suricata alerts",
  baseline: "none; signatures that fire on most devices score lower",
  reports: ["alerts of one device and one family of signatures, with the technique of the rule or its class"],
  ignores: ["remarks of the sensor about itself and about protocol grammar", "a single policy alert"],
};

/** What each part adds at its full value, as a share of the worst alert's points. */
const GROWTH = { volume: 0.25, signatures: 0.25, peers: 0.1 } as const;
/** Full values; each part grows on a log scale from 1. */
const FULL = { alerts: 1000, signatures: 16, peers: 32 } as const;
/**
 * A signature that fires on at least `users` of at least `devices` devices is common: its points shrink from the share
 * `from` on, by `loss` at the share `full`.
 */
const SITE_WIDE = { users: 4, devices: 6, from: 0.3, full: 0.8, loss: 0.6 } as const;
/** Confidence of one alert, by the rule author's own; many alerts add up to VOLUME_CONFIDENCE. */
const CONFIDENCE = { high: 0.75, medium: 0.6, unknown: 0.5, low: 0.3 } as const;
const VOLUME_CONFIDENCE = 0.2;

interface AlertContext {
  /** Null if no endpoint is internal; then `deviceName` is the target's address. */
  deviceId: string | null;
  deviceName: string;
  /** Every internal device involved, the primary one first. */
  deviceIds: string[];
  family: SignatureFamily;
  /** Devices of the tenant. */
  deviceCount: number;
}

/** Evaluates a group; null if there is nothing to report. Depends on its arguments alone. */
export function evaluateAlerts(state: AlertGroupState, context: AlertContext): DetectorResult | null {
  const { worst } = state;
  if (worst === null || isNoise(worst.facts)) return null;
  const volume = growthShare("volume", state, worst);
  const subScores = [
    worstShare(worst),
    volume,
    growthShare("signatures", state, worst),
    growthShare("peers", state, worst),
  ];
  const modifiers = siteWideModifiers(worst, subScores, context);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE) return null;
  return {
    modelId: SIGNATURE_ALERT.modelId,
    modelVersion: SIGNATURE_ALERT.version,
    technique: signatureTechnique(worst.facts, worst.outbound),
    at: state.lastSeen,
    firstSeen: state.firstSeen,
    lastSeen: state.lastSeen,
    deviceId: context.deviceId,
    deviceIds: context.deviceIds,
    destinations: state.peers.slice(0, MAX_DESTINATIONS).map(({ ip, port }) => ({ ip, name: null, port })),
    groupKey: `${context.deviceId ?? context.deviceName}|${context.family.key}`,
    subject: `${context.family.label} alerts on ${context.deviceName}`,
    ...describeAlerts(state, worst, context),
    score,
    confidence: confidence(volume.value, worst),
    subScores,
    modifiers,
    evidence: [...state.refs],
  };
}

function worstShare({ facts, points, outbound }: WorstAlert): SubScore {
  const category = facts.category ?? "no category";
  const priority = facts.priority === null ? "no priority" : `priority ${facts.priority}`;
  const role = outbound ? "the device is the source" : "the device is the target";
  return share("worst_alert", 1, points, `"${facts.signature}": ${category}, ${priority}, ${role}`);
}

function growthShare(part: keyof typeof GROWTH, state: AlertGroupState, { points }: WorstAlert): SubScore {
  const weight = Math.round(points * GROWTH[part] * 10) / 10;
  const signatures = state.signatures.length;
  const peers = state.peers.length;
  switch (part) {
    case "volume":
      return share(part, logShare(state.count, 1, FULL.alerts), weight, plural(state.count, "alert"));
    case "signatures":
      return share(
        part,
        logShare(signatures, 1, FULL.signatures),
        weight,
        `${plural(signatures, "distinct signature")}${signatures >= MAX_SIGNATURES ? " or more" : ""}`,
      );
    case "peers":
      return share(
        part,
        logShare(peers, 1, FULL.peers),
        weight,
        `${plural(peers, "distinct peer")}${peers >= MAX_PEERS ? " or more" : ""}`,
      );
  }
}

/**
 * A signature that fires on most devices matches common software, or its rule is wrong. This does not apply to malware
 * and successful attacks, because those spread.
 */
function siteWideModifiers(
  { users }: WorstAlert,
  subScores: readonly SubScore[],
  { deviceCount, family }: AlertContext,
): SubScore[] {
  if (family.theme === "malware" || family.theme === "compromise") return [];
  if (users < SITE_WIDE.users || deviceCount < SITE_WIDE.devices) return [];
  const part = users / Math.max(users, deviceCount);
  const common = clamp01((part - SITE_WIDE.from) / (SITE_WIDE.full - SITE_WIDE.from));
  const full = subScores.reduce((sum, { value, weight }) => sum + value * weight, 0);
  const points = -Math.round(full * SITE_WIDE.loss * common * 10) / 10;
  if (points === 0) return [];
  const detail = `the signature fires on ${users} of ${deviceCount} devices (${percent(part)})`;
  return [extra("common_signature", points, detail)];
}

function confidence(volume: number, worst: WorstAlert): number {
  const stated = (metadata(worst.facts, "confidence") ?? "unknown").toLowerCase();
  const base = CONFIDENCE[stated as keyof typeof CONFIDENCE] ?? CONFIDENCE.unknown;
  return Math.round((base + VOLUME_CONFIDENCE * volume) * 100) / 100;
}
