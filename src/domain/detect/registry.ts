import { BEACON } from "./beacon.ts";
import type { DetectorInfo } from "./result.ts";
import { SIGNATURE_ALERT } from "./signature-alert.ts";

/** Every detector: one line each. */
export const DETECTORS: readonly DetectorInfo[] = [
  BEACON,
  SIGNATURE_ALERT,
];
