// The request of an analyst run: instructions that never change, and the incident as typed, truncated fields in JSON.

import type { EvidenceItem } from "../../contract/flow/flow.ts";
import type { IncidentDetail, ModelResult } from "../../contract/incident/incident.ts";
import type { RecordKind } from "../../contract/record/kinds.ts";
import { maskAddresses, replaceAddresses } from "../../kit/net/mask-addresses.ts";
import { clip } from "../incident/phrase.ts";
import { caseText } from "./case-text.ts";
import { cut, leadingName, Placeholders } from "./placeholders.ts";
import { type AnalystPlan, BYTES_PER_TOKEN, type PreparedRequest, TEMPLATE_TOKENS } from "./plan.ts";
import { PROMPT_VERSION, SYSTEM_PROMPT } from "./prompt.ts";

/** Characters of each field. */
const LENGTHS = {
  title: 240,
  summary: 1200,
  finding: 700,
  explanation: 500,
  detail: 160,
  name: 120,
  text: 300,
};
const MAX_DEVICES = 12;
const MAX_MEASURES = 4;
const MAX_DESTINATIONS = 4;
const MAX_FINDINGS_OF_EVIDENCE = 4;
/** Characters of a record's line that are examined; about twice of what is sent. */
const MAX_EXAMINED_OF_EVIDENCE = 640;
/** Addresses listed for one record whose text is withheld. */
const MAX_ADDRESSES = 4;
/** Share of the room that findings may take while there is evidence. */
const FINDINGS_SHARE = 0.6;

/** Records whose line states ends and volumes only, nothing that a peer has chosen. */
const FLOW_KINDS: ReadonlySet<RecordKind> = new Set(["zeek.conn", "suricata.flow", "netflow.flow"]);

/**
 * The request for an incident. The same incident and plan always give the same request. Evidence that does not fit into
 * `max_input_tokens` is omitted: of each finding the newest is kept first, and strong findings come before weak ones.
 */
export function prepareRequest(detail: IncidentDetail, plan: AnalystPlan): PreparedRequest {
  const room = plan.maxInputTokens * BYTES_PER_TOKEN - SYSTEM_PROMPT.length;
  const placeholders = placeholdersFor(detail, plan);
  const results = detail.model_results.toSorted((a, b) => b.score - a.score);
  const evidence = byRelevance(detail.evidence, results);
  const text = new CaseBuilder(room);

  text.set("incident", incidentFields(detail, placeholders));
  text.set("summary", clip(placeholders.text(detail.summary), LENGTHS.summary));
  text.list(
    "devices",
    devicesOf(detail).slice(0, MAX_DEVICES).map((name) => clip(placeholders.text(name), LENGTHS.name)),
    1,
  );
  const findings = results.map((result, at) => findingFields(at + 1, result, detail, placeholders));
  const sentFindings = text.list("findings", findings, evidence.length === 0 ? 1 : FINDINGS_SHARE);
  const items = evidence.values().map((item, at) => evidenceFields(at + 1, item, results, placeholders));
  const sent = text.list("evidence", items, 1);

  const omitted = detail.evidence.length - sent;
  text.set("omitted", {
    findings: results.length - sentFindings,
    evidence: omitted,
    evidence_no_longer_retained: detail.unresolved_evidence_ids.length,
  });
  const user = text.toString();
  // Both texts are ASCII: a character is a byte.
  const bytes = SYSTEM_PROMPT.length + user.length;
  return {
    promptVersion: PROMPT_VERSION,
    system: SYSTEM_PROMPT,
    user,
    evidenceIds: evidence.slice(0, sent).map(({ evidence_id }) => evidence_id),
    evidenceOmitted: omitted,
    placeholders: placeholders.usedIn(user),
    estimatedInputTokens: Math.ceil(bytes / BYTES_PER_TOKEN),
    worstInputTokens: bytes + TEMPLATE_TOKENS,
  };
}

/** Collects members of the case as long as they fit. */
class CaseBuilder {
  readonly #members: string[] = [];
  /** Bytes that are left; `omitted` is kept free. */
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes - 2 - OMITTED_BYTES;
  }

  /** Adds a member; one that does not fit is left out. */
  set(key: string, value: unknown): void {
    const member = `"${key}":${caseText(value)}`;
    if (key !== "omitted" && member.length + 1 > this.#left) return;
    this.#left -= member.length + 1;
    this.#members.push(member);
  }

  /** Adds a list with as many of the first entries as fit into a share of the room; returns their number. Takes no more entries. */
  list(key: string, entries: Iterable<unknown>, share: number): number {
    const most = this.#left * share - key.length - 6;
    const texts: string[] = [];
    let bytes = 0;
    for (const entry of entries) {
      const text = caseText(entry);
      if (bytes + text.length + 1 > most) break;
      bytes += text.length + 1;
      texts.push(text);
    }
    if (texts.length === 0) return 0;
    this.#left -= bytes + key.length + 6;
    this.#members.push(`"${key}":[${texts.join(",")}]`);
    return texts.length;
  }

  toString(): string {
    return `{${this.#members.join(",")}}`;
  }
}

const OMITTED_BYTES = 120;

function placeholdersFor(detail: IncidentDetail, plan: AnalystPlan): Placeholders {
  const placeholders = new Placeholders(new Set(plan.send));
  for (const name of devicesOf(detail)) placeholders.learn("device", name);
  for (const name of Object.values(detail.device_names)) placeholders.learn("device", name);
  for (const { destinations } of detail.model_results) {
    for (const { name } of destinations) if (name !== null) placeholders.learn("name", name);
  }
  return placeholders;
}

/** Names of the devices, the one first for which the incident was opened. */
function devicesOf({ device_ids, device_names }: IncidentDetail): string[] {
  return device_ids.flatMap((id) => Object.hasOwn(device_names, id) ? [device_names[id]!] : []);
}

function incidentFields(detail: IncidentDetail, placeholders: Placeholders) {
  return {
    title: clip(placeholders.text(detail.title), LENGTHS.title),
    severity: detail.severity,
    score: rounded(detail.score),
    status: detail.status,
    first_seen: detail.first_seen,
    last_seen: detail.last_seen,
  };
}

function findingFields(
  number: number,
  result: ModelResult,
  { device_names }: IncidentDetail,
  placeholders: Placeholders,
) {
  const device = result.device_id !== null && Object.hasOwn(device_names, result.device_id)
    ? device_names[result.device_id]!
    : null;
  const measures = [...result.sub_scores, ...result.modifiers]
    .filter(({ value }) => value !== 0)
    .toSorted((a, b) => Math.abs(b.value * b.weight) - Math.abs(a.value * a.weight));
  return {
    finding: number,
    detector: result.model_id,
    technique: result.technique ?? undefined,
    title: clip(placeholders.text(result.title), LENGTHS.title),
    device: device === null ? undefined : clip(placeholders.text(device), LENGTHS.name),
    score: rounded(result.score),
    confidence: rounded(result.confidence),
    first_seen: result.first_seen,
    last_seen: result.last_seen,
    summary: clip(placeholders.text(result.summary), LENGTHS.finding),
    explanation: clip(placeholders.text(result.explanation), LENGTHS.explanation),
    destinations: result.destinations.slice(0, MAX_DESTINATIONS).map(({ ip, name, port }) => ({
      address: ip === null ? undefined : placeholders.text(ip),
      name: name === null ? undefined : clip(placeholders.text(name), LENGTHS.name),
      port: port ?? undefined,
    })),
    measured: measures.slice(0, MAX_MEASURES).map(({ name, detail }) => ({
      name: clip(placeholders.text(name), LENGTHS.name),
      detail: clip(placeholders.text(detail), LENGTHS.detail),
    })),
  };
}

function evidenceFields(
  number: number,
  item: EvidenceItem,
  results: readonly ModelResult[],
  placeholders: Placeholders,
) {
  const findings = results.flatMap(({ evidence_ids }, at) =>
    evidence_ids.includes(item.evidence_id) ? [at + 1] : []
  );
  const isFlow = FLOW_KINDS.has(item.record_kind);
  const text = isFlow
    ? placeholders.text(item.summary, MAX_EXAMINED_OF_EVIDENCE)
    : placeholders.payload(item.summary, MAX_EXAMINED_OF_EVIDENCE);
  return {
    id: `e${number}`,
    at: item.observed_at,
    record: item.record_kind,
    kind: item.kind,
    trust: item.trust,
    findings: findings.slice(0, MAX_FINDINGS_OF_EVIDENCE),
    text: clip(text, LENGTHS.text),
    // What may be sent of a text that is withheld.
    ...(text.startsWith("[payload-") ? namesAndAddresses(item, placeholders) : {}),
  };
}

/** The server name and the addresses that a record's line states, each in the form of a name or an address and nothing else. */
function namesAndAddresses(item: EvidenceItem, placeholders: Placeholders) {
  const name = serverNameOf(item);
  const addresses: string[] = [];
  replaceAddresses(cut(item.summary, MAX_EXAMINED_OF_EVIDENCE), (address) => {
    if (addresses.length < MAX_ADDRESSES) addresses.push(placeholders.text(address));
    return "";
  });
  return {
    name: name === null ? undefined : placeholders.text(name),
    addresses: addresses.length === 0 ? undefined : addresses,
  };
}

/** Where the lines of records have the name of a server (domain/flow/fact-summary.ts). */
const NAME_BEFORE: Partial<Record<EvidenceItem["kind"], RegExp>> = {
  dns: /^(?:query )?\S{1,16} /,
  tls: /^\S{1,16}(?: \S{1,8})? to /,
  http: /^\S{1,32} /,
};

function serverNameOf({ kind, summary }: EvidenceItem): string | null {
  const before = NAME_BEFORE[kind]?.exec(summary)?.[0];
  if (before === undefined) return null;
  const name = leadingName(summary.slice(before.length));
  return name === null || maskAddresses(name, null) !== name ? null : name;
}

/**
 * Evidence in the order in which it is sent: the newest of each finding first, then the second newest of each, and so on; of
 * equal rank that of the strongest finding. Evidence of no finding comes last.
 */
function byRelevance(evidence: readonly EvidenceItem[], results: readonly ModelResult[]): EvidenceItem[] {
  const newest = evidence.toSorted((a, b) =>
    compare(b.observed_at, a.observed_at) || compare(a.evidence_id, b.evidence_id)
  );
  const rank = new Map<string, { round: number; finding: number }>();
  for (const [finding, { evidence_ids }] of results.entries()) {
    const cited = new Set(evidence_ids);
    for (const [round, { evidence_id }] of newest.filter((item) => cited.has(item.evidence_id)).entries()) {
      const known = rank.get(evidence_id);
      if (known === undefined || round < known.round) rank.set(evidence_id, { round, finding });
    }
  }
  const last = { round: evidence.length, finding: results.length };
  const rankOf = ({ evidence_id }: EvidenceItem) => rank.get(evidence_id) ?? last;
  // Sorting is stable: the rest stays newest first.
  return newest.toSorted((a, b) =>
    rankOf(a).round - rankOf(b).round || rankOf(a).finding - rankOf(b).finding
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
