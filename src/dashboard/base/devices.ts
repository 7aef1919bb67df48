import { queryOptions, useQuery } from "@tanstack/react-query";
import { firstPages } from "./api.ts";
import { LARGEST_PAGE, LIVE } from "./queries.ts";
import { useSignedIn } from "./session.ts";

const PAGES = 4;

/** Devices by identifier, to name them elsewhere; a very large site names the first few thousand. */
export const deviceDirectory = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "directory"],
    queryFn: async ({ signal }) => {
      // The order in which a scan misses no device, however many move meanwhile.
      const query = { sort: "-first_seen", limit: LARGEST_PAGE } as const;
      const { rows, complete } = await firstPages("listDevices", { query, signal }, PAGES);
      return { devices: new Map(rows.map((device) => [device.device_id, device])), complete };
    },
    staleTime: LIVE,
    refetchInterval: 4 * LIVE,
  });

/** Shown until the names are loaded: an identifier would look like a name. */
const UNREAD = "…";

/**
 * A device's name if the directory has it, otherwise `fallback`, otherwise the identifier. The directory of a large site
 * is large: with `isNeeded` false it is used if another part of the page has loaded it, and not requested.
 */
export function useDeviceName(isNeeded = true): (id: string, fallback?: string) => string {
  const { tenant } = useSignedIn();
  const { data, isLoading } = useQuery({ ...deviceDirectory(tenant), enabled: isNeeded });
  return (id, fallback) => data?.devices.get(id)?.display_name ?? fallback ?? (isLoading ? UNREAD : id);
}
