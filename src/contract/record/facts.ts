import { z } from "@hono/zod-openapi";
import { Ip, NullableCount, Timestamp } from "../request/common.ts";

// The content of a record beyond its flow and counters. `null`: not in the record.

const text = z.string().nullable();
const number = z.number().int().nullable();
const flag = z.boolean().nullable();

const DnsFacts = z.object({
  type: z.literal("dns"),
  query: text,
  qtype: text,
  rcode: text,
  answers: z.array(z.string()),
  answered: z.boolean().openapi({ description: "False if the query was seen without an answer." }),
}).openapi("DnsFacts");

const AlertFacts = z.object({
  type: z.literal("alert"),
  gid: number,
  sid: number,
  rev: number,
  signature: z.string(),
  category: text,
  priority: number.openapi({ description: "Priority assigned by the sensor; 1 is the most severe." }),
  action: text,
  metadata: z.record(z.string(), z.array(z.string())),
}).openapi("AlertFacts");

const AnomalyFacts = z.object({
  type: z.literal("anomaly"),
  anomaly_type: z.string().openapi({ example: "applayer" }),
  event: z.string(),
  layer: text,
  app_proto: text,
}).openapi("AnomalyFacts");

const TlsFacts = z.object({
  type: z.literal("tls"),
  server_name: text,
  version: text.openapi({ example: "TLS 1.3" }),
  cipher: text,
  alpn: text,
  ja3: text,
  ja3s: text,
  ja4: text,
  ja4s: text,
  subject: text.openapi({
    description: "Subject of the server's certificate; the following fields describe the certificate too.",
  }),
  issuer: text,
  serial: text,
  fingerprint: text.openapi({ description: "Hexadecimal: 40 digits for SHA-1, 64 for SHA-256." }),
  not_before: Timestamp.nullable(),
  not_after: Timestamp.nullable(),
  validation: text.openapi({ description: "The sensor's validation result for the chain." }),
  resumed: flag,
  established: flag,
}).openapi("TlsFacts");

const HttpFacts = z.object({
  type: z.literal("http"),
  method: text,
  host: text,
  uri: text,
  user_agent: text,
  referrer: text,
  version: text.openapi({ example: "1.1" }),
  status: number,
  content_type: text,
  request_bytes: NullableCount,
  response_bytes: NullableCount,
  username: text,
}).openapi("HttpFacts");

const SshFacts = z.object({
  type: z.literal("ssh"),
  version: number,
  client_software: text,
  server_software: text,
  hassh: text,
  hassh_server: text,
  host_key: text.openapi({ description: "Fingerprint of the server's key, in the sensor's format." }),
  auth_success: flag,
  auth_attempts: number,
}).openapi("SshFacts");

const SmbFacts = z.object({
  type: z.literal("smb"),
  dialect: text,
  command: text,
  status: text,
  share: text,
  filename: text,
  named_pipe: text,
  user: text,
  domain: text,
  host: text.openapi({ description: "Host name that the client reports." }),
  rpc_interface: text.openapi({
    description: "Interface of a remote procedure call over a pipe: its usual name, else its UUID.",
    example: "svcctl",
  }),
  rpc_operation: number.openapi({ description: "Number of the called procedure." }),
}).openapi("SmbFacts");

const KerberosFacts = z.object({
  type: z.literal("kerberos"),
  message_type: text.openapi({ example: "AS-REP" }),
  client: text,
  realm: text,
  service: text,
  encryption: text,
  ticket_encryption: text,
  weak_encryption: flag,
  error: text,
}).openapi("KerberosFacts");

const DhcpFacts = z.object({
  type: z.literal("dhcp"),
  message_type: text.openapi({ example: "ack" }),
  client_mac: text,
  client_id: text,
  host_name: text,
  vendor_class: text,
  requested_ip: Ip.nullable(),
  assigned_ip: Ip.nullable(),
  lease_seconds: number,
  server_ip: Ip.nullable(),
  routers: z.array(Ip),
  dns_servers: z.array(Ip),
  subnet_mask: text,
}).openapi("DhcpFacts");

const TranslatedEnd = z.object({ ip: Ip, port: number }).openapi("TranslatedEnd");

const ExportFacts = z.object({
  type: z.literal("export"),
  nat: z.object({ src: TranslatedEnd, dst: TranslatedEnd }).nullable().openapi({
    description: "The ends after address translation, if the exporter performs it.",
  }),
  sampling_rate: number.openapi({ description: "Sampling rate by which the counters were scaled." }),
  tcp_flags: number,
  input_interface: number,
  output_interface: number,
}).openapi("ExportFacts");

/** Facts by application protocol or sensor type; `type` is the discriminator. */
export const Facts = z.union([
  DnsFacts,
  AlertFacts,
  AnomalyFacts,
  TlsFacts,
  HttpFacts,
  SshFacts,
  SmbFacts,
  KerberosFacts,
  DhcpFacts,
  ExportFacts,
]);
export type Facts = z.infer<typeof Facts>;

export const FACT_TYPES = [
  "dns",
  "alert",
  "anomaly",
  "tls",
  "http",
  "ssh",
  "smb",
  "kerberos",
  "dhcp",
  "export",
] as const satisfies readonly Facts["type"][];
export type FactType = (typeof FACT_TYPES)[number];
