import type { JsonValue } from "../../kit/json/json.ts";
import { text } from "./fields.ts";

/**
 * A MAC address as `aa:bb:cc:dd:ee:ff`; colons, hyphens and the case may be otherwise. `null` for a hardware
 * address of another length, and for the all-zero one, which stands for none.
 */
export function macAddress(value: JsonValue | undefined): string | null {
  const given = text(value, 64)?.toLowerCase().replaceAll("-", ":") ?? "";
  return /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/.test(given) && given !== "00:00:00:00:00:00" ? given : null;
}
