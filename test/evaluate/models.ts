// Model ids that labels may use. A test compares them to the detector registry.

/** In the order of the report. */
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
