import { describeCondition } from "../../../contract/filter/describe.ts";
import { FIELD_LABELS, type FieldName, FIELDS } from "../../../contract/filter/fields.ts";
import { leavesOf } from "../../../contract/filter/normalise.ts";
import type { ResultKind } from "../../../contract/filter/tree.ts";
import type { ReadPart } from "./rules/reading.ts";
import { isSubtle } from "./subtle.ts";
import type { Understood } from "./understand.ts";
import { phraseAt } from "./values/context.ts";
import { misspelt } from "./words/spelling.ts";
import { type Token, tokens } from "./words/token.ts";
import { PHRASES } from "./words/vocabulary.ts";

// The grammar reads words in any order, so an order that it was not made for has an answer, too. A frame is an order of
// parts of speech whose answer is the one that is meant. A question in no frame is answered with what was read.

/** Letters of the parts of speech; parts without a letter are in no frame. */
const LETTERS: Readonly<Record<string, string>> = {
  "how much": "c",
  "how many": "c",
  "the most traffic": "b",
  "the most, after a verb": "b",
  "the most of something": "b",
  "ports of a server": "r",
  "values over time": "g",
  "the most incidents": "b",
  "which values": "r",
  "the measure of a ranking": "g",
  "not seen for a time": "a",
  "not seen since a time": "a",
  "a TLS version": "m",
  "a bounded amount": "a",
  "a time": "t",
  "a severity": "m",
  "an age": "a",
  "the name of a VLAN": "l",
  "between two ends": "E",
  "between two VLANs": "E",
  "an end": "e",
  "a port of a side": "f",
  "a name that was resolved": "v",
  "between two names": "E",
  "a name in its place": "e",
  "a quoted text or a word with digits": "e",
  "all of them": "",
  "a value before its noun": "m",
  "an HTTP status": "m",
  "or higher, after the noun": "a",
  my: "m",
  "and, or": "j",
};

const WORDS: Readonly<Record<string, string>> = {
  which: "w",
  what: "w",
  did: "d",
  does: "d",
  do: "d",
  has: "h",
  have: "h",
  having: "h",
  had: "h",
  with: "h",
  that: "q",
  who: "w",
  is: "i",
  are: "i",
  was: "i",
  were: "i",
  been: "i",
  we: "u",
  us: "u",
  the: "",
  a: "",
  an: "",
  any: "",
  our: "",
  this: "",
  please: "",
  yet: "",
  made: "",
  triggered: "",
  generated: "",
  attempts: "",
  attempt: "",
  "do we have": "",
  "in the network": "",
  "in network": "",
  "on the network": "",
  "in our network": "",
  "on our network": "",
};

/** Words that ask for a list, at the beginning. */
const LEAD =
  /^(?:show|list|find|give|display|get|search|see|tell)(?: me)?(?: only)?$|^(?:is|are|was|were) there$|^(?:do we|do i) have$|^(?:can|could) i see$|^i(?: want| need|'d like| would like)(?: to see)?$|^(?:search|look) for$|^(?:can|could) you$/;
/** What a noun phrase consists of: `critical open incidents`, `ssh or telnet`, `maria's log-ons`, `office printers`. */
const NOUN = "s?(?:m(?:jm)*|y|l)*(?:k|m|y)";
/** What stands right after the noun that it belongs to: `of 10.0.0.5`, `with a certificate`. */
const OWN = "(?:P(?:e|f|l|m(?:jm)?|u|y|sy)|n?h(?:f|F|a))?";
/** What narrows the first noun: `to russia`, `over 5 MB`, `without an owner`, `by country`, `under investigation`. */
const NARROWING = "(?:n?(?:p(?:e|f|l|o|m(?:jm)?|u|y)|V(?:f|m(?:jm)?)|E|f|a)|n(?:e|m|F)|m|g)";
const OBJECT = "(?:e|o|f|l|u|m|y)";

/** The usual orders of parts of speech, by letters. */
export const FRAMES: readonly RegExp[] = [
  // `which incidents of 10.0.0.5`, `how many ssh flows to russia`
  `[cw]?${NOUN}${OWN}${NARROWING}*`,
  // `how much data did 10.0.0.5 send to russia`
  `c(?:[pP]${OBJECT}|d?[elu]v${OBJECT}?)?${NARROWING}*`,
  // `which devices contacted russia over ssh`
  `d?w?[ky]?[qdhi]?v${OBJECT}${NARROWING}*`,
  // `what did 10.0.0.5 contact`
  `wd[elu](?:d|v)${NARROWING}*`,
  // `top destinations of 10.0.0.5`, `which countries did we contact`
  `r(?:d[elu]v|P${NOUN})?${OWN}${NARROWING}*`,
  // `10.0.0.5 contacted russia`
  `[elu]v${OBJECT}${NARROWING}*`,
  // `devices with open incidents`
  `w?${NOUN}q?hn?(?:${NOUN}|f|F|a)${NARROWING}*`,
  // `who has the most incidents`
  `w[hi]?b${NARROWING}*`,
  // `everything from 10.0.0.5`
  `A(?:P${OBJECT}|${NARROWING})${NARROWING}*`,
  // `what is unassigned`, `incidents that are not closed`
  `[wc]?(?:${NOUN}q?)?in?(?:m|f)`,
  // `risk above 60`, `certificates issued by DigiCert`, `not ssh`
  "F?f+|nm",
].map((frame) => new RegExp(`^(?:${frame})$`));

/** What was read of a question, as a note; null if a note states it, or the order of its words is one of the usual ones. */
export function readingNote(text: string, answer: Understood, frames = FRAMES): string | null {
  const letters = lettersOf(text, answer.parts);
  const isKnown = letters !== null && frames.some((frame) => frame.test(letters));
  const isPlain = !isMixed(letters ?? "", answer) && !isSubtle(answer.filter, /[vh]/.test(letters ?? ""));
  // An assumption states the reading of an unusual order of words; it does not explain a filter that is easily mistaken.
  const isStated = isKnown || answer.notes.some((note) => note.startsWith("Assumed: "));
  return isPlain && isStated ? null : readAs(answer);
}

/** A letter for each part that matters; null if one of them is in no frame. */
function lettersOf(text: string, parts: readonly ReadPart[]): string | null {
  const all = tokens(text);
  let letters = "";
  for (const part of parts) {
    const letter = letterOf(part, all, letters);
    if (letter === null) return null;
    letters += letter;
  }
  return letters.replaceAll("t", "");
}

function letterOf(part: ReadPart, all: readonly Token[], before: string): string | null {
  if (part.rule === "ranked or grouped values") {
    return /^(?:by|per|grouped|broken|for)\b/.test(part.text) ? "g" : "r";
  }
  const words = all.filter(({ from, to }) => from >= part.from && to <= part.to);
  const letter = LETTERS[part.rule];
  if (letter === "e" && words.at(-1)?.possessive === true) return "s";
  if (letter !== undefined) return letter;
  const found = part.rule === "a misspelt word" ? meantBy(words[0]!) : phraseAt({ all: words, at: 0 });
  if (found === null) return null;
  const { typed, effect } = found;
  const isFirst = before === "";
  const isValued = words.length > found.length;
  if (isFirst && LEAD.test(typed)) return "";
  const word = WORDS[typed];
  if (word === "w" && !isFirst) return "q";
  if (word !== undefined) return word;
  if ("fill" in effect || "note" in effect && Object.keys(effect).length === 1) return null;
  if ("kind" in effect) return effect.role === undefined ? "k" : null;
  if ("type" in effect) return "y";
  // `sent mail`.
  if ("verb" in effect) return "is" in effect ? "vm" : "v";
  // `via 10.0.0.1` is neither end.
  if ("role" in effect) return typed === "of" ? "P" : /^(?:via|through|over|using)$/.test(typed) ? "V" : "p";
  if ("negate" in effect) return "value" in effect ? "f" : "n";
  // `alert categories` may ask for a list of them, unlike `flows without a certificate`.
  if ("value" in effect || "noun" in effect) return isValued || /[hn]$/.test(before) ? "f" : "F";
  if ("number" in effect) return "f";
  if ("outside" in effect) return "o";
  if ("always" in effect) return "t";
  if ("activity" in effect) return "A";
  return "is" in effect || "without" in effect || "topic" in effect || "mine" in effect ? "m" : null;
}

function meantBy({ text }: Token): ReturnType<typeof phraseAt> {
  const typed = misspelt(text) ?? text;
  const effect = PHRASES.get(typed);
  return effect === undefined ? null : { typed, effect, length: 1 };
}

/** Whether a word before the first noun is of another kind than what is listed: `outbound incidents`. */
function isMixed(letters: string, { filter: { kind, where } }: Understood): boolean {
  return /^[cw]?[my][kmy]/.test(letters) && where !== null &&
    leavesOf(where).some(({ field }) => isOfOthers(field, kind));
}

function isOfOthers(field: FieldName, kind: ResultKind): boolean {
  const { owner } = FIELDS[field];
  return owner !== "all" && !kind.startsWith(owner);
}

/** `Read as: flows where source country is Russia and service is ssh; bytes by destination port.` */
function readAs({ filter: { kind, where }, ranking }: Understood): string {
  const listed = where === null ? kind : `${kind} where ${describeCondition(where)}`;
  if (ranking === null) return `Read as: ${listed}.`;
  const measure = ranking.measure === "count" ? "number" : FIELD_LABELS[ranking.measure as FieldName];
  const group = ranking.field === "" ? "" : ` by ${FIELD_LABELS[ranking.field as FieldName]}`;
  return `Read as: ${listed}; ${measure}${group}.`;
}
