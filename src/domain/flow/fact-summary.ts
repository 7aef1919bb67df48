import { duration, size } from "../../kit/text.ts";
import { formatMillis } from "../../kit/time.ts";
import type {
  AlertFacts,
  AnomalyFacts,
  DhcpFacts,
  DnsFacts,
  ExportFacts,
  HttpFacts,
  KerberosFacts,
  SmbFacts,
  SshFacts,
  TlsFacts,
} from "../record/facts.ts";
import { endpoint, plain } from "./units.ts";

// One plain line for each type of facts. Missing values are omitted.

type Part = string | null | false;

function joined(parts: readonly Part[], separator = ", "): string {
  return parts.filter((part) => part !== null && part !== false && part !== "").join(separator);
}

/** `A www.example.com → 192.0.2.80` */
export function dnsLine(facts: DnsFacts): string {
  const question = `${facts.qtype ?? "?"} ${facts.query === null ? "(no name)" : plain(facts.query)}`;
  if (!facts.answered) return `query ${question}`;
  if (facts.rcode !== null && facts.rcode !== "NOERROR") return `${question}: ${facts.rcode}`;
  if (facts.answers.length === 0) return `${question}: no answer data`;
  const shown = facts.answers.slice(0, 3).map(plain).join(", ");
  const rest = facts.answers.length - 3;
  return `${question} → ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** `ET MALWARE Beacon (A Network Trojan was detected, priority 1, allowed)` */
export function alertLine(facts: AlertFacts): string {
  const notes = joined([
    facts.category,
    facts.priority === null ? null : `priority ${facts.priority}`,
    facts.action,
  ]);
  return notes === "" ? facts.signature : `${facts.signature} (${notes})`;
}

/** `anomaly APPLAYER_DETECT_PROTOCOL_ONLY_ONE_DIRECTION (applayer, proto_detect, smtp)` */
export function anomalyLine({ anomalyType, event, layer, appProto }: AnomalyFacts): string {
  return `anomaly ${plain(event)} (${
    joined([anomalyType, layer, appProto].map((text) => text && plain(text)))
  })`;
}

/** `TLS 1.2 to www.example.com, certificate CN=www.example.com of CN=R3, valid until 2026-03-01` */
export function tlsLine(facts: TlsFacts): string {
  const { version, serverName, validation } = facts;
  return joined([
    `${version ?? "TLS"}${serverName === null ? ", no server name" : ` to ${plain(serverName)}`}`,
    certificate(facts),
    facts.notAfter === null ? null : `valid until ${formatMillis(facts.notAfter).slice(0, 10)}`,
    validation === null || validation === "ok" ? null : plain(validation),
    facts.resumed === true && "resumed",
    facts.established === false && "not established",
  ]);
}

function certificate({ subject, issuer }: TlsFacts): Part {
  if (subject === null) return issuer === null ? null : `certificate of ${plain(issuer)}`;
  if (subject === issuer) return `certificate ${plain(subject)}, issued by itself`;
  return `certificate ${plain(subject)}${issuer === null ? "" : ` of ${plain(issuer)}`}`;
}

/** `GET www.example.com/index.html → 200 text/html, 1.2 kB in, curl/8.5.0` */
export function httpLine(facts: HttpFacts): string {
  const { method, host, uri, status, requestBytes, responseBytes } = facts;
  const target = plain(`${host ?? ""}${uri ?? ""}`);
  const answer = status === null ? null : `→ ${status}`;
  const type = facts.contentType === null ? null : plain(facts.contentType);
  return joined([
    joined([method === null ? "HTTP" : plain(method), target, answer, type], " "),
    requestBytes === null || Number(requestBytes) === 0 ? null : `${size(requestBytes)} out`,
    responseBytes === null ? null : `${size(responseBytes)} in`,
    facts.username === null ? null : `user ${plain(facts.username)}`,
    facts.userAgent === null ? null : plain(facts.userAgent),
  ]);
}

/** `SSH 2, OpenSSH_9.2 → OpenSSH_7.6p1, logged in after 2 attempts` */
export function sshLine({ version, clientSoftware, serverSoftware, ...facts }: SshFacts): string {
  const [client, server] = [clientSoftware, serverSoftware].map((text) => text === null ? "?" : plain(text));
  const attempts = facts.authAttempts ?? 0;
  const counted = attempts === 0 ? "" : ` after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  return joined([
    version === null ? "SSH" : `SSH ${version}`,
    (clientSoftware ?? serverSoftware) !== null && `${client} → ${server}`,
    facts.authSuccess === null ? null : `${facts.authSuccess ? "logged in" : "not logged in"}${counted}`,
  ]);
}

/** `SMB 3.11 SMB2_COMMAND_CREATE \\files\office budget.xlsx: STATUS_SUCCESS, CORP\ana from WS-77` */
export function smbLine(facts: SmbFacts): string {
  const { user, domain, host, status, rpcInterface, rpcOperation } = facts;
  const account = user === null ? null : domain === null ? user : `${domain}\\${user}`;
  const parts = [facts.command, facts.share, facts.namedPipe, facts.filename].map((text) =>
    text && plain(text)
  );
  const call = rpcInterface === null || rpcOperation === null ? null : `${rpcInterface} call ${rpcOperation}`;
  const head = joined([facts.dialect === null ? "SMB" : `SMB ${facts.dialect}`, ...parts, call], " ");
  return joined([
    status === null ? head : `${head}: ${status}`,
    joined([account && plain(account), host && `from ${plain(host)}`], " "),
  ]);
}

/** `TGS-REP ana@CORP.EXAMPLE for cifs/files.corp.example, rc4-hmac (weak)` */
export function kerberosLine(facts: KerberosFacts): string {
  const { client, realm, service, error } = facts;
  const principal = client === null || realm === null ? client ?? realm : `${client}@${realm}`;
  const encryption = facts.ticketEncryption ?? facts.encryption;
  const head = joined([
    facts.messageType === null ? "Kerberos" : `Kerberos ${facts.messageType}`,
    error && plain(error),
    principal && plain(principal),
    service && `for ${plain(service)}`,
  ], " ");
  return joined([
    head,
    encryption && `${plain(encryption)}${facts.weakEncryption ? " (weak)" : ""}`,
  ]);
}

/** `DHCP ack 192.0.2.77 to 9c:b6:d0:1a:2b:3c (ws-77) for 24 h, by 192.0.2.1` */
export function dhcpLine(facts: DhcpFacts): string {
  const { clientMac, hostName, leaseSeconds, serverIp } = facts;
  const ip = facts.assignedIp ?? facts.requestedIp;
  const isReply = facts.assignedIp !== null;
  const head = joined([
    facts.messageType === null ? "DHCP" : `DHCP ${plain(facts.messageType)}`,
    ip,
    clientMac && `${isReply ? "to" : "from"} ${clientMac}`,
    hostName && `(${plain(hostName)})`,
    leaseSeconds === null ? null : `for ${duration(leaseSeconds)}`,
  ], " ");
  return joined([head, serverIp && `by ${serverIp}`]);
}

const TCP_FLAGS = ["FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"];

/**
 * What an exporter's record adds to a flow's line: `translated to 203.0.113.9:40000 → 192.0.2.7:443`, `1 of
 * 100 sampled`.
 */
export function exportParts(facts: ExportFacts): string[] {
  const flags = TCP_FLAGS.filter((_, bit) => ((facts.tcpFlags ?? 0) >> bit & 1) === 1);
  return [
    facts.nat === null ? "" : `translated to ${endpoint(facts.nat.src)} → ${endpoint(facts.nat.dst)}`,
    facts.samplingRate === null ? "" : `1 of ${facts.samplingRate} sampled`,
    flags.join(" "),
  ].filter((part) => part !== "");
}
