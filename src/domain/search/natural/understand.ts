import { FIELD_LABELS, type FieldName, FIELDS } from "../../../contract/filter/fields.ts";
import { AGGREGATE_LIMITS, GROUP_FIELDS } from "../../../contract/filter/aggregate.ts";
import { checkFilter } from "../../../contract/filter/check.ts";
import {
  type Comparison,
  type Condition,
  type Filter,
  RESULT_KINDS,
  type ResultKind,
  type Scalar,
} from "../../../contract/filter/tree.ts";
import { leavesOf, normalise } from "../../../contract/filter/normalise.ts";
import { parseValue } from "../../../contract/filter/values.ts";
import { formatMillis } from "../../../kit/time.ts";
import { comparisons, isOfEitherEnd, isOfIncidents, listedKind, namedEnd } from "./kinds.ts";
import { ANYWHERE, QUESTIONS } from "./questions.ts";
import { OF_THE_SITE } from "./rules/reader.ts";
import { readQuestion } from "./rules/read.ts";
import type { Part, Ranking, Reading, ReadPart } from "./rules/reading.ts";
import type { Asked, Span } from "./time/calendar.ts";
import { NOW_NOTE } from "./rules/amounts.ts";
import { contradiction } from "./rules/union.ts";
import { isOfAnyOutcome, topicConditions, withSuperlative } from "./topics.ts";
import { unsaid } from "./unsaid.ts";
import { EITHER_SIDE, PHRASES, singular } from "./words/vocabulary.ts";

/** A question that was understood. */
export interface Understood {
  ok: true;
  /** Its words, in groups that were read together. */
  parts: ReadPart[];
  filter: Filter;
  /** The most frequent values, if the question asks for them. */
  ranking: Ranking | null;
  /** What was assumed, in words. */
  notes: string[];
}

/** A question that was not: which parts have no meaning, and the nearest one that works. */
export interface Declined {
  ok: false;
  message: string;
  notUnderstood: Part[];
  suggestion: string;
}

const AMOUNTS: ReadonlySet<FieldName> = new Set(["bytes", "src.bytes", "dst.bytes", "packets", "duration"]);
const DAY = 86_400_000_000;
const WEEK = 7 * DAY;
const NOW = /\b(?:now|currently|moment|at present|presently|as we speak)$/i;
/** Buckets that an answer holds. */
const MAX_HOURS = AGGREGATE_LIMITS.buckets - 1;
/** As the API bounds it. */
const MAX_FLOW_WINDOW = 31 * DAY;
const MAX_QUESTION = 500;

/**
 * Reads a question once. A word that the grammar does not know declines it; whether each known word had an effect is
 * not checked here.
 */
export function understand(text: string, asked: Asked, kind?: ResultKind): Understood | Declined {
  if (text.length > MAX_QUESTION) {
    return declined(text, [], `A question has at most ${MAX_QUESTION} characters.`);
  }
  const reading = readQuestion(text, asked);
  if (reading.unread.length > 0) {
    const words = reading.unread.map((part) => `"${part.text}"`).join(", ");
    return declined(text, reading.unread, `Not understood: ${words}.`);
  }
  const isEmpty = reading.kind === null && reading.conditions.length === 0 && reading.topics.size === 0 &&
    reading.ranking === null && reading.window === null;
  if (isEmpty) return declined(text, [], "The question names nothing to search for.");
  if (reading.window !== null && reading.window.from >= asked.now) {
    return declined(text, [], "The question asks about the future.");
  }
  if (reading.window !== null && reading.window.from >= reading.window.to) {
    return declined(text, [], "The times in the question contradict each other.");
  }
  const { topics } = reading;
  useFailedService(reading);
  if ((topics.has("failed") || topics.has("succeeded")) && !topics.has("logon") && !topics.has("lookup")) {
    return declined(text, [], "Only log-ons and DNS lookups are known to fail or succeed.");
  }
  const isOfOthers = reading.ranking !== null && reading.kind !== "incidents";
  const isOfIncidents = reading.nouns.size === 0 && !isOfOthers || reading.nouns.has("incidents") ||
    topics.has("alert");
  if (!isOfIncidents && comparisons(reading.conditions).some(({ field }) => field === "status")) {
    return declined(text, [], "Only incidents have a status.");
  }
  // `did anyone connect to us`.
  if (
    reading.isOfUs && reading.kind === "devices" && reading.conditions.length === 0 &&
    reading.ranking === null
  ) {
    return declined(text, [], "The question does not say what was done to which device.");
  }
  const answer = composed(withSuperlative(reading), asked, kind);
  const field = contradiction(reading.conditions, answer.filter.kind === "devices");
  if (field !== null) {
    return declined(text, [], `The question asks for two values of ${FIELD_LABELS[field]} at once.`);
  }
  // Flows have more to group by; `devices with the most traffic` are found by theirs.
  const noun = topics.has("lookup") || topics.has("logon") ? "flows" : [...reading.nouns][0];
  const counted = reading.counts || reading.ranking?.field !== "device" ? noun : undefined;
  if (
    isMiscounted(answer, counted) ||
    topics.has("alert") && answer.ranking !== null && answer.filter.kind === "devices"
  ) {
    return declined(text, [], `There is no such grouping of ${counted ?? "these"}.`);
  }
  const isOfFlows = answer.ranking !== null && answer.ranking.field !== "" && answer.filter.kind === "flows";
  const hasIncidents = comparisons(reading.conditions).some(({ field }) =>
    FIELDS[field].owner === "incident"
  );
  // `which countries have incidents`.
  if (isOfFlows && reading.nouns.has("incidents") && !hasIncidents) {
    return declined(text, [], "There is no such grouping of incidents.");
  }
  const fault = answer.filter.where === null ? undefined : checkFilter(answer.filter.where)[0];
  return fault === undefined ? answer : declined(text, [], `${fault.message}.`);
}

function composed(reading: Reading, { now, zone }: Asked, given?: ResultKind): Understood {
  const notes = [
    ...reading.corrected.map(({ typed, read }) => `Read "${typed}" as "${read}".`),
    ...reading.notes,
  ];
  const assumed = [...reading.assumed];
  const conditions = [...reading.conditions];
  conditions.push(...topicConditions(reading, notes));
  let kind = listedKind(reading, conditions, given, assumed);
  if (reading.isOfEither && kind === "incidents") {
    notes.push("A name or a type is that of any device of the incident.");
  }
  const isOfIncluded = conditions.some((one) =>
    !("not" in one) && comparisons([one]).some(({ field }) => FIELDS[field].owner === "device")
  );
  if (
    reading.isOfEither && kind === "flows" && isOfIncluded &&
    !comparisons(conditions).some(({ field }) => /^direction$|^(?:src|dst)\.(?:ip|country|asn)$/.test(field))
  ) {
    notes.push("A name or a type is that of either end: flows of both directions are found.");
  }
  // `is anybody outside connecting by rdp`, `external dns servers`.
  const isOfOthers = comparisons(conditions).some(({ field, value }) =>
    field === "direction" && (value === "inbound" && !reading.hasType || [value].flat().length > 1)
  );
  if (kind === "devices" && isOfOthers) {
    notes.push("Only devices of the site are listed.");
  }
  // `chinese devices`.
  if (kind === "devices" && comparisons(conditions).some(({ field }) => field === "country")) {
    notes.push("A country is that of the other end of a device's traffic.");
  }
  const excluded = conditions.flatMap((condition) => "not" in condition ? comparisons([condition]) : []);
  if (kind === "flows" && excluded.some(({ field }) => FIELDS[field].owner === "device")) {
    notes.push("Excluded: flows with such a device at either end.");
  }
  const isByStatus = comparisons(conditions).some(({ field }) => FIELDS[field].owner === "flow") &&
    kind === "incidents" && reading.kind === null && !reading.topics.has("alert");
  const isOfDevices = kind === "devices" && !reading.nouns.has("incidents") && !reading.topics.has("alert");
  if (
    (isByStatus || isOfDevices) &&
    comparisons(conditions).some(({ field, value }) => field === "status" && value === "open")
  ) {
    notes.push('Read "open" as the status of incidents.');
  }
  const ofVlans = comparisons(conditions).filter(({ field }) => field === "vlan");
  const vlans = ofVlans.length;
  const vlanNames = new Set(ofVlans.map(({ value }) => String(value)));
  // One flow has one VLAN, but each of its ends has its own.
  if (kind === "devices" || vlans > 1) useDeviceFields(conditions);
  if (kind !== "devices" && vlanNames.size > 1) {
    notes.push(`The ${kind} are those between the VLANs in either direction.`);
  }
  // `workstation to workstation`.
  const ofDevices = conditions.filter((condition) =>
    leavesOf(condition).every(({ field }) => FIELDS[field].owner === "device")
  ).map((condition) => JSON.stringify(condition));
  if (new Set(ofDevices).size < ofDevices.length) {
    notes.push("A device or a type that is named twice is searched for at either end, not at both.");
  }
  const isOfAmounts = comparisons(conditions).some(({ field }) => AMOUNTS.has(field));
  if (isOfAmounts && (kind !== "flows" || reading.ranking !== null)) {
    notes.push("The amount is that of a single flow, not of all together.");
  }
  // `devices with incidents`: one is enough.
  const asksOfIncidents = reading.nouns.has("incidents") ||
    kind === "devices" && reading.topics.has("alert");
  if (kind !== "incidents" && asksOfIncidents && !isOfIncidents(conditions)) {
    conditions.push({ field: "severity", op: "exists" });
  }
  let window = reading.window;
  if (reading.topics.has("new") && kind !== "flows") {
    if (window === null) notes.push("New: first seen in the last seven days.");
    const { from, to } = window ?? { from: now - WEEK, to: now };
    conditions.unshift({
      field: "first_seen",
      op: "range",
      value: [formatMillis(from), formatMillis(Math.min(to, now))],
    });
    window = null;
  } else if (reading.topics.has("new")) {
    notes.push("These are all flows of the time: only devices and incidents are known to be new.");
  }
  // `open right now`: as the incident is, not what happened in the last minutes.
  const isOfState = comparisons(conditions).some(({ field }) => field === "status" || field === "assignee");
  const isOfPresent = reading.parts.some(({ text }) => /\b(?:moment|at present|presently)$/i.test(text));
  if (
    kind === "incidents" && (isOfState || isOfPresent) && reading.parts.some(({ text }) => NOW.test(text))
  ) {
    window = null;
    const at = notes.indexOf(NOW_NOTE);
    if (at >= 0) notes.splice(at, 1);
    notes.push('Read "now" as the present status, not as the time of the activity.');
  }
  const isSettled = comparisons(conditions).some(({ field, value }) =>
    field === "assignee" ||
    field === "status" && [value].flat().some((one) => one !== "open") && ![value].flat().includes("open")
  );
  if (kind === "incidents" && excluded.some(({ field }) => field === "owner")) {
    notes.push("The owner is that of a device, not who works on the incident.");
  }
  if (kind === "incidents" && isSettled && window !== null) {
    notes.push("The time is that of the last activity, not of the closing or assigning.");
  }
  const named = kind === "devices" && reading.ranking === null ? namedEnd(conditions) : null;
  if (named !== null) {
    conditions.push({ not: { field: "device.ip", op: "matches", value: named } });
    assumed.push(`${[named].flat().join(", ")} itself is not meant`);
    const at = notes.indexOf(OF_THE_SITE);
    if (at >= 0) notes[at] = "Only devices of the site are listed.";
  } else if (kind === "devices" && isOfEitherEnd(conditions) && !notes.includes(OF_THE_SITE)) {
    assumed.push("devices at either end of such flows are meant");
  }
  const isOfOneEnd = comparisons(conditions).some(({ field, value }) =>
    field === "direction" && value !== "internal"
  );
  if (reading.vlanOf !== null && kind !== "devices" && vlans === 1 && !isOfOneEnd) {
    assumed.push("a VLAN is that of the flow, not of one end");
  }
  const where = conditions.length === 0 ? null : normalise(canonical({ all: withoutRepeated(conditions) }));
  let ranking = rankingOf(reading, conditions, notes);
  if (ranking !== null) {
    ranking = useOtherEnd(ranking, conditions, assumed);
    kind = rankedKind(kind, ranking);
  }
  const owners = new Set(comparisons(conditions).map(({ field }) => FIELDS[field].owner));
  // `port scans against us`, `who connected to us`.
  if (reading.isOfUs) {
    assumed.push(
      kind === "incidents" ? "either side of such incidents is meant" : '"us" is any device of the site',
    );
  }
  const isOfDetector = comparisons(conditions).some(({ field }) => field === "detector" || field === "title");
  if (kind === "devices" && isOfDetector && !notes.includes(EITHER_SIDE) && !notes.includes(OF_THE_SITE)) {
    assumed.push("devices on either side of such incidents are meant");
  }
  if (kind === "devices" && owners.has("incident") && window !== null && ranking === null) {
    notes.push("The time is that of the devices: their incidents may be of another time.");
  }
  if (kind === "devices" && owners.has("flow") && owners.has("incident")) {
    assumed.push("any flow and any incident of a device counts, related or not");
  }
  // `which VLANs does VLAN 20 talk to`.
  if (ranking?.field === "vlan" && vlans > 0) assumed.push("a VLAN is that of the flow, not of one end");
  const isOfSome = owners.has("device");
  if (ranking?.field === "device" && kind === "flows" && (ranking.measure === "count" || isOfSome)) {
    assumed.push("each counts for the devices at both ends");
  }
  if (ranking?.field === "device" && kind === "incidents" && isOfSome) {
    assumed.push("each counts for all of its devices");
  }
  const either = "A name or a type is that of either end: flows of both directions are found.";
  if (ranking !== null && kind === "flows" && /^(?:src|dst)\./.test(ranking.field) && isOfIncluded) {
    notes.push(either);
  }
  const isOfSensors = reading.topics.has("alert") && !reading.nouns.has("flows") && kind === "flows" &&
    ranking !== null && !ranking.field.startsWith("alert");
  if (isOfSensors) notes.push("Counted: flows with an alert of a sensor.");
  if (ranking?.bucket !== undefined && reading.topics.has("new") && kind !== "flows") {
    notes.push("Each is counted at the time of its last activity.");
  }
  if (ranking?.bucket !== undefined && window === null) {
    window = { from: now - (ranking.bucket === "1d" ? WEEK : DAY), to: now };
    notes.push(ranking.bucket === "1d" ? "Over the last seven days." : "Over the last 24 hours.");
  }
  if (ranking?.bucket === "1h" && window !== null && window.to - window.from > MAX_HOURS * DAY / 24) {
    ranking = { ...ranking, bucket: "1d" };
    notes.push("Shown per day: the time is too long for hours.");
  }
  if (ranking?.bucket === "1d" && zone !== "UTC") notes.push("Days begin at midnight UTC.");
  if (kind === "flows" && window === null && reading.isOfAllTimes) {
    window = { from: now - MAX_FLOW_WINDOW, to: now };
    notes.push("Of flows the last 31 days are searched.");
  }
  if (kind === "flows" && window?.from === 0) {
    window.from = window.to - MAX_FLOW_WINDOW;
    notes.push("Of flows the 31 days before then are searched.");
  }
  notes.push(...unsaid(reading.parts, { kind, conditions, ranking, notes }));
  if (isOfAnyOutcome(reading, conditions)) assumed.push("log-ons that failed count, too");
  if (assumed.length > 0) notes.push(`Assumed: ${[...new Set(assumed)].join("; ")}.`);
  return {
    ok: true,
    filter: { version: 1, kind, where, window: window === null ? null : shown(window, now), zone },
    ranking,
    notes: [...new Set(notes)],
    parts: reading.parts,
  };
}

/** `mail traffic by smtp`; a device that is named twice is one at each end. */
function withoutRepeated(conditions: readonly Condition[]): Condition[] {
  const texts = conditions.map((one) => JSON.stringify(one));
  return conditions.filter((one, at) =>
    texts.indexOf(texts[at]!) === at || leavesOf(one).some(({ field }) => FIELDS[field].owner === "device")
  );
}

/** Whether devices or incidents are to be counted by what only others can be grouped by. */
function isMiscounted({ filter, ranking }: Understood, counted: ResultKind | undefined): boolean {
  if (ranking === null) return false;
  const isGroup = ranking.field === "" ||
    (GROUP_FIELDS[filter.kind] as readonly string[]).includes(ranking.field);
  return !isGroup || ranking.measure === "count" && counted !== undefined && counted !== filter.kind;
}

/** Look-ups and log-ons are counted: their sizes mean nothing. What was sent is that of one end. */
function rankingOf(
  { ranking, counts, topics }: Reading,
  conditions: readonly Condition[],
  notes: string[],
): Ranking | null {
  if (ranking === null) return counts ? { field: "", measure: "count", limit: 1 } : null;
  const isCounted = topics.has("lookup") || topics.has("logon") || topics.has("alert") ||
    // A domain is contacted, too.
    conditions.some((condition) =>
      leavesOf(condition).every(({ field }) => field === "logon" || field.startsWith("dns."))
    );
  if (isCounted) return { ...ranking, measure: "count" };
  const measure = ranking.measure !== "bytes"
    ? ranking.measure
    : topics.has("upload")
    ? "src.bytes"
    : topics.has("download")
    ? "dst.bytes"
    : "bytes";
  if (measure === "src.bytes") notes.push("Sent: by the side that opened the connection.");
  if (measure === "packets" && (topics.has("upload") || topics.has("download"))) {
    notes.push("The packets are those of both directions.");
  }
  if (measure === "dst.bytes") notes.push("Received: by the side that opened the connection.");
  // The device at either end would count what the other one sent.
  const isOfEither = ranking.field === "device" && (measure === "src.bytes" || measure === "dst.bytes");
  return { ...ranking, measure, ...isOfEither ? { field: "src.ip" } : {} };
}

/** `countries of inbound connections`: the end that is outside, if the question states none. */
function useOtherEnd(ranking: Ranking, conditions: readonly Condition[], assumed: string[]): Ranking {
  const at = assumed.findIndex((clause) => /^each .* is that of the destination$/.test(clause));
  const isInbound = comparisons(conditions).some(({ field, value }) =>
    field === "direction" && value === "inbound"
  );
  if (at < 0 || !isInbound || !/^dst\.(?:country|asn|ip)$/.test(ranking.field)) return ranking;
  assumed[at] = assumed[at]!.replace("destination", "source");
  return { ...ranking, field: ranking.field.replace("dst.", "src.") };
}

/** The kind that can be grouped by the ranking's field and added up as it says. */
function rankedKind(kind: ResultKind, { field, measure }: Ranking): ResultKind {
  if (measure !== "count") return "flows";
  const can = (kind: ResultKind) => field === "" || (GROUP_FIELDS[kind] as readonly string[]).includes(field);
  return can(kind) ? kind : RESULT_KINDS.find(can) ?? kind;
}

/** Services whose failures are failed log-ons. */
const LOGON_SERVICES: ReadonlySet<unknown> = new Set(["krb", "ssh", "smb", "rdp", "ldap", "ftp"]);

/** `kerberos failures` are failed log-ons, `dns failures` failed look-ups. */
function useFailedService({ topics, conditions, notes }: Reading): void {
  const isOfOutcome = topics.has("failed") || topics.has("succeeded");
  if (!isOfOutcome || topics.has("logon") || topics.has("lookup")) return;
  const services = comparisons(conditions).filter(({ field }) => field === "service").map(({ value }) =>
    value
  );
  if (services.some((service) => LOGON_SERVICES.has(service))) {
    topics.add("logon");
    if (topics.has("succeeded")) notes.push("Those whose log-on succeeded are found.");
  } else if (services.includes("dns") && topics.has("failed")) topics.add("lookup");
}

/** The condition with its values as filters spell them. */
function canonical(condition: Condition): Condition {
  if ("all" in condition) return { all: condition.all.map(canonical) };
  if ("any" in condition) return { any: condition.any.map(canonical) };
  if ("not" in condition) return { not: canonical(condition.not) };
  const { field, op, value } = condition;
  if (value === undefined) return condition;
  const spelt = (one: Scalar): Scalar => {
    if (typeof one === "number") return one;
    const parsed = parseValue(field, one, { op, quoted: true });
    return parsed.ok ? parsed.value : one;
  };
  return { field, op, value: Array.isArray(value) ? value.map(spelt) : spelt(value) };
}

function shown({ from, to }: Span, now: number): { from: string; to: string } {
  return { from: formatMillis(Math.max(0, from)), to: formatMillis(Math.min(to, now)) };
}

/** Fields of devices for those of flows and incidents. */
const DEVICE_FIELDS: Partial<Record<FieldName, FieldName>> = { vlan: "device.vlan", score: "device.score" };

/** `printers in VLAN 20` are devices of the VLAN, whatever their flows carry. */
function useDeviceFields(conditions: Condition[]): void {
  conditions.forEach((condition, index) => {
    const inner = "not" in condition ? condition.not : condition;
    const field = "field" in inner ? DEVICE_FIELDS[inner.field] : undefined;
    if (field === undefined) return;
    const ofDevice = { ...inner, field } as Comparison;
    conditions[index] = "not" in condition ? { not: ofDevice } : ofDevice;
  });
}

/** The refusal of a question, with the parts that have no meaning and the nearest question that works. */
export function declined(
  text: string,
  notUnderstood: Declined["notUnderstood"],
  message: string,
): Declined {
  return { ok: false, message, notUnderstood, suggestion: nearestQuestion(text) };
}

/**
 * The example question that shares the most words that mean something with the text; without any, one that names
 * nothing a site may lack.
 */
function nearestQuestion(text: string): string {
  const words = new Set(wordsOf(text.slice(0, MAX_QUESTION)));
  let best: string = ANYWHERE;
  let most = 0;
  for (const question of QUESTIONS) {
    const own = wordsOf(question);
    const shared = own.filter((word) => words.has(word)).length / Math.sqrt(own.length);
    if (shared > most) [best, most] = [question, shared];
  }
  return best;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}.]+/gu) ?? [];
  return words.map(singular).filter((word) => {
    const effect = PHRASES.get(word);
    return effect === undefined || !("fill" in effect || "role" in effect);
  });
}
