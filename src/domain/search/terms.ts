import type { TermKind } from "../../contract/filter/field.ts";
import { canonicalIp } from "../../kit/net/ip.ts";
import { statedName } from "../flow/server-name.ts";
import type { AlertFacts, HttpFacts, SmbFacts, SshFacts, TlsFacts } from "../record/facts.ts";
import { logonOutcome } from "../record/logon-outcome.ts";
import type { Observation } from "../record/observation.ts";

/** Longer texts are cut in the dictionary; a filter's value has the same limit (`FILTER_LIMITS.valueLength`). */
export const MAX_TERM_LENGTH = 512;

/** Names, whose suffixes are searched. */
export const NAME_KINDS: ReadonlySet<TermKind> = new Set<TermKind>([
  "server_name",
  "dns_query",
  "dns_answer",
  "http_host",
]);

/** Takes a searchable text as the record spells it. */
type Add = (kind: TermKind, text: string) => void;

/**
 * Calls `add` with the searchable texts of a record, in the order of the record's fields; a text of a DNS answer may come
 * twice. `termText` gives the form in which they are compared.
 *
 * - A name, fingerprint or address is as normalised with the record: lower case, without a trailing dot or colons.
 * - A TLS version is without `TLS`: `1.2`, but `SSL 3.0`.
 * - A user is the account alone, without domain or realm.
 * - `logon` is `failed` or `succeeded` (`logonOutcome`).
 */
export function forEachTerm(observation: Observation, add: Add): void {
  const { facts } = observation;
  if (facts === null) return;
  switch (facts.type) {
    case "dns":
      put(add, "dns_query", facts.query);
      put(add, "dns_type", facts.qtype);
      put(add, "dns_rcode", facts.rcode);
      for (const answer of facts.answers) put(add, "dns_answer", answer);
      return;
    case "tls":
      put(add, "server_name", statedName(observation)?.name ?? null);
      return addTls(facts, add);
    case "http":
      put(add, "server_name", statedName(observation)?.name ?? null);
      addHttp(facts, add);
      break;
    case "ssh":
      addSsh(facts, add);
      break;
    case "smb":
      addSmb(facts, add);
      break;
    case "kerberos":
      put(add, "user", facts.client);
      break;
    case "alert":
      return addAlert(facts, add);
    case "anomaly":
      return put(add, "anomaly", facts.event);
    default:
      return;
  }
  put(add, "logon", logonOutcome(facts));
}

function put(add: Add, kind: TermKind, text: string | null): void {
  if (text !== null && text !== "") add(kind, text);
}

function addTls(facts: TlsFacts, add: Add): void {
  put(add, "tls_version", facts.version);
  put(add, "ja3", facts.ja3);
  put(add, "ja3s", facts.ja3s);
  put(add, "ja4", facts.ja4);
  put(add, "ja4s", facts.ja4s);
  put(add, "certificate", facts.fingerprint);
  put(add, "certificate_subject", facts.subject);
  put(add, "certificate_issuer", facts.issuer);
}

function addHttp(facts: HttpFacts, add: Add): void {
  put(add, "http_host", facts.host);
  put(add, "http_path", facts.uri);
  put(add, "http_method", facts.method);
  put(add, "http_status", facts.status === null ? null : String(facts.status));
  put(add, "user_agent", facts.userAgent);
  put(add, "user", facts.username);
}

function addSsh(facts: SshFacts, add: Add): void {
  put(add, "ssh_client", facts.clientSoftware);
  put(add, "ssh_server", facts.serverSoftware);
  put(add, "hassh", facts.hassh);
  put(add, "hassh_server", facts.hasshServer);
}

function addSmb(facts: SmbFacts, add: Add): void {
  put(add, "smb_share", facts.share);
  put(add, "smb_file", facts.filename);
  put(add, "user", facts.user);
}

function addAlert(facts: AlertFacts, add: Add): void {
  put(add, "alert", facts.signature);
  put(add, "alert_id", facts.signatureId === null ? null : String(facts.signatureId));
  put(add, "alert_category", facts.category);
}

/** Fingerprints are written with colons, too. */
const FINGERPRINT_KINDS: ReadonlySet<TermKind> = new Set<TermKind>([
  "ja3",
  "ja3s",
  "certificate",
  "hassh",
  "hassh_server",
]);

/**
 * A whole text as it is compared, a record's or a filter's: in lower case, cut to `MAX_TERM_LENGTH`, and for some kinds
 * in its canonical form (`nameText`) or without what is not significant (the dot after a name, colons in a fingerprint, `TLS` before a version).
 */
export function termText(kind: TermKind, text: string): string {
  const folded = shownTerm(kind, text).toLowerCase();
  return cut(NAME_KINDS.has(kind) ? nameText(folded) : folded);
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * A name in lower case as names are compared, a pattern's included: an address in its canonical text, as sensors spell
 * out IPv6 (`2001:0db8:0000:...`), and labels of other letters as DNS has them (`bücher` is `xn--bcher-kva`).
 */
export function nameText(name: string): string {
  if (name.includes(":")) return canonicalIp(name) ?? name;
  return ASCII.test(name) ? name : name.split(".").map(labelText).join(".");
}

function labelText(label: string): string {
  const [, before = "", letters = "", after = ""] = /^(\**)(.*?)(\**)$/s.exec(label) ?? [];
  if (ASCII.test(letters) || letters.includes("*")) return label;
  const host = URL.parse(`http://${letters}`)?.hostname ?? "";
  // What is no label of a host stays as it is.
  return /^[a-z0-9_-]+$/.test(host) ? before + host + after : label;
}

/** As `termText`, but in the letter case given. */
export function shownTerm(kind: TermKind, text: string): string {
  const shown = significant(kind, text);
  const isDotted = NAME_KINDS.has(kind) && shown.length > 1 && shown.endsWith(".");
  return cut(isDotted ? shown.slice(0, -1) : shown);
}

/** A part of a text as it is compared with `termText`: a beginning, an end, or what the text contains. */
export function termPart(kind: TermKind, part: string): string {
  return significant(kind, part).toLowerCase();
}

function significant(kind: TermKind, text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  if (kind === "tls_version") return wellFormed.replace(/^tls\s*v?(?=\d)/i, "");
  return FINGERPRINT_KINDS.has(kind) ? wellFormed.replaceAll(":", "") : wellFormed;
}

/** The characters in reverse order, so that a suffix becomes a prefix. */
export function reversedText(text: string): string {
  return [...text].reverse().join("");
}

/** Cuts a long text, but never between the two halves of a character. */
function cut(text: string): string {
  if (text.length <= MAX_TERM_LENGTH) return text;
  const end = text.charCodeAt(MAX_TERM_LENGTH - 1) >> 10 === 0xd800 >> 10
    ? MAX_TERM_LENGTH - 1
    : MAX_TERM_LENGTH;
  return text.slice(0, end);
}
