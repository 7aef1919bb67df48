import { PAIR_FIELDS, pairFaults } from "../../contract/filter/pair-fields.ts";
import type { QueryTarget } from "../search/query-target.ts";

/** The query bar of the map. */
export const MAP_QUERY: QueryTarget = {
  noun: "the map",
  placeholder: "Filter the map: country:RO, service:dns bytes>1MB, or tag:critical",
  examples: ["intel:*", "severity>=high", "-country:*", "bytes>100MB"],
  fields: PAIR_FIELDS,
  faults: pairFaults,
};
