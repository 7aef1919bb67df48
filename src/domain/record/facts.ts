import type { Count, Endpoint, Micros } from "./values.ts";

// The content of a record beyond tuple and counters, by application protocol. Texts are bounded and free of
// NUL characters; null means the record does not state the value.

export interface DnsFacts {
  type: "dns";
  query: string | null;
  qtype: string | null;
  rcode: string | null;
  /** Answer data as text, at most 32 entries. */
  answers: string[];
  /** False for a query seen without its answer. */
  answered: boolean;
}

export interface AlertFacts {
  type: "alert";
  /** The parts of `gid:sid:rev`; null if missing. */
  gid: number | null;
  signatureId: number | null;
  revision: number | null;
  signature: string;
  category: string | null;
  /** The sensor's own priority, 1 (highest) to 4. */
  priority: number | null;
  action: string | null;
  /** Rule metadata as in the ruleset, lists of strings by key. */
  metadata: Record<string, string[]>;
}

/** A protocol deviation noticed by the sensor without a rule. */
export interface AnomalyFacts {
  type: "anomaly";
  /** `decode`, `stream` or `applayer`; `unknown` if the sensor has no name for the event. */
  anomalyType: string;
  /** The sensor's name of the event, or its number if it has no name. */
  event: string;
  /** Application layer anomalies: the parser stage and the protocol. */
  layer: string | null;
  appProto: string | null;
}

export interface TlsFacts {
  type: "tls";
  /** Server name indication, normalised for comparison. */
  serverName: string | null;
  /** In the RFCs' spelling: `TLS 1.2`, `SSL 3.0`; other texts unchanged. */
  version: string | null;
  /** IANA name or the sensor's spelling; `0xc0a1` for a bare number. */
  cipher: string | null;
  /** The server's choice. */
  alpn: string | null;
  /** Fingerprints of the client's and the server's hello, lower case. */
  ja3: string | null;
  ja3s: string | null;
  ja4: string | null;
  ja4s: string | null;
  /** The server's leaf certificate. */
  subject: string | null;
  issuer: string | null;
  serial: string | null;
  /** Lower-case hex without colons; SHA-1 has 40 digits, SHA-256 has 64. */
  fingerprint: string | null;
  notBefore: Micros | null;
  notAfter: Micros | null;
  /** The sensor's own assessment of the chain (`ok`, `self signed certificate`, …). */
  validation: string | null;
  resumed: boolean | null;
  established: boolean | null;
}

export interface HttpFacts {
  type: "http";
  method: string | null;
  /** The Host header's name, lower case, without a port. */
  host: string | null;
  uri: string | null;
  userAgent: string | null;
  referrer: string | null;
  /** HTTP version as text: `1.1`. */
  version: string | null;
  status: number | null;
  contentType: string | null;
  requestBytes: Count | null;
  responseBytes: Count | null;
  username: string | null;
}

export interface SshFacts {
  type: "ssh";
  version: number | null;
  /** Identification strings without the leading `SSH-2.0-`. */
  clientSoftware: string | null;
  serverSoftware: string | null;
  /** HASSH fingerprints, lower-case hex. */
  hassh: string | null;
  hasshServer: string | null;
  /** Fingerprint of the server's host key, in the sensor's notation. */
  hostKey: string | null;
  /** Inferred by the sensor; null if it could not tell. */
  authSuccess: boolean | null;
  authAttempts: number | null;
}

export interface SmbFacts {
  type: "smb";
  dialect: string | null;
  command: string | null;
  status: string | null;
  share: string | null;
  filename: string | null;
  namedPipe: string | null;
  /**
   * The user setting up a session, from NTLMSSP; with a Kerberos ticket only the domain is known, from its
   * realm.
   */
  user: string | null;
  domain: string | null;
  /** The client's own name. */
  host: string | null;
  /**
   * The interface of a remote procedure call (DCE/RPC) over a pipe: its usual name (`svcctl`), else its UUID
   * in lower case.
   */
  rpcInterface: string | null;
  /** Number of the called procedure; null for a bind. */
  rpcOperation: number | null;
}

export interface KerberosFacts {
  type: "kerberos";
  /** `AS-REP`, `TGS-REP`, `ERROR`, … as in RFC 4120. */
  messageType: string | null;
  client: string | null;
  realm: string | null;
  service: string | null;
  /** Encryption of the reply (client's key) and of the ticket in it (service's key). */
  encryption: string | null;
  ticketEncryption: string | null;
  /** Either of them is weak, according to the sensor. */
  weakEncryption: boolean | null;
  /** `KDC_ERR_PREAUTH_FAILED`, …; null if nothing failed. */
  error: string | null;
}

export interface DhcpFacts {
  type: "dhcp";
  /** `discover`, `offer`, `request`, `ack`, `nak`, `release`, `inform`, … */
  messageType: string | null;
  /** `aa:bb:cc:dd:ee:ff`. */
  clientMac: string | null;
  clientId: string | null;
  hostName: string | null;
  vendorClass: string | null;
  requestedIp: string | null;
  /** The address the server assigns to the client. */
  assignedIp: string | null;
  leaseSeconds: number | null;
  /** The DHCP server and the settings it hands out. */
  serverIp: string | null;
  routers: string[];
  dnsServers: string[];
  subnetMask: string | null;
}

/** An exporter's statements beyond tuple and counters. */
export interface ExportFacts {
  type: "export";
  /**
   * The tuple after translation. An end that is not translated keeps its value; null if neither is
   * translated.
   */
  nat: { src: Endpoint; dst: Endpoint } | null;
  /** The rate the counters were scaled by; null if the record states none above 1. */
  samplingRate: number | null;
  /** Union of the TCP flags seen, TCP only; never 0, which exporters write for "unknown". */
  tcpFlags: number | null;
  /** SNMP indexes, not 0. */
  inputInterface: number | null;
  outputInterface: number | null;
}

export type Facts =
  | DnsFacts
  | AlertFacts
  | AnomalyFacts
  | TlsFacts
  | HttpFacts
  | SshFacts
  | SmbFacts
  | KerberosFacts
  | DhcpFacts
  | ExportFacts;
