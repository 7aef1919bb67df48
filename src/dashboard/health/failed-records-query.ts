import { list } from "../base/queries.ts";
import type { Range } from "../base/time/range.ts";
import type { RecordsSearch } from "./failed-records-search.ts";

export const failedRecords = (tenant: string, filter: RecordsSearch, range: Range) =>
  list(tenant, "listRecords", filter, range);
