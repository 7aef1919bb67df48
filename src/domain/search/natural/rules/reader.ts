import { type FieldName, FIELDS } from "../../../../contract/filter/fields.ts";
import { leavesOf } from "../../../../contract/filter/normalise.ts";
import type { Comparison, Condition, ResultKind, Scalar } from "../../../../contract/filter/tree.ts";
import { type Entity, entityAt } from "../values/entity.ts";
import type { Part, Ranking, Reading } from "./reading.ts";
import { assumedSides, assumedSource } from "./sides.ts";
import type { Asked } from "../time/calendar.ts";
import { timeAt } from "../time/time.ts";
import type { Token } from "../words/token.ts";
import { union } from "./union.ts";
import type { Role, Topic } from "../words/effect.ts";

const ARTICLES: ReadonlySet<string> = new Set(["the", "a", "an", "any", "our", "this", "that"]);
const AUXILIARIES: ReadonlySet<string> = new Set(["did", "does", "do", "has"]);
const HAVING: ReadonlySet<string> = new Set(["with", "without", "have", "has", "having", "had"]);
const ASKING: ReadonlySet<string> = new Set(["which", "what", "of"]);
/** Ends of files that are no ends of domains. */
const FILE_NAME =
  /\.(?:bat|csv|dll|docm?|docx|exe|iso|jpg|js|msi|pdf|png|pptx?|ps1|rar|tar|txt|vbs|xlsm?|xlsx)$/;
/** Ends of pages of web servers that are no ends of domains. */
const PAGE_NAME = /\.(?:aspx?|cgi|html?|jsp|php)$/;
export const OF_THE_SITE = "Only devices of the site are listed, the one that did it among them.";
export const AS_FLOWS = "Shown as flows.";
export const EITHER = 'Read "and" as "or": one of them is enough.';

/** A reading that is not finished. */
type Draft = Omit<Reading, "kind" | "conditions" | "ranking"> & {
  kind: ResultKind | null;
  conditions: Condition[];
  ranking: Ranking | null;
};

/** `and`, `or` or a comma, with what had been read before it. */
interface Joint extends Part {
  word: string;
  conditions: number;
  amount: number;
}

/** What has been read of a question, the position in it, and what the words so far mean for the next ones. */
export class Reader {
  readonly #draft: Draft = {
    kind: null,
    nouns: new Set(),
    conditions: [],
    topics: new Set(),
    window: null,
    isOfAllTimes: false,
    ranking: null,
    counts: false,
    hasActor: false,
    asksActivity: false,
    hasType: false,
    asksWhatWasDone: false,
    vlanOf: null,
    isInnerDestination: false,
    isOfUs: false,
    asksYesOrNo: false,
    asksValues: false,
    isTypeOfEnd: false,
    isOfEnds: false,
    isOfEither: false,
    notes: [],
    assumed: new Set(),
    corrected: [],
    unread: [],
    parts: [],
  };
  /** What has been read so far. */
  readonly reading: Reading = this.#draft;
  /** Position of the next token. */
  at = 0;
  /** Role of the next end, from a preposition or a verb. */
  role: Role | null = null;
  /** Whether a preposition or a verb has named an end. */
  hasEnd = false;
  /** Whether a verb has named what was done to the other end. */
  hasVerb = false;
  /** Which of two ends joined by `and` is next. */
  between: "first" | "second" | null = null;
  /** An end whose role depends on whether a verb follows. */
  subject: { index: number; entity: Entity } | null = null;
  /** The word that negates the next condition; without one the question is not understood, as for the next two. */
  #negation: Part | null = null;
  /** `my`, until a noun says of what. */
  #mine: Part | null = null;
  #joint: Joint | null = null;
  /** The end that a verb has made the source, until the verb's other end follows. */
  #doer: Entity | null = null;

  constructor(readonly all: readonly Token[], readonly asked: Asked) {}

  /** The token at the position, or so many after or before it. */
  token(offset = 0): Token | undefined {
    return this.all[this.at + offset];
  }

  word(offset = 0): string | undefined {
    return this.token(offset)?.text;
  }

  get isNegated(): boolean {
    return this.#negation !== null;
  }

  /** Whether the question is what the device at the position did: `what did the printers do`, `what the printers did`. */
  isAskedAbout(next: number): boolean {
    let at = this.at - 1;
    while (ARTICLES.has(this.all[at]?.text ?? "")) at--;
    const before = this.all[at]?.text ?? "";
    return AUXILIARIES.has(before) || before === "what" && AUXILIARIES.has(this.all[next]?.text ?? "");
  }

  /** Whether the noun at the position is what is asked for, not an end: `which of our devices`. */
  get isAskedFor(): boolean {
    return this.word() === "who" || [-1, -2].some((at) => ASKING.has(this.word(at) ?? ""));
  }

  /** Records what the question does not state, as a clause. */
  assume(clause: string): void {
    this.reading.assumed.add(clause);
  }

  /** The kind that a word of the question names; the first one counts. */
  list(kind: ResultKind): void {
    this.#draft.kind ??= kind;
  }

  /** Another kind than the one that was named. `note` is null if the question states the kind in another way. */
  listInstead(kind: ResultKind, note: string | null): void {
    this.#draft.kind = kind;
    if (note !== null) this.reading.notes.push(note);
  }

  /**
   * The question asks for the most frequent values or a total.
   *
   * @param assumed Clauses of what it leaves open of their side.
   */
  rank(ranking: Ranking, assumed: readonly string[]): void {
    this.#draft.ranking = ranking;
    for (const clause of assumed) this.assume(clause);
  }

  /** Whether the word at the position names the place of an activity: `who used rdp on SCRANTON`. */
  get isPlace(): boolean {
    let at = this.at - 1;
    while (ARTICLES.has(this.all[at]?.text ?? "")) at--;
    return this.hasVerb && this.reading.kind === "devices" && this.all[at]?.text === "on";
  }

  /** Whether the noun at the position is all that is asked for: `which of the printers`. */
  get isPartitive(): boolean {
    let at = this.at - 1;
    while (ARTICLES.has(this.all[at]?.text ?? "")) at--;
    return this.all[at]?.text === "of" &&
      /^(?:which|what|any|one|some|many)$/.test(this.all[at - 1]?.text ?? "");
  }

  /** Whether it can be answered by yes or no: `do any servers have weak TLS`. */
  get isOfYesOrNo(): boolean {
    return /^(?:do|does|did|has|have|had|is|are|was|were)$/.test(this.all[0]?.text ?? "");
  }

  /** What was done to a device or network is seen in flows: conditions on devices are of one device. */
  askAsFlows(): void {
    const { kind, hasType } = this.reading;
    if (kind === "devices" || kind === null && hasType) this.listInstead("flows", AS_FLOWS);
  }

  /** What a device did is seen in flows: `which hosts did nashua contact`. */
  askWhatItDid(): void {
    const { reading } = this;
    reading.hasActor = true;
    reading.isOfEither ||= reading.kind === "devices";
    this.askAsFlows();
  }

  /** Whether the noun at the position is what something has: `with open`, then the noun. */
  isAttribute(): boolean {
    return [-1, -2, -3].some((at) => HAVING.has(this.word(at) ?? ""));
  }

  /** Whether nothing but a time follows the word at the position. */
  get isLast(): boolean {
    const next = this.at + 1;
    return this.all[next] === undefined || timeAt(this.all, next, this.asked) !== null;
  }

  get isJoined(): boolean {
    return this.#joint !== null && this.#joint.conditions === this.reading.conditions.length;
  }

  /** Whether nothing has been read yet that narrows the answer. */
  get isEmpty(): boolean {
    return this.#amount() === 0 && !this.reading.counts && !this.isNegated;
  }

  /** Whether nothing has been asked for yet. */
  get isFirst(): boolean {
    return this.#amount() === 0 && !this.reading.asksActivity;
  }

  /** The word at the position negates what follows; two of them are none. */
  negate(): void {
    this.#negation = this.#negation === null ? this.#pending() : null;
  }

  /** A negation cannot reach beyond here. */
  endNegation(): void {
    this.#unread(this.#negation);
    this.#negation = null;
  }

  /** `no alerts from zeek` asks for nothing, unlike `devices with no alerts`. */
  endDenial(): void {
    if (this.#negation?.text.toLowerCase() === "no" && this.isFirst) this.endNegation();
  }

  /** The word at the position says that the next noun's things are those of the person who asks. */
  ask(): void {
    this.#unread(this.#mine);
    this.#mine = this.#pending();
  }

  /** The word at the position has no meaning without another. */
  reject(): void {
    this.#unread(this.#pending());
  }

  addMine(): void {
    if (this.#mine === null) return;
    this.#mine = null;
    this.add({ field: "assignee", op: "matches", value: "me" });
  }

  /** The word at the position joins the last condition with the next. */
  join(word: string): void {
    if (this.between === "first" && word === "and") {
      this.between = "second";
      this.role = "either";
      return;
    }
    if (this.#joint?.word === "or") this.#unread(this.#joint);
    const conditions = this.reading.conditions.length;
    this.#joint = { ...this.#pending(), word, conditions, amount: this.#amount() };
  }

  /** Marks what is left without the word that it belongs to. */
  end(): Reading {
    this.endNegation();
    this.#unread(this.#mine);
    this.reading.asksYesOrNo = this.isOfYesOrNo;
    this.reading.isOfUs = (this.role === "src" || this.role === "dst") &&
      this.all.some(({ text }) => text === "us");
    if (this.#doer !== null) this.assume(assumedSource(this.#doer));
    const joint = this.#joint;
    if (joint?.word === "or" || joint?.word === "and" && joint.amount === this.#amount()) {
      this.#unread(joint);
    }
    this.reading.unread.sort((a, b) => a.from - b.from);
    return this.reading;
  }

  add(condition: Condition): void {
    const { conditions, notes } = this.#draft;
    if (leavesOf(condition).some(({ field }) => FIELDS[field].owner === "device")) this.#addEnd();
    const fields = leavesOf(condition).map(({ field }) => field);
    if ((this.role === "src" || this.role === "dst") && fields.includes("vlan")) {
      this.reading.vlanOf = this.role;
    }
    this.reading.isInnerDestination ||= this.role === "dst" &&
      fields.some((field) => field === "vlan" || field === "device.type" || field === "device");
    for (const clause of assumedSides(condition, this.role, this.reading.topics)) this.assume(clause);
    if (this.role !== null) this.#doer = null;
    const joint = this.isJoined ? this.#joint : null;
    // `not false positive and not resolved` has two negations.
    const isNegative = /^(?:not|un|still|pending|active)/.test(this.word() ?? "") && conditions.length > 0 &&
      "not" in conditions.at(-1)!;
    const joined = joint !== null && !this.isNegated && !isNegative && conditions.length > 0
      ? union(conditions.at(-1)!, condition)
      : null;
    if (joined !== null) {
      conditions[conditions.length - 1] = joined;
      if (joint!.word === "and" && !("not" in joined)) {
        notes.push(EITHER);
      }
    } else {
      if (this.#joint?.word === "or") this.#unread(this.#joint);
      conditions.push(this.isNegated ? { not: condition } : condition);
    }
    this.#joint = null;
    this.#negation = null;
    this.role = null;
  }

  addTopic(topic: Topic): void {
    const isNew = !this.reading.topics.has(topic);
    this.reading.topics.add(topic);
    if (topic === "upload" && isNew) this.#move("bytes", "src.bytes");
    if (topic === "download" && isNew) this.#move("bytes", "dst.bytes");
  }

  /** A size before the word that says in which direction. */
  #move(from: FieldName, to: FieldName): void {
    this.#draft.conditions = this.#draft.conditions.map((condition) =>
      "field" in condition && condition.field === from ? { ...condition, field: to } : condition
    );
  }

  /** The end before a verb is the source, or the destination of a passive verb. */
  verb(role: Role): void {
    // `port 3389 used` is no source.
    if (this.subject !== null && role !== "either" && this.subject.entity.type !== "port") {
      const { index, entity } = this.subject;
      // `german servers contacted` and `was 203.0.113.9 contacted` name what was contacted.
      const was = this.all.slice(0, this.at).findLastIndex(({ text }) => text === "was" || text === "were");
      const isAskedWhether = was >= 0 && entityAt(this.all, was + 1)?.length === this.at - was - 1;
      const isPassive = /ed$/.test(this.word()!) &&
        (isAskedWhether || entity.type === "country" && this.isLast);
      const condition = this.#ofEntity(entity, role === "dst" && !isPassive ? "src" : "dst");
      const isNegated = "not" in this.#draft.conditions[index]!;
      this.#draft.conditions[index] = isNegated ? { not: condition } : condition;
      // `what did 10.0.0.5 contact` states who did it, `10.0.0.5 contacted` does not.
      const isStated = this.all.slice(0, this.at).some(({ text }) => AUXILIARIES.has(text));
      this.#doer = role === "dst" && !isStated && !isPassive ? entity : null;
      if (isPassive && !isAskedWhether) this.assume(`${entity.values.join(", ")} is the destination`);
      // `how many hosts does 10.0.0.5 talk to`.
      if (this.reading.kind === "devices") this.reading.notes.push(OF_THE_SITE);
    }
    // `what did nashua contact`.
    if (this.subject === null) this.reading.isOfEither ||= this.reading.hasActor && role !== "either";
    this.subject = null;
    this.role = role;
    this.hasEnd = true;
    this.hasVerb = true;
  }

  /** `10.0.0.0/16 to 10.1.0.0/16`: the end right before the position is the source. */
  startAtEnd(): void {
    if (this.subject === null || this.subject.entity.type === "port") return;
    const { index, entity } = this.subject;
    const last = entity.values.at(-1);
    const isBefore = entityAt(this.all, this.at - 1)?.value === last ||
      entityAt(this.all, this.at - 2)?.value === last;
    if (!isBefore || index !== this.reading.conditions.length - 1) return;
    if ("not" in this.#draft.conditions[index]!) return;
    this.#draft.conditions[index] = this.#ofEntity(entity, "src");
    this.subject = null;
  }

  addEntity({ type, values }: Entity, role: Role): void {
    if (type !== "fingerprint") return this.add(this.#ofEntity({ type, values }, role));
    for (const value of values) this.add({ field: "any", op: "matches", value });
  }

  #ofEntity({ type, values }: Entity, role: Role): Condition {
    const value: Scalar | Scalar[] = values.length === 1 ? values[0]! : values;
    const end = role === "either" ? "" : `${role}.`;
    switch (type) {
      case "address":
        return { field: `${end}ip` as FieldName, op: "matches", value };
      case "port":
        return { field: role === "src" ? "src.port" : "dst.port", op: "matches", value };
      case "country":
      case "asn":
        return { field: `${end}${type}` as FieldName, op: "matches", value };
      case "technique":
        return { field: "technique", op: "matches", value };
      case "fingerprint":
        return { field: "any", op: "matches", value };
      case "name":
        return this.#ofDomain(values as string[]);
    }
  }

  /** A domain: looked up, or contacted under that name. Its subdomains count as the domain. */
  #ofDomain(names: string[]): Condition {
    // `who opened payroll.xlsx`.
    if (names.every((name) => FILE_NAME.test(name))) {
      this.reading.notes.push(`Read "${names.join(", ")}" as an SMB file.`);
      return { field: "smb.file", op: "matches", value: names };
    }
    // `requests for login.php`.
    if (names.every((name) => PAGE_NAME.test(name))) {
      this.reading.notes.push(`Read "${names.join(", ")}" as a path of HTTP.`);
      return { field: "http.path", op: "matches", value: names };
    }
    const value = names.flatMap((name) => name.startsWith("*.") ? [name] : [name, `*.${name}`]);
    const looked: Comparison = { field: "dns.query", op: "matches", value };
    // `txt records of evil.example`.
    const isOfLookups = this.reading.conditions.some((condition) =>
      leavesOf(condition).some(({ field, value }) =>
        field === "dns.type" || field === "dns.rcode" ||
        field === "service" && value === "dns" && this.role !== "dst" && this.role !== "src"
      )
    );
    if (this.reading.topics.has("lookup") || isOfLookups) return looked;
    const contacted: Comparison = { field: "server_name", op: "matches", value };
    return this.role === null ? { any: [contacted, looked] } : contacted;
  }

  /** The severity right before the noun includes those on one side of it; without one the words have no meaning. */
  widenSeverity(op: ">=" | "<="): void {
    const last = this.reading.conditions.at(-1);
    if (last === undefined || !("field" in last) || last.field !== "severity") return this.reject();
    this.#draft.conditions = [...this.reading.conditions.slice(0, -1), { ...last, op }];
  }

  /** Names so far are of the other end than a device that follows: conditions on devices alone are of one device. */
  widenNames(): void {
    this.#draft.conditions = this.#draft.conditions.map((condition) => {
      const [first] = "any" in condition ? condition.any : [];
      const isNarrow = first !== undefined && "field" in first && first.field === "device" &&
        this.all[this.at - 1]?.possessive !== true;
      return isNarrow ? { any: namedAlternatives(String(first.value), true) } : condition;
    });
  }

  /** A device, a person who owns one, or, if it may be what is used, a name that contains the word. */
  addNamed(name: string, isUsed = false): void {
    this.add({ any: namedAlternatives(name, isUsed) });
  }

  /** A condition on a device holds for one at either end, whatever the question says. */
  #addEnd(): void {
    const isEnd = this.role === "src" || this.role === "dst";
    this.reading.isOfEither ||= isEnd;
    // `nashua to scranton`.
    this.reading.isOfEnds ||= isEnd && this.reading.conditions.length > 0;
  }

  #pending(): Part {
    const { from, to, typed } = this.token()!;
    return { from, to, text: typed };
  }

  #unread(word: Part | null): void {
    if (word !== null) this.reading.unread.push({ from: word.from, to: word.to, text: word.text });
  }

  /** How much has been read that narrows the answer. */
  #amount(): number {
    const { kind, nouns, conditions, topics, window, ranking } = this.reading;
    return nouns.size + conditions.length + topics.size +
      [kind, window, ranking].filter((part) => part !== null).length;
  }
}

function namedAlternatives(value: string, isUsed: boolean): Comparison[] {
  const any: Comparison[] = [
    { field: "device", op: "matches", value },
    { field: "owner", op: "matches", value },
  ];
  return isUsed ? [...any, { field: "server_name", op: "matches", value: `*${value}*` }] : any;
}
