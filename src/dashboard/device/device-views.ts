/** The sections of a device's page, as its address names them; the first one needs no name. */
export const DEVICE_VIEWS = ["activity", "traits", "identity"] as const;
export type DeviceView = (typeof DEVICE_VIEWS)[number];
