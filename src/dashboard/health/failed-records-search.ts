import type { FailedStatus } from "../../contract/record/failed-record.ts";
import type { EvidenceSource, RecordKind } from "../../contract/record/kinds.ts";
import { oneOf, type Search, text } from "../base/search-params.ts";
import { FLOW_SOURCES } from "../entity/record/record-sources.ts";

// Repeated here, because the dashboard imports only types of the contract.
export const FAILED_STATUSES = ["unparsed", "rejected"] as const satisfies FailedStatus[];

export interface RecordsSearch {
  status?: FailedStatus;
  sensor_id?: string;
  source?: EvidenceSource;
  kind?: RecordKind;
}
export function readRecords(search: Search): RecordsSearch {
  return {
    status: oneOf(FAILED_STATUSES, search.status),
    sensor_id: text(search.sensor_id),
    source: oneOf(FLOW_SOURCES, search.source),
    // The server rejects an unknown one: the list of kinds is large.
    kind: text(search.kind) as RecordKind | undefined,
  };
}
