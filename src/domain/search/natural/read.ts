import type { FieldName } from "../../../contract/filter/fields.ts";
import type { Comparison, Condition } from "../../../contract/filter/tree.ts";
import { formatMillis } from "../../../kit/time.ts";
import { amountAt, comparatorAt } from "./amount.ts";
import { lengthOfOne, MIN_NAME_PART, NO_NAMES, roleBefore, USING, verbFollows } from "./context.ts";
import { type Entity, entityAt, wordsAt } from "./entity.ts";
import type { Reading } from "./reading.ts";
import { type FoundCondition, severityAt, tlsVersionAt } from "./grades.ts";
import { misspelt } from "./spelling.ts";
import { type Asked, timeAt } from "./time.ts";
import { type Token, tokens } from "./token.ts";
import { ago, isGrammar, numberAt, valuesAt } from "./value.ts";
import {
  ASKED_GROUPS,
  GROUP_WORDS,
  GROUPING,
  MOST_INCIDENTS,
  MOST_TRAFFIC,
  RANKING,
  SILENT,
} from "./rankings.ts";
import {
  type Effect,
  MAX_PHRASE_WORDS,
  PHRASES,
  type Role,
  SEVERITY_WORDS,
  singular,
  type Topic,
} from "./vocabulary.ts";

/** Words that ask for a number. */
const COUNTING = ["how many", "number of", "count of", "count", "how much"];
const DEFAULT_RANKING = 10;
/** Microseconds; clocks are set back by an hour. */
const LONGEST_DAY = 25 * 3_600_000_000;

/** Reads a question word by word; everything in it must have a meaning. */
export function readQuestion(text: string, asked: Asked): Reading {
  return new Reader(tokens(text), asked).read();
}

class Reader {
  readonly #reading: Reading = {
    kind: null,
    nouns: new Set(),
    conditions: [],
    topics: new Set(),
    window: null,
    ranking: null,
    counts: false,
    hasActor: false,
    hasType: false,
    corrected: [],
    unread: [],
  };
  /** Position of the next token. */
  #at = 0;
  /** Role of the next end, from a preposition or a verb. */
  #role: Role | null = null;
  /** The next condition is negated. */
  #isNegated = false;
  /** An end whose role depends on whether a verb follows. */
  #subject: { index: number; entity: Entity } | null = null;

  constructor(readonly all: readonly Token[], readonly asked: Asked) {}

  read(): Reading {
    while (this.#at < this.all.length) {
      const consumed = this.#next();
      if (consumed > 0) {
        this.#at += consumed;
        continue;
      }
      const token = this.all[this.#at]!;
      if (token.text !== ",") {
        this.#reading.unread.push({ from: token.from, to: token.to, text: token.typed });
      }
      this.#at++;
    }
    return this.#reading;
  }

  /** Takes what begins at the position; returns the number of tokens, 0 if it has no meaning. */
  #next(): number {
    return this.#counting() || this.#silent() || this.#most() || this.#asked() || this.#ranking() ||
      this.#condition(tlsVersionAt(this.all, this.#at)) || this.#time() ||
      this.#condition(severityAt(this.all, this.#at)) ||
      this.#bounded() || this.#entity() || this.#phrase() || this.#actor() || this.#correction();
  }

  #condition(found: FoundCondition | null): number {
    if (found === null) return 0;
    this.#add(found.condition);
    return found.length;
  }

  #counting(): number {
    const length = lengthOfOne(this.all, this.#at, COUNTING);
    if (length > 0) this.#reading.counts = true;
    return length;
  }

  /** `not seen for 2 days`, `silent since monday`. */
  #silent(): number {
    const length = lengthOfOne(this.all, this.#at, SILENT);
    if (length === 0) return 0;
    const next = this.#at + length;
    if (this.all[next]?.text === "for") {
      const amount = amountAt(this.all, next + 1, "bytes");
      if (amount?.field !== "duration") return 0;
      this.#add({ field: "last_seen", op: "<", value: ago(amount.value) });
      return length + 1 + amount.length;
    }
    const since = this.all[next]?.text === "since" ? timeAt(this.all, next, this.asked) : null;
    if (since === null) return 0;
    this.#add({ field: "last_seen", op: "<", value: formatMillis(since.from) });
    return length + since.length;
  }

  /** `devices with the most incidents`, `who uploaded the most data`. */
  #most(): number {
    const traffic = lengthOfOne(this.all, this.#at, MOST_TRAFFIC);
    if (traffic > 0) {
      this.#reading.ranking = { field: "device", measure: "bytes", limit: DEFAULT_RANKING };
      this.#reading.kind = "flows";
      return traffic;
    }
    const length = lengthOfOne(this.all, this.#at, MOST_INCIDENTS);
    if (length === 0) return 0;
    this.#reading.ranking = { field: "device", measure: "count", limit: DEFAULT_RANKING };
    this.#reading.kind = "incidents";
    this.#reading.nouns.add("incidents");
    return length;
  }

  /** `which countries`, `what ports`. */
  #asked(): number {
    const word = this.all[this.#at]?.text;
    if (word !== "which" && word !== "what") return 0;
    const group = wordsAt(this.all, this.#at + 1, 1)[0] ?? "";
    const known = ASKED_GROUPS.has(group) ? GROUP_WORDS[group] : undefined;
    if (known === undefined) return 0;
    this.#reading.ranking = { field: known.field, measure: known.measure, limit: DEFAULT_RANKING };
    this.#reading.kind ??= known.kind;
    return 2;
  }

  /** `top 10 talkers`, `busiest hosts`, `traffic by country`. */
  #ranking(): number {
    const ranked = lengthOfOne(this.all, this.#at, RANKING);
    const grouped = ranked > 0 ? 0 : lengthOfOne(this.all, this.#at, GROUPING);
    if (ranked + grouped === 0) return 0;
    let length = ranked + grouped;
    const number = this.all[this.#at + length];
    const limit = number?.kind === "number" && number.value! >= 1 && number.value! <= 100
      ? number.value!
      : null;
    if (limit !== null) length++;
    const words = wordsAt(this.all, this.#at + length, 2);
    const group = GROUP_WORDS[words.join(" ")] === undefined ? words[0] : words.join(" ");
    const known = group === undefined ? undefined : GROUP_WORDS[group];
    if (known === undefined) return this.#measure(grouped, words[0]);
    this.#reading.ranking = { field: known.field, measure: known.measure, limit: limit ?? DEFAULT_RANKING };
    this.#reading.kind ??= known.kind;
    return length + group!.split(" ").length;
  }

  /** `by bytes`, `by number of connections`, after a ranking. */
  #measure(grouped: number, word: string | undefined): number {
    const { ranking } = this.#reading;
    if (grouped === 0 || ranking === null || word === undefined) return 0;
    const measure = ["byte", "volume", "size"].includes(word)
      ? "bytes"
      : word === "connection" || word === "count"
      ? "count"
      : null;
    if (measure === null) return 0;
    this.#reading.ranking = { ...ranking, measure };
    return grouped + 1;
  }

  #time(): number {
    const before = this.#reading.window;
    // `yesterday between 9am and 10am`.
    const isDay = before !== null && before.to - before.from <= LONGEST_DAY;
    const phrase = timeAt(this.all, this.#at, isDay ? { ...this.asked, day: before.from } : this.asked);
    if (phrase === null) return 0;
    const { from, to } = phrase;
    this.#reading.window = before === null
      ? { from, to }
      : { from: Math.max(before.from, from), to: Math.min(before.to, to) };
    return phrase.length;
  }

  /** `over 50 MB`, `longer than 2 hours`, `risk above 40`, `between 1 and 5 GB`. */
  #bounded(): number {
    const bound = comparatorAt(this.all, this.#at);
    if (bound === null) return 0;
    const amount = amountAt(this.all, this.#at + bound.length, this.#sizeField());
    if (amount === null) return 0;
    this.#add({ field: amount.field, op: bound.op, value: amount.value });
    return bound.length + amount.length;
  }

  #sizeField(): FieldName {
    if (this.#reading.topics.has("upload")) return "src.bytes";
    return this.#reading.topics.has("download") ? "dst.bytes" : "bytes";
  }

  /** An address, name, country or another end; several joined by `or`, `and` or commas are one condition. */
  #entity(): number {
    const first = entityAt(this.all, this.#at);
    if (first === null) return 0;
    let length = first.length;
    const values = [first.value];
    for (;;) {
      const joint = this.all[this.#at + length]?.text;
      if (joint !== "or" && joint !== "and" && joint !== ",") break;
      const skip = joint === "," && this.all[this.#at + length + 1]?.text === "or" ? 2 : 1;
      const next = entityAt(this.all, this.#at + length + skip);
      if (next === null || next.type !== first.type) break;
      // Between two addresses: a flow with both ends.
      if (joint === "and" && this.#previousWord() === "between") {
        this.#addEntity({ type: first.type, values }, "either");
        this.#addEntity({ type: first.type, values: [next.value] }, "either");
        return length + skip + next.length;
      }
      values.push(next.value);
      length += skip + next.length;
    }
    const entity: Entity = { type: first.type, values };
    const owns = this.all[this.#at + length - 1]?.possessive === true;
    if (this.#role === null && !owns && first.type !== "fingerprint" && first.type !== "technique") {
      this.#subject = { index: this.#reading.conditions.length, entity };
    }
    this.#addEntity(entity, owns ? "either" : this.#role ?? "either");
    return length;
  }

  #previousWord(): string | undefined {
    return this.all[this.#at - 1]?.text;
  }

  #addEntity({ type, values }: Entity, role: Role): void {
    const value = values.length === 1 ? values[0]! : values;
    const end = role === "either" ? "" : `${role}.`;
    switch (type) {
      case "address":
        return this.#add({ field: `${end}ip` as FieldName, op: "matches", value });
      case "port":
        return this.#add({ field: role === "src" ? "src.port" : "dst.port", op: "matches", value });
      case "country":
        return this.#add({ field: `${end}country` as FieldName, op: "matches", value });
      case "asn":
        return this.#add({ field: `${end}asn` as FieldName, op: "matches", value });
      case "technique":
        return this.#add({ field: "technique", op: "matches", value });
      case "fingerprint":
        for (const one of values) this.#add({ field: "any", op: "matches", value: one });
        return;
      case "name":
        return this.#addName(values as string[]);
    }
  }

  /** A domain: looked up, or contacted under that name. Its subdomains count as the domain. */
  #addName(names: string[]): void {
    const value = names.flatMap((name) => name.startsWith("*.") ? [name] : [name, `*.${name}`]);
    const looked: Comparison = { field: "dns.query", op: "matches", value };
    if (this.#reading.topics.has("lookup")) return this.#add(looked);
    const contacted: Comparison = { field: "server_name", op: "matches", value };
    this.#add(this.#role === null ? { any: [contacted, looked] } : contacted);
  }

  #phrase(): number {
    for (let length = MAX_PHRASE_WORDS; length > 0; length--) {
      const words = wordsAt(this.all, this.#at, length);
      if (words.length < length) continue;
      const typed = this.all.slice(this.#at, this.#at + length).map(({ text }) => text);
      const effect = PHRASES.get(typed.join(" ")) ?? PHRASES.get(words.join(" "));
      if (effect === undefined) continue;
      if ("refuse" in effect) return 0;
      if (typed[0] === "resolved" && this.all[this.#at + 1]?.kind === "name") {
        this.#addTopic("lookup");
        this.#verb("dst");
        return 1;
      }
      return length + this.#apply(effect, this.#at + length);
    }
    return 0;
  }

  /** Returns the number of tokens after the phrase that it takes. */
  #apply(effect: Effect, next: number): number {
    if ("kind" in effect) {
      this.#reading.kind ??= effect.kind;
      this.#reading.nouns.add(effect.kind);
      // `devices without incidents`.
      if (this.#isNegated && effect.kind === "incidents" && this.#reading.kind !== "incidents") {
        this.#add({ field: "severity", op: "exists" });
      }
    }
    if ("mine" in effect) {
      this.#reading.kind ??= "incidents";
      this.#reading.nouns.add("incidents");
      this.#add({ field: "assignee", op: "matches", value: "me" });
    }
    if ("is" in effect) this.#add(effect.is);
    if ("without" in effect) this.#add({ not: { field: effect.without, op: "exists" } });
    if ("topic" in effect) this.#addTopic(effect.topic!);
    if ("role" in effect && effect.role !== undefined) this.#role = effect.role;
    if ("negate" in effect) this.#isNegated = !this.#isNegated;
    if ("verb" in effect) this.#verb(effect.verb);
    if ("outside" in effect) this.#outside();
    if ("type" in effect) {
      // `printers that ...` asks for devices, `ssh to printers` for flows.
      if (this.#role === null) {
        this.#reading.hasType = true;
        // `workstations with open incidents` asks for devices, `printer incidents` for incidents.
        if (["with", "without", "that"].includes(this.all[next]?.text ?? "")) {
          this.#reading.kind ??= "devices";
        }
      }
      // There are web servers, DNS servers and others.
      const op = effect.type === "server" ? "matches" : "=";
      this.#add({ field: "device.type", op, value: effect.type });
    }
    if ("value" in effect) return this.#value(effect.value, next);
    if ("number" in effect) return this.#number(effect.number, next);
    return 0;
  }

  #outside(): void {
    const value = this.#role === "src" ? "inbound" : "outbound";
    this.#subject = null;
    this.#add({ field: "direction", op: "matches", value });
  }

  #addTopic(topic: Topic): void {
    const isNew = !this.#reading.topics.has(topic);
    this.#reading.topics.add(topic);
    if (topic === "upload" && isNew) this.#move("bytes", "src.bytes");
    if (topic === "download" && isNew) this.#move("bytes", "dst.bytes");
  }

  /** A size before the word that says in which direction. */
  #move(from: FieldName, to: FieldName): void {
    this.#reading.conditions = this.#reading.conditions.map((condition) =>
      "field" in condition && condition.field === from ? { ...condition, field: to } : condition
    );
  }

  /** The end before a verb is the source, or the destination of a passive verb. */
  #verb(role: Role): void {
    if (this.#subject !== null && role !== "either") {
      const { index, entity } = this.#subject;
      this.#reading.conditions.splice(index);
      this.#addEntity(entity, role === "dst" ? "src" : "dst");
    }
    this.#subject = null;
    this.#role = role;
  }

  /** The next quoted text or word, or several joined by `or`. */
  #value(field: FieldName, next: number): number {
    const { values, length } = valuesAt(this.all, next, field, this.asked);
    if (values.length === 0) {
      // `without a tag`, `devices with an owner`, `flows with a file`.
      this.#add({ field, op: "exists" });
      return 0;
    }
    const value = values.length === 1 ? values[0]! : values;
    const isExact = field === "tag" || field === "device.type" || field === "detector";
    this.#add({ field, op: isExact ? "=" : "matches", value });
    return length;
  }

  #number(field: FieldName, next: number): number {
    const found = numberAt(this.all, next);
    if (found === null) return 0;
    this.#add({ field, op: found.op, value: found.value });
    return found.length;
  }

  /**
   * A name that no word list knows: after a preposition or a verb, before `did` or a verb, or in the possessive, it is
   * a device or a person who owns one.
   */
  #actor(): number {
    const token = this.all[this.#at]!;
    if (token.kind !== "word" && token.kind !== "quoted") return 0;
    if (
      NO_NAMES.has(token.text) ||
      (token.kind === "word" && !/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(token.text))
    ) return 0;
    const before = wordsAt(this.all, 0, this.#at).at(-1) ?? "";
    const isObject = this.#role !== null && roleBefore(this.all, this.#at);
    const isSubject =
      ["did", "does", "has", "is", "was", "do"].includes(this.all[this.#at - 1]?.text ?? "") &&
        this.#hasWordAfter() ||
      this.#role === null && ["did", "does"].includes(this.all[this.#at + 1]?.text ?? "");
    const hasDigits = /\d/.test(token.text) && /\p{L}/u.test(token.text);
    const isNamed = before === "device" || before === "host" || before === "machine";
    const followed = verbFollows(this.all, this.#at);
    const pair = this.#pairOfNames();
    if (pair > 0) return pair;
    if (
      !(isObject || isSubject || token.possessive || token.kind === "quoted" || hasDigits || isNamed ||
        followed)
    ) {
      return 0;
    }
    if (token.kind === "word" && !token.possessive && !hasDigits && misspelt(token.text) !== null) return 0;
    const isAlone = !isObject && !isSubject && !token.possessive && !isNamed && !followed;
    if (isAlone) {
      this.#add({ field: "any", op: "matches", value: token.text });
      return 1;
    }
    if (isSubject) this.#reading.hasActor = true;
    const number = this.#numberOfName();
    const name = number === null ? token.text : `${token.text} ${number}`;
    if (this.#reading.topics.has("logon") || this.#hasLogon()) {
      this.#add({ field: "user", op: "matches", value: name });
    } else if (this.#reading.kind === "incidents" && before === "by") {
      this.#add({ field: "assignee", op: "matches", value: name });
    } else {
      const isUsed = token.kind === "word" && USING.has(this.all[this.#at - 1]?.text ?? "") &&
        /^\p{L}+$/u.test(name) && name.length >= MIN_NAME_PART;
      this.#addNamed(name, isUsed);
    }
    return number === null ? 1 : 2;
  }

  /** A device, a person who owns one, or, if it may be what is used, a name that contains the word. */
  #addNamed(name: string, isUsed = false): void {
    const any: Comparison[] = [
      { field: "device", op: "matches", value: name },
      { field: "owner", op: "matches", value: name },
    ];
    if (isUsed) any.push({ field: "server_name", op: "matches", value: `*${name}*` });
    this.#add({ any });
  }

  /** The number in `desk 4`, if it is neither a size nor a time. */
  #numberOfName(): string | null {
    const next = this.all[this.#at + 1];
    const isLast = this.all[this.#at + 2] === undefined || isGrammar(this.all[this.#at + 2]!) ||
      timeAt(this.all, this.#at + 2, this.asked) !== null;
    const isNumber = next?.kind === "number" && /^\d{1,4}$/.test(next.text) && isLast &&
      timeAt(this.all, this.#at + 1, this.asked) === null;
    return isNumber ? next.text : null;
  }

  /** `between nashua and scranton`: flows with both ends. */
  #pairOfNames(): number {
    const [first, joint, second] = this.all.slice(this.#at, this.#at + 3);
    const isName = (token: Token | undefined) =>
      token?.kind === "quoted" || token?.kind === "word" && !isGrammar(token) && !PHRASES.has(token.text);
    if (this.#previousWord() !== "between" || joint?.text !== "and" || !isName(first) || !isName(second)) {
      return 0;
    }
    this.#addNamed(first!.text);
    this.#addNamed(second!.text);
    return 3;
  }

  #hasLogon(): boolean {
    return this.#reading.conditions.some((condition) => "field" in condition && condition.field === "logon");
  }

  #hasWordAfter(): boolean {
    return this.all[this.#at + 1] !== undefined;
  }

  /** A misspelt word that stands for one of the vocabulary. */
  #correction(): number {
    const token = this.all[this.#at]!;
    if (token.kind !== "word") return 0;
    const read = misspelt(token.text);
    if (read === null || PHRASES.has(token.text)) return 0;
    if (read !== singular(token.text)) this.#reading.corrected.push({ typed: token.typed, read });
    const effect = PHRASES.get(read);
    if (effect !== undefined) return 1 + this.#apply(effect, this.#at + 1);
    if (GROUP_WORDS[read] !== undefined || read in SEVERITY_WORDS) {
      if (read in SEVERITY_WORDS) this.#add({ field: "severity", op: "=", value: SEVERITY_WORDS[read]! });
      return 1;
    }
    return 0;
  }

  #add(condition: Condition): void {
    this.#reading.conditions.push(this.#isNegated ? { not: condition } : condition);
    this.#isNegated = false;
    this.#role = null;
  }
}
