import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { QueryOf } from "../../contract/request/client.ts";
import { call } from "../base/api.ts";
import { filterParams, list, LIVE } from "../base/queries.ts";
import { type Range, rangeKey, windowOf } from "../base/time/range.ts";

export const deviceList = (
  tenant: string,
  filter: Pick<QueryOf<"listDevices">, "sort"> & { filter?: string },
) => list(tenant, "listDevices", filterParams(filter), null, ["device"]);

/** A device without what depends on a window. */
export const deviceRecord = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "device-record", id],
    queryFn: ({ signal }) => call("getDevice", { params: { device_id: id }, signal }),
  });

/** `zone`: that of the hours of the activity pattern. */
export const deviceDetail = (tenant: string, id: string, range: Range, zone: string) =>
  queryOptions({
    queryKey: [tenant, "device", id, rangeKey(range), zone],
    queryFn: ({ signal }) =>
      call("getDevice", {
        params: { device_id: id },
        query: { ...windowOf(range, Date.now()), zone },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 2 * LIVE,
  });
