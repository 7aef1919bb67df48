export type { DisplayNameSource } from "../../contract/device/device.ts";

/** Placeholders for a missing name. */
const NO_NAMES: ReadonlySet<string> = new Set(["localhost", "(none)", "unknown", "none", "null"]);

/**
 * A host name reported by a machine, if suitable as a device's display name. Null for hostile or damaged
 * texts, addresses and placeholders.
 */
export function displayHostName(text: string | null): string | null {
  const name = text?.trim().replace(/\.$/, "") ?? "";
  if (!/^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._'’-]{0,127}$/u.test(name) || !/\p{L}/u.test(name)) return null;
  return NO_NAMES.has(name.toLowerCase().split(".", 1)[0]!) ? null : name;
}
