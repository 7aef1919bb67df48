import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Device, DeviceDetail } from "../../contract/device/device.ts";
import { getOne } from "../base/api.ts";
import { filterParams, list, LIVE } from "../base/queries.ts";
import { type Range, rangeKey, windowOf } from "../base/time/range.ts";

export const deviceList = (tenant: string, filter: { filter?: string; sort?: string }) =>
  list<Device>(tenant, "/api/v1/devices", filterParams(filter), null, ["device"]);

/** A device without what depends on a window. */
export const deviceRecord = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "device-record", id],
    queryFn: ({ signal }) => getOne<DeviceDetail>(`/api/v1/devices/${encodeURIComponent(id)}`, {}, signal),
  });

/** `zone`: that of the hours of the activity pattern. */
export const deviceDetail = (tenant: string, id: string, range: Range, zone: string) =>
  queryOptions({
    queryKey: [tenant, "device", id, rangeKey(range), zone],
    queryFn: ({ signal }) =>
      getOne<DeviceDetail>(
        `/api/v1/devices/${encodeURIComponent(id)}`,
        { ...windowOf(range, Date.now()), zone },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 2 * LIVE,
  });
