import { canonicalAddress } from "../../../../contract/filter/values.ts";
import { canonicalIp, parseCidr } from "../../../../kit/net/ip.ts";
import { longForm } from "./shorthand.ts";
import { singular } from "./vocabulary.ts";

/** What a token names by its form alone. */
export type TokenKind =
  | "word"
  | "quoted"
  | "address"
  | "name"
  | "fingerprint"
  | "asn"
  | "technique"
  | "number"
  | "size"
  | "duration"
  | "date"
  | "clock"
  | "port";

/** A part of the text; `from` and `to` are UTF-16 positions. */
export interface Token {
  kind: TokenKind;
  /** Lower case, except in quotes. */
  text: string;
  /** `text` in singular, as phrases are written. */
  singular: string;
  /** As typed. */
  typed: string;
  from: number;
  to: number;
  /** Number, bytes, seconds, or minutes of the day. */
  value?: number;
  /** A possessive: `maria's`. */
  possessive?: true;
  /** Whether the site has a device, an owner or a person of that name. */
  isKnown?: true;
}

const PIECES =
  /\b\d{1,2}(?::\d{2}|[ap]m)(?=-\d{1,2}(?::\d{2}|[ap]m))|(?<=\d(?::\d{2}|[ap]m))-(?=\d{1,2}(?::\d{2}|[ap]m))|\b(?:tcp|udp)(?=[/:]\d)|\b\d{1,3}(?:\.\d{1,3}){3}(?=:\d{1,5}\b)|\b\d{1,2}(?::\d{2})? (?:[ap]m|o'clock)\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) o'clock\b|\b[Nn]on-(?=\p{L})|"[^"]*"|“[^”]*”|'[^']+'(?![\w'])|[^\s,;?!"“”()<>]+?(?=[-=]+>)|[-=]+>|→|[<>]=?|[^\s,;?!"“”()<>]+|,/gu;

const SIZE = /^(\d+(?:\.\d+)?)(b|kb|mb|gb|tb|kib|mib|gib|tib|k|m|g)\+?$/;
const SIZE_UNITS: Record<string, number> = {
  b: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};
const DURATION = /^(\d+(?:\.\d+)?)(s|sec|secs|min|mins|h|hr|hrs|hours|d)$/;
const DURATION_UNITS: Record<string, number> = {
  s: 1,
  sec: 1,
  secs: 1,
  min: 60,
  mins: 60,
  h: 3600,
  hr: 3600,
  hrs: 3600,
  hours: 3600,
  d: 86_400,
};
const CLOCK = /^(\d{1,2})(?::(\d{2}))? ?(am|pm|o'clock)?$/;
const FINGERPRINT =
  /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[tqd]\d{2}[di]\d{4}[0-9a-z]{2}_[0-9a-f]{12}_[0-9a-f]{12})$/;
const NAME = /^(?:\*\.[a-z][a-z0-9-]+|(?:\*\.)?(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]+)$/;

/** Common ends of domains that are no common ends of files. */
const TOP_LEVEL =
  /^\.(?:com|net|org|info|biz|top|xyz|onion|club|local|lan|(?!js|gz|py|sh|so|ps|db|md)[a-z]{2})$/;

/** `IT` is a department, `it` a pronoun. */
export function isAbbreviation({ typed }: Token): boolean {
  return typed === "IT";
}

/** Splits a question into words and what stands out by its form: addresses, names, sizes, times. */
export function tokens(text: string): Token[] {
  return [...text.matchAll(PIECES)].flatMap(({ 0: typed, index }) => {
    const token = read(typed, index);
    if (token === null) return [];
    const words = token.kind === "word" ? longForm(token.text) ?? [token.text] : [token.text];
    return words.map((text) => ({ ...token, text, singular: singular(text) }));
  });
}

function read(typed: string, from: number): Omit<Token, "singular"> | null {
  if (/^["“']/.test(typed) && typed.length > 1) {
    const inner = typed.slice(1, -1).trim();
    return inner === "" ? null : { kind: "quoted", text: inner, typed, from, to: from + typed.length };
  }
  if (typed === ",") return { kind: "word", text: ",", typed, from, to: from + 1 };
  // A sentence's last point, and colons after an introduction.
  const bare = typed.replace(/[.:]+$/, "");
  if (bare === "") return null;
  if (/^(?:[-=]+>|→)$/.test(bare)) return { kind: "word", text: "to", typed, from, to: from + typed.length };
  // `28.11.` without a year is the last such day.
  const [, day, month] = /^(\d{1,2})\.(\d{1,2})\.$/.exec(typed) ?? [];
  if (month !== undefined && Number(month) <= 12 && Number(day) <= 31) {
    const text = `0000-${month.padStart(2, "0")}-${day!.padStart(2, "0")}`;
    return { kind: "date", text, typed: bare, from, to: from + bare.length };
  }
  const lower = bare.toLowerCase().replaceAll("’", "'");
  const common = { typed: bare, from, to: from + bare.length };
  const possessive = /^(.+?)(?:'s|s')$/.exec(lower);
  const stem = possessive === null ? lower : lower.endsWith("'s") ? lower.slice(0, -2) : lower.slice(0, -1);
  const token = { ...common, ...byForm(stem) };
  return possessive === null ? token : { ...token, possessive: true };
}

function byForm(text: string): Pick<Token, "kind" | "text" | "value"> {
  const address = addressOf(text);
  if (address !== null) return { kind: "address", text: address };
  const port = /^[:/](\d{1,5})$/.exec(text);
  if (port !== null && Number(port[1]) < 65_536) return { kind: "port", text, value: Number(port[1]) };
  if (/^as\d{1,10}$/.test(text)) return { kind: "asn", text, value: Number(text.slice(2)) };
  if (/^t\d{4}(?:\.\d{3})?$/.test(text)) return { kind: "technique", text: text.toUpperCase() };
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { kind: "date", text };
  // `11/24` is a date; `11/12` is ambiguous, so it is not read as one.
  const [, first = "", second = ""] = /^(\d{1,2})\/(\d{1,2})$/.exec(text) ?? [];
  const [least, most] = [Number(first), Number(second)].sort((a, b) => a - b) as [number, number];
  if (second !== "" && least >= 1 && least <= 12 && most > 12 && most <= 31) {
    return { kind: "date", text: `0000-${String(least).padStart(2, "0")}-${String(most).padStart(2, "0")}` };
  }
  // `28.11.2026`.
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(20\d{2})$/.exec(text) ?? [];
  if (year !== undefined) {
    return { kind: "date", text: `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}` };
  }
  if (/^\d+(?:\.\d+)?$/.test(text)) return { kind: "number", text, value: Number(text) };
  const size = SIZE.exec(text);
  if (size !== null) return { kind: "size", text, value: Number(size[1]) * SIZE_UNITS[size[2]!]! };
  const duration = DURATION.exec(text);
  if (duration !== null) {
    return { kind: "duration", text, value: Number(duration[1]) * DURATION_UNITS[duration[2]!]! };
  }
  const clock = clockOf(text);
  if (clock !== null) return { kind: "clock", text, value: clock };
  if (FINGERPRINT.test(text)) return { kind: "fingerprint", text };
  if (NAME.test(text)) return { kind: "name", text };
  // `anything to .ru`.
  if (TOP_LEVEL.test(text)) return { kind: "name", text: `*${text}` };
  return { kind: "word", text };
}

function addressOf(text: string): string | null {
  // `10.1.2` is a network; two numbers are more often a version.
  const canonical = canonicalIp(text) ??
    (/^\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text) ? canonicalAddress(text) : null);
  if (canonical !== null) return canonical;
  // `10.77.0.x`.
  const parts = text.split(".");
  const known = parts.filter((part) => /^\d{1,3}$/.test(part));
  if (/^\d{1,3}(?:\.\d{1,3}){0,2}(?:\.[x*]){1,3}$/.test(text) && parts.length === 4) {
    const network = `${[...known, "0", "0", "0"].slice(0, 4).join(".")}/${8 * known.length}`;
    return parseCidr(network) === null ? null : network;
  }
  return text.includes("/") && parseCidr(text) !== null ? text : null;
}

const HOURS = "one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Minutes of the day: `9am`, `17:30`, `five o'clock`. */
function clockOf(text: string): number | null {
  const named = / o'clock$/.test(text) ? HOURS.indexOf(text.split(" ")[0]!) : -1;
  if (named >= 0) return (named + 1) * 60;
  const match = CLOCK.exec(text);
  if (match === null || (match[2] === undefined && match[3] === undefined)) return null;
  const [, hours, minutes = "0", half] = match;
  let hour = Number(hours);
  if (half === "am" || half === "pm") {
    if (hour < 1 || hour > 12) return null;
    hour = hour % 12 + (half === "pm" ? 12 : 0);
  }
  return hour > 23 || Number(minutes) > 59 ? null : hour * 60 + Number(minutes);
}
