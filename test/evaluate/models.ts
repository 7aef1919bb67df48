// What labels may name. The detectors' own registry is compared with it by a test, so that neither runs ahead.

/** Every model a scenario may be found by, in the order of the report. */
export const MODEL_IDS = [
  "beacon",
  "beacon-name",
  "long-connection",
  "dns-tunnel",
  "dga",
  "scan",
  "brute-force",
  "lateral-movement",
  "exfiltration",
  "threat-intel",
  "signature-alert",
  "sensor-anomaly",
  "tls-rarity",
  "certificate",
  "unexpected-protocol",
  "new-device",
  "type-contradiction",
  "rogue-dhcp",
  "rogue-dns",
  "mass-mail",
  "flood",
] as const;
