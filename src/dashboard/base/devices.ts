import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Device } from "../../contract/device/device.ts";
import { getPage, type Page } from "./api.ts";
import { LARGEST_PAGE, LIVE } from "./queries.ts";
import { useSignedIn } from "./session.ts";

const PAGES = 4;

/** Devices by identifier, to name them elsewhere; a very large site names the first few thousand. */
export const deviceDirectory = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "directory"],
    queryFn: async ({ signal }) => {
      const devices = new Map<string, Device>();
      let cursor: string | null = null;
      for (let read = 0; read < PAGES; read++) {
        // The order in which a scan misses no device, however many move meanwhile.
        const query = { sort: "-first_seen", limit: LARGEST_PAGE, cursor };
        const page: Page<Device> = await getPage("/api/v1/devices", query, signal);
        for (const device of page.data) devices.set(device.device_id, device);
        cursor = page.next_cursor;
        if (cursor === null) break;
      }
      return { devices, complete: cursor === null };
    },
    staleTime: LIVE,
    refetchInterval: 4 * LIVE,
  });

/** A device's name if the directory has it, otherwise `fallback`, otherwise the identifier. */
export function useDeviceName(): (id: string, fallback?: string) => string {
  const { tenant } = useSignedIn();
  const { data } = useQuery(deviceDirectory(tenant));
  return (id, fallback) => data?.devices.get(id)?.display_name ?? fallback ?? id;
}
