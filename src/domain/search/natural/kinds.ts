import { type FieldName, FIELDS } from "../../../contract/filter/fields.ts";
import { leavesOf } from "../../../contract/filter/normalise.ts";
import type { Comparison, Condition, ResultKind } from "../../../contract/filter/tree.ts";
import { isGlobalAddress } from "../../../kit/net/ip.ts";
import { AS_FLOWS } from "./rules/reader.ts";
import type { Reading } from "./rules/reading.ts";

/** Fields that a question may ask for in each kind, so that they do not state one. */
const OF_ANY_KIND: ReadonlySet<FieldName> = new Set<FieldName>([
  "any",
  "asn",
  "bytes",
  "country",
  "device",
  "device.ip",
  "dns.query",
  "dst.bytes",
  "dst.port",
  "duration",
  "intel",
  "ip",
  "packets",
  "sensor",
  "server_name",
  "source",
  "src.bytes",
  "user",
  "vlan",
]);

/** Fields that incidents have and alerts of sensors have not. */
const OF_WORK: ReadonlySet<FieldName> = new Set<FieldName>(["assignee", "detector", "status", "technique"]);

/**
 * The kind that a question lists. If no word of it states the kind, a clause for it is added to `assumed`.
 *
 * @param given The kind of the page on which it is asked.
 */
export function listedKind(
  reading: Reading,
  conditions: readonly Condition[],
  given: ResultKind | undefined,
  assumed: string[],
): ResultKind {
  const {
    kind: named,
    topics,
    ranking,
    hasActor,
    hasType,
    isTypeOfEnd,
    asksActivity,
    asksWhatWasDone,
    asksValues,
  } = reading;
  // `alerts per device`.
  if (named === "incidents" && topics.has("alert") && !reading.nouns.has("incidents")) {
    assumed.push("alerts are incidents, not those of sensors");
  }
  if (named !== null) return named;
  const found = kindOf(reading, conditions);
  const kind = found ?? given ?? "flows";
  if (topics.has("alert")) {
    const isWorkedOn = ranking?.field === "alert" ||
      comparisons(conditions).some(({ field }) => OF_WORK.has(field));
    if (kind === "incidents" && !isWorkedOn) assumed.push("alerts are incidents, not those of sensors");
    return kind;
  }
  // `everything tagged critical`.
  const isOfDevices = conditions.length > 0 && !reading.isOfEither &&
    conditions.every((one) =>
      leavesOf(one).every(({ field }) => FIELDS[field].owner === "device" && field !== "device")
    );
  // `do any servers have weak TLS`.
  const isOfSome = hasActor && reading.asksYesOrNo &&
    comparisons(conditions).some(({ field }) => field === "device.type");
  const isStated = !isOfSome && !(asksValues && kind !== "flows") &&
    (hasActor && !reading.asksYesOrNo || asksActivity && !isOfDevices || asksWhatWasDone ||
      hasType && !isTypeOfEnd ||
      [...topics].some((topic) => topic !== "new") ||
      !isTypeOfEnd && !asksActivity &&
        conditions.some((one) => !leavesOf(one).some(({ field }) => OF_ANY_KIND.has(field))));
  if (ranking !== null || found === null && given !== undefined) return kind;
  // A note states it already.
  const isNoted = reading.notes.includes(AS_FLOWS);
  if (!isStated && !isNoted) assumed.push(`the question is about ${kind}`);
  return kind;
}

/** The kind that the conditions belong to. Alerts are incidents unless flows are asked for. */
function kindOf(
  { topics, hasActor, hasType, isOfEnds, asksActivity }: Reading,
  conditions: readonly Condition[],
): ResultKind | null {
  const isOfWork = topics.has("alert") || isOfIncidents(conditions);
  if (hasActor && !isOfWork) return "flows";
  if (asksActivity && !isOfWork) return "flows";
  if (hasType) return "devices";
  const fields = comparisons(conditions).map(({ field }) => field);
  const owners = new Set(fields.filter((field) => field !== "vlan").map((field) => FIELDS[field].owner));
  if (
    topics.has("upload") || topics.has("download") || topics.has("lookup") || topics.has("logon") ||
    topics.has("transfer")
  ) {
    return "flows";
  }
  if (fields.some((field) => field.startsWith("alert"))) return "flows";
  if (topics.has("alert") || owners.has("incident")) return "incidents";
  if (owners.has("flow") || isOfEnds) return "flows";
  if (owners.has("device")) return "devices";
  if (fields.includes("vlan")) return "flows";
  return topics.has("new") ? "devices" : null;
}

/** Fields whose condition is about an end that is no device of the site, as a rule. */
const OF_OTHER_END: ReadonlySet<FieldName> = new Set<FieldName>([
  "asn",
  "country",
  "dst.asn",
  "dst.country",
  "intel",
  "server_name",
  "src.asn",
  "src.country",
]);

/** Whether conditions on flows are met by the devices at both ends, such as the client and the server. */
export function isOfEitherEnd(conditions: readonly Condition[]): boolean {
  const leaves = conditions.filter((condition) => !("not" in condition)).flatMap((one) => comparisons([one]));
  return leaves.some(({ field }) => FIELDS[field].owner === "flow") && !leaves.some(isOfOtherEnd);
}

/** The addresses of the site that are the one end which a question names, so that it asks for the devices at the other. */
export function namedEnd(conditions: readonly Condition[]): Comparison["value"] | null {
  const ends = conditions.filter((one) =>
    "field" in one && /^(?:src|dst)\.ip$/.test(one.field)
  ) as Comparison[];
  const [end, ...others] = ends;
  if (end === undefined || others.length > 0 || end.op !== "matches" || isOfOtherEnd(end)) return null;
  return [end.value].flat().some((one) => String(one).includes("/")) ? null : end.value!;
}

function isOfOtherEnd({ field, value }: Comparison): boolean {
  const values = [value].flat().map(String);
  if (field === "direction") return values.every((direction) => direction !== "internal");
  if (/(?:^|\.)ip$/.test(field) && FIELDS[field].owner === "flow") {
    return values.every((address) => isGlobalAddress(address.replace(/\/.*$/, "")));
  }
  return OF_OTHER_END.has(field);
}

export function isOfIncidents(conditions: readonly Condition[]): boolean {
  return comparisons(conditions).some(({ field }) => FIELDS[field].owner === "incident");
}

/** The comparisons of conditions, those that are negated included. */
export function comparisons(conditions: readonly Condition[]): Comparison[] {
  return conditions.flatMap((condition) => leavesOf(condition));
}
