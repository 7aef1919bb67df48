// Bare words: what a word without a field is, and where it is looked for.

import { canonicalIp } from "../../kit/net/ip.ts";
import type { FieldName } from "./fields.ts";
import { leavesOf } from "./normalise.ts";
import type { Comparison, Condition, ResultKind } from "./tree.ts";
import { canonicalAddress, parseValue } from "./values.ts";

const BARE_TYPES = ["address", "port", "asn", "fingerprint", "id", "name", "text"] as const;
export type BareType = (typeof BARE_TYPES)[number];

const NAME = /^(?=[^.]*[\p{L}\p{N}_*])[\p{L}\p{M}\p{N}_*-]+(?:\.[\p{L}\p{M}\p{N}_*-]+)+\.?$/u;
/** A file such as `report.docx` is a name by its form, too; it is found as a text all the same. */
const FINGERPRINT_FIELDS = [
  "community_id",
  "ja4",
  "ja4s",
  "ja3",
  "ja3s",
  "hassh",
  "hassh_server",
  "certificate",
] as const;
const ID_FIELDS = ["flow", "device.id", "incident"] as const;
const NAME_FIELDS = ["server_name", "dns.query", "dns.answer", "http.host"] as const;

/** Texts of a flow, of devices and of incidents that a word is looked for in. */
const TEXT_FIELDS: Readonly<Record<ResultKind, readonly FieldName[]>> = {
  flows: [
    "proto",
    "service",
    "sensor",
    "intel",
    ...NAME_FIELDS,
    "http.path",
    "user_agent",
    "certificate.subject",
    "certificate.issuer",
    "ssh.client",
    "ssh.server",
    "user",
    "smb.file",
    "smb.share",
    "alert",
    "alert.category",
    "anomaly",
    "device",
    "owner",
    "tag",
  ],
  devices: ["device", "device.type", "owner", "tag"],
  incidents: ["title", "detector", "technique", "assignee", "device", "owner", "tag"],
};

/** What a bare word is by its form. */
export function bareType(word: string): BareType {
  if (canonicalAddress(word) !== null) return "address";
  if (/^:\d{1,5}$/.test(word) && Number(word.slice(1)) <= 65_535) return "port";
  if (/^as\d{1,10}$/i.test(word) && parseValue("asn", word, EXACT).ok) return "asn";
  if (FINGERPRINT_FIELDS.some((field) => parseValue(field, word, EXACT).ok)) return "fingerprint";
  if (parseValue("flow", word, EXACT).ok) return "id";
  if (
    (NAME.test(word) || /^(?=.*[\w-])(?=.*\*)[\w*-]+$/.test(word)) &&
    parseValue("server_name", word, PATTERN).ok
  ) {
    return "name";
  }
  return "text";
}

const EXACT = { op: "=", quoted: true } as const;
const PATTERN = { op: "matches", quoted: true } as const;

/** The fields in which a bare word is looked for in a search for a kind. */
export function bareFields(word: string, kind: ResultKind): FieldName[] {
  switch (bareType(word)) {
    case "address": {
      const answers: FieldName[] = isOneAddress(word) ? ["dns.answer"] : [];
      return kind === "flows" ? ["ip", ...answers] : ["device.ip", "ip", ...answers];
    }
    case "port":
      return ["port"];
    case "asn":
      return ["asn"];
    case "id":
      return [...ID_FIELDS];
    case "fingerprint":
      return FINGERPRINT_FIELDS.filter((field) => parseValue(field, word, EXACT).ok);
    case "name":
      return [...new Set<FieldName>([...NAME_FIELDS, "certificate.subject", "intel", ...TEXT_FIELDS[kind]])];
    case "text":
      return [...TEXT_FIELDS[kind]];
  }
}

function isOneAddress(word: string): boolean {
  return canonicalIp(canonicalAddress(word) ?? "") !== null;
}

/**
 * A bare word as an `any` of comparisons with fields, none of which is a bare word: equal or a pattern for names, a
 * part for texts.
 */
export function expandBare(word: string, kind: ResultKind): Condition {
  const type = bareType(word);
  const leaves = bareFields(word, kind).flatMap((field) => leafOf({ field, word, type }) ?? []);
  return leaves.length === 1 ? leaves[0]! : { any: leaves };
}

interface BareLeaf {
  field: FieldName;
  word: string;
  type: BareType;
}

function leafOf({ field, word, type }: BareLeaf): Comparison | null {
  const isName = (NAME_FIELDS as readonly FieldName[]).includes(field);
  let text = word;
  if (type === "port") text = word.slice(1);
  // A word is looked for anywhere in a name.
  else if (isName && type === "text") text = `*${word}*`;
  // A pattern is no part of a text, but what stands between its wildcards is.
  else if (!isName && type === "name") text = word.replace(/^[*.]+|[*.]+$/g, "");
  if (text === "" || (!isName && type === "name" && text.includes("*"))) return null;
  const parsed = parseValue(field, text, PATTERN);
  return parsed.ok ? { field, op: "matches", value: parsed.value } : null;
}

/** Words that mark a question and are never search terms: nouns for results, prepositions, articles and auxiliary verbs. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  ("flow flows connection connections session sessions traffic device devices host hosts machine machines incident " +
    "incidents alert alerts who whom what which when where whose how did does do is are was were has have had show " +
    "list find give all any every the a an our my me of in on at to from with without by for between than over under " +
    "above below that please")
    .split(" "),
);

/** The bare words of a text that belong to a question rather than to a filter: `devices`, `with` in `devices with risk > 70`. */
export function questionWords(
  spans: readonly { leaf: Comparison; from: number; to: number }[],
  text: string,
): string[] {
  return spans.filter(({ leaf }) => leaf.field === "any")
    .map(({ from, to }) => text.slice(from, to))
    .filter(isQuestionWord);
}

/** Whether a word belongs to a question rather than to a filter. */
export function isQuestionWord(word: string): boolean {
  return QUESTION_WORDS.has(word.toLowerCase());
}

/** Whether a filter can only be meant as one, not as a question: it names a field, or is empty. */
export function isFieldQuery(condition: Condition | null): boolean {
  return condition === null || leavesOf(condition).some(({ field }) => field !== "any");
}
