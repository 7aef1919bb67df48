import { type FieldName, FIELDS } from "../../../../contract/filter/fields.ts";
import { leavesOf } from "../../../../contract/filter/normalise.ts";
import { formatMillis } from "../../../../kit/time.ts";
import { timeAt } from "../time/time.ts";
import { amountAt, boundedAmountAt } from "../values/amount.ts";
import { isNoun, lengthOfOne } from "../values/context.ts";
import { wordsAt } from "../values/entity.ts";
import { severityAt, tlsVersionAt } from "../values/grades.ts";
import { SILENT } from "../values/rankings.ts";
import { ago } from "../values/value.ts";
import type { Topic } from "../words/effect.ts";
import { OR_HIGHER, OR_LOWER, PHRASES } from "../words/vocabulary.ts";
import type { Reader } from "./reader.ts";
import { oneOf, type Rule, rule } from "./rule.ts";

export const NOW_NOTE = '"Now" is the last 15 minutes.';
const AGE = "The age is counted from the first activity.";
const AGES: Readonly<Record<string, "<" | ">">> = { older: "<", newer: ">", younger: ">" };
const OPPOSITE = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;
/** Words between `not seen` and how long. */
const SPANS = [
  "for",
  "in",
  "in over",
  "in more than",
  "in at least",
  "for over",
  "for more than",
  "for longer than",
  "for at least",
  "in the last",
  "in last",
  "in past",
  "last",
  "past",
  "over the last",
  "in the past",
  "within the last",
  "during the last",
  "for the last",
  "for the past",
];
/** Microseconds; clocks are set back by an hour. */
const LONGEST_DAY = 25 * 3_600_000_000;
/** Microseconds. */
const HALF_HOUR = 1_800_000_000;

/** Amounts, times and grades. */
export const AMOUNT_RULES: readonly Rule[] = [
  rule({
    name: "not seen for a time",
    pattern({ all, at }) {
      const length = lengthOfOne(all, at, SILENT);
      const span = length === 0 ? 0 : lengthOfOne(all, at + length, SPANS);
      const amount = span === 0 ? null : amountAt(all, at + length + span, "bytes");
      return amount?.field === "duration"
        ? { since: ago(amount.value), length: length + span + amount.length }
        : null;
    },
    effect: (reader, { since }) => reader.add({ field: "last_seen", op: "<", value: since }),
  }),
  rule({
    name: "not seen since a time",
    pattern({ all, at, asked }) {
      const length = lengthOfOne(all, at, SILENT);
      if (length === 0 || all[at + length]?.text !== "since") return null;
      const since = timeAt(all, at + length, asked);
      return since && { since: formatMillis(since.from), length: length + since.length };
    },
    effect: (reader, { since }) => reader.add({ field: "last_seen", op: "<", value: since }),
  }),
  // `devices last seen before november 20`: not those that were seen then and later, too.
  rule({
    name: "last seen at a time",
    pattern({ all, at, asked }) {
      const length = lengthOfOne(all, at, ["last seen", "last active"]);
      const time = length === 0 ? null : timeAt(all, at + length, asked);
      return time && { time, length: length + time.length };
    },
    effect(reader, { time: { from, to, note } }) {
      if (note !== undefined) reader.reading.notes.push(note);
      reader.list("devices");
      const end = formatMillis(Math.min(to, reader.asked.now));
      if (from === 0) reader.add({ field: "last_seen", op: "<", value: end });
      else reader.add({ field: "last_seen", op: "range", value: [formatMillis(from), end] });
    },
  }),
  rule({
    name: "a TLS version",
    pattern: ({ all, at }) => tlsVersionAt(all, at),
    effect: (reader, { condition }) => reader.add(condition),
  }),
  rule({
    name: "a bounded amount",
    pattern: (reader) => boundedAmountAt(reader.all, reader.at, sizeField(reader)),
    effect(reader, { field, op, value, note }) {
      const { reading } = reader;
      // `devices seen for more than 14 days`.
      const isOfSight = field === "duration" && reading.kind === "devices" &&
        /^seen$/.test(reader.word(-1) ?? "");
      if (isOfSight) reader.reject();
      if (note !== undefined) reading.notes.push(note);
      // `traffic over 24 hours`.
      if (field === "duration" && reader.word() === "over") {
        reader.assume('"over" is the length of a flow, not the time');
      }
      const isOfIncidents = reading.kind === "incidents" ||
        reading.conditions.some((condition) =>
          leavesOf(condition).some(({ field }) => FIELDS[field].owner === "incident")
        );
      const isAge = field === "duration" && isOfIncidents && !reading.nouns.has("flows");
      if (!isAge || op === "range" || typeof value !== "number") return reader.add({ field, op, value });
      // `open for more than three days`.
      reading.notes.push(AGE);
      reader.add({ field: "first_seen", op: OPPOSITE[op], value: ago(value) });
    },
  }),
  rule({
    name: "a time",
    endsNegation: true,
    pattern({ all, at, asked, reading: { window } }) {
      // `yesterday between 9am and 10am`.
      const isDay = window !== null && window.to - window.from <= LONGEST_DAY;
      return timeAt(all, at, isDay ? { ...asked, day: window.from } : asked);
    },
    effect(reader, { from, to, length, note }) {
      const { window } = reader.reading;
      if (note !== undefined) reader.reading.notes.push(note);
      reader.reading.notes.push(...assumedTime(reader, length, to - from));
      // `in the last week` may mean the seven days until now.
      const words = reader.all.slice(Math.max(0, reader.at - 1), reader.at + length).map(({ text }) => text);
      const [, unit] = /\bthe last (week|month|quarter|year)$/.exec(words.join(" ")) ?? [];
      if (unit !== undefined) {
        reader.reading.notes.push(
          `"The last ${unit}" is the one before this ${unit}, not the time until now.`,
        );
      }
      // `yesterday between 22:00 and 06:00` ends on the next day.
      // `last night after 23:00` ends with that night.
      const isOpen = /^(?:after|since|starting)\b/.test(words.slice(reader.at > 0 ? 1 : 0).join(" "));
      const isNight = !isOpen && window !== null && from >= window.from && from < window.to &&
        to > window.to &&
        window.to - window.from <= LONGEST_DAY && to - from < LONGEST_DAY;
      reader.reading.window = window === null || isNight
        ? { from, to }
        : { from: Math.max(window.from, from), to: Math.min(window.to, to) };
    },
  }),
  rule({
    name: "a severity",
    pattern: ({ all, at }) => severityAt(all, at),
    // A tag can have the name of a severity: `a critical tag`.
    guard: ({ all, at }, { length }) => {
      const [word = ""] = wordsAt(all, at + length, 1);
      const noun = PHRASES.get(word);
      if (word === "port" || word === "risk") return false;
      // `high traffic` is of no severity.
      return word !== "tag" &&
        !(length === 1 && noun !== undefined && "kind" in noun && noun.kind === "flows");
    },
    effect(reader, { condition, note, length }) {
      const noun = PHRASES.get(wordsAt(reader.all, reader.at + length, 1)[0] ?? "");
      const isOfDevices = noun !== undefined && ("type" in noun || "kind" in noun && noun.kind === "devices");
      if (length === 1 && isOfDevices) {
        reader.reading.notes.push(`Read "${reader.word()}" as the severity of an incident.`);
      }
      reader.add(condition);
      // `my open criticals`.
      if (/s$/.test(reader.token(length - 1)!.text)) {
        reader.list("incidents");
        reader.reading.nouns.add("incidents");
        reader.addMine();
      }
      if (note !== undefined) reader.reading.notes.push(note);
    },
  }),
  rule({
    name: "or higher, after the noun",
    pattern: oneOf([...OR_HIGHER, ...OR_LOWER]),
    // `medium incidents or worse`.
    guard: (reader) => isNoun(reader.all, reader.at - 1),
    effect: (reader) => reader.widenSeverity(lengthOfOne(reader.all, reader.at, OR_HIGHER) > 0 ? ">=" : "<="),
  }),
  rule({
    name: "an age",
    pattern({ all, at }) {
      const [word = "", than] = wordsAt(all, at, 2);
      const op = than === "than" ? AGES[word] : undefined;
      const amount = op === undefined ? null : amountAt(all, at + 2, "bytes");
      return op !== undefined && amount?.field === "duration"
        ? { op, since: ago(amount.value), length: 2 + amount.length }
        : null;
    },
    effect(reader, { op, since }) {
      reader.reading.notes.push(AGE);
      reader.add({ field: "first_seen", op, value: since });
    },
  }),
];

/** What a time assumes that its words do not say, each a sentence. */
function assumedTime({ all, at }: Reader, length: number, span: number): string[] {
  const words = all.slice(at, at + length);
  const said = words.map(({ text }) => text).join(" ");
  const isInstant = words.some(({ kind, text }) => kind === "clock" || /^(?:noon|midnight)$/.test(text));
  return [
    ...isInstant && span === HALF_HOUR && !/^(?:between|from)\b| (?:to|until|till|-) /.test(said)
      ? ["A clock time is the half hour from then on."]
      : [],
    .../^(?:just |right |as of )?(?:now|currently)$|\b(?:moment|present|presently|speak)$/.test(said)
      ? [NOW_NOTE]
      : [],
    .../\b(?:recently|lately)\b/.test(said) ? [`Read "${said}" as the last 24 hours.`] : [],
    .../\bfew\b/.test(said) ? ['Read "a few" as three.'] : [],
  ];
}

function sizeField({ reading: { topics }, all, at }: Reader): FieldName {
  return sizeFieldOf(topics, all.slice(0, at).map(({ text }) => text).join(" "));
}

/** The bytes that a size is of: of a request what the client sent, of a response what the server sent. */
export function sizeFieldOf(topics: ReadonlySet<Topic>, words: string): FieldName {
  if (topics.has("upload")) return "src.bytes";
  if (topics.has("download")) return "dst.bytes";
  const noun = /.*\b(request|post|put|response|repl(?:y|ie)|answer|flow|connection|session)s?\b/i.exec(words)
    ?.[1];
  if (/^(?:re?q|po|pu)/i.test(noun ?? "")) return "src.bytes";
  return /^(?:res|rep|an)/i.test(noun ?? "") ? "dst.bytes" : "bytes";
}
