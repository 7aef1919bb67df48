import type { JsonValue } from "../../kit/json/json.ts";
import { text } from "./fields.ts";

const NO_MAC = "00:00:00:00:00:00";

/** Whether this is the all-zero address. */
export function isNoMac(value: JsonValue | undefined): boolean {
  return value === NO_MAC;
}

/**
 * A MAC address as `aa:bb:cc:dd:ee:ff`; accepts colons, hyphens and any case. Null for other lengths and for
 * the all-zero address, which stands for none.
 */
export function macAddress(value: JsonValue | undefined): string | null {
  const given = text(value, 64)?.toLowerCase().replaceAll("-", ":") ?? "";
  return /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/.test(given) && given !== NO_MAC ? given : null;
}
