import type { RecordKind } from "../../contract/record/kinds.ts";
import type { Fields } from "./fields.ts";
import { netflowFlow } from "./netflow/flow.ts";
import type { Normalised, RecordContext } from "./observation.ts";
import type { RecordType } from "./record-type.ts";
import { suricataAlert } from "./suricata/alert.ts";
import { suricataAnomaly } from "./suricata/anomaly.ts";
import { suricataDhcp } from "./suricata/dhcp.ts";
import { suricataDns } from "./suricata/dns.ts";
import { suricataFlow } from "./suricata/flow.ts";
import { suricataHttp } from "./suricata/http.ts";
import { suricataKrb5 } from "./suricata/krb5.ts";
import { suricataSmb } from "./suricata/smb.ts";
import { suricataSsh } from "./suricata/ssh.ts";
import { suricataTls } from "./suricata/tls.ts";
import { unboundQuery } from "./unbound/query.ts";
import { zeekCaptureLoss } from "./zeek/capture-loss.ts";
import { zeekConn } from "./zeek/conn.ts";
import { zeekDns } from "./zeek/dns.ts";
import { zeekHttp } from "./zeek/http.ts";
import { zeekSsh } from "./zeek/ssh.ts";
import { zeekSsl } from "./zeek/ssl.ts";
import { zeekStats } from "./zeek/stats.ts";

/** Every record kind. A new normaliser is one file and one line here. */
const RECORD_TYPES: Readonly<Record<RecordKind, RecordType>> = {
  "zeek.conn": zeekConn,
  "zeek.dns": zeekDns,
  "zeek.ssl": zeekSsl,
  "zeek.http": zeekHttp,
  "zeek.ssh": zeekSsh,
  "zeek.stats": zeekStats,
  "zeek.capture_loss": zeekCaptureLoss,
  "suricata.flow": suricataFlow,
  "suricata.dns": suricataDns,
  "suricata.tls": suricataTls,
  "suricata.http": suricataHttp,
  "suricata.ssh": suricataSsh,
  "suricata.alert": suricataAlert,
  "suricata.anomaly": suricataAnomaly,
  "suricata.smb": suricataSmb,
  "suricata.dhcp": suricataDhcp,
  "suricata.krb5": suricataKrb5,
  "netflow.flow": netflowFlow,
  "unbound.query": unboundQuery,
};

export function normaliserFor(kind: RecordKind): RecordType {
  return RECORD_TYPES[kind];
}

/**
 * Normalises one record. Pure and total: any payload gives an observation, a capture sample, or the reason
 * why it cannot (at most 200 characters).
 */
export function normalise(kind: RecordKind, payload: Fields, context: RecordContext): Normalised {
  return RECORD_TYPES[kind].normalise(payload, context);
}

/** The reason why `normalise` would reject the record; null if it would not. */
export function unparsedReason(kind: RecordKind, payload: Fields, context: RecordContext): string | null {
  return RECORD_TYPES[kind].unparsedReason(payload, context);
}
