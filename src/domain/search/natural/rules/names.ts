import { leavesOf } from "../../../../contract/filter/normalise.ts";
import { FIELD_LABELS, type FieldName } from "../../../../contract/filter/fields.ts";
import type { Condition } from "../../../../contract/filter/tree.ts";
import {
  FUNCTION_WORDS,
  MIN_NAME_PART,
  NO_NAMES,
  nounFollows,
  roleBefore,
  USING,
  verbFollows,
} from "../values/context.ts";
import { lengthOfOne } from "../values/context.ts";
import { entityAt, wordsAt } from "../values/entity.ts";
import { AS_FLOWS, type Reader } from "./reader.ts";
import { GROUP_WORDS } from "../values/rankings.ts";
import { type Rule, rule } from "./rule.ts";
import { misspelt } from "../words/spelling.ts";
import { timeAt } from "../time/time.ts";
import { isPartOfName } from "../words/known-names.ts";
import { isAbbreviation, type Token } from "../words/token.ts";
import type { Asked } from "../time/calendar.ts";
import { isGrammar, vlanNameAt } from "../values/value.ts";
import type { Effect } from "../words/effect.ts";
import { PHRASES, singular } from "../words/vocabulary.ts";

// A word that no list knows is a device or a person who owns one if it stands where a name stands.

/** Versions of protocols that no sensor reports. */
const PROTOCOL_VERSION = /^(?:(?:smb|tls|ssl|http|snmp|ssh)v?|(?:ntp|nfs|ike|imap)v)\d[\d.]*$/;

/** A token that may be a name, with the word before it in singular. */
interface Unknown {
  token: Token;
  before: string;
}

/** Where a word is a name, whatever it is. */
interface Place {
  name: string;
  holds(reader: Reader, unknown: Unknown): boolean;
}

const OF_DEVICE = "a device or person";
const ASKING = ["did", "does", "has", "is", "was", "do"];
/** Prepositions before where a log-on took place. */
/** Accounts that are no persons. */
const ACCOUNTS = new Set(["root", "admin", "administrator"]);
const DEVICE_NOUNS = ["device", "host", "machine"];
/** Words before where a log-on took place. */
const PLACE_WORDS = new Set(["to", "on", "onto", "at", "into", "in", "from", ...DEVICE_NOUNS]);

/** `to nashua`, `contacted nashua`. */
const OBJECT: Place = {
  name: "object",
  // The first word of `foreign companies` or `fast connections` is no name.
  holds: ({ role, all, at }, { token }) =>
    role !== null && roleBefore(all, at) && (token.possessive === true || !nounFollows(all, at)),
};
/** `what did nashua do`, `nashua did`. */
const SUBJECT: Place = {
  name: "subject",
  holds: (reader) =>
    ASKING.includes(reader.word(-1) ?? "") && reader.token(1) !== undefined ||
    reader.role === null && ["did", "does"].includes(reader.word(1) ?? "") &&
      !["much", "many", "which", "what"].includes(reader.word(-1) ?? ""),
};

export const PLACES: readonly Place[] = [
  OBJECT,
  SUBJECT,
  {
    name: "possessive",
    holds: (reader, { token }) =>
      token.possessive === true || restOfName(reader) !== null && reader.token(1)!.possessive === true,
  },
  {
    name: "before log-ons",
    holds: ({ all, at }, { token }) =>
      ACCOUNTS.has(token.text) && isOfLogons(PHRASES.get(all[at + 1]?.singular ?? "")),
  },
  { name: "before an arrow", holds: (reader) => /^(?:[-=]+>|→)$/.test(reader.token(1)?.typed ?? "") },
  // As Windows writes the names of hosts.
  { name: "in capitals", holds: (_, { token }) => /^[A-Z][A-Z0-9-]{3,}$/.test(token.typed) },
  {
    name: "with a number or a last name",
    holds: (reader, { token }) => /^\p{Lu}/u.test(token.typed) && restOfName(reader) !== null,
  },
  // `incidents Bob closed`.
  {
    name: "who works on it",
    holds: (reader, { token }) => /^\p{Lu}/u.test(token.typed) && worksOnIt(reader),
  },
  // But not `devices managed by`.
  { name: "after a noun", holds: (reader) => DEVICE_NOUNS.includes(reader.word(-1) ?? "") },
  {
    name: "after another",
    holds: (reader) => reader.isJoined && (isNamed(reader.reading.conditions.at(-1)) || isWide(reader)),
  },
  {
    name: "before a verb",
    holds({ all, at, asked }) {
      // What was `downloaded today` is not who did.
      const after = at + 1 + verbFollows(all, at);
      return after > at + 1 && all[after] !== undefined && timeAt(all, after, asked) === null;
    },
  },
];

/** The field of a name, by what the question is about. The first one that holds is taken. */
export const NAME_FIELDS: readonly {
  name: string;
  /** What the name is of. */
  label: string;
  holds(reader: Reader, unknown: Unknown): boolean;
  add(reader: Reader, name: string): void;
}[] = [
  {
    name: "account",
    label: "an account",
    // `log-ons of maria`, but `log-ons to nashua`.
    holds: ({ reading, all, at }, { token, before }) =>
      !PLACE_WORDS.has(before) &&
      (reading.topics.has("logon") ||
        ACCOUNTS.has(token.text) && isOfLogons(PHRASES.get(all[at + 1]?.singular ?? "")) ||
        (token.possessive || ASKING.includes(all[at - 1]?.text ?? "")) && isOfLogons(nounOf(all, at)) ||
        reading.conditions.some((condition) => "field" in condition && condition.field === "logon")),
    add: (reader, name) => reader.add({ field: "user", op: "matches", value: name }),
  },
  {
    name: "person who works on it",
    label: "the person who works on it",
    holds: (reader, unknown) => {
      const { before } = unknown;
      const { reading: { kind, topics, conditions } } = reader;
      return worksOnIt(reader) || isOfPerson(reader, unknown) || before === "by" && !topics.has("new") &&
          (kind === "incidents" ||
            conditions.some((one) => leavesOf(one).some(({ field }) => field === "status")));
    },
    add: (reader, name) => reader.add({ field: "assignee", op: "matches", value: name }),
  },
  // `who talked to nashua`: a device's own name is not that of the other end, but flows have both.
  {
    name: "other end",
    label: OF_DEVICE,
    holds: (reader, unknown) =>
      reader.reading.kind === "devices" && !reader.isNegated && !reader.reading.hasType &&
      (reader.role === "src" || reader.role === "dst" || reader.isPlace ||
        reader.reading.topics.has("logon")) &&
      OBJECT.holds(reader, unknown) &&
      (reader.word(-1) === "to" || !USING.has(reader.word(-1) ?? "")),
    add(reader, name) {
      reader.listInstead("flows", AS_FLOWS);
      reader.addNamed(name, reader.word(-1) === "to");
    },
  },
  // `who uses dropbox or boxcloud`.
  {
    name: "another server",
    label: "a server",
    holds: ({ isJoined, reading }) => {
      const last = reading.conditions.at(-1);
      return isJoined && last !== undefined && "field" in last && last.field === "server_name";
    },
    add: (reader, name) => reader.add({ field: "server_name", op: "matches", value: `*${name}*` }),
  },
  {
    name: "what is used",
    label: OF_DEVICE,
    holds: (reader, { token }) =>
      token.kind === "word" && (USING.has(reader.word(-1) ?? "") || reader.isJoined && isWide(reader)) &&
      /^\p{L}+$/u.test(token.text) && token.text.length >= MIN_NAME_PART &&
      restOfName(reader) === null,
    add: (reader, name) => reader.addNamed(name, true),
  },
  { name: "device", label: OF_DEVICE, holds: () => true, add: (reader, name) => reader.addNamed(name) },
];

/** Flows with both ends. */
export const BETWEEN_NAMES: Rule = rule({
  name: "between two names",
  pattern(reader) {
    if (reader.word() !== "between") return null;
    // `between nashua and russia` are a name and a country.
    const first = endAt(reader, reader.at + 1);
    const joint = reader.at + 1 + (first?.length ?? 0);
    const second = first !== null && reader.all[joint]?.text === "and" ? endAt(reader, joint + 1) : null;
    return second && { ends: [first!, second], length: joint + 1 + second.length - reader.at };
  },
  effect: (reader, { ends }) => addEnds(reader, ends),
});

/** Words between two ends and `each other`. */
const TALKING =
  /^(?:ever|talk|talked|talking|speak|spoke|connect|connected|communicate|communicated|exchange|exchanged|send|sent|data|traffic|anything|something|to|with|between|have|has)$/;

/** `did nashua and scranton talk to each other`. */
export const EACH_OTHER: Rule = rule({
  name: "each other",
  pattern(reader) {
    // Two ends of one flow are not two peers of a device.
    const isBoth = reader.word() === "both" && reader.reading.kind === "incidents";
    if (!isBoth && !/^(?:did|do|does|have|has|are|is|can)$/.test(reader.word() ?? "")) return null;
    const first = endAt(reader, reader.at + 1);
    const joint = reader.at + 1 + (first?.length ?? 0);
    const second = first !== null && reader.all[joint]?.text === "and" ? endAt(reader, joint + 1) : null;
    if (second === null) return null;
    const start = joint + 1 + second.length;
    // `incidents that involve both nashua and scranton`.
    if (isBoth) return { ends: [first!, second], isEver: false, length: start - reader.at };
    let end = start;
    while (TALKING.test(reader.all[end]?.text ?? "")) end++;
    const other = lengthOfOne(reader.all, end, ["each other", "one another"]);
    if (other === 0) return null;
    const isEver = reader.all.slice(start, end).some(({ text }) => text === "ever");
    return { ends: [first!, second], isEver, length: end + other - reader.at };
  },
  effect(reader, { ends, isEver }) {
    reader.reading.isOfAllTimes ||= isEver;
    addEnds(reader, ends);
  },
});

function addEnds(reader: Reader, ends: readonly NonNullable<ReturnType<typeof endAt>>[]): void {
  reader.reading.isOfEnds = true;
  for (const { entity, token, name } of ends) {
    if (entity !== null) reader.addEntity({ type: entity.type, values: [entity.value] }, "either");
    else {
      noteName(reader, token, name, OF_DEVICE);
      reader.addNamed(name);
    }
  }
}

/** An end that is known by its form, or the name of a device. */
function endAt({ all, asked }: Reader, at: number) {
  const token = all[at];
  const entity = entityAt(all, at);
  if (entity !== null) return { entity, token: token!, name: "", length: entity.length };
  if (!isName(token)) return null;
  const rest = restOfName({ all, at, asked });
  return {
    entity,
    token,
    name: rest === null ? token.text : `${token.text} ${rest}`,
    length: rest === null ? 1 : 2,
  };
}

/** Words before a noun that say of which kind it is, not which one. */
const NO_VALUES =
  /^(?:rare|rarest|unusual|strange|odd|weird|same|least|common|uncommon|shared|different|scripted|old|outdated)$/;
/** Nouns of fields whose value may stand before them. */
const AFTER_VALUE: readonly [noun: string, field: FieldName][] = [["user agent", "user_agent"], [
  "share",
  "smb.share",
]];

export const NAME_RULES: readonly Rule[] = [
  // `curl user agent`.
  rule({
    name: "a value before its noun",
    pattern(reader) {
      const unknown = unknownAt(reader);
      // `curl or wget user agents`.
      const second = reader.word(1) === "or" ? reader.token(2) : undefined;
      const next = reader.at + (second === undefined ? 1 : 3);
      const found = AFTER_VALUE.find(([noun]) =>
        wordsAt(reader.all, next, noun.split(" ").length).join(" ") === noun
      );
      return unknown === null || found === undefined || NO_VALUES.test(unknown.token.text) ? null : {
        values: [unknown.token, ...second === undefined ? [] : [second]],
        field: found[1],
        length: next - reader.at + found[0].split(" ").length,
      };
    },
    effect(reader, { values, field }) {
      const typed = values.map(({ typed }) => typed).join(" or ");
      reader.reading.notes.push(`Read "${typed}" as the ${FIELD_LABELS[field]}.`);
      const texts = values.map(({ text }) => text);
      reader.add({ field, op: "matches", value: texts.length === 1 ? texts[0]! : texts });
    },
  }),
  rule({
    name: "a name in its place",
    pattern: unknownAt,
    guard: (reader, unknown) =>
      (unknown.token.isKnown === true || PLACES.some(({ holds }) => holds(reader, unknown))) &&
      !isMisspelt(unknown) && (mayBeName(reader, unknown.token) || isOfNoDevice(reader, unknown)),
    effect(reader, unknown) {
      if (reader.isAskedAbout(reader.at + 1)) reader.askWhatItDid();
      else if (SUBJECT.holds(reader, unknown)) reader.reading.hasActor = true;
      const number = restOfName(reader);
      const name = number === null ? unknown.token.text : `${unknown.token.text} ${number}`;
      const field = NAME_FIELDS.find(({ holds }) => holds(reader, unknown))!;
      if (isOfPerson(reader, unknown)) {
        reader.reading.notes.push(`Incidents that ${name} works on: not those of the person's devices.`);
      }
      noteName(reader, unknown.token, name, field.label);
      if (ownsIncidents(reader, unknown)) {
        reader.reading.notes.push(
          `Incidents of the device or the owner ${name}: not those assigned to a person.`,
        );
      }
      // `cameras that contacted nashua`: two devices.
      const isOther = reader.role === "src" || reader.role === "dst";
      if (isOther && reader.reading.hasType) reader.askAsFlows();
      field.add(reader, name);
      return number === null ? 0 : 1;
    },
  }),
  rule({
    name: "a quoted text or a word with digits",
    pattern: unknownAt,
    guard: (_, unknown) =>
      (unknown.token.kind === "quoted" || hasDigits(unknown.token)) && !isMisspelt(unknown),
    effect(reader, { token }) {
      if (token.kind === "word") reader.reading.notes.push(`Searched for "${token.typed}" in all fields.`);
      reader.add({ field: "any", op: "matches", value: token.text });
    },
  }),
];

/** Whether a word can name a device or a person: one in small letters only if the site has such a name. */
function mayBeName({ asked: { names } }: Reader, { kind, text, typed }: Token): boolean {
  return names === undefined || kind !== "word" || !/^[\p{Ll}'’-]+$/u.test(typed) ||
    isPartOfName(text, names);
}

/** Whether it is an account or a service, which no list has. */
function isOfNoDevice(reader: Reader, unknown: Unknown): boolean {
  const field = NAME_FIELDS.find(({ holds }) => holds(reader, unknown))!.name;
  return field === "account" || field === "another server" ||
    field === "what is used" && reader.word(-1) !== "to";
}

function unknownAt(reader: Reader): Unknown & { length: number } | null {
  const token = reader.token()!;
  if (token.kind !== "word" && token.kind !== "quoted") return null;
  const isWord = token.kind === "quoted" || /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(token.text);
  if (NO_NAMES.has(singular(token.text)) && !isAbbreviation(token) || !isWord) return null;
  if (token.kind === "word" && PROTOCOL_VERSION.test(token.text)) return null;
  if (GROUP_WORDS[singular(token.text)] !== undefined && /^\p{Ll}/u.test(token.typed)) return null;
  if (token.kind === "word" && FUNCTION_WORDS.has(token.text)) return null;
  return { token, before: wordsAt(reader.all, 0, reader.at).at(-1) ?? "", length: 1 };
}

/** What the next noun after a position means: of `ada's open incidents`, of `maria's failed logins`. */
function nounOf(all: readonly Token[], at: number): Effect | undefined {
  for (let next = at + 1; next < all.length; next++) {
    for (const length of [2, 1]) {
      const effect = PHRASES.get(wordsAt(all, next, length).join(" "));
      if (
        effect !== undefined &&
        (isOfLogons(effect) || "kind" in effect || "type" in effect ||
          "topic" in effect && effect.topic !== "failed" && effect.topic !== "succeeded")
      ) {
        return effect;
      }
    }
  }
}

function isOfLogons(effect: Effect | undefined): boolean {
  return effect !== undefined &&
    ("topic" in effect && effect.topic === "logon" || "is" in effect && effect.is.field === "logon");
}

/** `ada's open incidents`, but not `SCRANTON's`. */
function ownsIncidents({ all, at }: Reader, { token }: Unknown): boolean {
  const noun = nounOf(all, at);
  return token.possessive === true && !/\p{Lu}{2}|\d/u.test(token.typed) && noun !== undefined &&
    ("kind" in noun && noun.kind === "incidents" || "topic" in noun && noun.topic === "alert");
}

/** `incidents of Ada Lopez`, but not `incidents of Ada's devices`. */
function isOfPerson(reader: Reader, { token, before }: Unknown): boolean {
  if (before !== "of" || token.possessive === true || reader.reading.kind !== "incidents") return false;
  return reader.asked.people?.some((one) => one.toLowerCase() === token.text.toLowerCase()) === true ||
    isLastName(reader.all, reader.at, reader.asked) && reader.token(1)!.possessive !== true;
}

/** Whether a verb of those who work on incidents follows the name. */
function worksOnIt(reader: Reader): boolean {
  const next = restOfName(reader) === null ? 1 : 2;
  const verb = [next, next + 1].map((more) => reader.word(more)).join(" ");
  return reader.reading.kind === "incidents" && /^(?:resolved?|solved?|fixed)\b/.test(verb) ||
    /^(?:closed?|handled?)\b|^(?:is )?(?:working|works|worked) on/
      .test(verb) ||
    /^(?:is|was) (?:working|handling)/.test(verb);
}

function isWide({ reading }: Reader): boolean {
  return reading.conditions.slice(-1).flatMap((condition) => leavesOf(condition)).some(({ field }) =>
    field === "server_name"
  );
}

/** Whether the condition is that of a name. */
function isNamed(condition: Condition | undefined): boolean {
  if (condition === undefined) return false;
  const [first] = leavesOf(condition);
  return "any" in condition && first?.field === "device";
}

function hasDigits({ text }: Token): boolean {
  return /\d/.test(text) && /\p{L}/u.test(text);
}

/** Which names exist is not known: only a quoted text is surely one. */
function noteName(reader: Reader, token: Token, name: string, label: string): void {
  if (token.kind === "word") reader.reading.notes.push(`Read "${name}" as the name of ${label}.`);
}

function isMisspelt({ token }: Unknown): boolean {
  return token.kind === "word" && !token.possessive && !hasDigits(token) && misspelt(token.text) !== null;
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === "quoted" ||
    token?.kind === "word" && !isGrammar(token) && !PHRASES.has(singular(token.text)) &&
      /\p{L}/u.test(token.text);
}

/** The number in `Desk 4`, if it is neither a size nor a time, or the last name in `Ada Lopez`. */
function restOfName({ all, at, asked }: Pick<Reader, "all" | "at" | "asked">): string | null {
  const next = all[at + 1];
  if (isLastName(all, at, asked)) return next!.text;
  const isLast = next?.possessive === true || all[at + 2] === undefined || isGrammar(all[at + 2]!) ||
    nounFollows(all, at + 1) || verbFollows(all, at + 1) > 0 || all[at + 2]!.text === "open" ||
    timeAt(all, at + 2, asked) !== null;
  const isNumber = next?.kind === "number" && /^\d{1,4}$/.test(next.text) && isLast &&
    timeAt(all, at + 1, asked) === null;
  return isNumber ? next.text : null;
}

function isLastName(all: readonly Token[], at: number, asked: Asked): boolean {
  return [all[at], all[at + 1]].every((token, more) =>
    token?.kind === "word" && /^\p{Lu}\p{Ll}+/u.test(token.typed) && (more > 0 || !token.possessive) &&
    !PHRASES.has(token.singular) &&
    entityAt(all, at + more) === null && vlanNameAt(all, at + more, asked) === null &&
    timeAt(all, at + more, asked) === null
  );
}
