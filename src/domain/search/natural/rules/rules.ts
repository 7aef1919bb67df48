import { formatMillis } from "../../../../kit/time.ts";
import { type FieldName, FIELDS } from "../../../../contract/filter/fields.ts";
import { leavesOf } from "../../../../contract/filter/normalise.ts";
import { amountAt, boundedAmountAt, comparatorAt } from "../values/amount.ts";
import { lengthOfOne, USING, valueFollows, verbFollows } from "../values/context.ts";
import { applyEffect } from "./effects.ts";
import { entitiesAt, entityAt, wordsAt } from "../values/entity.ts";
import { severityAt, tlsVersionAt } from "../values/grades.ts";
import { NAME_RULES } from "./names.ts";
import { AS_FLOWS, EITHER, OF_THE_SITE, type Reader } from "./reader.ts";
import { type Rule, rule } from "./rule.ts";
import {
  ASKED_GROUPS,
  BUCKET_ADVERBS,
  BUCKET_WORDS,
  DEVICE_GROUPS,
  DOERS,
  GROUP_WORDS,
  GROUPING,
  MEASURE_WORDS,
  MOST_INCIDENTS,
  MOST_TRAFFIC,
  RANKING,
  SILENT,
  THE_MOST,
} from "../values/rankings.ts";
import { misspelt } from "../words/spelling.ts";
import { timeAt } from "../time/time.ts";
import type { Token } from "../words/token.ts";
import { ago, isAbbreviation, isGrammar, vlanAt } from "../values/value.ts";
import type { Effect } from "../words/effect.ts";
import { MAX_PHRASE_WORDS, PHRASES, SEVERITY_WORDS, singular } from "../words/vocabulary.ts";

/** Words that ask for a number. */
const COUNTING = ["how many", "number of", "count of", "count"];
/** Words that ask for an amount of packets. */
const PACKETS = [
  "how many packets",
  "number of packets",
  "packet count",
  "total packets",
  "count of packets",
];
/** Words that ask for an amount of bytes or packets. */
const SUMMING = [
  "how much data",
  "how much traffic",
  "how much bandwidth",
  "how much",
  "total bytes",
  "total data",
  "total traffic",
  "bytes",
  "volume",
  ...PACKETS,
  ...["bytes", "kilobytes", "megabytes", "gigabytes", "terabytes"].map((unit) => `how many ${unit}`),
];
const AGE = "The age is counted from the first activity.";
const AGES: Readonly<Record<string, "<" | ">">> = { older: "<", newer: ">", younger: ">" };
const OPPOSITE = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;
const DEFAULT_RANKING = 10;
const MAX_RANKING = 100;
/** Microseconds; clocks are set back by an hour. */
const LONGEST_DAY = 25 * 3_600_000_000;

/** A match of one of these texts. */
function oneOf(texts: readonly string[]): (reader: Reader) => { length: number } {
  return ({ all, at }) => ({ length: lengthOfOne(all, at, texts) });
}

/** The grammar: what can stand at a position, in the order in which it is tried. */
export const RULES: readonly Rule[] = [
  rule({
    name: "how much",
    endsNegation: true,
    pattern: oneOf(SUMMING),
    effect({ reading, all, at }) {
      const measure = lengthOfOne(all, at, PACKETS) > 0 ? "packets" : "bytes";
      // `bytes over 10 MB` bounds each flow.
      if (comparatorAt(all, at + 1) !== null) return;
      reading.ranking = { field: "", measure, limit: 1 };
    },
  }),
  rule({
    name: "how many",
    endsNegation: true,
    pattern: oneOf(COUNTING),
    // Different values are not counted: `how many users`.
    guard: ({ all, at }, { length }) => !valueFollows(all, at + length - 1),
    effect({ reading }) {
      reading.counts = true;
      // `top destinations by number of connections`.
      if (reading.ranking !== null) reading.ranking = { ...reading.ranking, measure: "count" };
    },
  }),
  rule({
    name: "not seen for a time",
    pattern({ all, at }) {
      const length = lengthOfOne(all, at, SILENT);
      if (length === 0 || all[at + length]?.text !== "for") return null;
      const amount = amountAt(all, at + length + 1, "bytes");
      return amount?.field === "duration"
        ? { since: ago(amount.value), length: length + 1 + amount.length }
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
  rule({
    name: "the most traffic",
    endsNegation: true,
    pattern: oneOf(MOST_TRAFFIC),
    effect({ reading }) {
      const field = reading.ranking?.field || "device";
      reading.ranking = { field, measure: "bytes", limit: DEFAULT_RANKING };
      reading.kind = "flows";
    },
  }),
  rule({
    name: "the most, after a verb",
    pattern: oneOf(THE_MOST),
    // Whether a country that receives the most is the end of the flow or of the data is not known.
    guard: ({ all, at, asked, reading: { topics, ranking } }, { length }) =>
      ranking === null && (topics.has("upload") || topics.has("download")) &&
      (all[at + length] === undefined || isGrammar(all[at + length]!) ||
        timeAt(all, at + length, asked) !== null),
    effect({ reading }) {
      reading.ranking = { field: "device", measure: "bytes", limit: DEFAULT_RANKING };
      reading.kind = "flows";
    },
  }),
  rule({
    name: "values over time",
    endsNegation: true,
    pattern({ all, at }) {
      const [word = ""] = wordsAt(all, at, 1);
      if (BUCKET_ADVERBS[word] !== undefined) return { bucket: BUCKET_ADVERBS[word], length: 1 };
      const length = lengthOfOne(all, at, RANKING) || lengthOfOne(all, at, [...GROUPING, "each", "every"]);
      const bucket = length === 0 ? undefined : BUCKET_WORDS[wordsAt(all, at + length, 1)[0] ?? ""];
      return bucket === undefined ? null : { bucket, length: length + 1 };
    },
    guard: ({ reading: { ranking } }) => ranking === null || ranking.field === "",
    effect(reader, { bucket }) {
      const { reading } = reader;
      const noun = reader.word(-1) ?? "";
      // `traffic per hour`, `every hour the traffic`.
      const nouns = reader.all.slice(0, reader.at);
      const isOfBytes = !reading.counts &&
        (nouns.some((_, at) => isNoun(nouns, at)) ? nouns : reader.all).some(({ text }) =>
          ["traffic", "data", "bandwidth"].includes(text)
        );
      const measure = reading.ranking?.measure ??
        (noun === "packets" ? "packets" : isOfBytes ? "bytes" : "count");
      reading.ranking = { field: "", measure, limit: 1, bucket };
    },
  }),
  rule({
    name: "the most incidents",
    endsNegation: true,
    pattern: oneOf(MOST_INCIDENTS),
    effect({ reading }) {
      reading.ranking = { field: "device", measure: "count", limit: DEFAULT_RANKING };
      reading.kind = "incidents";
      reading.nouns.add("incidents");
    },
  }),
  rule({
    name: "which values",
    endsNegation: true,
    pattern(reader) {
      const { all, at } = reader;
      const [word = ""] = wordsAt(all, at, 1);
      // `vlans by traffic`, `users who failed to log in`, `users of NASHUA`.
      const isMeasured = all[at + 1]?.text === "by" &&
        MEASURE_WORDS[wordsAt(all, at + 2, 1)[0] ?? ""] !== undefined;
      const isDoer = /^(?:users|accounts)$/.test(reader.word()!) &&
        ["who", "that", "of", "on", "in", "with"].includes(reader.word(1) ?? "");
      if (reader.isFirst && (isMeasured || isDoer) && GROUP_WORDS[word] !== undefined) {
        return { ...GROUP_WORDS[word], length: reader.word(1) === "who" ? 2 : 1 };
      }
      if (word !== "which" && word !== "what") return null;
      const group = wordsAt(all, at + 1, 1)[0] ?? "";
      const known = ASKED_GROUPS.has(group) ? GROUP_WORDS[group] : undefined;
      if (known === undefined) return null;
      // `which countries connect to us`.
      const isSource = verbFollows(all, at + 1) > 0 && lengthOfOne(all, at + 3, ["by"]) === 0;
      return {
        ...known,
        field: isSource ? known.field.replace(/^dst\.(?!port)/, "src.") : known.field,
        length: 2,
      };
    },
    effect({ reading }, { field, measure, kind }) {
      reading.ranking = { field, measure, limit: DEFAULT_RANKING };
      reading.kind ??= kind;
    },
  }),
  rule({
    name: "ranked or grouped values",
    endsNegation: true,
    pattern({ all, at }) {
      // `the 10 noisiest alerts`, `top 10 destinations`.
      const early = all[at]!.kind === "number" ? lengthOfOne(all, at + 1, RANKING) : 0;
      let length = early || lengthOfOne(all, at, RANKING) || lengthOfOne(all, at, GROUPING);
      if (length === 0) return null;
      const isGroup = lengthOfOne(all, at, GROUPING) > 0;
      const number = all[early > 0 ? at : at + length];
      const isLimit = number?.kind === "number" && number.value! >= 1 && number.value! <= MAX_RANKING;
      const limit = isLimit ? number.value! : DEFAULT_RANKING;
      if (isLimit) length++;
      const words = wordsAt(all, at + length, 2);
      const group = GROUP_WORDS[words.join(" ")] === undefined ? words[0] : words.join(" ");
      const known = group === undefined ? undefined : GROUP_WORDS[group];
      if (known === undefined) return null;
      return { ...known, isGroup, limit, length: length + group!.split(" ").length };
    },
    // There is one ranking, of one field.
    guard: ({ reading: { ranking } }) => ranking === null || ranking.field === "" && !ranking.bucket,
    effect({ reading, all, at }, { field: named, measure, kind: usual, isGroup, limit }) {
      const noun = all.slice(0, at).findLast((_, index) => isNoun(all, index))?.text ?? "";
      const isMoved = isGroup && (reading.topics.has("upload") || reading.topics.has("download") ||
        /^(?:traffic|data|bandwidth)$/.test(noun));
      if (isGroup && reading.kind !== "devices" && DOERS.test(all[at + 1]?.text ?? "")) {
        reading.notes.push(`Read "by ${all[at + 1]!.text}" as the grouping, not as who did it.`);
      }
      const isNumbered = isGroup && /^(?:connection|flow|session|request)s$/.test(noun);
      // `printers by vlan`.
      if (isGroup && reading.kind === null && reading.hasType) {
        reading.kind = "devices";
        reading.nouns.add("devices");
      }
      const isOfHttp = reading.conditions.some((condition) =>
        leavesOf(condition).some(({ value }) => value === "http")
      );
      // `dns queries by type`, `http requests by status`, `traffic by domain`.
      const ofFlows = named === "device.type" && reading.topics.has("lookup")
        ? "dns.type"
        : named === "status" && isOfHttp
        ? "http.status"
        : named === "dns.query" && isMoved
        ? "server_name"
        : undefined;
      const field = ofFlows ?? (reading.kind === "devices" ? DEVICE_GROUPS[named] : undefined) ?? named;
      // Incidents and devices have no bytes, but `who are the top talkers`.
      const isCount = reading.counts || reading.kind === "incidents" || isGroup && reading.kind === "devices";
      const own = isGroup && /^packets?$/.test(noun)
        ? "packets"
        : isMoved
        ? "bytes"
        : isNumbered
        ? "count"
        : measure;
      reading.ranking = { field, measure: isCount ? "count" : reading.ranking?.measure ?? own, limit };
      const kind = ofFlows === undefined ? usual : "flows";
      // `alerts per device` are incidents, as alerts are.
      reading.kind ??= field === "device" && reading.topics.has("alert") ? "incidents" : kind;
    },
  }),
  rule({
    name: "the measure of a ranking",
    pattern({ all, at }) {
      const length = lengthOfOne(all, at, GROUPING);
      const measure = length === 0 ? undefined : MEASURE_WORDS[wordsAt(all, at + length, 1)[0] ?? ""];
      return measure === undefined ? null : { measure, length: length + 1 };
    },
    effect(reader, { measure }) {
      const { ranking } = reader.reading;
      // `office devices by upload`.
      if (ranking === null) return reader.reject();
      reader.reading.ranking = { ...ranking, measure };
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
      if (note !== undefined) reading.notes.push(note);
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
    effect(reader, { from, to, length }) {
      const { window } = reader.reading;
      // `in the last week` may mean the seven days until now.
      const words = reader.all.slice(Math.max(0, reader.at - 1), reader.at + length).map(({ text }) => text);
      const [, unit] = /\bthe last (week|month|quarter|year)$/.exec(words.join(" ")) ?? [];
      if (unit !== undefined) {
        reader.reading.notes.push(
          `"The last ${unit}" is the one before this ${unit}, not the time until now.`,
        );
      }
      reader.reading.window = window === null
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
      if (note !== undefined) reader.reading.notes.push(note);
    },
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
  rule({
    name: "the name of a VLAN",
    pattern: ({ all, at, asked }) => vlanAt(all, at, asked),
    effect(reader, { vlan, isWord }) {
      // `servers that were contacted by guests`.
      const isDoer = [reader.word(-1), reader.word(-2)].includes("by");
      if (reader.role === "dst" || reader.role === "src" && isDoer) reader.askAsFlows();
      if (isWord) reader.reading.notes.push(`Read "${vlan}" as the VLAN.`);
      reader.add({ field: "vlan", op: "matches", value: vlan });
    },
  }),
  // A flow with both ends.
  rule({
    name: "between two ends",
    pattern({ all, at }) {
      const first = all[at]?.text === "between" ? entityAt(all, at + 1) : null;
      if (first === null || all[at + 1 + first.length]?.text !== "and") return null;
      const second = entityAt(all, at + 2 + first.length);
      return second?.type === first.type ? { first, second, length: first.length + 2 + second.length } : null;
    },
    effect(reader, { first, second }) {
      for (const { type, value } of [first, second]) reader.addEntity({ type, values: [value] }, "either");
    },
  }),
  rule({
    name: "an end",
    pattern: ({ all, at }) => entitiesAt(all, at),
    effect(reader, { entity, isOwner, isBoth }) {
      if (isBoth && !reader.isNegated) reader.reading.notes.push(EITHER);
      const isEnd = entity.type !== "fingerprint" && entity.type !== "technique";
      if (reader.role === null && !isOwner && isEnd) {
        reader.subject = { index: reader.reading.conditions.length, entity };
      }
      const before = reader.word(-1) ?? "";
      const { kind, hasType } = reader.reading;
      // `dns servers other than 10.0.0.1`, `who used ip 10.0.0.5`.
      const isOfDevices = kind === "devices" || kind === null && hasType && reader.isNegated;
      const isUsed = USING.has(before) && reader.token()!.kind === "word";
      // `how many hosts did 10.0.0.5 scan`.
      const isActor = isOfDevices && ["did", "does"].includes(before);
      if (isActor) reader.reading.notes.push(OF_THE_SITE);
      const isDevice = isOfDevices && !isActor && entity.type === "address" &&
        (reader.role === null || isUsed ||
          reader.role === "either" && ["of", "in", "on", "for"].includes(before));
      if (before === "is" && reader.word(-2) === "what" || before === "what's") {
        reader.reading.notes.push(AS_FLOWS);
      }
      // Devices with that address, not those that talked to it.
      if (isDevice && !isOwner) reader.add({ field: "device.ip", op: "matches", value: entity.values });
      else reader.addEntity(entity, isOwner ? "either" : reader.role ?? "either");
    },
  }),
  rule({
    name: "a name that was resolved",
    pattern: (reader) => phraseAt(reader)?.typed.startsWith("resolved") ? { length: 1 } : null,
    guard: (reader) => reader.token(1)?.kind === "name",
    effect(reader) {
      reader.addTopic("lookup");
      reader.verb("dst");
    },
  }),
  rule({
    name: "a phrase",
    pattern: phraseAt,
    // `open rdp` is no status.
    guard: ({ all, at }, { effect, length }) =>
      !("refuse" in effect ||
        isOf(effect, "status") && isOf(PHRASES.get(all[at + length]?.text ?? ""), "service") &&
          !all.some((_, index) => isNoun(all, index))),
    effect: (reader, { effect, length }) => applyEffect(reader, effect, reader.at + length),
  }),
  ...NAME_RULES,
  // `all devices`, but not `talked to all of them`.
  rule({
    name: "all of them",
    pattern: oneOf(["all", "all of", "every", "each", "some", "some of"]),
    guard: (reader) => reader.isEmpty && timeAt(reader.all, reader.at + 1, reader.asked) === null,
    effect() {},
  }),
  rule({
    name: "my",
    pattern: oneOf(["my"]),
    effect: (reader) => reader.ask(),
  }),
  rule({
    name: "and, or",
    pattern: oneOf(["and", "or", ",", ", and", ", or", "and also", "or also"]),
    guard: ({ all, at }) => !isNoun(all, at - 1) || !isNoun(all, at + 1),
    effect: (reader, { length }) => reader.join(reader.word(length > 1 && reader.word() === "," ? 1 : 0)!),
  }),
  rule({
    name: "a misspelt word",
    pattern(reader) {
      const token = reader.token()!;
      const read = token.kind === "word" ? misspelt(token.text) : null;
      return read === null ? null : { token, read, length: 1 };
    },
    guard: (_, { token, read }) =>
      !PHRASES.has(token.text) &&
      (PHRASES.has(read) || read in SEVERITY_WORDS),
    effect(reader, { token, read }) {
      if (read !== singular(token.text)) reader.reading.corrected.push({ typed: token.typed, read });
      const effect = PHRASES.get(read);
      if (effect !== undefined) return applyEffect(reader, effect, reader.at + 1);
      if (read in SEVERITY_WORDS) {
        reader.add({ field: "severity", op: "=", value: SEVERITY_WORDS[read]! });
      }
    },
  }),
];

function isOf(effect: Effect | undefined, field: FieldName): boolean {
  return effect !== undefined && "is" in effect && effect.is.field === field;
}

/** Whether a word names what is searched for: `devices and incidents` are two searches. */
function isNoun(all: readonly Token[], at: number): boolean {
  const effect = PHRASES.get(wordsAt(all, at, 1)[0] ?? "");
  return effect !== undefined && ("kind" in effect || "topic" in effect && !("verb" in effect));
}

function sizeField({ reading: { topics } }: Reader): FieldName {
  if (topics.has("upload")) return "src.bytes";
  return topics.has("download") ? "dst.bytes" : "bytes";
}

/** The longest phrase of the vocabulary at the position. */
function phraseAt({ all, at }: Reader): { typed: string; effect: Effect; length: number } | null {
  for (let length = MAX_PHRASE_WORDS; length > 0; length--) {
    const words = wordsAt(all, at, length);
    if (words.length < length || length === 1 && isAbbreviation(all[at]!)) continue;
    const typed = all.slice(at, at + length).map(({ text }) => text).join(" ");
    const effect = PHRASES.get(typed) ?? PHRASES.get(words.join(" "));
    if (effect !== undefined) return { typed, effect, length };
  }
  return null;
}
