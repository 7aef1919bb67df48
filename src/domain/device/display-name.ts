export type { DisplayNameSource } from "../../contract/device/device.ts";

/** What is left where no name was given. */
const NO_NAMES: ReadonlySet<string> = new Set(["localhost", "(none)", "unknown", "none", "null"]);

/**
 * A host name that a machine gives of itself, fit to be shown as the name of a device; null where it is not: hostile or
 * damaged texts, addresses, and what stands for no name.
 */
export function displayHostName(text: string | null): string | null {
  const name = text?.trim().replace(/\.$/, "") ?? "";
  if (!/^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._'’-]{0,127}$/u.test(name) || !/\p{L}/u.test(name)) return null;
  return NO_NAMES.has(name.toLowerCase().split(".", 1)[0]!) ? null : name;
}
