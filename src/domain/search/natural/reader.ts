import type { FieldName } from "../../../contract/filter/fields.ts";
import type { Comparison, Condition } from "../../../contract/filter/tree.ts";
import type { Entity } from "./entity.ts";
import type { Reading } from "./reading.ts";
import type { Asked } from "./time.ts";
import type { Token } from "./token.ts";
import type { Role, Topic } from "./vocabulary.ts";

/** What has been read of a question, the position in it, and what the words so far mean for the next ones. */
export class Reader {
  readonly reading: Reading = {
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
  at = 0;
  /** Role of the next end, from a preposition or a verb. */
  role: Role | null = null;
  /** The next condition is negated. */
  isNegated = false;
  /** An end whose role depends on whether a verb follows. */
  subject: { index: number; entity: Entity } | null = null;

  constructor(readonly all: readonly Token[], readonly asked: Asked) {}

  /** The token at the position, or so many after or before it. */
  token(offset = 0): Token | undefined {
    return this.all[this.at + offset];
  }

  word(offset = 0): string | undefined {
    return this.token(offset)?.text;
  }

  add(condition: Condition): void {
    this.reading.conditions.push(this.isNegated ? { not: condition } : condition);
    this.isNegated = false;
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
    this.reading.conditions = this.reading.conditions.map((condition) =>
      "field" in condition && condition.field === from ? { ...condition, field: to } : condition
    );
  }

  /** The end before a verb is the source, or the destination of a passive verb. */
  verb(role: Role): void {
    if (this.subject !== null && role !== "either") {
      const { index, entity } = this.subject;
      this.reading.conditions.splice(index);
      this.addEntity(entity, role === "dst" ? "src" : "dst");
    }
    this.subject = null;
    this.role = role;
  }

  addEntity({ type, values }: Entity, role: Role): void {
    const value = values.length === 1 ? values[0]! : values;
    const end = role === "either" ? "" : `${role}.`;
    switch (type) {
      case "address":
        return this.add({ field: `${end}ip` as FieldName, op: "matches", value });
      case "port":
        return this.add({ field: role === "src" ? "src.port" : "dst.port", op: "matches", value });
      case "country":
        return this.add({ field: `${end}country` as FieldName, op: "matches", value });
      case "asn":
        return this.add({ field: `${end}asn` as FieldName, op: "matches", value });
      case "technique":
        return this.add({ field: "technique", op: "matches", value });
      case "fingerprint":
        for (const one of values) this.add({ field: "any", op: "matches", value: one });
        return;
      case "name":
        return this.#addDomain(values as string[]);
    }
  }

  /** A domain: looked up, or contacted under that name. Its subdomains count as the domain. */
  #addDomain(names: string[]): void {
    const value = names.flatMap((name) => name.startsWith("*.") ? [name] : [name, `*.${name}`]);
    const looked: Comparison = { field: "dns.query", op: "matches", value };
    if (this.reading.topics.has("lookup")) return this.add(looked);
    const contacted: Comparison = { field: "server_name", op: "matches", value };
    this.add(this.role === null ? { any: [contacted, looked] } : contacted);
  }

  /** A device, a person who owns one, or, if it may be what is used, a name that contains the word. */
  addNamed(name: string, isUsed = false): void {
    const any: Comparison[] = [
      { field: "device", op: "matches", value: name },
      { field: "owner", op: "matches", value: name },
    ];
    if (isUsed) any.push({ field: "server_name", op: "matches", value: `*${name}*` });
    this.add({ any });
  }
}
