// Which kind of sensor is counted, where records of requests and handshakes are: Zeek and Suricata on the same
// packets write a record each.
import type { EvidenceSource } from "../../../contract/record/kinds.ts";
import type { Micros } from "../../record/observation.ts";
import { LATENESS } from "./lateness.ts";
import { type Field, float, oneOf, record } from "./state/schema.ts";

export interface MainSource {
  /** Null before the first record. */
  source: EvidenceSource | null;
  /** Its newest record. */
  last: Micros;
}

/** Stored by position: append only. */
const SOURCES: readonly MainSource["source"][] = [
  null,
  "zeek",
  "suricata",
  "netflow",
  "unbound",
  "inventory",
  "model",
];

export const mainSource: Field<MainSource> = record<MainSource>({
  source: oneOf(SOURCES, "source"),
  last: float,
});

export function noMainSource(): MainSource {
  return { source: null, last: 0 };
}

/**
 * Whether a record counts, recorded in place: the first source does, and another one once the first has been
 * silent for as long as its records may be late.
 */
export function isOfMainSource(main: MainSource, source: EvidenceSource, at: Micros): boolean {
  if (source !== main.source && main.source !== null && Math.abs(at - main.last) <= LATENESS) return false;
  main.last = source === main.source ? Math.max(main.last, at) : at;
  main.source = source;
  return true;
}
