import { BEACON_DETECTOR, CHANNELS } from "./beacon-detector.ts";
import { BEACON_NAME_DETECTOR, NAMED_CHANNELS } from "./beacon-name.ts";
import { CERTIFICATE_DETECTOR } from "./certificate.ts";
import { CERTIFICATES } from "./certificate-state.ts";
import { BRUTE_DETECTOR, LOGONS } from "./brute-detector.ts";
import type { Detector, Memory } from "./detector.ts";
import { DGA_DETECTOR } from "./dga.ts";
import { FAILURES } from "./dga-state.ts";
import { DNS_TUNNEL_DETECTOR } from "./dns-tunnel.ts";
import { ASKERS, DESKS } from "./dns-tunnel-desk.ts";
import { LOOKUPS } from "./dns-tunnel-state.ts";
import { DEVICE_HOURS } from "./exfiltration-hours.ts";
import { EXFILTRATION_DETECTOR } from "./exfiltration.ts";
import { UPLOADS } from "./exfiltration-uploads.ts";
import { FLOOD_DETECTOR } from "./flood.ts";
import { FLOODS } from "./flood-state.ts";
import { LEARNING } from "./learning.ts";
import { PREVALENCE } from "./prevalence.ts";
import { ADMIN_SERVERS } from "./admin-servers.ts";
import { LATERAL_DETECTOR } from "./lateral-detector.ts";
import { ADMINISTRATION } from "./lateral-state.ts";
import { LONG_CONNECTION_DETECTOR } from "./long-connection.ts";
import { LONG_USES } from "./long-connection-state.ts";
import { MAIL, MASS_MAIL_DETECTOR } from "./mass-mail.ts";
import { DHCP_SERVERS, ROGUE_DHCP_DETECTOR } from "./rogue-dhcp.ts";
import { DNS_SERVERS, RESOLVERS, ROGUE_DNS_DETECTOR } from "./rogue-dns-detector.ts";
import { KNOCKS, SCAN_DETECTOR } from "./scan-detector.ts";
import { ANOMALIES, ANOMALY_DETECTOR } from "./sensor-anomaly.ts";
import { ALERT_GROUPS, SIGNATURE_DETECTOR } from "./signature-detector.ts";
import { THREAT_INTEL_DETECTOR } from "./threat-intel.ts";
import { MET_INDICATORS } from "./threat-intel-state.ts";
import { VISITS } from "./threat-intel-visits.ts";
import { FETCHES } from "./odd-fetch-state.ts";
import { PRINTS, TLS_CLIENTS } from "./tls-client-state.ts";
import { TLS_RARITY_DETECTOR } from "./tls-rarity.ts";
import { UNEXPECTED_DETECTOR } from "./unexpected-protocol.ts";
import { UNEXPECTED } from "./unexpected-state.ts";
import { NEW_DEVICE_DETECTOR, NEWCOMERS } from "./new-device.ts";
import { TYPE_CONTRADICTION_DETECTOR } from "./type-contradiction.ts";
import { DEEDS } from "./type-contradiction-state.ts";

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
export const MEMORIES: readonly Pick<Memory<unknown>, "id" | "name" | "keepDays">[] = [
  LEARNING,
  PREVALENCE,
  CHANNELS,
  ALERT_GROUPS,
  LOOKUPS,
  DESKS,
  ASKERS,
  FAILURES,
  NAMED_CHANNELS,
  LONG_USES,
  KNOCKS,
  ADMINISTRATION,
  ADMIN_SERVERS,
  MAIL,
  LOGONS,
  DHCP_SERVERS,
  DNS_SERVERS,
  RESOLVERS,
  DEVICE_HOURS,
  UPLOADS,
  MET_INDICATORS,
  VISITS,
  ANOMALIES,
  CERTIFICATES,
  FETCHES,
  TLS_CLIENTS,
  PRINTS,
  UNEXPECTED,
  DEEDS,
  NEWCOMERS,
  FLOODS,
];
