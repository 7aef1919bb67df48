import { BEACON_NAME_DETECTOR } from "./beacon-name/detector.ts";
import { BEACON_DETECTOR } from "./beacon/detector.ts";
import { BRUTE_DETECTOR } from "./brute-force/detector.ts";
import { CERTIFICATE_DETECTOR } from "./certificate/detector.ts";
import { DGA_DETECTOR } from "./dga/detector.ts";
import { DNS_TUNNEL_DETECTOR } from "./dns-tunnel/detector.ts";
import { EXFILTRATION_DETECTOR } from "./exfiltration/detector.ts";
import { FLOOD_DETECTOR } from "./flood/detector.ts";
import { SEEN_NETWORKS } from "../health/local-networks.ts";
import type { Detector, StateType } from "./kernel/detector.ts";
import { LEARNING } from "./kernel/learning.ts";
import { PREVALENCE } from "./kernel/prevalence.ts";
import type { ScenarioKind } from "./kernel/result.ts";
import { LATERAL_DETECTOR } from "./lateral-movement/detector.ts";
import { LONG_CONNECTION_DETECTOR } from "./long-connection/detector.ts";
import { MASS_MAIL_DETECTOR } from "./mass-mail/detector.ts";
import { NEW_DEVICE_DETECTOR } from "./new-device/detector.ts";
import { ROGUE_DHCP_DETECTOR } from "./rogue-dhcp/detector.ts";
import { ROGUE_DNS_DETECTOR } from "./rogue-dns/detector.ts";
import { SCAN_DETECTOR } from "./scan/detector.ts";
import { ANOMALY_DETECTOR } from "./sensor-anomaly/detector.ts";
import { SIGNATURE_DETECTOR } from "./signature-alert/detector.ts";
import { THREAT_INTEL_DETECTOR } from "./threat-intel/detector.ts";
import { TLS_RARITY_DETECTOR } from "./tls-rarity/detector.ts";
import { TYPE_CONTRADICTION_DETECTOR } from "./type-contradiction/detector.ts";
import { UNEXPECTED_DETECTOR } from "./unexpected-protocol/detector.ts";

/** Every detector: one line each, in the order in which they see an observation. */
export const DETECTORS: readonly Detector[] = [
  BEACON_DETECTOR,
  BEACON_NAME_DETECTOR,
  LONG_CONNECTION_DETECTOR,
  SIGNATURE_DETECTOR,
  DNS_TUNNEL_DETECTOR,
  DGA_DETECTOR,
  SCAN_DETECTOR,
  FLOOD_DETECTOR,
  LATERAL_DETECTOR,
  MASS_MAIL_DETECTOR,
  BRUTE_DETECTOR,
  ROGUE_DHCP_DETECTOR,
  ROGUE_DNS_DETECTOR,
  EXFILTRATION_DETECTOR,
  THREAT_INTEL_DETECTOR,
  ANOMALY_DETECTOR,
  CERTIFICATE_DETECTOR,
  TLS_RARITY_DETECTOR,
  UNEXPECTED_DETECTOR,
  TYPE_CONTRADICTION_DETECTOR,
  NEW_DEVICE_DETECTOR,
];

/** Every type of state that is stored: each expires by its `keepDays`. */
export const STATE_TYPES: readonly StateType<unknown>[] = [
  ...new Set([LEARNING, PREVALENCE, SEEN_NETWORKS, ...DETECTORS.flatMap(({ states }) => states)]),
];

/** The scenario kind of each detector that shares one with others, by model id. */
export const KINDS: ReadonlyMap<string, ScenarioKind> = new Map(
  DETECTORS.flatMap(({ info: { modelId, kind } }) => kind === undefined ? [] : [[modelId, kind]]),
);
