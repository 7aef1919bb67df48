// Signature alerts of one device and one signature family, told as one thing.
//
// Score = points of the worst alert, grown by up to GROWTH for number, variety and peers, at most 100. Each part only
// grows, so more evidence never lowers a score, but that a signature fires on most devices. Noise is never reported, and
// one alert about policy or "potentially bad traffic" alone stays below REPORT_SCORE.
import {
  type DetectorInfo,
  type DetectorResult,
  MAX_DESTINATIONS,
  REPORT_SCORE,
  roundScore,
  type SubScore,
} from "../kernel/result.ts";
import { isNoise, metadata, type SignatureFamily, signatureTechnique } from "./family.ts";
import { type AlertGroupState, MAX_PEERS, MAX_SIGNATURES, type WorstAlert } from "./state.ts";
import { describeAlerts } from "./text.ts";
import { clamp01 } from "../kernel/stats.ts";
import { percent, plural } from "../kernel/wording.ts";

export {
  addAlert,
  type AlertGroupState,
  type AlertSighting,
  emptyAlertGroup,
  isDueAlert,
  markAlertsEvaluated,
} from "./state.ts";
export { isNoise, type SignatureFamily, signatureFamily } from "./family.ts";

export const SIGNATURE_ALERT: DetectorInfo = {
  modelId: "signature-alert",
  version: "1",
  title: "Signature alerts",
  technique: null,
  kind: "sensor",
  description: "Alerts of a signature sensor, grouped by device and signature family and freed of noise.",
};

/** Growth of the worst alert's points at full value, as shares of it. */
const GROWTH = { volume: 0.25, signatures: 0.25, peers: 0.1 } as const;
/** Full value: each counted on a log scale from 1. */
const FULL = { alerts: 1000, signatures: 16, peers: 32 } as const;
/** From so many devices on, and this share of all, a signature is everybody's; its points lose up to `loss` of them. */
const SITE_WIDE = { users: 4, devices: 6, from: 0.3, full: 0.8, loss: 0.6 } as const;
/** How sure one alert is, by what the rule's author says; many alerts add up to VOLUME_CONFIDENCE. */
const CONFIDENCE = { high: 0.75, medium: 0.6, unknown: 0.5, low: 0.3 } as const;
const VOLUME_CONFIDENCE = 0.2;

interface AlertContext {
  /** `null` where no endpoint is internal; then `deviceName` is the target's address. */
  deviceId: string | null;
  deviceName: string;
  /** Every internal device involved, the primary one first. */
  deviceIds: string[];
  family: SignatureFamily;
  /** Devices of this tenant. */
  deviceCount: number;
}

/** Judges a group; `null` where there is nothing to report. A function of its arguments alone. */
export function evaluateAlerts(state: AlertGroupState, context: AlertContext): DetectorResult | null {
  const { worst } = state;
  if (worst === null || isNoise(worst.facts)) return null;
  const subScores = parts(state, worst);
  const full = subScores.reduce((sum, part) => sum + part.value * part.weight, 0);
  const modifiers = siteWide(worst, full, context);
  const score = roundScore(full + (modifiers[0]?.value ?? 0));
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
    confidence: confidence(state, worst),
    subScores,
    modifiers,
    evidence: [...state.refs],
  };
}

function parts(state: AlertGroupState, worst: WorstAlert): SubScore[] {
  const { points } = worst;
  const priority = worst.facts.priority === null ? "no priority" : `priority ${worst.facts.priority}`;
  const direction = worst.outbound ? "the device is its source" : "the device is its target";
  const signatures = state.signatures.length;
  const peers = state.peers.length;
  return [
    {
      name: "worst_alert",
      value: 1,
      weight: points,
      detail: `"${worst.facts.signature}": ${
        worst.facts.category ?? "no category"
      }, ${priority}, ${direction}`,
    },
    part("volume", state.count, FULL.alerts, points * GROWTH.volume, plural(state.count, "alert")),
    part(
      "signatures",
      signatures,
      FULL.signatures,
      points * GROWTH.signatures,
      `${plural(signatures, "distinct signature")}${signatures >= MAX_SIGNATURES ? " or more" : ""}`,
    ),
    part(
      "peers",
      peers,
      FULL.peers,
      points * GROWTH.peers,
      `${plural(peers, "distinct peer")}${peers >= MAX_PEERS ? " or more" : ""}`,
    ),
  ];
}

/**
 * A signature that fires on most devices speaks of software that all of them run, or of a rule that errs. Not so one of
 * malware or of a successful attack: those spread.
 */
function siteWide({ users }: WorstAlert, full: number, { deviceCount, family }: AlertContext): SubScore[] {
  if (family.theme === "malware" || family.theme === "compromise") return [];
  if (users < SITE_WIDE.users || deviceCount < SITE_WIDE.devices) return [];
  const part = users / Math.max(users, deviceCount);
  const common = clamp01((part - SITE_WIDE.from) / (SITE_WIDE.full - SITE_WIDE.from));
  const value = -Math.round(full * SITE_WIDE.loss * common * 10) / 10;
  if (value === 0) return [];
  return [{
    name: "common_signature",
    value,
    weight: 1,
    detail: `it fires on ${users} of ${deviceCount} devices (${percent(part)})`,
  }];
}

function part(name: string, count: number, full: number, weight: number, detail: string): SubScore {
  return { name, value: logShare(count, full), weight: Math.round(weight * 10) / 10, detail };
}

/** 0 at one, 1 from `full` on. */
function logShare(count: number, full: number): number {
  return Math.round(clamp01(Math.log(count) / Math.log(full)) * 1000) / 1000;
}

function confidence(state: AlertGroupState, worst: WorstAlert): number {
  const said = (metadata(worst.facts, "confidence") ?? "unknown").toLowerCase();
  const base = CONFIDENCE[said as keyof typeof CONFIDENCE] ?? CONFIDENCE.unknown;
  return Math.round((base + VOLUME_CONFIDENCE * logShare(state.count, FULL.alerts)) * 100) / 100;
}
