import type { JsonValue } from "../../src/kit/json/json.ts";
import type { Payload } from "./samples.ts";

/** Counts reads of payload members: a measure of work that does not depend on time. */
export class Counted {
  reads = 0;
  readonly payload: Payload;
  #seen = new WeakMap<object, object>();

  constructor(payload: Payload) {
    this.payload = this.#watched(payload) as Payload;
  }

  #watched(value: JsonValue): JsonValue {
    if (typeof value !== "object" || value === null) return value;
    const known = this.#seen.get(value);
    if (known !== undefined) return known as JsonValue;
    const watched = new Proxy(value, {
      get: (target, name, receiver) => {
        this.reads++;
        return this.#watched(Reflect.get(target, name, receiver) as JsonValue);
      },
      has: (target, name) => {
        this.reads++;
        return Reflect.has(target, name);
      },
      ownKeys: (target) => {
        const names = Reflect.ownKeys(target);
        this.reads += names.length;
        return names;
      },
    });
    this.#seen.set(value, watched);
    return watched;
  }
}

/** Number of members and items at all levels. */
export function sizeOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((size, part) => size + 1 + sizeOf(part), 0);
}
