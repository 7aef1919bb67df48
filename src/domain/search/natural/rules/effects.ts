import { FIELD_LABELS, type FieldName, FIELDS } from "../../../../contract/filter/fields.ts";
import { leavesOf } from "../../../../contract/filter/normalise.ts";
import { isTypeBefore, phraseAt, roleOfNoun } from "../values/context.ts";
import { entityAt, wordsAt } from "../values/entity.ts";
import { EITHER, type Reader } from "./reader.ts";
import type { Token } from "../words/token.ts";
import { numberAt, valuesAt, vlanAt } from "../values/value.ts";
import type { Effect } from "../words/effect.ts";
import { EITHER_SIDE, PHRASES } from "../words/vocabulary.ts";

/** Every part that an effect can have, with its value. */
type Parts = { [Key in KeyOf<Effect>]-?: ValueOf<Effect, Key> };
type KeyOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, Key extends PropertyKey> = T extends unknown
  ? Key extends keyof T ? NonNullable<T[Key]> : never
  : never;

const ANSWERS = /^(?:answer|response|repl)/;
/** Words before where something is. */
const PLACES: ReadonlySet<string> = new Set(["in", "on", "inside", "within"]);
/** Things whose length is that of a text. */
const OF_LETTERS: ReadonlySet<string> = new Set(["name", "domain", "query", "url", "path", "uri", "lookup"]);
const PASSIVE: ReadonlySet<string> = new Set([
  "was",
  "were",
  "been",
  "being",
  "get",
  "got",
  "gets",
  "getting",
]);

type Applied<Value> = (reader: Reader, value: Value, next: number) => number | void;

/**
 * What each part of an effect does, in the order in which they are applied. `next` is the position after the phrase;
 * a function returns the number of tokens that it takes from there.
 */
const APPLY: { [Key in keyof Parts]: Applied<Parts[Key]> } = {
  fill: () => {},
  refuse: () => {},
  kind(reader, kind, next) {
    const { reading } = reader;
    reader.endDenial();
    // `alerts raised today`.
    if (kind === "incidents" && /^alert/.test(reader.word()!)) {
      reader.assume("alerts are incidents, not those of sensors");
    }
    // `top countries by incidents`.
    if (kind === "incidents" && /^(?:by|per)$/.test(reader.word(-1) ?? "") && reading.ranking !== null) {
      reader.reject();
    }
    // There is one ranking: `failures by user and device`.
    if (reading.ranking !== null && reading.ranking.field !== "" && reader.isJoined) reader.reject();
    // In `ssh to unknown hosts` and `who talked to whom`, the devices are only the ends of the flows that are asked for.
    if (kind === "devices" && reader.hasEnd && !reader.isAskedFor) {
      if (reader.role === "src" || reader.role === "dst") reader.askAsFlows();
      if (reading.kind === null && !reading.hasType) {
        reading.isOfEnds = true;
        return;
      }
    }
    // `everything maria's devices did`.
    const isActor = kind === "devices" &&
      (reading.asksActivity || reader.all[0]!.text === "what" && reader.isAskedAbout(next));
    // `servers tagged critical with open incidents`.
    if (kind === "incidents" && reading.hasType && reader.isAttribute()) reader.list("devices");
    // `who attacked nashua`.
    if (kind === "incidents" && reading.kind === "devices" && /^attack/.test(reader.word()!)) {
      reader.listInstead(kind, "Shown as incidents.");
    }
    reader.list(isActor ? "flows" : kind);
    reading.nouns.add(reading.kind === kind || !isActor ? kind : "flows");
    if (kind === "incidents") reader.addMine();
    // `devices without incidents`.
    if (reader.isNegated && kind === "incidents" && reading.kind !== "incidents") {
      reader.add({ field: "severity", op: "exists" });
    }
  },
  mine(reader) {
    reader.list("incidents");
    reader.reading.nouns.add("incidents");
    reader.add({ field: "assignee", op: "matches", value: "me" });
  },
  activity(reader) {
    reader.reading.asksActivity = true;
  },
  noun(reader, field, next) {
    const isNamed = reader.token(-1)?.kind === "name" || entityAt(reader.all, next) !== null ||
      takesValue(reader.all, next);
    if (isNamed) return;
    reader.reading.asksValues ||= reader.reading.kind === null && !reader.hasEnd &&
      FIELDS[field].owner === "flow";
    // `long dns names`.
    const isOfEnd = field === "device" || reader.role === "src" || reader.role === "dst";
    if (isOfEnd && !reader.isNegated && !HAVING.has(reader.word(-1) ?? "with")) {
      reader.reading.notes.push(`Of any ${FIELD_LABELS[field]}, as none is named.`);
    }
    reader.add({ field, op: "exists" });
  },
  is(reader, condition, next) {
    // `internal servers that talk to russia` are the site's, whatever they talk to.
    if (condition.field === "direction" && condition.value === "internal" && isOfDevices(reader.all, next)) {
      reader.endNegation();
      reader.reading.notes.push("All devices are internal.");
      return;
    }
    if (
      condition.field === "detector" && PASSIVE.has(reader.word(-1) ?? "") && !reader.word()!.endsWith("ing")
    ) {
      reader.reading.notes.push(EITHER_SIDE);
    }
    // `bad devices`.
    if (condition.field === "intel" && isOfDevices(reader.all, next)) {
      reader.assume("known bad are the addresses that the devices are in contact with");
    }
    reader.add(condition);
  },
  note(reader, note, next) {
    // Devices stand by their last activity, not by their age.
    const isOfAge = /newest|oldest|earliest/.test(
      reader.all.slice(reader.at, next).map(({ text }) => text).join(" "),
    );
    if (isOfAge && reader.all.some((_, at) => isOfDevices(reader.all, at))) reader.reject();
    reader.reading.notes.push(note);
  },
  without: (reader, field) => reader.add({ not: { field, op: "exists" } }),
  topic(reader, topic) {
    reader.endDenial();
    // `which incidents did ada resolve` is about no name.
    const isOfIncidents = reader.reading.kind === "incidents";
    if (isOfIncidents && topic === "lookup" && /^resolves?$/.test(reader.word()!)) reader.reject();
    // `long names` are those of many letters.
    if (topic === "long" && reader.all.some(({ singular }) => OF_LETTERS.has(singular))) reader.reject();
    reader.addTopic(topic);
    if (topic === "upload" && /^sen[dt]/.test(reader.word()!)) reader.addTopic("sent");
    if (topic !== "alert") return;
    reader.addMine();
    // `devices without alerts`.
    if (reader.isNegated && reader.reading.kind !== null) {
      reader.add({ field: reader.reading.kind === "flows" ? "alert" : "severity", op: "exists" });
    }
  },
  role(reader, role) {
    reader.reading.isTypeOfEnd ||= role !== "either" && isTypeBefore(reader.all, reader.at);
    // Who downloads from a server opens the connection.
    const isServer = reader.word() === "from" && reader.reading.topics.has("download");
    const end = entityAt(reader.all, reader.at + 1);
    if (isServer) assumeServer(reader, end);
    // `what is at 10.0.0.5`.
    if (reader.word() === "at" && end !== null && !isOfDevices(reader.all, reader.at - 1)) {
      reader.assume(`${end.value} is the destination`);
    }
    // `dns answers from 10.0.0.2`.
    const isOfAnswer = ANSWERS.test(reader.word(-1) ?? "");
    const isAnswer = isOfAnswer && reader.word() === "from";
    if (isAnswer) reader.assume("the side that answers is the destination");
    const isAsker = isOfAnswer && reader.word() === "to";
    if (isAsker) reader.assume("the side that is answered is the source");
    if (reader.word() === "to") reader.startAtEnd();
    // `ssh off SCRANTON`, but not `devices that are off`.
    const last = reader.word() === "off" && reader.word(1) === "of" ? 2 : 1;
    if (
      reader.word() === "off" && entityAt(reader.all, reader.at + last) === null &&
      !isCapital(reader.token(last))
    ) {
      reader.reject();
    }
    // `which country do we get the most traffic from`.
    const { ranking } = reader.reading;
    if (reader.word() === "from" && reader.isLast && ranking?.field.startsWith("dst.") === true) {
      reader.rank({ ...ranking, field: ranking.field.replace("dst.", "src.") as typeof ranking.field }, []);
    }
    // `source 10.0.0.5`, but not `the source of the attack`.
    const isSide = /^(?:src|source|dst|destination)s?$/.test(reader.word()!);
    if (isSide && [1, 2, 3].every((more) => entityAt(reader.all, reader.at + more) === null)) reader.reject();
    if (reader.word() === "between") {
      const isPair = reader.all.slice(reader.at).some(({ text }) => text === "and");
      // `smb between workstations`.
      if (!isPair) reader.reject();
      reader.between = "first";
      reader.reading.isOfEnds = true;
    }
    reader.role = isServer || isAnswer ? "dst" : isAsker ? "src" : role;
    reader.hasEnd = true;
  },
  negate(reader, _, next) {
    // `to other countries than germany`: not what is inside.
    const role = reader.role;
    const isOfCountry = reader.all.slice(reader.at, next).some(({ singular }) => singular === "country");
    if (isOfCountry && (role === "src" || role === "dst")) {
      reader.add({ field: `${role}.country`, op: "exists" });
      reader.role = role;
    }
    reader.negate();
  },
  always(reader) {
    reader.reading.isOfAllTimes = true;
  },
  verb(reader, role, next) {
    // `10.0.0.9 was scanned`, but `10.0.0.9 was connected to 10.0.0.5`.
    const isPassive = role === "dst" && reader.subject !== null && PASSIVE.has(reader.word(-1) ?? "") &&
      next === reader.at + 1 && !reader.word()!.endsWith("ing");
    // `received from`.
    if (role === "dst" && reader.all[next - 1]!.text === "from") {
      assumeServer(reader, entityAt(reader.all, next));
    }
    reader.verb(isPassive ? "src" : role);
  },
  outside(reader, _, next) {
    // `outside germany`, `outside of the office vlan`, `to hosts outside 10.0.0.0/8`.
    const of = next + (reader.all[next]?.text === "of" ? 1 : 0);
    const after = of + (reader.all[of]?.text === "the" ? 1 : 0);
    if (entityAt(reader.all, of)?.type === "country") {
      const role = reader.role === "src" ? "src" : "dst";
      // What is inside has no country.
      if (!reader.isNegated) reader.add({ field: `${role}.country`, op: "exists" });
      reader.role = role;
      reader.negate();
      return of - next;
    }
    if (entityAt(reader.all, of)?.type === "address") {
      if (reader.role === null) reader.reject();
      reader.negate();
      return of - next;
    }
    if (vlanAt(reader.all, after, reader.asked) !== null || reader.all[after]?.text === "vlan") {
      // `devices that talked to a host outside the office vlan`: the other end, not the device.
      if (reader.hasVerb && reader.reading.kind === "devices") reader.reject();
      reader.negate();
      return of - next;
    }
    // `DNS servers outside` are no devices of the site.
    if (reader.role === null && reader.reading.hasType) reader.reject();
    // `internet to servers`, `external hosts that scanned us`.
    const isSource = reader.role === null && !reader.hasEnd &&
      /^(?:in)?to$/.test(reader.all[next]?.text ?? "");
    const role = reader.role ?? (isSource ? "src" : roleOfNoun(reader.all, next));
    const value = role === "src" ? "inbound" : "outbound";
    if (role === null) reader.reading.notes.push(`Read "${reader.word()}" as the destination.`);
    reader.subject = null;
    reader.add({
      field: "direction",
      op: "matches",
      value: reader.between === null && reader.word(-1) !== "with" ? value : ["inbound", "outbound"],
    });
  },
  type(reader, type, next) {
    // `from our mail server 10.0.1.25`, `not from the server SCRANTON`: the address or name says which one.
    const isAddress = entityAt(reader.all, next)?.type === "address";
    const isSided = reader.role === "src" || reader.role === "dst";
    if (isAddress && isSided || reader.isNegated && (isAddress || isCapital(reader.all[next]))) {
      const text = reader.all.slice(reader.at, next + 1).map(({ typed }) => typed).join(" ");
      reader.reading.notes.push(`Read "${text}" as one device.`);
      return;
    }
    // `printers that ...` asks for devices, `ssh to printers` and `what did printers contact` for flows.
    if (reader.isAskedAbout(next)) reader.askWhatItDid();
    // `the laptop's dns queries`.
    else if (reader.all[next - 1]!.possessive === true) reader.reading.isOfEnds = true;
    else if (!reader.hasEnd || reader.isPartitive) {
      reader.reading.hasType = true;
      // `workstations with open incidents` asks for devices, `printer incidents` for incidents.
      if (["with", "without", "that", "have", "has"].includes(reader.all[next]?.text ?? "")) {
        reader.list("devices");
      }
    } else {
      reader.reading.isOfEnds = true;
      if (reader.role !== null) reader.widenNames();
      const isEnd = reader.role === "src" || reader.role === "dst" || reader.isPlace;
      if (isEnd && !reader.reading.hasType) reader.askAsFlows();
    }
    const word = reader.word()!;
    const isVlan = reader.asked.vlans?.some((name) => name.toLowerCase() === word) === true;
    if (isVlan && PLACES.has(reader.word(-1) ?? "")) {
      reader.reading.notes.push(`Read "${word}" as the type of device, not as the VLAN.`);
    }
    if (type === "unknown") reader.reading.notes.push("Unknown: devices whose type is not known.");
    // There are web servers, DNS servers and others.
    reader.add({ field: "device.type", op: type === "server" ? "matches" : "=", value: type });
  },
  value: addValue,
  number(reader, field, next) {
    const found = numberAt(reader.all, next);
    // `risk score of nashua`.
    if (found === null && field.endsWith("score") && reader.all[next]?.text === "of") {
      reader.list("devices");
      reader.role = "either";
      reader.hasEnd = true;
      return 1;
    }
    if (found === null) {
      reader.reject();
      return 0;
    }
    reader.add({ field, op: found.op, value: found.value });
    return found.length;
  },
};

/** Whether it is written as a name: `SCRANTON`, `"Desk 3"`. */
function isCapital(token: Token | undefined): boolean {
  return token?.kind === "quoted" ||
    token?.kind === "word" && /^\p{Lu}/u.test(token.typed) && !PHRASES.has(token.singular);
}

/** Data that comes from an end is a download: its receiver opened the connection. */
function assumeServer(reader: Reader, end: ReturnType<typeof entityAt>): void {
  if (end === null || end.type === "name") return;
  reader.assume(`${end.value} is the destination, as who receives opens the connection`);
}

export const EFFECT_PARTS = Object.keys(APPLY) as (keyof Parts)[];

/** Applies a phrase's effect; returns the number of tokens after the phrase that it takes. */
export function applyEffect(reader: Reader, effect: Partial<Parts>, next: number): number {
  let taken = 0;
  for (const key of EFFECT_PARTS) {
    const value = effect[key];
    if (value === undefined) continue;
    taken += (APPLY[key] as Applied<unknown>)(reader, value, next) ?? 0;
  }
  return taken;
}

/** Whether the words name devices, or a type of them. */
function isOfDevices(all: readonly Token[], at: number): boolean {
  return [2, 1].some((length) => {
    const effect = PHRASES.get(wordsAt(all, at, length).join(" "));
    return effect !== undefined && ("type" in effect || "kind" in effect && effect.kind === "devices");
  });
}

/** Whether the value of a field follows: `issued by`. */
function takesValue(all: readonly Token[], at: number): boolean {
  return [1, 2].some((length) => {
    const effect = PHRASES.get(wordsAt(all, at, length).join(" "));
    return effect !== undefined && "value" in effect;
  });
}

/** `SNI contains google`. */
function partOfName(value: string | number): string | number {
  return typeof value === "string" && !/[.*]/.test(value) ? `*${value}*` : value;
}

/** Fields whose nouns are the first part of other nouns, too. */
const COMPOUNDS: ReadonlySet<FieldName> = new Set([
  "alert",
  "detector",
  "device.type",
  "http.path",
  "sensor",
  "smb.file",
  "smb.share",
  "title",
  "user",
  "user_agent",
  "vlan",
]);
/** Words before a noun that only has to be there. */
const HAVING: ReadonlySet<string> = new Set([
  "with",
  "without",
  "no",
  "a",
  "an",
  "any",
  "have",
  "has",
  "and",
  "or",
  ",",
  "not",
  "never",
  "isn't",
  "aren't",
]);
/** Words before the text that a field has. */
const CONTAINING: ReadonlySet<string> = new Set(["with", "containing", "contains", "like"]);
/** Words after which `called` may be a verb. */
const CALLERS: ReadonlySet<string> = new Set(["that", "which", "who", "has", "have", "had"]);
/** `assigned to nobody`. */
const NOBODY: ReadonlySet<string> = new Set(["nobody", "noone", "none"]);

/** The next quoted text or word, or several joined by `or`. */
function addValue(reader: Reader, noun: FieldName, next: number): number {
  // `who called 10.0.0.9`.
  if (noun === "device" && ["address", "name"].includes(reader.all[next]?.kind ?? "")) {
    reader.verb("dst");
    return 0;
  }
  // `devices called front-desk`.
  if (noun === "device" && reader.isFirst && /^(?:devices?|hosts?)$/.test(reader.word()!)) {
    reader.list("devices");
  }
  const { topics, ranking } = reader.reading;
  // `which hosts share the ja4`.
  if (noun === "smb.share" && /^(?:the|a|an|same)$/.test(reader.all[next]?.text ?? "")) reader.reject();
  // `dns queries of type MX`.
  const field = noun === "device.type" && topics.has("lookup") ? "dns.type" : noun;
  const { values, isBoth, length } = valuesAt(reader.all, next, field, reader.asked);
  if (isBoth && !reader.isNegated) reader.reading.notes.push(EITHER);
  // `incidents that belong to the servers vlan`.
  const place = reader.all[next]?.text === "the" ? next + 1 : next;
  if (field === "owner" && vlanAt(reader.all, place, reader.asked)?.hasNoun === true) reader.reject();
  // `incidents that belong to ada`.
  if (
    field === "owner" && values.length > 0 && /^belong/.test(reader.word()!) &&
    reader.reading.kind === "incidents"
  ) {
    reader.reading.notes.push(
      `Incidents of devices that ${values.join(", ")} owns: not those assigned to a person.`,
    );
  }
  const isNobody = values.length === 1 && NOBODY.has(String(values[0]).toLowerCase());
  if (
    isNobody || /^(?:empty|missing|blank|unset)$/.test(String(values[0])) ||
    values[0] === "unknown" && field === "owner"
  ) {
    reader.add({ not: { field, op: "exists" } });
    return length;
  }
  // `what type is 10.0.0.5`, `urls with login`.
  const isOther = values.length > 0 && FIELDS[field].type === "text" && field !== "title" &&
    reader.all.slice(next, next + length).some(({ kind }) => kind === "address");
  const isUnnamed = values.length === 0 && CONTAINING.has(reader.all[next]?.text ?? "");
  if (isOther || isUnnamed && field.startsWith("http.")) reader.reject();
  // `user agents per device`.
  if (["per", "each"].includes(reader.all[next]?.text ?? "")) reader.reject();
  // `cameras that called home`.
  if (
    noun === "device" && reader.word() === "called" && CALLERS.has(reader.word(-1) ?? "") && values.length > 0
  ) {
    reader.reading.notes.push(`Read "${values.join(", ")}" as the name of a device.`);
  }
  // There is one ranking, of one field: `devices by VLAN and owner`.
  const isGrouped = ["by", "per"].some((word) => word === reader.word(-1) || word === reader.all[next]?.text);
  if (values.length === 0 && (isGrouped || ranking !== null && reader.isJoined)) reader.reject();
  // `the detector for port scanning`.
  const isNamedLater = field === "detector" && reader.all.slice(next).some((_, more) => {
    const effect = phraseAt({ all: reader.all, at: next + more })?.effect;
    return effect !== undefined && "is" in effect && effect.is.field === "detector";
  });
  const isNamedBefore = field === "detector" &&
    reader.reading.conditions.some((one) => leavesOf(one).some(({ field }) => field === "detector"));
  if (values.length === 0 && (isNamedLater || isNamedBefore)) return 0;
  if (values.length === 0) {
    // `without a tag`, `devices with an owner`, but `the user vlan`.
    if (!reader.isNegated && !HAVING.has(reader.word(-1) ?? "with")) {
      reader.reading.notes.push(`Of any ${FIELD_LABELS[field]}, as none is named.`);
    }
    reader.add({ field, op: "exists" });
    return 0;
  }
  // `8.8.8.8 as dns`, `from ssh as a proxy`.
  if (reader.word() === "as" && PHRASES.has(String(values[0]).toLowerCase())) reader.reject();
  const named = FIELDS[field].type === "name" ? values.map(partOfName) : values;
  const value = named.length === 1 ? named[0]! : named;
  if (field === "vlan" && reader.role === "dst") reader.askAsFlows();
  // `rule 2024897`.
  if (field === "alert" && reader.all[next]?.kind === "number") {
    reader.add({ field: "alert.id", op: "=", value: Number(value) });
    return length;
  }
  // `file accesses` and `vlan hopping` look alike.
  const isOfLogons = topics.has("logon") ||
    reader.reading.conditions.some((condition) => leavesOf(condition).some(({ field }) => field === "logon"));
  const isNamed = ["named", "called", ...isOfLogons ? ["as"] : []].includes(reader.all[next - 1]!.text);
  if (
    COMPOUNDS.has(field) && !isNamed && reader.all[next]!.kind === "word" &&
    /^\p{Ll}+$/u.test(String(values[0]))
  ) {
    reader.reading.notes.push(`Read "${values[0]}" as the ${FIELD_LABELS[field]}.`);
  }
  const isExact = field === "tag" || field === "device.type" || field === "detector";
  reader.add({ field, op: isExact ? "=" : "matches", value });
  return length;
}
