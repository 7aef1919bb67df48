import { FIELDS } from "../../../../contract/filter/fields.ts";
import { leavesOf } from "../../../../contract/filter/normalise.ts";
import { timeAt } from "../time/time.ts";
import { comparatorAt } from "../values/amount.ts";
import {
  isNoun,
  isTypeBefore,
  lengthOfOne,
  roleOfNoun,
  valueFollows,
  verbFollows,
} from "../values/context.ts";
import { wordsAt } from "../values/entity.ts";
import {
  ASKED_GROUPS,
  BEFORE_OWNER,
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
  THE_MOST,
  VALUE_NOUNS,
  WAYS,
} from "../values/rankings.ts";
import { NUMBERS } from "../time/time-words.ts";
import type { Effect } from "../words/effect.ts";
import type { Ranking } from "./reading.ts";
import { assumedGroup } from "./sides.ts";
import { isGrammar } from "../values/value.ts";
import { oneOf, type Rule, rule } from "./rule.ts";
import type { Token } from "../words/token.ts";
import { PHRASES } from "../words/vocabulary.ts";

/** Words that ask for a number. */
const COUNTING = ["how many", "number of", "count of", "count", "how many times", "how often"];
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
  "amount of data",
  "amount of traffic",
  "volume of data",
  "volume of traffic",
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
/** Words before values that are counted once each. */
const DIFFERENT = /^(?:different|distinct|unique)$/;
/** Ask for what a server answers on. */
const OPEN_PORTS = [
  ...["open ports", "listening ports"].flatMap((
    noun,
  ) => [noun, `${noun} on`, `${noun} of`, `the ${noun} on`]),
  ...["which", "what"].flatMap((word) => [
    `${word} ports are open`,
    `${word} ports are open on`,
    `${word} ports are exposed by`,
    `${word} services run on`,
    `${word} services are running on`,
    `${word} services are offered by`,
  ]),
  "ports open on",
  "services offered by",
  "services provided by",
  "services running on",
  "services exposed by",
];
/** What the source of a log-on does. */
const LOGGING_ON = [
  "tried to log in",
  "tried to log on",
  "tried to log into",
  "log in",
  "log on",
  "logged in",
  "logged on",
  "logged into",
  "log into",
];
/** Words for what is most frequent, after their noun. */
const FREQUENT = [
  "the most frequent",
  "most frequent",
  "the most common",
  "most common",
  "the busiest",
  "busiest",
];
const DEFAULT_RANKING = 10;
const MAX_RANKING = 100;

/** Numbers, sums and rankings that are asked for. */
export const COUNT_RULES: readonly Rule[] = [
  rule({
    name: "how much",
    endsNegation: true,
    pattern: oneOf(SUMMING),
    effect(reader) {
      const { all, at } = reader;
      const measure = lengthOfOne(all, at, PACKETS) > 0 ? "packets" : "bytes";
      const { ranking } = reader.reading;
      // `bytes over 10 MB` bounds each flow, `top countries by data volume` keeps its countries.
      if (comparatorAt(all, at + 1) === null) {
        reader.rank(ranking === null ? { field: "", measure, limit: 1 } : { ...ranking, measure }, []);
      }
    },
  }),
  rule({
    name: "how many",
    endsNegation: true,
    pattern: oneOf(COUNTING),
    // Different values are not counted: `how many users`.
    guard: ({ all, at }, { length }) =>
      !valueFollows(all, at + length - (DIFFERENT.test(all[at + length]?.text ?? "") ? 0 : 1)),
    effect(reader) {
      const { reading } = reader;
      reading.counts = true;
      if ([1, 2].some((more) => /^(?:often|times)$/.test(reader.word(more) ?? ""))) {
        reading.notes.push("Counted: each flow or incident that is found.");
      }
      // `top destinations by number of connections`.
      if (reading.ranking !== null) reader.rank({ ...reading.ranking, measure: "count" }, []);
    },
  }),
  rule({
    name: "the most traffic",
    endsNegation: true,
    pattern: oneOf(MOST_TRAFFIC),
    effect(reader) {
      const field = reader.reading.ranking?.field || "device";
      reader.rank({ field, measure: "bytes", limit: limitOf(reader.all) }, []);
      reader.listInstead("flows", null);
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
    effect(reader) {
      reader.rank({ field: "device", measure: "bytes", limit: DEFAULT_RANKING }, []);
      reader.listInstead("flows", null);
    },
  }),
  rule({
    name: "the most of something",
    endsNegation: true,
    pattern: oneOf(THE_MOST),
    // `which device makes the most dns queries`, `which user had the most failed logins`.
    guard: ({ reading: { kind, ranking } }) =>
      ranking === null ? kind === "devices" : ranking.field !== "" && ranking.bucket === undefined,
    effect(reader) {
      const { reading, all, at } = reader;
      const next = at + lengthOfOne(all, at, THE_MOST);
      const noun = PHRASES.get(wordsAt(all, next, 1)[0] ?? "");
      // `which host is beaconing the most`.
      const isOfIncidents = noun !== undefined && isOfWork(noun) ||
        reading.conditions.some((one) =>
          leavesOf(one).some(({ field }) => FIELDS[field].owner === "incident")
        );
      if (reading.ranking === null && isOfIncidents) {
        reader.listInstead("incidents", null);
        return reader.rank({ field: "device", measure: "count", limit: DEFAULT_RANKING }, []);
      }
      const isReceiver = all.slice(0, at).some(({ text }) =>
        /^(?:was|were|been|gets?|got|receiv\w+)$/.test(text)
      );
      const measure = all[next] === undefined || timeAt(all, next, reader.asked) !== null ? "bytes" : "count";
      if (reading.ranking !== null) {
        const own = measure === "count" ? measure : reading.ranking.measure;
        return reader.rank({ ...reading.ranking, measure: own }, []);
      }
      const assumed = `the devices are those that ${
        isReceiver ? "were contacted" : "opened the connections"
      }`;
      const field = isReceiver ? "dst.ip" : "src.ip";
      reader.rank({ field, measure, limit: DEFAULT_RANKING }, [assumed]);
      reader.listInstead("flows", null);
      // Flows are counted, not devices.
      reading.nouns.delete("devices");
    },
  }),
  rule({
    name: "ports of a server",
    pattern: oneOf(OPEN_PORTS),
    // `open to the internet` is about who can reach them.
    guard: ({ reading: { ranking }, all, at }, { length }) =>
      ranking === null && all[at + length]?.text !== "to",
    effect(reader) {
      const isPort = [0, 1].some((more) => /^ports?$/.test(reader.word(more) ?? ""));
      reader.rank({ field: isPort ? "dst.port" : "service", measure: "count", limit: DEFAULT_RANKING }, []);
      reader.list("flows");
      reader.reading.notes.push("Listed: what was contacted. No device is probed for open ports.");
      reader.role = "dst";
      reader.hasEnd = true;
    },
  }),
  // `where does 10.0.0.5 send its data`.
  rule({
    name: "where",
    pattern: oneOf(["where did", "where does", "where do", "where has", "where have"]),
    guard: ({ reading: { ranking }, all }) =>
      ranking === null && all.some((_, at) => verbFollows(all, at) > 0),
    effect(reader) {
      const assumed = ["the destinations are asked for"];
      reader.rank({ field: "dst.ip", measure: "bytes", limit: DEFAULT_RANKING }, assumed);
      reader.list("flows");
    },
  }),
  // `which alerts were the most frequent`.
  rule({
    name: "the most frequent",
    pattern(reader) {
      const { all, at } = reader;
      const length = lengthOfOne(all, at, FREQUENT);
      const noun = all.findIndex((token, index) =>
        index < at && /^(?:which|what|the)$/.test(all[index - 1]?.text ?? "") &&
        GROUP_WORDS[token.singular] !== undefined
      );
      return length === 0 || noun < 0 ? null : { word: all[noun]!.singular, length };
    },
    guard: ({ reading: { ranking }, all, at, asked }, { length }) =>
      ranking === null && (all[at + length] === undefined || timeAt(all, at + length, asked) !== null),
    effect(reader, { word }) {
      const { field, kind, measure } = GROUP_WORDS[word]!;
      reader.rank({ field, measure, limit: DEFAULT_RANKING }, assumedGroup(word, field));
      reader.list(kind);
    },
  }),
  // `the ten devices which sent the most`.
  rule({
    name: "how many of the most",
    pattern: ({ all, at }) => ({ length: limitAt(all, at) > 0 ? 1 : 0 }),
    effect() {},
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
      // `beacons every hour` may be those that come back each hour.
      const isRepeated = measure === "count" &&
        !reader.all.some(({ text }) => /^(?:number|count|many)$/.test(text)) &&
        /^(?:each|every|hourly|daily)$/.test(reader.word()!);
      reader.rank(
        { field: "", measure, limit: 1, bucket },
        isRepeated ? [`the number per ${bucket === "1h" ? "hour" : "day"} is asked for`] : [],
      );
    },
  }),
  rule({
    name: "the most incidents",
    endsNegation: true,
    pattern: oneOf(MOST_INCIDENTS),
    // `top 5 devices by number of incidents`, but not `top countries by incidents`.
    guard: ({ reading: { ranking } }) => ranking === null || /^(?:device|src\.ip)$/.test(ranking.field),
    effect(reader) {
      const limit = reader.reading.ranking?.limit ?? DEFAULT_RANKING;
      reader.rank({ field: "device", measure: "count", limit }, []);
      reader.listInstead("incidents", null);
      reader.reading.nouns.add("incidents");
    },
  }),
  rule({
    name: "which values",
    endsNegation: true,
    pattern(reader) {
      const { all, at } = reader;
      const [word = ""] = wordsAt(all, at, 1);
      const two = wordsAt(all, at, 2).join(" ");
      const noun = GROUP_WORDS[two] === undefined ? word : two;
      const end = at + noun.split(" ").length;
      // `vlans by traffic`, `ports with the most traffic`.
      const isMeasured = all[end]?.text === "by" &&
          MEASURE_WORDS[wordsAt(all, end + 1, 1)[0] ?? ""] !== undefined ||
        all[end]?.text === "with" && !isNoun(all, at) && !isTypeBefore(all, end) &&
          lengthOfOne(all, end + 1, MOST_TRAFFIC) > 0;
      // `users who failed to log in`, `destination ports of 10.0.0.5`.
      const isOfOthers = VALUE_NOUNS.test(all.slice(at, end).map(({ text }) => text).join(" ")) &&
        BEFORE_OWNER.has(all[end]?.text ?? "");
      if (reader.isFirst && (isMeasured || isOfOthers) && GROUP_WORDS[noun] !== undefined) {
        return {
          ...GROUP_WORDS[noun],
          word: noun,
          field: roleOfNoun(all, end) === "src" ? sourceOf(GROUP_WORDS[noun].field) : GROUP_WORDS[noun].field,
          isSided: roleOfNoun(all, end) === "src",
          isCounted: false,
          length: end - at + (all[end]!.text === "who" ? 1 : 0),
        };
      }
      const counting = lengthOfOne(all, at, COUNTING);
      if (word !== "which" && word !== "what" && counting === 0) return null;
      const asking = counting || 1;
      const first = at + asking + (DIFFERENT.test(all[at + asking]?.text ?? "") ? 1 : 0);
      const pair = wordsAt(all, first, 2).join(" ");
      const group = ASKED_GROUPS.has(pair) ? pair : wordsAt(all, first, 1)[0] ?? "";
      const last = first - 1 + group.split(" ").length;
      const known = ASKED_GROUPS.has(group) ? GROUP_WORDS[group] : undefined;
      if (known === undefined) return null;
      // `which countries connect to us`.
      const isSource = (verbFollows(all, last) > 0 || lengthOfOne(all, last + 1, LOGGING_ON) > 0 ||
        roleOfNoun(all, last + 1) === "src" || all[last + 1]?.text === "from" ||
        all[at - 1]?.text === "from") &&
        lengthOfOne(all, last + 2, ["by"]) === 0 && !/^receive[sd]?$/.test(all[last + 1]?.text ?? "");
      const isReceiver = /^receive[sd]?$/.test(all[last + 1]?.text ?? "");
      return {
        ...known,
        ...isReceiver ? { measure: "src.bytes" as const } : {},
        word: group,
        field: isSource ? sourceOf(known.field) : known.field,
        // `which countries did we contact`.
        isSided: isSource || /^(?:did|do|does|has|have)$/.test(all[last + 1]?.text ?? ""),
        isCounted: counting > 0,
        length: last + 1 - at,
      };
    },
    effect(reader, { word, isSided, isCounted, field, measure, kind }) {
      if (isCounted) reader.reading.notes.push(`Listed instead of counted: at most ${MAX_RANKING} values.`);
      // `from which countries`.
      if (reader.role === "src") reader.role = null;
      const ranking = { field, measure, limit: isCounted ? MAX_RANKING : DEFAULT_RANKING };
      reader.rank(ranking, isSided ? [] : assumedGroup(word, field));
      reader.list(kind);
    },
  }),
  rule({
    name: "ranked or grouped values",
    endsNegation: true,
    pattern({ all, at }) {
      // `the 10 noisiest alerts`, `top 10 destinations`.
      const early = numberOf(all[at]!) > 0 ? lengthOfOne(all, at + 1, RANKING) : 0;
      let length = early || lengthOfOne(all, at, RANKING) || lengthOfOne(all, at, GROUPING);
      if (length === 0) return null;
      const isGroup = lengthOfOne(all, at, GROUPING) > 0;
      const number = numberOf(all[early > 0 ? at : at + length]);
      const isLimit = number >= 1 && number <= MAX_RANKING;
      const limit = isLimit ? number : DEFAULT_RANKING;
      if (isLimit) length++;
      const words = wordsAt(all, at + length, 2);
      const group = GROUP_WORDS[words.join(" ")] === undefined ? words[0] : words.join(" ");
      const known = group === undefined ? undefined : GROUP_WORDS[group];
      if (known === undefined) return null;
      return { ...known, word: group!, isGroup, limit, length: length + group!.split(" ").length };
    },
    // There is one ranking, of one field.
    guard: ({ reading: { ranking }, all, at }, { isGroup, length }) =>
      (ranking === null || ranking.field === "" && !ranking.bucket) &&
      // `servers used by clients`.
      !(isGroup && isUsed(all[at - 1]) && all[at + length - 1]!.text.endsWith("s")),
    effect(reader, { word, field: named, measure, kind: usual, isGroup, limit }) {
      const { reading, all, at } = reader;
      const noun = all.slice(0, at).findLast((_, index) => isNoun(all, index))?.text ?? "";
      const isMoved = isGroup && (reading.topics.has("upload") || reading.topics.has("download") ||
        /^(?:traffic|data|bandwidth)$/.test(noun));
      if (isGroup && reading.kind !== "devices" && DOERS.test(all[at + 1]?.text ?? "")) {
        reading.notes.push(`Read "by ${all[at + 1]!.text}" as the grouping, not as who did it.`);
      }
      const isNumbered = isGroup && /^(?:connection|flow|session|request)s$/.test(noun);
      // `printers by vlan`.
      if (isGroup && reading.kind === null && reading.hasType) {
        reader.list("devices");
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
      const isTarget = /^(?:contacted|accessed|targeted)$/.test(all[at + 1]?.text ?? "") &&
        /^(?:host|machine|device|ips?)$/.test(word);
      const field = isTarget
        ? "dst.ip"
        : ofFlows ?? (reading.kind === "devices" ? DEVICE_GROUPS[named] : undefined) ?? named;
      // Incidents and devices have no bytes, but `who are the top talkers`.
      const isCount = reading.counts || reading.kind === "incidents" || isGroup && reading.kind === "devices";
      const own = isGroup && /^packets?$/.test(noun)
        ? "packets"
        : isMoved
        ? "bytes"
        : isNumbered
        ? "count"
        : measure;
      const ranking: Ranking = { field, measure: isCount ? "count" : reading.ranking?.measure ?? own, limit };
      reader.rank(ranking, assumedGroup(word, field));
      const kind = ofFlows === undefined ? usual : "flows";
      // `alerts per device` are incidents, as alerts are.
      reader.list(field === "device" && reading.topics.has("alert") ? "incidents" : kind);
    },
  }),
  rule({
    name: "the measure of a ranking",
    pattern({ all, at, asked }) {
      const length = lengthOfOne(all, at, GROUPING);
      const measure = length === 0 ? undefined : MEASURE_WORDS[wordsAt(all, at + length, 1)[0] ?? ""];
      // `by upload volume`, `by bytes out`.
      const noun = lengthOfOne(all, at + length + 1, ["volume", "count"]);
      const after = all[at + length + 2];
      const isEnd = after === undefined || timeAt(all, at + length + 2, asked) !== null || isGrammar(after) &&
          !["the", "of", "our", "to", "a"].includes(after.text);
      const way = measure === "bytes" && isEnd ? WAYS[all[at + length + 1]?.text ?? ""] : undefined;
      return measure === undefined
        ? null
        : { measure: way ?? measure, length: length + 1 + (way === undefined ? noun : 1) };
    },
    effect(reader, { measure }) {
      const { ranking } = reader.reading;
      // `office devices by upload`.
      if (ranking === null) return reader.reject();
      reader.rank({ ...ranking, measure }, []);
    },
  }),
];

/** The number before a noun of which the most is asked for; 0 for others. */
function limitAt(all: readonly Token[], at: number): number {
  const number = numberOf(all[at]);
  const isOfNoun = number >= 1 && number <= MAX_RANKING &&
    /^(?:device|host|machine|computer|client|server)s$/.test(all[at + 1]?.text ?? "") &&
    /^(?:which|that|who|with)$/.test(all[at + 2]?.text ?? "");
  return isOfNoun && all.slice(at).some(({ text }) => text === "most") ? number : 0;
}

function limitOf(all: readonly Token[]): number {
  return all.map((_, at) => limitAt(all, at)).find((limit) => limit > 0) ?? DEFAULT_RANKING;
}

/** The field of the other end. */
function sourceOf(field: string): string {
  return field.replace(/^dst\.(?!port)/, "src.");
}

/** The whole number that a token is, in digits or as a word such as `three`; 0 for others. */
function numberOf(token: Token | undefined): number {
  if (token?.kind === "number") return Number.isInteger(token.value) ? token.value! : 0;
  return /^(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)$/.test(
      token?.text ?? "",
    )
    ? NUMBERS[token!.text]!
    : 0;
}

function isOfWork(effect: Effect): boolean {
  return "kind" in effect && effect.kind === "incidents" || "topic" in effect && effect.topic === "alert";
}

/** Whether the word is a verb that has no amount: `used`, but not `uploaded`. */
function isUsed(word: Token | undefined): boolean {
  if (/^(?:initiated|started|made|caused|generated)$/.test(word?.text ?? "")) return true;
  const effect = PHRASES.get(word?.text ?? "");
  return effect !== undefined && "verb" in effect && !("topic" in effect) && /ed$/.test(word!.text);
}
