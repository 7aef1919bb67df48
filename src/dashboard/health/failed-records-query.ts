import type { QueryOf } from "../../contract/request/client.ts";
import { list } from "../base/queries.ts";
import type { Range } from "../base/time/range.ts";

export type FailedFilter = Pick<QueryOf<"listRecords">, "status" | "sensor_id" | "source" | "kind">;

export const failedRecords = (tenant: string, filter: FailedFilter, range: Range) =>
  list(tenant, "listRecords", filter, range);
