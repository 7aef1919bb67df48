/**
 * One ingest line: an alert that opens an incident by itself, with a host and a peer that no other record
 * has. From `MAX_OPENED_PER_HOUR` alerts of an hour on, further ones join one incident.
 */
export function alertLine(number: number, time = new Date()): string {
  const at = time.toISOString();
  const payload = {
    timestamp: at,
    flow_id: 1_000_000 + number,
    event_type: "alert",
    src_ip: `10.9.${number >> 8 & 255}.${number & 255}`,
    src_port: 50_000,
    dest_ip: `203.0.${number >> 8 & 255}.${number & 255}`,
    dest_port: 443,
    proto: "TCP",
    alert: {
      action: "allowed",
      gid: 1,
      signature_id: 2_018_000 + number,
      rev: 1,
      signature: "ET MALWARE Zbot CnC Checkin",
      category: "A Network Trojan was detected",
      severity: 1,
    },
  };
  return JSON.stringify({ kind: "suricata.alert", observed_at: at, payload });
}
