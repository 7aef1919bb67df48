// A result's text without its device name, so that several can follow one name.
import { plainLine } from "../../kit/plain-text.ts";
import type { DetectorResult } from "../detect/kernel/result.ts";

const MAX_PHRASE = 110;

/**
 * Prepositions that are dropped together with the device name: `beaconing from WS-12 to …` becomes `beaconing
 * to …`.
 */
const LEADING = /(?:^|\s)(?:from|of|on|by|about|in|at)$/i;

/** The result's own phrase, or its title rewritten to follow the device name. */
export function phraseOf({ phrase, title }: DetectorResult, deviceName: string): string {
  if (phrase !== undefined && phrase.trim() !== "") return clip(phrase.trim(), MAX_PHRASE);
  const text = withoutName(title, deviceName).replace(/\s+/g, " ").trim();
  return clip(lowerFirst(text === "" ? title : text), MAX_PHRASE);
}

function withoutName(title: string, name: string): string {
  const at = name === "" ? -1 : indexOfName(title, name);
  if (at < 0) return title;
  const before = title.slice(0, at).trimEnd();
  const after = title.slice(at + name.length);
  if (before === "") return after.replace(/^ is (?=\S+(?:ed|ing)\b|being\b)/, " ");
  if (before.endsWith(":")) return `${before.slice(0, -1)},${after}`;
  const leading = LEADING.exec(before);
  // Keep a placeholder where the sentence needs an object: "attacks against WS-12".
  return leading === null ? `${before} it${after}` : `${before.slice(0, leading.index)}${after}`;
}

/** Whether a text names a device. */
export function namesDevice(text: string, name: string): boolean {
  return name !== "" && indexOfName(text, name) >= 0;
}

/** Index of the name as a whole word; `10.0.0.1` does not match in `10.0.0.15`. */
function indexOfName(title: string, name: string): number {
  for (let at = title.indexOf(name); at >= 0; at = title.indexOf(name, at + 1)) {
    const next = title[at + name.length];
    const boundary = (char: string | undefined) => char === undefined || !/[\p{L}\p{N}_-]/u.test(char);
    const continues = next === "." && !boundary(title[at + name.length + 1]);
    if (boundary(title[at - 1]) && title[at - 1] !== "." && boundary(next) && !continues) return at;
  }
  return -1;
}

/** `Beaconing` becomes `beaconing`; `DNS tunnel` stays. */
function lowerFirst(text: string): string {
  return /^\p{Lu}[\p{Ll}\s]/u.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
}

/**
 * Truncates to `length` characters, ending in "…" if shortened. Never splits a surrogate pair, and applies
 * `plainLine`, so that the text is safe to display and survives a round trip through the database.
 */
export function clip(text: string, length: number): string {
  const safe = plainLine(text);
  if (safe.length <= length) return safe;
  const cut = safe.slice(0, length - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
