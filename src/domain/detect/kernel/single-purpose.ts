// Types of devices that serve one purpose, as a person or the inventory states them.

/** Single-purpose types and their names in a sentence. */
export const SINGLE_PURPOSE_TYPES: ReadonlyMap<string, string> = new Map([
  ["printer", "a printer"],
  ["camera", "a camera"],
  ["voip_phone", "a desk phone"],
  ["iot", "an IoT device"],
]);
