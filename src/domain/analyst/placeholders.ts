// Placeholders for what a tenant does not send: `[device-1]`, `[name-2]`, `[address-3]`, `[payload-4]`.

import type { SentPart } from "../../contract/analyst/analyst-run.ts";
import { canonicalIp } from "../../kit/net/ip.ts";
import { replaceAddresses } from "../../kit/net/mask-addresses.ts";
import { plainLine } from "../../kit/plain-text.ts";

type Kind = "device" | "name" | "address" | "payload";

const PLACEHOLDER = /\[(device|name|address|payload)-(\d{1,6})\]/g;
/** A restored payload is cut to this, so that an answer that repeats one stays small. */
const MAX_RESTORED = 256;

/**
 * Stand around the number of a part that a rule has hidden, so that a later rule can hide it together with its surroundings.
 * Other private characters of a text are replaced.
 */
const [OPEN, CLOSE] = ["\ue000", "\ue001"];
const HIDDEN = /\ue000(\d+)\ue001/g;

const LABEL = "[\\p{L}\\p{N}_\\ue000](?:[\\p{L}\\p{N}_\\ue000\\ue001-]{0,62})";
/** A host or domain name with at least one dot and a top level that begins with a letter; also most file names. */
const DOTTED = new RegExp(
  `(?<![\\p{L}\\p{N}_\\ue000\\ue001-])(?:${LABEL}\\.)+[\\p{L}\\ue000][\\p{L}\\p{N}\\ue000\\ue001-]{1,62}`,
  "giu",
);
/** `ana@corp.example`, `CORP\ana`, `\\files\office`. */
const ACCOUNT = new RegExp(
  ["[NAME%+$]{1,64}@[NAME]{1,253}", "\\\\\\\\\\S+", "[NAME]{1,64}\\\\[NAME$]{1,64}"].join("|")
    .replaceAll("NAME", "\\p{L}\\p{N}\\ue000\\ue001._\\-"),
  "giu",
);
const URL_TEXT = /[a-z][a-z0-9+.-]{0,31}:\/\/\S*/giu;
const MAC = /(?<![0-9a-f:-])[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}(?![0-9a-f:-])/gi;
/** Characters of a text that the rules look at: their time grows with the square of it, and senders choose its length. */
const MAX_EXAMINED = 2048;
/** Shorter names are replaced only as whole words. */
const MIN_WITHIN_WORD = 4;

/** A part of a text that is not sent. */
interface Hidden {
  kind: Kind;
  original: string;
}

/** Replaces what is not sent, the same text always by the same placeholder. */
export class Placeholders {
  readonly #byText = new Map<string, string>();
  readonly #originals = new Map<string, string>();
  readonly #counts: Record<Kind, number> = { device: 0, name: 0, address: 0, payload: 0 };
  /** Names in lower case, longest first; null until it is needed again. */
  #known: RegExp | null = null;
  readonly #names = new Map<string, Kind>();

  constructor(private readonly send: ReadonlySet<SentPart>) {}

  /** Registers a name, so that every text replaces it. Addresses and empty texts are no names. */
  learn(kind: "device" | "name", name: string): void {
    const text = prepared(name).trim();
    if (text === "" || canonicalIp(text) !== null) return;
    const key = text.toLowerCase();
    if (this.#names.has(key)) return;
    this.#names.set(key, kind);
    this.#known = null;
  }

  /** One line of plain text without the parts that are not sent, of about the first `most` characters. */
  text(text: string, most = MAX_EXAMINED): string {
    const hidden: Hidden[] = [];
    const expand = (part: string): string =>
      part.replace(HIDDEN, (_, at) => expand(hidden[Number(at)]!.original));
    const hide = (kind: Kind, part: string) => {
      const original = expand(part);
      hidden.push({ kind: this.#names.get(original.toLowerCase()) ?? kind, original });
      return `${OPEN}${hidden.length - 1}${CLOSE}`;
    };
    let line = prepared(text).replace(PLACEHOLDER, "($1-$2)");
    if (!this.send.has("names")) {
      const known = this.#knownNames();
      if (known !== null) line = line.replace(known, (match) => hide("name", match));
      line = cut(line, most);
      line = line.replace(ACCOUNT, (match) => hide("name", match));
      line = line.replace(DOTTED, (match) => hide("name", match));
    }
    line = cut(line, most);
    if (!this.send.has("payloads")) {
      line = line.replace(quotedSpan(line), (match) => hide("payload", match));
      line = line.replace(URL_TEXT, (match) => hide("payload", match));
    }
    if (!this.send.has("addresses")) {
      line = line.replace(MAC, (match) => hide("address", match));
      line = replaceAddresses(line, (address) => hide("address", canonicalIp(address) ?? address));
    }
    return line.replace(HIDDEN, (_, at) => this.#placeholder(hidden[Number(at)]!));
  }

  /** A text that came from a record as a whole: a placeholder unless payloads are sent. */
  payload(text: string, most = MAX_EXAMINED): string {
    const line = prepared(text).trim();
    if (line === "") return "";
    return this.send.has("payloads")
      ? this.text(line, most)
      : this.#placeholder({ kind: "payload", original: line });
  }

  /** Originals of the placeholders in a text. */
  usedIn(text: string): Record<string, string> {
    const used = new Set([...text.matchAll(PLACEHOLDER)].map(([match]) => match));
    return Object.fromEntries([...this.#originals].filter(([placeholder]) => used.has(placeholder)));
  }

  #placeholder({ kind, original }: Hidden): string {
    const key = kind === "payload" ? `p${original}` : `n${original.toLowerCase()}`;
    const known = this.#byText.get(key);
    if (known !== undefined) return known;
    const placeholder = `[${kind}-${++this.#counts[kind]}]`;
    this.#byText.set(key, placeholder);
    this.#originals.set(placeholder, original);
    return placeholder;
  }

  #knownNames(): RegExp | null {
    if (this.#names.size === 0) return null;
    this.#known ??= new RegExp(
      [...this.#names.keys()].sort((a, b) => b.length - a.length).map(pattern).join("|"),
      "giu",
    );
    return this.#known;
  }
}

/** A host or domain name at the start of a text, up to 253 characters; null if there is none. */
export function leadingName(text: string): string | null {
  const match = new RegExp(DOTTED.source, "iu").exec(text.slice(0, 254));
  return match?.index === 0 && match[0].length <= 253 ? match[0] : null;
}

/** Puts the originals back; a placeholder without one stays. */
export function restore(text: string, placeholders: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (match) => {
    const original = Object.hasOwn(placeholders, match) ? placeholders[match]! : match;
    return original.length > MAX_RESTORED
      ? `${original.slice(0, MAX_RESTORED - 1)}…`.toWellFormed()
      : original;
  });
}

/** As `restore`, for the text of a filter: an original is one value, whatever it holds. */
export function restoreInFilter(
  text: string,
  placeholders: Readonly<Record<string, string>>,
  quote: (text: string) => string,
): string {
  return text.replace(
    /("?)(\[(?:device|name|address|payload)-\d{1,6}\])("?)/g,
    (match, before, one, after) => {
      if (!Object.hasOwn(placeholders, one)) return match;
      const value = quote(placeholders[one]!);
      // Only a placeholder that is all of a quoted value takes its quotes with it.
      return before !== "" && after !== "" ? value : `${before}${value}${after}`;
    },
  );
}

/** Ends a long text before the word at `most`, so that no part of a name remains. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, text.lastIndexOf(" ", most)))} …`;
}

/** One line of plain text without the characters that mark hidden parts. */
function prepared(text: string): string {
  return plainLine(text).replace(/[\ue000\ue001]/g, "\ufffd");
}

/**
 * Our sentences quote what comes from a record. The quoted text may hold quotes itself, so everything from the first to the
 * last one is hidden, and everything to the end if the last one was cut off.
 */
function quotedSpan(text: string): RegExp {
  const count = text.match(/["“”]/g)?.length ?? 0;
  return count % 2 === 0 ? /["“”].*["“”]/su : /["“”].*$/su;
}

function pattern(name: string): string {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return name.length >= MIN_WITHIN_WORD ? escaped : `(?<![\\p{L}\\p{N}_-])${escaped}(?![\\p{L}\\p{N}_-])`;
}
