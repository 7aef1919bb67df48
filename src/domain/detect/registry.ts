import { BEACON_DETECTOR, CHANNELS } from "./beacon-detector.ts";
import type { Detector, Memory } from "./detector.ts";
import { LEARNING } from "./learning.ts";
import { PREVALENCE } from "./prevalence.ts";
import { ALERT_GROUPS, SIGNATURE_DETECTOR } from "./signature-detector.ts";

/** Every detector: one line each. */
export const DETECTORS: readonly Detector[] = [
  BEACON_DETECTOR,
  SIGNATURE_DETECTOR,
];

/** Every memory, by which what is stored of it expires. */
export const MEMORIES: readonly Pick<Memory<unknown>, "id" | "name" | "keepDays">[] = [
  LEARNING,
  PREVALENCE,
  CHANNELS,
  ALERT_GROUPS,
];
