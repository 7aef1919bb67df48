// The service's enumerations: record kinds, sources, trust classes, roles.

/** Every record kind a sensor may send, in the order of the interface document. */
export const RECORD_KINDS = [
  "zeek.conn",
  "zeek.dns",
  "zeek.ssl",
  "zeek.http",
  "zeek.ssh",
  "zeek.stats",
  "zeek.capture_loss",
  "suricata.flow",
  "suricata.dns",
  "suricata.tls",
  "suricata.http",
  "suricata.ssh",
  "suricata.alert",
  "suricata.anomaly",
  "suricata.smb",
  "suricata.dhcp",
  "suricata.krb5",
  "netflow.flow",
  "unbound.query",
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Provenance of a fact, independent of whether it is malicious. */
export const TRUST_CLASSES = ["packet", "firewall_app", "exporter", "inventory", "derived"] as const;
export type TrustClass = (typeof TRUST_CLASSES)[number];

export const EVIDENCE_KINDS = [
  "flow_observation",
  "dns",
  "tls",
  "http",
  "ssh",
  "alert",
  "model_result",
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

export const EVIDENCE_SOURCES = ["zeek", "suricata", "netflow", "unbound", "inventory", "model"] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];

/** The source that a kind belongs to: the part before the dot. */
export function sourceOfKind(kind: RecordKind): EvidenceSource {
  return kind.slice(0, kind.indexOf(".")) as EvidenceSource;
}

/** The kinds that both filters admit; undefined without a filter. */
export function kindsMatching(
  { kind, source }: { kind?: RecordKind; source?: EvidenceSource },
): RecordKind[] | undefined {
  if (kind === undefined && source === undefined) return undefined;
  return RECORD_KINDS.filter((one) =>
    (kind === undefined || one === kind) && (source === undefined || sourceOfKind(one) === source)
  );
}

export const COUNTER_SEMANTICS = ["session", "unidirectional_export", "unknown"] as const;
export type CounterSemantics = (typeof COUNTER_SEMANTICS)[number];

export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const INCIDENT_STATUSES = ["open", "investigating", "resolved", "false_positive"] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const HEALTH_STATUSES = ["ok", "stale", "degraded", "unavailable"] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** Every role includes `reader`; no other role includes another. */
export const ROLES = ["reader", "analyst", "responder", "admin"] as const;
export type Role = (typeof ROLES)[number];
