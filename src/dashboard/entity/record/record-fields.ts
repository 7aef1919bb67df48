import type { FieldName } from "../../../contract/filter/fields.ts";
import type { RecordKind } from "../../../contract/record/kinds.ts";

type Fields = Readonly<Record<string, FieldName>>;

const ZEEK: Fields = {
  "id.orig_h": "src.ip",
  "id.resp_h": "dst.ip",
  "id.orig_p": "src.port",
  "id.resp_p": "dst.port",
  "proto": "proto",
  "service": "service",
  "vlan": "vlan",
  "community_id": "community_id",
};

// Records of single packets and exporters may name the ends in either order.
const SURICATA: Fields = {
  "src_ip": "ip",
  "dest_ip": "ip",
  "src_port": "port",
  "dest_port": "port",
  "proto": "proto",
  "app_proto": "service",
  "vlan": "vlan",
  "community_id": "community_id",
};

const BY_KIND: Partial<Record<RecordKind, Fields>> = {
  "zeek.conn": ZEEK,
  "zeek.dns": {
    ...ZEEK,
    "query": "dns.query",
    "qtype_name": "dns.type",
    "rcode_name": "dns.rcode",
    "answers": "dns.answer",
  },
  "zeek.ssl": {
    ...ZEEK,
    "server_name": "server_name",
    "ja3": "ja3",
    "ja3s": "ja3s",
    "ja4": "ja4",
    "ja4s": "ja4s",
    "subject": "certificate.subject",
    "issuer": "certificate.issuer",
  },
  "zeek.http": {
    ...ZEEK,
    "host": "http.host",
    "uri": "http.path",
    "method": "http.method",
    "status_code": "http.status",
    "user_agent": "user_agent",
    "username": "user",
  },
  "zeek.ssh": {
    ...ZEEK,
    "client": "ssh.client",
    "server": "ssh.server",
    "hassh": "hassh",
    "hasshserver": "hassh_server",
  },
  "suricata.flow": SURICATA,
  "suricata.dns": {
    ...SURICATA,
    "dns.rrname": "dns.query",
    "dns.rrtype": "dns.type",
    "dns.rcode": "dns.rcode",
    "dns.queries.rrname": "dns.query",
    "dns.queries.rrtype": "dns.type",
    "dns.answers.rdata": "dns.answer",
    "dns.grouped.a": "dns.answer",
    "dns.grouped.aaaa": "dns.answer",
    "dns.grouped.cname": "dns.answer",
  },
  "suricata.tls": {
    ...SURICATA,
    "tls.sni": "server_name",
    "tls.subject": "certificate.subject",
    "tls.issuerdn": "certificate.issuer",
    "tls.ja3.hash": "ja3",
    "tls.ja3s.hash": "ja3s",
    "tls.ja4": "ja4",
  },
  "suricata.http": {
    ...SURICATA,
    "http.hostname": "http.host",
    "http.url": "http.path",
    "http.http_method": "http.method",
    "http.status": "http.status",
    "http.http_user_agent": "user_agent",
  },
  "suricata.ssh": {
    ...SURICATA,
    "ssh.client.software_version": "ssh.client",
    "ssh.server.software_version": "ssh.server",
    "ssh.client.hassh.hash": "hassh",
    "ssh.server.hassh.hash": "hassh_server",
  },
  "suricata.alert": {
    ...SURICATA,
    "alert.signature": "alert",
    "alert.signature_id": "alert.id",
    "alert.category": "alert.category",
  },
  "suricata.anomaly": { ...SURICATA, "anomaly.event": "anomaly" },
  "suricata.smb": {
    ...SURICATA,
    "smb.filename": "smb.file",
    "smb.share": "smb.share",
    "smb.ntlmssp.user": "user",
  },
  "suricata.dhcp": SURICATA,
  "suricata.krb5": { ...SURICATA, "krb5.cname": "user" },
  "netflow.flow": {
    "ip_src": "ip",
    "ip_dst": "ip",
    "port_src": "port",
    "port_dst": "port",
    "ip_proto": "proto",
    "vlan": "vlan",
  },
};

/** The field of the search language that finds the value of a record's member; undefined if there is none. */
export function fieldOfPath(kind: RecordKind, path: readonly (string | number)[]): FieldName | undefined {
  const name = path.filter((part) => typeof part === "string").join(".").toLowerCase();
  // Log shippers replace the dots of Zeek's names.
  return BY_KIND[kind]?.[name.replace(/^id_/, "id.")];
}
