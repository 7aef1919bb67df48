import { type FieldName, FIELDS } from "../../../../contract/filter/fields.ts";
import type { Comparison } from "../../../../contract/filter/tree.ts";
import { comparatorAt } from "./amount.ts";
import { FUNCTION_WORDS } from "./context.ts";
import type { Asked } from "../time/calendar.ts";
import { wordsAt } from "./entity.ts";
import { timeAt } from "../time/time.ts";
import { isAbbreviation, type Token } from "../words/token.ts";
import { PHRASES, singular } from "../words/vocabulary.ts";

/** A token as the value of a field. */
export function valueText(token: Token, field: FieldName): string {
  if (field === "device.type") return singular(token.text).replaceAll(/[ -]/g, "_");
  return FIELDS[field].type === "text" && token.kind === "word"
    ? token.typed.replace(/['’]s$/, "")
    : token.text;
}

/** Words between a field and its value: `user agent containing curl`, `owner is maria`. */
const BEFORE_VALUE = new Set([
  "containing",
  "contains",
  "like",
  "is",
  "=",
  ":",
  "matching",
  "with",
  "the",
  "named",
  "called",
]);

/** The values of a field at a position, joined by `or` or commas, with the number of tokens. */
export function valuesAt(
  all: readonly Token[],
  start: number,
  field: FieldName,
  asked: Asked,
): { values: (string | number)[]; isBoth: boolean; length: number } {
  const values: (string | number)[] = [];
  let at = start;
  if (BEFORE_VALUE.has(all[at]?.text ?? "")) at++;
  // A joint belongs to the list only if a value follows it.
  let end = at;
  let isBoth = false;
  for (;;) {
    const token = all[at];
    const vlan = field === "vlan" ? vlanNameAt(all, at, asked) : null;
    if (token === undefined || vlan === null && isGrammar(token)) break;
    if (timeAt(all, at, asked) !== null) break;
    // `users failed to log in`, `file shares`, `user activity`.
    const effect = token.kind === "word" && !/^\p{Lu}/u.test(token.typed)
      ? PHRASES.get(singular(token.typed.toLowerCase()))
      : undefined;
    if (vlan === null && effect !== undefined && ["kind", "topic", "value"].some((part) => part in effect)) {
      break;
    }
    // `issuer let's encrypt`.
    // `signature ET MALWARE`.
    const isName = isCapital(token) && isCapital(all[at + 1]) ||
      field === "alert" && [token, all[at + 1]].every((one) => /^\p{Lu}{2,}/u.test(one?.typed ?? "")) ||
      token.possessive === true && field === "certificate.issuer" && all[at + 1]?.kind === "word";
    const further = isName ? ` ${valueText(all[at + 1]!, field)}` : "";
    const isNumber = field === "vlan" && token.kind === "number";
    const text = further === "" ? valueText(token, field) : token.typed + further;
    values.push(vlan?.name ?? (isNumber ? token.value! : text));
    at += vlan?.length ?? (further === "" ? 1 : 2);
    end = at;
    const joint = all[at]?.text ?? "";
    // `vlans 20 and 30`, but not `user root and port 22`.
    const isList = joint === "or" || joint === "," ||
      joint === "and" && field === "vlan" && isNumber && all[at + 1]?.kind === "number";
    // `vlan 20 or printers`.
    if (!isList || isNumber && all[at + 1]?.kind !== "number") break;
    isBoth ||= joint === "and";
    at++;
  }
  return { values, isBoth, length: end - start };
}

/** The name of one of the site's VLANs, or it with a plural or without. */
export function vlanNameAt(
  all: readonly Token[],
  at: number,
  { vlans = [] }: Asked,
  form: (word: string) => string = (word) => word,
): { name: string; length: number } | null {
  for (const name of vlans) {
    const words = name.toLowerCase().split(/\s+/).map(form);
    const named = all.slice(at, at + words.length).map(({ text }) => form(text));
    if (named.join(" ") === words.join(" ")) return { name, length: words.length };
  }
  return null;
}

const VLAN_NOUNS = ["vlan", "network", "segment", "subnet", "wifi", "wi-fi", "wlan", "lan"];

/** `guests`, `the office network`, `vlan servers`: a name that is also a common word needs the noun. */
export function vlanAt(
  all: readonly Token[],
  at: number,
  asked: Asked,
): { vlan: string; hasNoun: boolean; length: number } | null {
  const before = VLAN_NOUNS.includes(all[at]?.text ?? "") ? 1 : 0;
  const exact = vlanNameAt(all, at + before, asked);
  // `the guest network`.
  const found = exact ?? vlanNameAt(all, at + before, asked, singular);
  if (found === null) return null;
  const { name: vlan, length } = found;
  const after = VLAN_NOUNS.includes(all[at + before + length]?.text ?? "") ? 1 : 0;
  const isCommon = exact === null || PHRASES.has(wordsAt(all, at + before, length).join(" ")) ||
    all[at + before]!.kind !== "word";
  const hasNoun = before + after > 0;
  // `new devices in Servers`.
  const isWord = isCommon && !hasNoun;
  if (isWord && (at === 0 || exact === null || all[at]!.typed !== vlan)) return null;
  return { vlan, hasNoun, length: before + length + after };
}

/** Whether it is written as the first or last name of a person: `Ada Analyst`. */
function isCapital(token: Token | undefined): boolean {
  return token?.kind === "word" && /^\p{Lu}\p{Ll}/u.test(token.typed);
}

/** `risk above 40`, `sid 2027865`, `score is at least 60`. */
export function numberAt(
  all: readonly Token[],
  start: number,
): { op: Comparison["op"]; value: number | number[]; length: number } | null {
  const [low, joint, high] = all.slice(start + 1, start + 4);
  if (
    all[start]?.text === "between" && joint?.text === "and" && low?.kind === "number" &&
    high?.kind === "number"
  ) {
    return { op: "range", value: [low.value!, high.value!], length: 4 };
  }
  const bound = comparatorAt(all, start);
  let at = start + (bound?.length ?? 0);
  if (bound === null && ["is", "of", "=", ":"].includes(all[at]?.text ?? "")) at++;
  const late = bound ?? comparatorAt(all, at);
  if (bound === null && late !== null) at += late.length;
  const token = all[at];
  if (token?.kind !== "number") return null;
  return { op: late?.op ?? "=", value: token.value!, length: at + 1 - start };
}

/** Words that join others, and so are no value. */
export function isGrammar(token: Token): boolean {
  const { kind, text } = token;
  if (isAbbreviation(token)) return false;
  if (kind === "word" && FUNCTION_WORDS.has(text)) return true;
  const effect = kind === "word" ? PHRASES.get(text) : undefined;
  return effect !== undefined &&
    ("fill" in effect || "role" in effect || "negate" in effect || "verb" in effect);
}

/** A time so many milliseconds ago, as filters spell it. */
export function ago(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds % 86_400 === 0 ? `-${seconds / 86_400}d` : `-${seconds}s`;
}
