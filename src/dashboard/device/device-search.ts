import { oneOf, type Search } from "../base/search-params.ts";

/** The sections of a device page, as named in its address; the first one is the default. */
export const DEVICE_VIEWS = ["activity", "traits", "identity"] as const;
type DeviceView = (typeof DEVICE_VIEWS)[number];

export function readDevice(search: Search): { view?: DeviceView } {
  return { view: oneOf(DEVICE_VIEWS, search.view) };
}
