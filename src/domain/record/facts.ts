import type { Count, Endpoint, Micros } from "./values.ts";

// What a record says beyond its tuple and its counters, by application protocol. Texts are bounded and free of
// NUL characters; `null` is what the record does not say.

export interface DnsFacts {
  type: "dns";
  query: string | null;
  qtype: string | null;
  rcode: string | null;
  /** Answer data as text, at most 32 kept. */
  answers: string[];
  /** False for a query seen without its answer. */
  answered: boolean;
}

export interface AlertFacts {
  type: "alert";
  /** `gid:sid:rev` parts; `null` where the record lacks them. */
  gid: number | null;
  signatureId: number | null;
  revision: number | null;
  signature: string;
  category: string | null;
  /** The sensor's own priority, 1 (worst) to 4. */
  priority: number | null;
  action: string | null;
  /** Rule metadata as the ruleset wrote it, lists of strings by key. */
  metadata: Record<string, string[]>;
}

/** A deviation from a protocol that the sensor noticed, without a rule. */
export interface AnomalyFacts {
  type: "anomaly";
  /** `decode`, `stream` or `applayer`; `unknown` where the sensor has no name for the event. */
  anomalyType: string;
  /** The sensor's name of the event; the number of an event that it has no name for. */
  event: string;
  /** Of an application layer anomaly: where in parsing it came up, and the protocol. */
  layer: string | null;
  appProto: string | null;
}

export interface TlsFacts {
  type: "tls";
  /** Server name indication, in the form in which names are compared. */
  serverName: string | null;
  /** In the RFCs' spelling: `TLS 1.2`, `SSL 3.0`; another text as the sensor writes it. */
  version: string | null;
  /** IANA name, or the number as the sensor writes it; `0xc0a1` of a bare number. */
  cipher: string | null;
  /** The server's choice. */
  alpn: string | null;
  /** Fingerprints of the client's hello and the server's, lower case. */
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
  /** The sensor's own verdict on the chain (`ok`, `self signed certificate`, …). */
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
  /** Fingerprint of the server's host key as the sensor writes it. */
  hostKey: string | null;
  /** What the sensor inferred; `null` where it could not tell. */
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
  /** Who sets up a session, from NTLMSSP; of one with a Kerberos ticket the domain only, its realm. */
  user: string | null;
  domain: string | null;
  /** The client's own name. */
  host: string | null;
}

export interface KerberosFacts {
  type: "kerberos";
  /** `AS-REP`, `TGS-REP`, `ERROR`, … as RFC 4120 writes them. */
  messageType: string | null;
  client: string | null;
  realm: string | null;
  service: string | null;
  /** Of the reply, under the client's key, and of the ticket in it, under the service's key. */
  encryption: string | null;
  ticketEncryption: string | null;
  /** Either of them is weak, in the sensor's judgement. */
  weakEncryption: boolean | null;
  /** `KDC_ERR_PREAUTH_FAILED`, …; `null` where nothing failed. */
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
  /** The address that the server gives the client. */
  assignedIp: string | null;
  leaseSeconds: number | null;
  /** The DHCP server and what it hands out. */
  serverIp: string | null;
  routers: string[];
  dnsServers: string[];
  subnetMask: string | null;
}

/** What an exporter says beyond tuple and counters. */
export interface ExportFacts {
  type: "export";
  /**
   * The tuple after translation, of an exporter that translates; an end that is not translated stays as it is, and
   * where neither is there is none.
   */
  nat: { src: Endpoint; dst: Endpoint } | null;
  /** The rate that the counters were scaled by, `null` where the record states none above 1. */
  samplingRate: number | null;
  /** The union of the TCP flags that were seen, of TCP; never 0, which is what exporters write for "not known". */
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
