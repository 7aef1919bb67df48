import type { FieldName } from "../../../contract/filter/fields.ts";
import type { Facts } from "../../../contract/record/facts.ts";
import { formatBytes, formatExact, formatLabel, formatSpan } from "../../ui/format.ts";

/** One line of a record's facts. `text` came over the network and may hold anything. */
export interface FactRow {
  name: string;
  text: string;
  /** `code`: compared character by character; `time`: a timestamp; default is prose. */
  form?: "code" | "time";
  /** A sentence or a long value: takes a line of its own. */
  wide?: boolean;
  /** The field of the search language that finds the text. */
  field?: FieldName;
}

type Value = string | number | bigint | boolean | null;
type Options = Omit<FactRow, "name" | "text">;

/** No row for an absent value. */
function row(name: string, value: Value, options: Options = {}): FactRow[] {
  if (value === null || value === "") return [];
  const text = typeof value === "boolean" ? value ? "yes" : "no" : String(value);
  return [{ name, text, ...options }];
}

const CODE: Options = { form: "code" };
const WIDE_CODE: Options = { form: "code", wide: true };
const TIME: Options = { form: "time" };

type OfType<T extends Facts["type"]> = Extract<Facts, { type: T }>;
type Reader<T extends Facts["type"]> = (facts: OfType<T>) => FactRow[];

const dns: Reader<"dns"> = ({ query, qtype, rcode, answers, answered }) => [
  ...row("Question", query, { ...CODE, field: "dns.query" }),
  ...row("Type", qtype, { field: "dns.type" }),
  ...row("Result", rcode ?? (answered ? null : "no answer seen")),
  ...row("Answers", answers.join(", "), WIDE_CODE),
];

const alert: Reader<"alert"> = (facts) => [
  ...row("Signature", facts.signature, { wide: true, field: "alert" }),
  ...row("Category", facts.category, { field: "alert.category" }),
  ...row("Rule", [facts.gid, facts.sid, facts.rev].filter((part) => part !== null).join(":"), CODE),
  ...row("Priority", facts.priority === null ? null : `${facts.priority} (1 is highest)`),
  ...row("Action", facts.action),
  ...Object.entries(facts.metadata).flatMap(([name, values]) => row(formatLabel(name), values.join(", "))),
];

const anomaly: Reader<"anomaly"> = ({ anomaly_type, event, layer, app_proto }) => [
  ...row("Anomaly", event, CODE),
  ...row("Kind", anomaly_type),
  ...row("Layer", layer),
  ...row("Protocol", app_proto),
];

const tls: Reader<"tls"> = (facts) => [
  ...row("Server name", facts.server_name, { ...CODE, field: "server_name" }),
  ...row("Version", facts.version),
  ...row("Cipher", facts.cipher, CODE),
  ...row("ALPN", facts.alpn, CODE),
  ...row("Established", facts.established),
  ...row("Resumed", facts.resumed),
  ...row("JA3", facts.ja3, { ...CODE, field: "ja3" }),
  ...row("JA3S", facts.ja3s, { ...CODE, field: "ja3s" }),
  ...row("JA4", facts.ja4, { ...CODE, field: "ja4" }),
  ...row("JA4S", facts.ja4s, { ...CODE, field: "ja4s" }),
  ...row("Certificate of", facts.subject, { wide: true, field: "certificate.subject" }),
  ...row("Issued by", facts.issuer, { wide: true, field: "certificate.issuer" }),
  ...row("Valid from", facts.not_before, TIME),
  ...row("Valid until", facts.not_after, TIME),
  ...row("Sensor's verdict", facts.validation),
  ...row("Serial", facts.serial, CODE),
  ...row("Fingerprint", facts.fingerprint, { ...WIDE_CODE, field: "certificate" }),
];

const http: Reader<"http"> = (facts) => [
  ...row("Request", [facts.method, facts.uri].filter((part) => part !== null).join(" "), WIDE_CODE),
  ...row("Host", facts.host, { ...CODE, field: "http.host" }),
  ...row("Status", facts.status),
  ...row("Version", facts.version === null ? null : `HTTP/${facts.version}`),
  ...row("Content type", facts.content_type),
  ...row("Request body", facts.request_bytes === null ? null : formatBytes(facts.request_bytes)),
  ...row("Response body", facts.response_bytes === null ? null : formatBytes(facts.response_bytes)),
  ...row("User name", facts.username, CODE),
  ...row("User agent", facts.user_agent, { wide: true, field: "user_agent" }),
  ...row("Referrer", facts.referrer, WIDE_CODE),
];

const ssh: Reader<"ssh"> = (facts) => [
  ...row("Client", facts.client_software),
  ...row("Server", facts.server_software),
  ...row("Version", facts.version),
  ...row("Logged in", facts.auth_success),
  ...row("Attempts", facts.auth_attempts),
  ...row("HASSH", facts.hassh, { ...CODE, field: "hassh" }),
  ...row("Server HASSH", facts.hassh_server, { ...CODE, field: "hassh_server" }),
  ...row("Host key", facts.host_key, WIDE_CODE),
];

const smb: Reader<"smb"> = (facts) => [
  ...row("Command", facts.command, CODE),
  ...row("Status", facts.status, CODE),
  ...row("Dialect", facts.dialect),
  ...row("User", [facts.domain, facts.user].filter((part) => part !== null).join("\\"), CODE),
  ...row("Client host name", facts.host, CODE),
  ...row("Named pipe", facts.named_pipe, CODE),
  ...row("RPC interface", facts.rpc_interface, CODE),
  ...row("RPC operation", facts.rpc_operation),
  ...row("Share", facts.share, { ...WIDE_CODE, field: "smb.share" }),
  ...row("File", facts.filename, { ...WIDE_CODE, field: "smb.file" }),
];

const kerberos: Reader<"kerberos"> = (facts) => [
  ...row("Message", facts.message_type, CODE),
  ...row("Client", facts.client, CODE),
  ...row("Service", facts.service, CODE),
  ...row("Realm", facts.realm, CODE),
  ...row("Encryption", facts.encryption),
  ...row("Ticket encryption", facts.ticket_encryption),
  ...row("Weak encryption", facts.weak_encryption),
  ...row("Error", facts.error, CODE),
];

const dhcp: Reader<"dhcp"> = (facts) => [
  ...row("Message", facts.message_type),
  ...row("Client MAC", facts.client_mac, CODE),
  ...row("Host name", facts.host_name, CODE),
  ...row("Vendor class", facts.vendor_class),
  ...row("Client id", facts.client_id, CODE),
  ...row("Asked for", facts.requested_ip, CODE),
  ...row("Given", facts.assigned_ip, CODE),
  ...row("For", facts.lease_seconds === null ? null : formatSpan(facts.lease_seconds * 1000)),
  ...row("DHCP server", facts.server_ip, CODE),
  ...row("Routers", facts.routers.join(", "), CODE),
  ...row("DNS servers", facts.dns_servers.join(", "), CODE),
  ...row("Subnet mask", facts.subnet_mask, CODE),
];

type Translated = NonNullable<OfType<"export">["nat"]>["src"];
function translated({ ip, port }: Translated): string {
  if (port === null || port === 0) return ip;
  return ip.includes(":") ? `${ip} ${port}` : `${ip}:${port}`;
}

const TCP_FLAGS = ["FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"];

const exported: Reader<"export"> = ({ nat, sampling_rate, tcp_flags, input_interface, output_interface }) => [
  ...row("Source, translated", nat && translated(nat.src), CODE),
  ...row("Destination, translated", nat && translated(nat.dst), CODE),
  ...row("Sampled", sampling_rate === null ? null : `1 of ${formatExact(sampling_rate)} packets`),
  ...row("TCP flags", tcp_flags === null ? null : flagNames(tcp_flags), CODE),
  ...row("Input interface", input_interface),
  ...row("Output interface", output_interface),
];

function flagNames(flags: number): string {
  return TCP_FLAGS.filter((_, bit) => (flags >> bit & 1) === 1).join(" ") || "none";
}

/** A record's facts beyond its flow, most telling first; absent values are left out. */
export function factRows(facts: Facts): FactRow[] {
  switch (facts.type) {
    case "dns":
      return dns(facts);
    case "alert":
      return alert(facts);
    case "anomaly":
      return anomaly(facts);
    case "tls":
      return tls(facts);
    case "http":
      return http(facts);
    case "ssh":
      return ssh(facts);
    case "smb":
      return smb(facts);
    case "kerberos":
      return kerberos(facts);
    case "dhcp":
      return dhcp(facts);
    case "export":
      return exported(facts);
  }
}

/** Whether a certificate was outside its validity when it was presented; null if valid or unknown. */
export function certificateFault(facts: Facts, at: string): "expired" | "not valid yet" | null {
  if (facts.type !== "tls") return null;
  const time = Date.parse(at);
  if (facts.not_after !== null && time > Date.parse(facts.not_after)) return "expired";
  return facts.not_before !== null && time < Date.parse(facts.not_before) ? "not valid yet" : null;
}
