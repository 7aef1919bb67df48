/** The result of `JSON.parse` for `{…}`: every key is an own property, even `__proto__`. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every key of the objects in a value, at any depth. */
export function keysWithin(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysWithin);
  if (!isJsonObject(value)) return [];
  return Object.keys(value).flatMap((key) => [key, ...keysWithin(value[key])]);
}
