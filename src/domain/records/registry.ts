import type { EvidenceKind, EvidenceSource, RecordKind } from "../../contract/kinds.ts";
import type { Fields } from "./fields.ts";
import { netflowFlow } from "./netflow-flow.ts";
import type { Normalised, RecordContext } from "./observation.ts";
import type { RecordType } from "./record-type.ts";
import { suricataAlert } from "./suricata-alert.ts";
import { suricataDns } from "./suricata-dns.ts";
import { suricataFlow } from "./suricata-flow.ts";
import { zeekConn } from "./zeek-conn.ts";
import { zeekDns } from "./zeek-dns.ts";

/** Every record kind. A new normaliser is one file, and its line here. */
const RECORD_TYPES: Readonly<Record<RecordKind, RecordType>> = {
  "zeek.conn": zeekConn,
  "zeek.dns": zeekDns,
  "zeek.ssl": rawOnly("zeek", "tls"),
  "zeek.http": rawOnly("zeek", "http"),
  "zeek.ssh": rawOnly("zeek", "ssh"),
  "zeek.stats": rawOnly("zeek", null),
  "zeek.capture_loss": rawOnly("zeek", null),
  "suricata.flow": suricataFlow,
  "suricata.dns": suricataDns,
  "suricata.tls": rawOnly("suricata", "tls"),
  "suricata.http": rawOnly("suricata", "http"),
  "suricata.ssh": rawOnly("suricata", "ssh"),
  "suricata.alert": suricataAlert,
  "suricata.anomaly": rawOnly("suricata", "alert"),
  "suricata.smb": rawOnly("suricata", "flow_observation"),
  "suricata.dhcp": rawOnly("suricata", "flow_observation"),
  "suricata.krb5": rawOnly("suricata", "flow_observation"),
  "netflow.flow": netflowFlow,
  "unbound.query": rawOnly("unbound", "dns"),
};

export function normaliserFor(kind: RecordKind): RecordType {
  return RECORD_TYPES[kind];
}

/**
 * Understands one record. Pure and total: whatever the payload holds, the answer is an observation, or the
 * reason why there is none (at most 200 characters).
 */
export function normalise(kind: RecordKind, payload: Fields, context: RecordContext): Normalised {
  return RECORD_TYPES[kind].normalise(payload, context);
}

/** Why `normalise` would give no observation, or null where it gives one. */
export function unparsedReason(kind: RecordKind, payload: Fields, context: RecordContext): string | null {
  return RECORD_TYPES[kind].unparsedReason(payload, context);
}

/** A kind whose records are kept as raw evidence and not understood. */
function rawOnly(source: EvidenceSource, evidenceKind: EvidenceKind | null): RecordType {
  const unparsed = "kind not yet normalised";
  return { source, evidenceKind, normalise: () => ({ unparsed }), unparsedReason: () => unparsed };
}
