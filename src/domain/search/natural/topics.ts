import { leavesOf } from "../../../contract/filter/normalise.ts";
import type { Comparison, Condition } from "../../../contract/filter/tree.ts";
import { comparisons } from "./kinds.ts";
import { sizeFieldOf } from "./rules/amounts.ts";
import type { Reading } from "./rules/reading.ts";
import type { Topic } from "./words/effect.ts";

/** Bytes from which a transfer counts as large. */
const LARGE_BYTES = 10_000_000;
/** Milliseconds. */
const LONG_DURATION = 3_600_000;
const SUPERLATIVE = /\b(?:biggest|largest|heaviest)$/i;

/** `biggest uploads` asks for an order, not for a size: the reading with the devices that moved the most. */
export function withSuperlative(reading: Reading): Reading {
  const { topics, ranking, counts, conditions, parts } = reading;
  const isMoved = topics.has("upload") || topics.has("download");
  // Those of one device have no other to compare it with.
  const isOfOne = comparisons(conditions).some(({ field }) => /^(?:src\.ip|ip|device|owner)$/.test(field));
  if (!topics.has("large") || !isMoved || isOfOne || ranking !== null || counts) return reading;
  if (!parts.some(({ text }) => SUPERLATIVE.test(text))) return reading;
  return {
    ...reading,
    topics: new Set([...topics].filter((topic) => topic !== "large")),
    ranking: { field: "src.ip", measure: "bytes", limit: 10 },
    notes: [...reading.notes, "The largest sums per device are listed, not the largest flows."],
  };
}

/** What topics such as uploads, lookups and alerts add beyond the words of the question. */
export function topicConditions(
  { topics, conditions, kind, ranking, isInnerDestination, parts }: Reading,
  notes: string[],
): Condition[] {
  const added: Condition[] = [];
  const has = (...fields: string[]) => comparisons(conditions).some(({ field }) => fields.includes(field));
  // What was sent to a given address may have stayed inside.
  const isMeasured = ranking !== null || topics.has("large") || has("bytes", "src.bytes", "dst.bytes");
  const isOutbound = topics.has("upload") && !isInnerDestination &&
    !has("direction", "dst.ip", "src.country", "src.asn");
  const isUndirected = topics.has("upload") && !topics.has("sent") && !isOutbound && !has("direction");
  if (!isMeasured && (topics.has("download") || isUndirected)) {
    notes.push("Uploads and downloads are not told from other flows: all are found.");
  }
  if (isOutbound) {
    if (!isMeasured && !topics.has("sent")) {
      notes.push("Uploads: flows of any size from the site to elsewhere.");
    }
    if (topics.has("sent")) notes.push("Sent: from the site to elsewhere.");
    added.push({ field: "direction", op: "matches", value: "outbound" });
  }
  if (topics.has("lookup") && topics.has("failed")) {
    notes.push("Failed: lookups of names that do not exist.");
    added.push({ field: "dns.rcode", op: "=", value: "NXDOMAIN" });
  } else if (topics.has("lookup") && !has("dns.query", "dns.rcode", "dns.type")) {
    added.push({ field: "dns.query", op: "exists" });
  }
  if (topics.has("logon") && !has("logon")) added.push(logon(topics));
  if (topics.has("alert") && kind === "flows" && !has("alert", "alert.id", "alert.category")) {
    added.push({ field: "alert", op: "exists" });
  }
  if (topics.has("large") && !has("bytes", "src.bytes", "dst.bytes")) {
    const field = sizeFieldOf(topics, parts.map(({ text }) => text).join(" "));
    notes.push("Large: 10 MB and more.");
    added.push({ field, op: ">=", value: LARGE_BYTES });
  }
  if (topics.has("long") && !has("duration")) {
    notes.push("Long: an hour and more.");
    added.push({ field: "duration", op: ">=", value: LONG_DURATION });
  }
  return added;
}

/** Whether a verb such as `logged in` leaves open whether the log-on succeeded. */
export function isOfAnyOutcome({ parts }: Reading, conditions: readonly Condition[]): boolean {
  return parts.some(({ text }) => /^(?:logged|log|signed) (?:in|on|into)\b/i.test(text)) &&
    conditions.flatMap(leavesOf).some(({ field, op }) => field === "logon" && op === "exists");
}

function logon(topics: ReadonlySet<Topic>): Comparison {
  if (topics.has("failed")) return { field: "logon", op: "matches", value: "failed" };
  if (topics.has("succeeded")) return { field: "logon", op: "matches", value: "succeeded" };
  return { field: "logon", op: "exists" };
}
