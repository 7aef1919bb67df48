import type { JsonValue } from "../../kit/json/json.ts";
import { text } from "./fields.ts";

/**
 * A MAC address as `aa:bb:cc:dd:ee:ff`; accepts colons, hyphens and any case. Null for other lengths and for
 * the all-zero address, which stands for none.
 */
export function macAddress(value: JsonValue | undefined): string | null {
  const given = text(value, 64)?.toLowerCase().replaceAll("-", ":") ?? "";
  return /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/.test(given) && given !== "00:00:00:00:00:00" ? given : null;
}
