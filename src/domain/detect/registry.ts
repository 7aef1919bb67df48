import { BEACON_DETECTOR, CHANNELS } from "./beacon/detector.ts";
import { BEACON_NAME_DETECTOR, NAMED_CHANNELS } from "./beacon-name/detector.ts";
import { CERTIFICATE_DETECTOR } from "./certificate/detector.ts";
import { CERTIFICATES } from "./certificate/state.ts";
import { BRUTE_DETECTOR, LOGONS } from "./brute-force/detector.ts";
import type { Detector, StateType } from "./kernel/detector.ts";
import { DGA_DETECTOR } from "./dga/detector.ts";
import { FAILURES } from "./dga/state.ts";
import { DNS_TUNNEL_DETECTOR } from "./dns-tunnel/detector.ts";
import { DNS_RESOLVERS, RESOLVER_CLIENTS } from "./dns-tunnel/resolvers.ts";
import { LOOKUPS } from "./dns-tunnel/state.ts";
import { DEVICE_HOURS } from "./exfiltration/hours.ts";
import { EXFILTRATION_DETECTOR } from "./exfiltration/detector.ts";
import { UPLOADS } from "./exfiltration/uploads.ts";
import { FLOOD_DETECTOR } from "./flood/detector.ts";
import { FLOODS } from "./flood/state.ts";
import { LEARNING } from "./kernel/learning.ts";
import { PREVALENCE } from "./kernel/prevalence.ts";
import { ADMIN_SERVERS } from "./lateral-movement/admin-servers.ts";
import { LATERAL_DETECTOR } from "./lateral-movement/detector.ts";
import { ADMINISTRATION } from "./lateral-movement/state.ts";
import { LONG_CONNECTION_DETECTOR } from "./long-connection/detector.ts";
import { LONG_USES } from "./long-connection/state.ts";
import { MAIL, MASS_MAIL_DETECTOR } from "./mass-mail/detector.ts";
import { DHCP_SERVERS, ROGUE_DHCP_DETECTOR } from "./rogue-dhcp/detector.ts";
import { ROGUE_DNS_DETECTOR } from "./rogue-dns/detector.ts";
import { DNS_SERVERS, RESOLVERS } from "./rogue-dns/state.ts";
import { SCAN_ATTEMPTS, SCAN_DETECTOR } from "./scan/detector.ts";
import { ANOMALY_DETECTOR } from "./sensor-anomaly/detector.ts";
import { ANOMALIES } from "./sensor-anomaly/state.ts";
import { SIGNATURE_DETECTOR } from "./signature-alert/detector.ts";
import { ALERT_GROUPS } from "./signature-alert/state.ts";
import { THREAT_INTEL_DETECTOR } from "./threat-intel/detector.ts";
import { MATCHED_INDICATORS } from "./threat-intel/state.ts";
import { VISITS } from "./threat-intel/visits.ts";
import { FETCHES } from "./kernel/fetches.ts";
import { FINGERPRINTS, TLS_CLIENTS } from "./tls-rarity/state.ts";
import { TLS_RARITY_DETECTOR } from "./tls-rarity/detector.ts";
import { UNEXPECTED_DETECTOR } from "./unexpected-protocol/detector.ts";
import { UNEXPECTED } from "./unexpected-protocol/state.ts";
import { NEW_DEVICE_DETECTOR } from "./new-device/detector.ts";
import { NEW_DEVICES } from "./new-device/state.ts";
import { TYPE_CONTRADICTION_DETECTOR } from "./type-contradiction/detector.ts";
import { ACT_COUNTS } from "./type-contradiction/state.ts";

/** Every detector: one line each. */
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

/** Every memory, by which what is stored of it expires. */
export const STATE_TYPES: readonly Pick<StateType<unknown>, "id" | "name" | "keepDays">[] = [
  LEARNING,
  PREVALENCE,
  CHANNELS,
  ALERT_GROUPS,
  LOOKUPS,
  DNS_RESOLVERS,
  RESOLVER_CLIENTS,
  FAILURES,
  NAMED_CHANNELS,
  LONG_USES,
  SCAN_ATTEMPTS,
  ADMINISTRATION,
  ADMIN_SERVERS,
  MAIL,
  LOGONS,
  DHCP_SERVERS,
  DNS_SERVERS,
  RESOLVERS,
  DEVICE_HOURS,
  UPLOADS,
  MATCHED_INDICATORS,
  VISITS,
  ANOMALIES,
  CERTIFICATES,
  FETCHES,
  TLS_CLIENTS,
  FINGERPRINTS,
  UNEXPECTED,
  ACT_COUNTS,
  NEW_DEVICES,
  FLOODS,
];
