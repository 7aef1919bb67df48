/** The sections of a device page, as named in its address; the first one is the default. */
export const DEVICE_VIEWS = ["activity", "traits", "identity"] as const;
export type DeviceView = (typeof DEVICE_VIEWS)[number];
