import { outsideKey } from "../kernel/peer.ts";

/** The device or address that a result is about. */
export interface Party {
  /** Null if the address is not a device of the site. */
  deviceId: string | null;
  /** The device's name, or the address. */
  name: string;
  /** The device's id, or the address. */
  key: string;
  /** Devices that matched the indicator, and devices of the tenant. */
  users: number;
  deviceCount: number;
}

/** Identifies a party in group keys: its device, else its address. */
export function partyKey(
  { deviceId, ip, internal }: { deviceId: string | null; ip: string; internal: boolean },
): string {
  return deviceId ?? (internal ? ip : outsideKey(ip));
}
