import type { FailedRecord } from "../../contract/record/failed-record.ts";
import { list } from "../base/queries.ts";
import type { Range } from "../base/time/range.ts";

export interface FailedFilter {
  status?: string;
  sensor_id?: string;
  source?: string;
  kind?: string;
}
export const failedRecords = (tenant: string, filter: FailedFilter, range: Range) =>
  list<FailedRecord>(tenant, "/api/v1/records", { ...filter }, range);
