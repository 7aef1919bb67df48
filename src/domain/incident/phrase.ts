// What a result says without the name of its device, so that several can follow one name.
import type { DetectorResult } from "../detect/kernel/result.ts";

const MAX_PHRASE = 110;

/** Words that lead to the device's name and go with it: `beaconing from WS-12 to …` is `beaconing to …`. */
const LEADING = /(?:^|\s)(?:from|of|on|by|about|in|at)$/i;

/** The result's own phrase, or its title as it goes on after the device's name. */
export function phraseOf({ phrase, title }: DetectorResult, deviceName: string): string {
  if (phrase !== undefined && phrase.trim() !== "") return clip(phrase.trim(), MAX_PHRASE);
  const text = withoutName(title, deviceName).replace(/\s+/g, " ").trim();
  return clip(startsLow(text === "" ? title : text), MAX_PHRASE);
}

function withoutName(title: string, name: string): string {
  const at = name === "" ? -1 : placeOf(title, name);
  if (at < 0) return title;
  const before = title.slice(0, at).trimEnd();
  const after = title.slice(at + name.length);
  if (before === "") return after.replace(/^ is (?=\S+(?:ed|ing)\b|being\b)/, " ");
  if (before.endsWith(":")) return `${before.slice(0, -1)},${after}`;
  const leading = LEADING.exec(before);
  // The name stands where the sentence cannot do without it: "attacks against WS-12".
  return leading === null ? `${before} it${after}` : `${before.slice(0, leading.index)}${after}`;
}

/** Where the name stands as a whole word; `10.0.0.1` is not in `10.0.0.15`. */
function placeOf(title: string, name: string): number {
  for (let at = title.indexOf(name); at >= 0; at = title.indexOf(name, at + 1)) {
    const next = title[at + name.length];
    const free = (char: string | undefined) => char === undefined || !/[\p{L}\p{N}_-]/u.test(char);
    const goesOn = next === "." && !free(title[at + name.length + 1]);
    if (free(title[at - 1]) && title[at - 1] !== "." && free(next) && !goesOn) return at;
  }
  return -1;
}

/** `Beaconing` is `beaconing`; `DNS tunnel` stays. */
function startsLow(text: string): string {
  return /^\p{Lu}[\p{Ll}\s]/u.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
}

/**
 * At most so many characters, the last one a sign that there was more. Halves no character, and has none that a
 * database refuses: a text that is read again must be the same.
 */
export function clip(text: string, length: number): string {
  const sound = storable(text);
  if (sound.length <= length) return sound;
  const cut = sound.slice(0, length - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** NUL and half characters become U+FFFD, as they do on their way into the database. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
