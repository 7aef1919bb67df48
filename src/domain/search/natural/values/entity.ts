import { countryCode } from "../../../../contract/filter/countries.ts";
import { countryByName, MAX_COUNTRY_WORDS } from "../words/country.ts";
import type { Token } from "../words/token.ts";
import { PHRASES, singular } from "../words/vocabulary.ts";

type EntityType = "address" | "name" | "asn" | "fingerprint" | "technique" | "port" | "country";

export interface Entity {
  type: EntityType;
  values: (string | number)[];
}

/** An entity at a position, with the number of tokens that name it. */
interface FoundEntity {
  type: EntityType;
  value: string | number;
  length: number;
  /** Whether two letters stand for a country. */
  isCode?: true;
}

/** Nouns after the name of a country that add nothing to it. */
const FOREIGN_HOSTS: ReadonlySet<string> = new Set(["server", "host", "address", "ip", "site", "website"]);

/** What is named at a position by its form or by a word list: an address, domain, port, country or network. */
export function entityAt(all: readonly Token[], at: number): FoundEntity | null {
  const token = all[at];
  if (token === undefined) return null;
  switch (token.kind) {
    case "address":
      return { type: "address", value: token.text, length: 1 };
    case "name":
      return { type: "name", value: token.text, length: 1 };
    case "asn":
      return { type: "asn", value: token.value!, length: 1 };
    case "fingerprint":
      return { type: "fingerprint", value: token.text, length: 1 };
    case "technique":
      return { type: "technique", value: token.text, length: 1 };
    case "port":
      return { type: "port", value: token.value!, length: 1 };
    case "word":
      return addressAt(all, at) ?? portAt(all, at) ?? asnAt(all, at) ?? countryAt(all, at) ??
        codeAt(all, at);
    case "number":
      // The second of `port 80 or 443`, and `tcp 3389`.
      if (followsPort(all, at) || isBarePort(all, at)) return portOf(token);
      // The second of `asn 13335 or 15169`.
      return /^(?:or|and|,)$/.test(all[at - 1]?.text ?? "") && all[at - 3]?.text === "asn"
        ? { type: "asn", value: token.value!, length: 1 }
        : null;
    default:
      return null;
  }
}

/** An address, name, country or another end; several joined by `or`, `and` or commas are one. */
export function entitiesAt(
  all: readonly Token[],
  at: number,
): { entity: Entity; isOwner: boolean; isBoth: boolean; isCode: boolean; length: number } | null {
  const first = entityAt(all, at);
  if (first === null) return null;
  let length = first.length;
  const values = [first.value];
  let isBoth = false;
  let isCode = first.isCode === true;
  for (;;) {
    const joint = all[at + length]?.text;
    if (joint !== "or" && joint !== "and" && joint !== ",") break;
    let skip = joint === "," && all[at + length + 1]?.text === "or" ? 2 : 1;
    // `russia or the uk`.
    if (all[at + length + skip]?.text === "the" && entityAt(all, at + length + skip) === null) skip++;
    const next = entityAt(all, at + length + skip);
    if (next === null || next.type !== first.type) break;
    values.push(next.value);
    isBoth ||= joint === "and";
    isCode ||= next.isCode === true;
    length += skip + next.length;
  }
  return {
    entity: { type: first.type, values },
    isBoth,
    isCode,
    isOwner: all[at + length - 1]?.possessive === true,
    length,
  };
}

/** Whether the number belongs to `port`, `tcp` or others of a list of ports before it. */
function followsPort(all: readonly Token[], at: number): boolean {
  const before = all[at - 1]?.text ?? "";
  if (["port", "ports", "tcp", "udp"].includes(before)) return true;
  const last = all[at - 2];
  if (!["or", "and", ","].includes(before)) return false;
  return last?.kind === "port" || ["or", "and", ","].includes(last?.text ?? "") && followsPort(all, at - 1) ||
    last?.kind === "number" && followsPort(all, at - 2);
}

/** Ports that are known by their number: `flows over 500` may be an amount. */
const COMMON_PORTS: ReadonlySet<number> = new Set([
  22,
  25,
  53,
  80,
  88,
  123,
  389,
  443,
  445,
  587,
  993,
  3389,
  5900,
  8080,
  8443,
]);

/** `10.0.0.5 on 443`: a number alone after `on`, at the end or before another preposition. */
function isBarePort(all: readonly Token[], at: number): boolean {
  const before = all[at - 1]?.text ?? "";
  const value = all[at]!.value!;
  return (before === "on" && value > 31 || /^(?:over|via)$/.test(before) && COMMON_PORTS.has(value)) &&
    (all[at + 1] === undefined ||
      /^(?:from|to|in|since|today|yesterday|last|this|with|by|and|or|,)$/.test(all[at + 1]!.text));
}

/** `ip 10.0.0.5`, `ip address 10.0.0.5`. */
function addressAt(all: readonly Token[], at: number): FoundEntity | null {
  const length =
    ["ip address", "address", "ip", "subnet"].find((text) => wordsAt(all, at, 2).join(" ").startsWith(text))
      ?.split(" ").length ?? 0;
  const token = all[at + length];
  return length > 0 && token?.kind === "address"
    ? { type: "address", value: token.text, length: length + 1 }
    : null;
}

function portAt(all: readonly Token[], at: number): ReturnType<typeof portOf> {
  if (singular(all[at]!.text) !== "port") return null;
  const port = portOf(all[at + 1]);
  return port && { ...port, length: 2 };
}

function asnAt(all: readonly Token[], at: number): { type: "asn"; value: number; length: number } | null {
  const words = wordsAt(all, at, 2);
  const length = words[0] === "asn" || words[0] === "as"
    ? 1
    : words.join(" ") === "autonomous system"
    ? 2
    : 0;
  const number = all[at + length];
  if (length === 0 || (number?.kind !== "number" && number?.kind !== "asn")) return null;
  return { type: "asn", value: number.value!, length: length + 1 };
}

function countryAt(
  all: readonly Token[],
  at: number,
): { type: "country"; value: string; length: number } | null {
  for (let length = MAX_COUNTRY_WORDS; length > 0; length--) {
    const words = all.slice(at, at + length);
    if (words.length < length || words.some(({ kind }) => kind !== "word")) continue;
    const name = words.map(({ text }) => text).join(" ");
    // `us` is a country in capitals only.
    if (name === "us" && words[0]!.typed !== "US") continue;
    const code = countryByName(name);
    // A `russian server` is none of the site's servers.
    const isHost = FOREIGN_HOSTS.has(wordsAt(all, at + length, 1)[0] ?? "");
    if (code !== null) return { type: "country", value: code, length: length + (isHost ? 1 : 0) };
  }
  return null;
}

/** Words before which two letters are a country: `to cn or ru`. */
const BEFORE_CODE: ReadonlySet<string> = new Set(
  "to from into towards toward with in country countries excluding except not but than outside".split(" "),
);
/** Codes that are words or abbreviations of the trade. */
const NO_CODES: ReadonlySet<string> = new Set(
  "ad ai am an as at be by dc do go id if in io ip is it la me my no of on or pa pm ps so sc sh st sy tc tv uk us va vc we"
    .split(" "),
);

/** The code of a country beside a preposition or another one, in small letters or capitals. */
function codeAt(all: readonly Token[], at: number): FoundEntity | null {
  const { text, typed } = all[at]!;
  const code = /^[a-z]{2}$/.test(text) ? countryCode(text) : null;
  const isWord = PHRASES.has(text) || NO_CODES.has(text);
  if (code === null || isWord && !(text === "us" && typed !== "Us")) return null;
  const before = all[at - 1]?.text ?? "";
  const isJoint = (word: string | undefined) => /^(?:or|and|,)$/.test(word ?? "");
  // `us` is a pronoun but for its neighbour: `excluding us and de`.
  const isPair = isJoint(all[at + 1]?.text) && isCode(all[at + 2]) || isJoint(before) && isCode(all[at - 2]);
  if (text === "us") return isPair ? { type: "country", value: code, length: 1, isCode: true } : null;
  const isPlaced = BEFORE_CODE.has(before) || isJoint(before) && at > 1 && codeAt(all, at - 2) !== null;
  return isPlaced ? { type: "country", value: code, length: 1, isCode: true } : null;
}

function isCode(token: Token | undefined): boolean {
  return token !== undefined && /^[a-z]{2}$/.test(token.text) && !NO_CODES.has(token.text) &&
    !PHRASES.has(token.text) && countryCode(token.text) !== null;
}

function portOf(token: Token | undefined): { type: "port"; value: number; length: number } | null {
  const isPort = token?.kind === "number" && Number.isInteger(token.value) && token.value! > 0 &&
    token.value! < 65_536;
  return isPort ? { type: "port", value: token.value!, length: 1 } : null;
}

/** The words from a position in singular; other kinds of tokens end them. */
export function wordsAt(all: readonly Token[], at: number, most: number): string[] {
  const words: string[] = [];
  for (const token of all.slice(Math.max(0, at), at + most)) {
    if (token.kind !== "word" && token.kind !== "number") break;
    words.push(token.possessive ? token.text : token.singular);
  }
  return words;
}
