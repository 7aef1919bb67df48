// Ingest lines in each sensor's format, with defaults for everything that a test does not set.

import { formatMicros } from "../../src/kit/time.ts";
import { NOW } from "./api.ts";

interface Ends {
  src?: string;
  srcPort?: number;
  dst?: string;
  dstPort?: number;
}

/** `observed_at` and payload text as given, byte for byte. */
export function rawLine(kind: string, observedAt: string, payload: string): string {
  return `{"kind":"${kind}","observed_at":"${observedAt}","payload":${payload}}`;
}

function line(kind: string, at: number, payload: Record<string, unknown>): string {
  return rawLine(kind, formatMicros(at), JSON.stringify(payload));
}

function zeekEnds({ src = "10.0.0.5", srcPort = 50000, dst = "198.51.100.7", dstPort = 443 }: Ends) {
  return { "id.orig_h": src, "id.orig_p": srcPort, "id.resp_h": dst, "id.resp_p": dstPort };
}

function eveEnds({ src = "10.0.0.5", srcPort = 50000, dst = "198.51.100.7", dstPort = 443 }: Ends) {
  return { src_ip: src, src_port: srcPort, dest_ip: dst, dest_port: dstPort };
}

/** Zeek `conn.log`, one established TCP connection of a second; times in microseconds. */
export function conn(
  options: Ends & { at?: number; seconds?: number; more?: Record<string, unknown> } = {},
): string {
  const { at = NOW - 60_000_000, seconds = 1, more } = options;
  return line("zeek.conn", at, {
    ts: formatMicros(at),
    uid: `C${at}x${options.srcPort ?? 50000}`,
    ...zeekEnds(options),
    proto: "tcp",
    service: "ssl",
    duration: seconds,
    orig_bytes: 500,
    resp_bytes: 4000,
    conn_state: "SF",
    orig_pkts: 8,
    resp_pkts: 9,
    ...more,
  });
}

/** Zeek `dns.log`, a query with its answer. */
export function dns(
  options: Ends & { at?: number; query?: string; more?: Record<string, unknown> } = {},
): string {
  const { at = NOW - 60_000_000, query = "www.example.com", more } = options;
  return line("zeek.dns", at, {
    ts: formatMicros(at),
    uid: `D${at}x${options.srcPort ?? 50000}`,
    ...zeekEnds({ dst: "10.0.0.53", dstPort: 53, ...options }),
    proto: "udp",
    query,
    qtype_name: "A",
    rcode_name: "NOERROR",
    answers: ["192.0.2.80"],
    rtt: 0.01,
    ...more,
  });
}

/** Suricata EVE `flow`. */
export function eveFlow(
  options: Ends & { at?: number; seconds?: number; more?: Record<string, unknown> } = {},
): string {
  const { at = NOW - 60_000_000, seconds = 1, more } = options;
  return line("suricata.flow", at + seconds * 1e6, {
    timestamp: formatMicros(at + seconds * 1e6),
    flow_id: 1_234_567_890_123 + at % 1_000_000_007,
    event_type: "flow",
    ...eveEnds(options),
    proto: "TCP",
    app_proto: "tls",
    flow: {
      pkts_toserver: 10,
      pkts_toclient: 11,
      bytes_toserver: 1100,
      bytes_toclient: 4800,
      start: formatMicros(at),
      end: formatMicros(at + seconds * 1e6),
    },
    ...more,
  });
}

/**
 * Suricata EVE `alert` of a rule that opens an incident at once; another `sid` is another rule. Each source
 * has its own peer: a shared one would be a campaign and one incident.
 */
export function alert(
  options: Ends & { at?: number; signature?: string; sid?: number; more?: Record<string, unknown> } = {},
): string {
  const { at = NOW - 60_000_000, signature = "ET MALWARE Zbot CnC Checkin", sid = 2_018_000, more } = options;
  return line("suricata.alert", at, {
    timestamp: formatMicros(at),
    flow_id: 2_234_567_890_123 + at % 1_000_000_007,
    event_type: "alert",
    ...eveEnds({ dst: peerOf(options.src), ...options }),
    proto: "TCP",
    alert: {
      action: "allowed",
      gid: 1,
      signature_id: sid,
      rev: 3,
      signature,
      category: "A Network Trojan was detected",
      severity: 1,
    },
    ...more,
  });
}

function peerOf(src: string | undefined): string | undefined {
  return src === undefined ? undefined : `198.51.100.${100 + Number(/\d$/.exec(src)?.[0] ?? 0)}`;
}

/** A flow export as goflow2 writes it. */
export function exported(
  options: Ends & { at?: number; seconds?: number; more?: Record<string, unknown> } = {},
): string {
  const { at = NOW - 60_000_000, seconds = 1, more } = options;
  const { src = "10.0.0.5", srcPort = 50000, dst = "198.51.100.7", dstPort = 443 } = options;
  return line("netflow.flow", at + seconds * 1e6, {
    type: "NETFLOW_V9",
    sampler_address: "192.0.2.1",
    time_flow_start_ns: at * 1000,
    time_flow_end_ns: (at + seconds * 1e6) * 1000,
    bytes: 900,
    packets: 7,
    src_addr: src,
    dst_addr: dst,
    proto: "TCP",
    src_port: srcPort,
    dst_port: dstPort,
    ...more,
  });
}

/** Zeek `ssl.log`. */
export function ssl(options: Ends & { at?: number; more?: Record<string, unknown> } = {}): string {
  const { at = NOW - 60_000_000, more } = options;
  return line("zeek.ssl", at, {
    ts: formatMicros(at),
    uid: `C${at}x${options.srcPort ?? 50000}`,
    ...zeekEnds(options),
    version: "TLSv12",
    ...more,
  });
}

/** Zeek `http.log`. */
export function http(options: Ends & { at?: number; more?: Record<string, unknown> } = {}): string {
  const { at = NOW - 60_000_000, more } = options;
  return line("zeek.http", at, {
    ts: formatMicros(at),
    uid: `C${at}x${options.srcPort ?? 50000}`,
    ...zeekEnds({ dstPort: 80, ...options }),
    method: "GET",
    uri: "/",
    status_code: 200,
    ...more,
  });
}

/** Any other EVE record: `member` is the object named after its type. */
export function eve(
  type: "ssh" | "smb" | "krb5" | "dhcp" | "tls" | "http" | "dns" | "anomaly",
  member: Record<string, unknown>,
  options: Ends & { at?: number; more?: Record<string, unknown> } = {},
): string {
  const { at = NOW - 60_000_000, more } = options;
  return line(`suricata.${type}`, at, {
    timestamp: formatMicros(at),
    flow_id: 3_234_567_890_123 + at % 1_000_000_007,
    event_type: type,
    ...eveEnds(options),
    proto: "TCP",
    [type]: member,
    ...more,
  });
}

/** A client without an address requests one by broadcast. */
export function dhcpRequest(
  ip: string,
  mac: string,
  member: Record<string, unknown> = {},
  at = NOW - 60_000_000,
): string {
  const ends = { src: "0.0.0.0", srcPort: 68, dst: "255.255.255.255", dstPort: 67 };
  const message = { type: "request", dhcp_type: "request", client_mac: mac, requested_ip: ip, ...member };
  return eve("dhcp", message, { ...ends, at, more: { proto: "UDP" } });
}

/** The server 10.0.0.1 acknowledges it. */
export function dhcpAck(
  ip: string,
  mac: string,
  member: Record<string, unknown> = {},
  at = NOW - 59_000_000,
): string {
  const ends = { src: "10.0.0.1", srcPort: 67, dst: "255.255.255.255", dstPort: 68 };
  const message = { type: "reply", dhcp_type: "ack", client_mac: mac, assigned_ip: ip, ...member };
  return eve("dhcp", message, { ...ends, at, more: { proto: "UDP" } });
}
