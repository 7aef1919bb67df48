// The fields by which the map can be filtered: what is known of the traffic of two addresses in a window.

import { expandBare } from "./bare.ts";
import { FIELD_NAMES, type FieldName, FIELDS } from "./fields.ts";
import { leavesOf, mapLeaves } from "./normalise.ts";
import type { LeafSpan } from "./parser.ts";
import { printComparison } from "./printer.ts";
import { short, type TextFault } from "./text-fault.ts";
import type { Comparison, Condition } from "./tree.ts";

/** Fields of the traffic itself. */
export const PAIR_TRAFFIC_FIELDS = [
  "ip",
  "country",
  "asn",
  "vlan",
  "service",
  "bytes",
  "packets",
  "intel",
] as const satisfies readonly FieldName[];
export type PairField = (typeof PAIR_TRAFFIC_FIELDS)[number];

const TRAFFIC: ReadonlySet<FieldName> = new Set(PAIR_TRAFFIC_FIELDS);

/** Fields of the traffic, of the devices at its ends and of incidents. */
export const PAIR_FIELDS: ReadonlySet<FieldName> = new Set(
  FIELD_NAMES.filter((name) =>
    TRAFFIC.has(name) || FIELDS[name].owner === "device" || FIELDS[name].owner === "incident"
  ),
);

/** Fields of one direction, and what is known of both together. */
const UNDIRECTED: Partial<Record<FieldName, FieldName>> = {
  "src.ip": "ip",
  "dst.ip": "ip",
  "src.country": "country",
  "dst.country": "country",
  "src.asn": "asn",
  "dst.asn": "asn",
  "src.bytes": "bytes",
  "dst.bytes": "bytes",
};

/** What is wrong with a filter of the map, in the order of its text. */
export function pairFaults(spans: readonly LeafSpan[]): TextFault[] {
  const faults: TextFault[] = [];
  for (const { leaf, from, to } of spans) {
    const fault = faultOf(leaf);
    // A list of times stands for several leaves.
    if (fault !== null && faults.at(-1)?.from !== from) {
      faults.push({ from, to, ...fault, expected: [...PAIR_FIELDS] });
    }
  }
  return faults;
}

function faultOf(leaf: Comparison): Pick<TextFault, "message" | "suggestion"> | null {
  const { field } = leaf;
  if (PAIR_FIELDS.has(field)) return null;
  if (field === "any") {
    const word = String(leaf.value);
    if (expanded(leaf) !== null) return null;
    return { message: `The map knows no field in which \`${short(word)}\` can occur`, suggestion: null };
  }
  if (FIELDS[field].type === "time") {
    return {
      message: `\`${field}\` does not filter the map: its window does`,
      suggestion: null,
    };
  }
  const both = UNDIRECTED[field];
  if (both !== undefined) {
    return {
      message: `The map does not know \`${field}\`: it adds up both directions`,
      suggestion: printComparison({ ...leaf, field: both }),
    };
  }
  return {
    message: `The map does not know \`${field}\`: it adds up the traffic of two addresses`,
    suggestion: null,
  };
}

/** A condition without bare words; their fields are those of the map. */
export function pairCondition(condition: Condition): Condition {
  return mapLeaves(condition, (leaf) => leaf.field === "any" ? expanded(leaf)! : leaf);
}

/** A bare word in the fields of the map; null if it stands in none. */
function expanded({ value }: Comparison): Condition | null {
  const leaves = leavesOf(expandBare(String(value ?? ""), "flows"))
    .filter(({ field }) => PAIR_FIELDS.has(field));
  if (leaves.length === 0) return null;
  return leaves.length === 1 ? leaves[0]! : { any: leaves };
}
